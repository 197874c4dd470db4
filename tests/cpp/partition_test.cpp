#include "partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "random.hpp"

namespace frr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Names = std::vector<std::string>;

struct Made {
  Partition partition;
  std::vector<std::string> notes;
};

Made make(Table table, const std::vector<int>& classes, const Settings& settings,
          const std::vector<Feature>& given = {}) {
  std::vector<std::optional<std::string>> names;
  for (const int c : classes) names.emplace_back("k" + std::to_string(c));
  table.source = "t.csv";
  table.add_categorical("class", names);
  const Dataset data = make_dataset(table, "class");
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  Made result;
  result.partition = make_partition(table, data, rows, settings, given, result.notes);
  return result;
}

std::vector<int> halves(std::size_t rows) {
  std::vector<int> classes(rows);
  for (std::size_t i = 0; i < rows; ++i) classes[i] = 2 * i < rows ? 0 : 1;
  return classes;
}

Feature feature_of(const std::vector<double>& values, const Settings& settings,
                   std::vector<int> classes = {}) {
  Table table;
  table.add_numeric("x", values);
  table.add_numeric("other", [&] {
    std::vector<double> other(values.size());
    std::iota(other.begin(), other.end(), 0.0);
    return other;
  }());
  if (classes.empty()) classes = halves(values.size());
  const Made made = make(std::move(table), classes, settings);
  for (const Feature& feature : made.partition.features) {
    if (feature.name == "x") return feature;
  }
  return {};
}

Settings of(PartitionKind kind, int labels) {
  Settings settings;
  settings.partition = kind;
  settings.labels = labels;
  return settings;
}

std::vector<double> up_to(int last) {
  std::vector<double> values(static_cast<std::size_t>(last) + 1);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

void expect_shape(const Label& label, double a, double b, double c, double d) {
  const auto near = [](double x, double y) {
    return x == y || std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
  };
  const Trapezoid& t = label.shape;
  EXPECT_TRUE(near(t.a, a) && near(t.b, b) && near(t.c, c) && near(t.d, d))
      << label.name << ": " << t.a << " " << t.b << " " << t.c << " " << t.d;
}

Names names_of(const Feature& feature) {
  Names names;
  for (const Label& label : feature.labels) names.push_back(label.name);
  return names;
}

std::vector<Trapezoid> ranges_of(const Feature& feature) {
  std::vector<Trapezoid> shapes;
  for (const Label& label : feature.labels) {
    if (label.kind == LabelKind::range) shapes.push_back(label.shape);
  }
  return shapes;
}

void expect_ordered(const Feature& feature) {
  const auto shapes = ranges_of(feature);
  for (std::size_t v = 0; v < shapes.size(); ++v) {
    const Trapezoid& t = shapes[v];
    EXPECT_TRUE(t.a <= t.b && t.b <= t.c && t.c <= t.d) << v;
    const bool first = v == 0, last = v + 1 == shapes.size();
    EXPECT_EQ(std::isfinite(t.a) && std::isfinite(t.b), !first) << v;
    EXPECT_EQ(std::isfinite(t.c) && std::isfinite(t.d), !last) << v;
    if (first) continue;
    const Trapezoid& s = shapes[v - 1];
    EXPECT_TRUE(s.a <= t.a && s.b <= t.b && s.c <= t.c && s.d <= t.d) << v;
  }
}

void expect_sum_of_one(const Feature& feature, const std::vector<double>& at) {
  for (const double x : at) {
    double sum = 0;
    for (const Trapezoid& shape : ranges_of(feature)) sum += shape(x);
    EXPECT_NEAR(sum, 1, 1e-9) << "at " << x;
  }
}

// ---- The paper's quantile partition
// --------------------------------------------------------------

TEST(QuantilePartition, ThreeLabelsAreThePapersTableWithOpenShoulders) {
  // Q = 0, 20, 40, 60, 80, 100.
  const Feature feature = feature_of(up_to(100), of(PartitionKind::quantile, 3));
  ASSERT_EQ(names_of(feature), (Names{"low", "medium", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 20, 40);
  expect_shape(feature.labels[1], 20, 30, 50, 60);
  expect_shape(feature.labels[2], 40, 60, infinity, infinity);
}

TEST(QuantilePartition, TwoLabelsCrossInTheSecondQuarter) {
  const Feature feature =
      feature_of(up_to(100), of(PartitionKind::quantile, 2));  // Q = 0, 25, 50, 75, 100
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 25, 50);
  expect_shape(feature.labels[1], 25, 50, infinity, infinity);
}

TEST(QuantilePartition, SevenLabelsFollowTheSameTable) {
  const Feature feature = feature_of(up_to(90), of(PartitionKind::quantile, 7));  // Q_i = 10 i
  ASSERT_EQ(names_of(feature),
            (Names{"very low", "low", "fairly low", "medium", "fairly high", "high", "very high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 10, 20);
  for (int v = 1; v < 6; ++v) {
    expect_shape(feature.labels[static_cast<std::size_t>(v)], 10 * v, 10 * v + 5, 10 * v + 15,
                 10 * v + 20);
  }
  expect_shape(feature.labels[6], 60, 70, infinity, infinity);
}

TEST(QuantilePartition, EveryTrainingValueHasALabelWhateverIsTied) {
  const std::vector<std::vector<double>> columns{{0, 0, 0, 0, 0, 0, 1},
                                                 {0, 1, 1, 1, 1, 1, 1},
                                                 {0, 0, 0, 1, 1, 1},
                                                 {0, 0, 1, 1, 2, 2, 3, 3},
                                                 {5, 5, 5, 5, 5, 5, 5, 5, 9, 12}};
  for (const auto& values : columns) {
    for (int labels = 2; labels <= 7; ++labels) {
      const Feature feature = feature_of(values, of(PartitionKind::quantile, labels));
      EXPECT_GE(feature.labels.size(), 2U);
      for (const double x : values) {
        double most = 0;
        for (const Trapezoid& shape : ranges_of(feature)) most = std::max(most, shape(x));
        EXPECT_GT(most, 0) << x << " of " << values.size() << " values, " << labels << " labels";
      }
    }
  }
}

TEST(UniformPartition, StaysStrongWhereAMiddleRangeIsEmpty) {
  const Feature feature = feature_of({0, 0.1, 0.3, 0.5, 100}, of(PartitionKind::uniform, 3));
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  EXPECT_EQ(borders_of(feature).size(), 1U);
  for (double x = -1; x < 102; x += 0.5) {
    EXPECT_NEAR(ranges_of(feature)[0](x) + ranges_of(feature)[1](x), 1, 1e-12);
  }
}

TEST(QuantilePartition, ValuesBeyondTheDataAreWhollyLowOrHigh) {
  for (int labels = 2; labels <= 7; ++labels) {
    for (const auto kind :
         {PartitionKind::quantile, PartitionKind::uniform, PartitionKind::supervised}) {
      const Feature feature = feature_of(up_to(100), of(kind, labels));
      EXPECT_EQ(ranges_of(feature).front()(-1e300), 1);
      EXPECT_EQ(ranges_of(feature).back()(1e300), 1);
      for (const double x : {90.0, 100.0, 101.0}) EXPECT_EQ(ranges_of(feature).back()(x), 1);
    }
  }
}

TEST(QuantilePartition, QuantilesAreInterpolated) {
  // Positions 0.8 and 1.6 of 0..4 (V = 3, n = 5): Q_1 = 0.8, Q_2 = 1.6, Q_3 = 2.4.
  const Feature feature = feature_of({4, 2, 0, 3, 1}, of(PartitionKind::quantile, 3));
  ASSERT_EQ(feature.labels.size(), 3u);
  expect_shape(feature.labels[0], -infinity, -infinity, 0.8, 1.6);
  expect_shape(feature.labels[2], 1.6, 2.4, infinity, infinity);
}

// ---- Equal widths
// --------------------------------------------------------------------------------

TEST(UniformPartition, CutsTheRangeIntoEqualWidths) {
  Settings settings = of(PartitionKind::uniform, 4);
  settings.slope = 0.2;  // of a range's width, 10
  const Feature feature = feature_of(up_to(40), settings);
  ASSERT_EQ(names_of(feature), (Names{"very low", "low", "high", "very high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 8, 12);
  expect_shape(feature.labels[1], 8, 12, 18, 22);
  expect_shape(feature.labels[2], 18, 22, 28, 32);
  expect_shape(feature.labels[3], 28, 32, infinity, infinity);
}

TEST(UniformPartition, LabelsWithoutAnyValueAreLeftOut) {
  Settings settings = of(PartitionKind::uniform, 7);
  const Feature feature = feature_of({0, 0, 0, 1, 1, 1}, settings);
  EXPECT_EQ(names_of(feature), (Names{"low", "high"}));
}

// ---- Supervised cuts
// -----------------------------------------------------------------------------

// Weighted entropy of the ranges between the cuts, in nats times rows.
double entropy(const std::vector<int>& classes, const std::vector<std::size_t>& cuts,
               int class_count) {
  double total = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::size_t to = i < cuts.size() ? cuts[i] : classes.size();
    for (int c = 0; c < class_count; ++c) {
      double of_class = 0;
      for (std::size_t k = from; k < to; ++k) of_class += classes[k] == c ? 1 : 0;
      const double share = of_class / static_cast<double>(to - from);
      if (share > 0) total -= of_class * std::log(share);
    }
    from = to;
  }
  return total;
}

// The least entropy of `labels` ranges of at least `least` rows; infinite if there are none.
double best_entropy(const std::vector<double>& sorted, const std::vector<int>& classes,
                    int class_count, std::size_t labels, double least,
                    std::vector<std::size_t>& cuts) {
  const std::size_t from = cuts.empty() ? 0 : cuts.back();
  if (cuts.size() + 1 == labels) {
    if (static_cast<double>(sorted.size() - from) < least) return infinity;
    return entropy(classes, cuts, class_count);
  }
  double best = infinity;
  for (std::size_t k = from + 1; k < sorted.size(); ++k) {
    if (sorted[k] == sorted[k - 1] || static_cast<double>(k - from) < least) continue;
    cuts.push_back(k);
    best = std::min(best, best_entropy(sorted, classes, class_count, labels, least, cuts));
    cuts.pop_back();
  }
  return best;
}

TEST(SupervisedCuts, AreTheBestOfAllCombinations) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 6 + random.below(20);
    const int class_count = 2 + static_cast<int>(random.below(3));
    const int labels = 2 + static_cast<int>(random.below(3));
    const double min_share = random.below(2) == 0 ? 0.1 : 0.25 * random.uniform();
    std::vector<double> sorted;
    std::vector<int> classes;
    const std::size_t distinct = 2 + random.below(30);
    for (std::size_t i = 0; i < n; ++i) {
      sorted.push_back(static_cast<double>(random.below(distinct)));
      classes.push_back(static_cast<int>(random.below(static_cast<std::size_t>(class_count))));
    }
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() == sorted.back()) continue;
    const auto cuts = supervised_cuts(sorted, classes, class_count, labels, 40, min_share);
    for (const std::size_t cut : cuts) EXPECT_NE(sorted[cut], sorted[cut - 1]);

    const double least = min_share * static_cast<double>(n);
    // As many ranges as can be had; entropy never rises with one more.
    double best = infinity;
    std::size_t ranges = static_cast<std::size_t>(labels);
    for (; ranges >= 2 && best == infinity; --ranges) {
      std::vector<std::size_t> none;
      best = best_entropy(sorted, classes, class_count, ranges, least, none);
      if (best < infinity) {
        EXPECT_EQ(cuts.size() + 1, ranges);
      }
    }
    if (best == infinity) continue;  // the near-constant case, below
    EXPECT_NEAR(entropy(classes, cuts, class_count), best, 1e-9) << "trial " << trial;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::size_t to = i < cuts.size() ? cuts[i] : n;
      EXPECT_GE(static_cast<double>(to - from), least);
      from = to;
    }
  }
}

TEST(SupervisedCuts, OfManyValuesStandAtQuantileBins) {
  std::vector<double> sorted = up_to(999);
  std::vector<int> classes(1000);
  for (std::size_t i = 0; i < 1000; ++i) classes[i] = i < 400 ? 0 : i < 750 ? 1 : 0;
  const auto cuts = supervised_cuts(sorted, classes, 2, 3, 40, 0.1);  // bins of 25 rows
  EXPECT_EQ(cuts, (std::vector<std::size_t>{400, 750}));
}

TEST(SupervisedCuts, OfNearConstantValuesStillSeparateTheRareOnes) {
  std::vector<double> sorted(100, 0.0);
  for (std::size_t i = 95; i < 100; ++i) sorted[i] = 7;
  const std::vector<int> classes = halves(100);
  EXPECT_EQ(supervised_cuts(sorted, classes, 2, 3, 40, 0.1), (std::vector<std::size_t>{95}));
  std::vector<double> one(1000, 0.0);
  one.back() = 1;
  EXPECT_EQ(supervised_cuts(one, halves(1000), 2, 3, 40, 0.1), (std::vector<std::size_t>{999}));
  std::vector<double> first(1000, 0.0);
  first.front() = -1;
  EXPECT_EQ(supervised_cuts(first, halves(1000), 2, 3, 40, 0.1), (std::vector<std::size_t>{1}));
}

TEST(SupervisedPartition, SlopesReachOverAShareOfTheRows) {
  Settings settings = of(PartitionKind::supervised, 2);
  settings.slope = 0.1;
  // 100 rows, cut between 49 and 50: ten rows to each side of it.
  const Feature feature = feature_of(up_to(99), settings);
  ASSERT_EQ(names_of(feature), (Names{"low", "high"}));
  expect_shape(feature.labels[0], -infinity, -infinity, 39, 60);
  expect_shape(feature.labels[1], 39, 60, infinity, infinity);
}

TEST(SupervisedPartition, WithoutSlopeBordersAreCrispBetweenNeighbours) {
  Settings settings = of(PartitionKind::supervised, 2);
  settings.slope = 0;
  const Feature feature = feature_of(up_to(99), settings);
  const auto borders = borders_of(feature);
  ASSERT_EQ(borders.size(), 1u);
  EXPECT_EQ(borders[0].start, borders[0].end);
  EXPECT_GT(borders[0].start, 49);
  EXPECT_LE(borders[0].start, 50);
}

// ---- Promises for all kinds
// ----------------------------------------------------------------------

TEST(Partition, StrongOnesSumToOneEverywhereAndStayOrdered) {
  Random random(8);
  for (int trial = 0; trial < 300; ++trial) {
    // Uniform partitions of gappy data are a test of their own.
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

TEST(Partition, TwoValuesGetTwoLabelsThatTellThemApart) {
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
// ----------------------------------------------------------------------

TEST(Partition, WordsForTwoToSevenLabels) {
  EXPECT_EQ(label_words(2).size(), 2u);
  for (int labels = 2; labels <= 7; ++labels) {
    const auto words = label_words(labels);
    ASSERT_EQ(words.size(), static_cast<std::size_t>(labels));
    // The same word at the same distance from the middle on both sides.
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

TEST(Partition, AutomaticLabelsAreFinerWhereRowsAreManyAndColumnsFew) {
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

TEST(Partition, ConstantColumnsAreLeftOutAndMissingValuesHaveTheirLabel) {
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

TEST(Partition, OnlyTrainingRowsCount) {
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

TEST(Partition, ACategoryCalledMissingDoesNotClash) {
  Table table;
  table.add_categorical("c", {"missing", "a", std::nullopt, "a"});
  const Made made = make(std::move(table), halves(4), Settings{});
  EXPECT_EQ(names_of(made.partition.features[0]), (Names{"a", "missing", "(missing)"}));
  EXPECT_EQ(made.partition.features[0].labels[1].kind, LabelKind::category);
  EXPECT_EQ(made.partition.features[0].labels[2].kind, LabelKind::missing);
}

TEST(Partition, OnlyTheMostFrequentCategoriesGetALabelWithANote) {
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

TEST(Partition, GivenLabelsAreKeptAsTheyAre) {
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

TEST(Partition, GivenLabelsForAnotherColumnOrTextAreRefused) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 4});
  table.add_categorical("c", {"a", "b", "a", "b"});
  for (const char* name : {"y", "c"}) {
    Feature own;
    own.name = name;
    own.labels = {{"all", LabelKind::range, {-infinity, -infinity, infinity, infinity}}};
    EXPECT_THROW(make(table, halves(4), Settings{}, {own}), Error) << name;
  }
}

TEST(Partition, NothingButConstantTrainingRowsIsAnError) {
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
// -------------------------------------------------------------------------------------

TEST(Borders, OfAStrongPartitionAreReadAndSet) {
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

TEST(Borders, AreNoneWhereLabelsDoNotCrossOnOneSlope) {
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
TEST(QuantilePartition, TiesOfDecimalsStayOrdered) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n = 8 + random.below(60);
    std::vector<double> values(n, static_cast<double>(1 + random.below(999)) * 0.01);
    for (std::size_t i = 0; i < n; ++i)
      if (random.below(4) == 0) values[i] = 10 * random.uniform();
    const Feature feature =
        feature_of(values, of(PartitionKind::quantile, 2 + static_cast<int>(random.below(6))));
    for (const auto& t : ranges_of(feature))
      ASSERT_TRUE(t.a <= t.b && t.b <= t.c && t.c <= t.d)
          << trial << " " << t.a - t.b << " " << t.b - t.c << " " << t.c - t.d << " " << t.a
          << " n " << n;
  }
}

}  // namespace
}  // namespace frr
