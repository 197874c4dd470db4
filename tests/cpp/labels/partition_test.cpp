// Properties of all partitions, their labels and their borders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "labels/partition.hpp"
#include "support/partition_sample.hpp"

namespace frr::internal {
namespace {

using namespace partition_sample;

// ---- Promises for all kinds

TEST(Partition, StrongPartitionsSumToOneAndStayOrdered) {
  Random random(8);
  for (int trial = 0; trial < 300; ++trial) {
    // Uniform partitions of data with gaps have a separate test.
    Settings settings = of(PartitionKind::supervised, 2 + static_cast<int>(random.below(6)));
    settings.slope = random.below(4) == 0 ? 0 : 0.5 * random.uniform();
    settings.min_share = 0.5 * random.uniform();
    const std::size_t n = 4 + random.below(60), distinct = 2 + random.below(40);
    std::vector<double> values, probes;
    std::vector<int> classes;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(static_cast<double>(random.below(distinct)) * 0.1 - 1);
      classes.push_back(static_cast<int>(i < 2 ? i : random.below(2)));
    }
    values[0] = values[1] + 0.1;
    const Feature feature = feature_of(values, settings, classes);
    SCOPED_TRACE("trial " + std::to_string(trial));
    expect_ordered(feature);
    EXPECT_LE(feature.labels.size(), static_cast<std::size_t>(settings.labels));
    EXPECT_GE(feature.labels.size(), 2u);
    for (int i = 0; i < 50; ++i) probes.push_back(6 * random.uniform() - 2);
    probes.insert(probes.end(), values.begin(), values.end());
    expect_sum_of_one(feature, probes);
    EXPECT_EQ(borders_of(feature).size() + 1, feature.labels.size());
  }
}

TEST(Partition, EveryTrainingValueHasALabelInEveryKind) {
  Random random(18);
  for (int trial = 0; trial < 300; ++trial) {
    const auto kind = static_cast<PartitionKind>(random.below(3));
    const std::size_t choices = kind == PartitionKind::quantile ? 2 : 6;
    const Settings settings = of(kind, 2 + static_cast<int>(random.below(choices)));
    const std::size_t n = 4 + random.below(60), distinct = 2 + random.below(40);
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(static_cast<double>(random.below(distinct)) * 0.1 - 1);
    }
    values[0] = values[1] + 0.1;
    const Feature feature = feature_of(values, settings);
    SCOPED_TRACE("trial " + std::to_string(trial));
    expect_ordered(feature);
    for (const double x : values) {
      double most = 0;
      for (const Trapezoid& shape : ranges_of(feature)) most = std::max(most, shape(x));
      EXPECT_GT(most, 0) << x;
    }
  }
}

TEST(Partition, SeparatesTwoValuesByTwoLabels) {
  for (const auto kind : {PartitionKind::uniform, PartitionKind::supervised}) {
    for (int labels = 2; labels <= 7; ++labels) {
      std::vector<double> values(40, 3.0);
      for (std::size_t i = 0; i < 20; ++i) values[2 * i] = 8;
      const Feature feature = feature_of(values, of(kind, labels));
      ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
      EXPECT_EQ(feature.labels[0].shape(3), 1);
      EXPECT_EQ(feature.labels[0].shape(8), 0);
      EXPECT_EQ(feature.labels[1].shape(3), 0);
      EXPECT_EQ(feature.labels[1].shape(8), 1);
    }
  }
}

TEST(Partition, HugeValuesGiveFiniteOrderedLabels) {
  const std::vector<std::vector<double>> columns = {
      {-1.7e308, -1e308, 0, 1e308, 1.7e308, 5, 6, 7},
      {1e308, 1.1e308, 1.2e308, 1.3e308, 1.4e308, 1.5e308, 1.6e308, 1.7e308},
      {-1.7e308, -1.7e308, -1.7e308, -1.7e308, 1.7e308, 1.7e308, 1.7e308, 1.7e308}};
  for (const auto& values : columns) {
    for (const auto kind :
         {PartitionKind::quantile, PartitionKind::uniform, PartitionKind::supervised}) {
      for (int labels = 2; labels <= 7; ++labels) {
        const Feature feature = feature_of(values, of(kind, labels));
        SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + " labels " +
                     std::to_string(labels));
        expect_ordered(feature);
        EXPECT_GE(feature.labels.size(), kind == PartitionKind::quantile ? 1u : 2u);
        EXPECT_TRUE(std::isfinite(feature.spread));
        for (const double x : values) {
          for (const Trapezoid& shape : ranges_of(feature)) {
            EXPECT_TRUE(shape(x) >= 0 && shape(x) <= 1);
          }
        }
      }
    }
  }
}

// ---- Which labels there are

TEST(Partition, HasWordsForTwoToSevenLabels) {
  EXPECT_EQ(label_words(2).size(), 2u);
  for (int labels = 2; labels <= 7; ++labels) {
    const auto words = label_words(labels);
    ASSERT_EQ(words.size(), static_cast<std::size_t>(labels));
    // Words are symmetric about the middle.
    for (std::size_t v = 0; v < words.size() / 2; ++v) {
      std::string mirrored(words[words.size() - 1 - v]);
      mirrored.replace(mirrored.find("high"), 4, "low");
      EXPECT_EQ(mirrored, words[v]);
    }
    if (labels % 2 == 1) {
      EXPECT_EQ(words[words.size() / 2], "medium");
    }
  }
}

TEST(Partition, AutomaticLabelsAreMoreForManyRowsAndFewColumns) {
  EXPECT_EQ(automatic_labels(3999, 2), 3);
  EXPECT_EQ(automatic_labels(4000, 1), 7);
  EXPECT_EQ(automatic_labels(4000, 2), 7);
  EXPECT_EQ(automatic_labels(4000, 3), 7);  // 7^3 = 343
  EXPECT_EQ(automatic_labels(4000, 4), 6);  // 5^4 = 625, 6^4 = 1296
  EXPECT_EQ(automatic_labels(4000, 5), 4);  // 3^5 = 243, 4^5 = 1024
  EXPECT_EQ(automatic_labels(4000, 7), 3);  // 3^7 = 2187
  EXPECT_EQ(automatic_labels(1000000, 500), 3);
  Table table;
  std::vector<double> x(4000);
  std::vector<std::optional<std::string>> y(4000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i);
    y[i] = i / 500 % 2 == 0 ? "a" : "b";
  }
  table.add_numeric("x", x);
  table.add_categorical("y", y);
  const Dataset data = make_dataset(table, "y");
  std::vector<std::uint32_t> rows(4000);
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::string> notes;
  EXPECT_EQ(make_partition(table, data, rows, Settings{}, {}, notes).features[0].labels.size(), 7U);
  rows.resize(3999);
  EXPECT_EQ(make_partition(table, data, rows, Settings{}, {}, notes).features[0].labels.size(), 3U);
}

TEST(Partition, LeavesOutConstantColumnsAndLabelsMissingValues) {
  Table table;
  table.add_numeric("x", {1, 2, 3, nan, 5, 6, 7, 8});
  table.add_numeric("constant", std::vector<double>(8, 4.0));
  table.add_numeric("sometimes", {nan, 4, 4, nan, 4, 4, 4, nan});
  table.add_categorical("c", {"b", "a", std::nullopt, "a", "b", "a", "a", "a"});
  table.add_categorical("d", {"b", "a", "a", "a", "b", "a", "a", "a"});
  const Made made = make(std::move(table), halves(8), Settings{});
  const auto& features = made.partition.features;
  ASSERT_EQ(features.size(), 4u);
  EXPECT_EQ(features[0].labels.back().kind, LabelKind::missing);
  EXPECT_EQ(features[0].labels.back().name, "missing");
  EXPECT_EQ(names_of(features[1]), (Names{"present", "missing"}));
  EXPECT_EQ(features[1].labels[0].shape(-1e9), 1);
  EXPECT_EQ(names_of(features[2]), (Names{"a", "b", "missing"}));
  EXPECT_EQ(names_of(features[3]), (Names{"a", "b"}));
  EXPECT_EQ(features[3].type, ColumnType::categorical);
}

TEST(Partition, UsesOnlyTrainingRows) {
  Table table;
  table.source = "t.csv";
  table.add_numeric("x", {1, 2, 3, 4, 1000, nan});
  table.add_categorical("c", {"a", "b", "a", "b", "z", std::nullopt});
  table.add_categorical("class", {"k0", "k1", "k0", "k1", "k0", "k1"});
  const Dataset data = make_dataset(table, "class");
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  std::vector<std::string> notes;
  const Partition partition = make_partition(table, data, rows, Settings{}, {}, notes);
  EXPECT_EQ(partition.features[0].high, 4);
  EXPECT_NE(partition.features[0].labels.back().kind, LabelKind::missing);
  EXPECT_EQ(names_of(partition.features[1]), (Names{"a", "b"}));
}

TEST(Partition, CategoryNamedMissingDoesNotClash) {
  Table table;
  table.add_categorical("c", {"missing", "a", std::nullopt, "a"});
  const Made made = make(std::move(table), halves(4), Settings{});
  EXPECT_EQ(names_of(made.partition.features[0]), (Names{"a", "missing", "(missing)"}));
  EXPECT_EQ(made.partition.features[0].labels[1].kind, LabelKind::category);
  EXPECT_EQ(made.partition.features[0].labels[2].kind, LabelKind::missing);
}

TEST(Partition, LabelsOnlyTheMostFrequentCategoriesWithANote) {
  Table table;
  table.add_categorical("c", {"d", "d", "d", "a", "a", "b", "c", "c", "c", "c"});
  Settings settings;
  settings.max_categories = 3;
  const Made made = make(std::move(table), halves(10), settings);
  EXPECT_EQ(names_of(made.partition.features[0]), (Names{"a", "c", "d"}));
  ASSERT_EQ(made.notes.size(), 1u);
  for (const char* part : {"'c'", "4 different", "3 most frequent", "--max-categories"}) {
    EXPECT_NE(made.notes[0].find(part), std::string::npos) << made.notes[0];
  }
}

TEST(Partition, KeepsGivenLabels) {
  Table table;
  table.add_numeric("bmi", {17, 22, nan, 31});
  table.add_numeric("x", {1, 2, 3, 4});
  Feature bmi;
  bmi.name = "bmi";
  bmi.labels = {{"thin", LabelKind::range, {-infinity, -infinity, 18, 19}},
                {"heavy", LabelKind::range, {24, 26, infinity, infinity}}};
  const Made made = make(std::move(table), halves(4), Settings{}, {bmi});
  const Feature& feature = made.partition.features[0];
  ASSERT_EQ(names_of(feature), (Names{"thin", "heavy", "missing"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 18, 19);
  expect_shape(feature.labels[1], 24, 26, infinity, infinity);
  EXPECT_EQ(feature.low, 17);
  EXPECT_EQ(feature.high, 31);
}

TEST(Partition, RejectsLabelsForUnknownOrTextColumns) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 4});
  table.add_categorical("c", {"a", "b", "a", "b"});
  for (const char* name : {"y", "c"}) {
    Feature given;
    given.name = name;
    given.labels = {{"all", LabelKind::range, {-infinity, -infinity, infinity, infinity}}};
    EXPECT_THROW(make(table, halves(4), Settings{}, {given}), Error) << name;
  }
}

TEST(Partition, RejectsATableOfConstantColumns) {
  Table table;
  table.source = "t.csv";
  table.add_numeric("x", {1, 1, 2});
  table.add_categorical("class", {"a", "b", "a"});
  const Dataset data = make_dataset(table, "class");
  const std::vector<std::uint32_t> rows = {0, 1};
  std::vector<std::string> notes;
  EXPECT_THROW(make_partition(table, data, rows, Settings{}, {}, notes), Error);
}

// ---- Borders

TEST(Borders, AreReadAndSetInAStrongPartition) {
  Feature feature;
  feature.labels = {{"low", LabelKind::range, {-infinity, -infinity, 1, 2}},
                    {"medium", LabelKind::range, {1, 2, 5, 5}},
                    {"high", LabelKind::range, {5, 5, infinity, infinity}},
                    {"missing", LabelKind::missing, {}}};
  auto borders = borders_of(feature);
  ASSERT_EQ(borders.size(), 2u);
  EXPECT_EQ(borders[0].start, 1);
  EXPECT_EQ(borders[0].end, 2);
  EXPECT_EQ(borders[1].start, 5);
  set_border(feature, 1, {4, 6});
  expect_shape(feature.labels[1], 1, 2, 4, 6);
  expect_shape(feature.labels[2], 4, 6, infinity, infinity);
  borders = borders_of(feature);
  ASSERT_EQ(borders.size(), 2u);
  EXPECT_EQ(borders[1].end, 6);
}

TEST(Borders, AreEmptyIfLabelsDoNotCrossOnOneSlope) {
  const Feature paper = feature_of(up_to(100), of(PartitionKind::quantile, 3));
  EXPECT_TRUE(borders_of(paper).empty());
  Feature gap;
  gap.labels = {{"low", LabelKind::range, {-infinity, -infinity, 1, 2}},
                {"high", LabelKind::range, {3, 4, infinity, infinity}}};
  EXPECT_TRUE(borders_of(gap).empty());
}

TEST(Partition, DenormalsGiveOrderedLabels) {
  const double tiny = 5e-324;
  for (const auto kind :
       {PartitionKind::quantile, PartitionKind::uniform, PartitionKind::supervised})
    for (int labels = 2; labels <= 7; ++labels) {
      std::vector<double> values;
      for (int i = 0; i < 30; ++i) values.push_back(tiny * (1 + i % 3));
      const Feature feature = feature_of(values, of(kind, labels));
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + " labels " +
                   std::to_string(labels));
      expect_ordered(feature);
      for (const double x : values) {
        double most = 0;
        for (const auto& s : ranges_of(feature)) most = std::max(most, s(x));
        EXPECT_GT(most, 0);
      }
    }
}

}  // namespace
}  // namespace frr::internal
