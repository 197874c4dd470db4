#include "data/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "train/learner.hpp"

namespace frr::internal {
namespace {

// 200 rows: a whole number, a real number with missing values, a category and a class that follows
// from both.
Table small_table() {
  Random random(5);
  std::vector<double> age, size;
  std::vector<std::optional<std::string>> colour, kind;
  for (int i = 0; i < 200; ++i) {
    const bool red = random.uniform() < 0.5;
    age.push_back(std::floor(20 + 60 * random.uniform()));
    size.push_back(i % 20 == 0 ? std::nan("") : random.uniform());
    colour.emplace_back(red ? "red" : "blue");
    kind.emplace_back(age.back() > 50 || red ? "yes" : "no");
  }
  Table table;
  table.add_numeric("age", age);
  table.add_numeric("size", size);
  table.add_categorical("colour", colour);
  table.add_categorical("kind", kind);
  return table;
}

struct Made {
  Table table = small_table();
  Dataset data = make_dataset(table, "kind");
  std::vector<std::uint32_t> rows;
  std::vector<float> weights;
  explicit Made(std::size_t count) : rows(count), weights(count, 1.0F) {
    std::iota(rows.begin(), rows.end(), 0U);
  }
  [[nodiscard]] Examples examples(const Settings& settings, int threads = 1) const {
    Control control({}, 0);
    return make_examples(table, data, data.features, rows, weights, settings, threads, control);
  }
};

TEST(ExamplesTest, EnoughRowsStayUnchanged) {
  const Made made(150);
  Settings settings;
  settings.augment = 150;
  const Examples examples = made.examples(settings);
  EXPECT_FALSE(examples.enlarged.has_value());
  std::vector<std::uint32_t> rows = examples.rows;
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, made.rows);
  for (std::size_t i = 0; i < examples.rows.size(); ++i) {
    EXPECT_EQ(examples.classes[i], made.data.labels[examples.rows[i]]);
    EXPECT_EQ(examples.weights[i], 1.0F);
  }
}

TEST(ExamplesTest, FewRowsAreEnlargedAndKeepTheirTotalWeight) {
  const Made made(150);
  Settings settings;
  settings.augment = 1000;
  const Examples examples = made.examples(settings);
  ASSERT_TRUE(examples.enlarged.has_value());
  EXPECT_EQ(examples.rows.size(), 1000U);
  EXPECT_EQ(examples.enlarged->rows, 1000U);
  EXPECT_EQ(examples.enlarged->columns.size(), 3U);
  const double sum = std::accumulate(examples.weights.begin(), examples.weights.end(), 0.0);
  EXPECT_NEAR(sum, 150, 0.01);
}

TEST(ExamplesTest, RealRowsKeepTheirValuesAndClasses) {
  const Made made(150);
  Settings settings;
  settings.augment = 400;
  const Examples examples = made.examples(settings);
  int real = 0;
  for (std::size_t i = 0; i < examples.rows.size(); ++i) {
    const std::uint32_t row = examples.rows[i];
    if (row >= 150) continue;
    ++real;
    EXPECT_EQ(examples.classes[i], made.data.labels[row]);
    EXPECT_EQ(examples.enlarged->columns[0].values[row], made.table.columns[0].values[row]);
    const Column &now = examples.enlarged->columns[2], &before = made.table.columns[2];
    EXPECT_EQ(now.categories[static_cast<std::size_t>(now.codes[row])],
              before.categories[static_cast<std::size_t>(before.codes[row])]);
  }
  EXPECT_EQ(real, 150);
}

TEST(ExamplesTest, SyntheticValuesStayWithinTheRangeOfTheColumn) {
  const Made made(150);
  Settings settings;
  settings.augment = 3000;
  const Examples examples = made.examples(settings);
  const Column& age = examples.enlarged->columns[0];
  const Column& size = examples.enlarged->columns[1];
  const auto [low, high] = std::minmax_element(age.values.begin(), age.values.begin() + 150);
  int missing = 0;
  for (std::size_t i = 150; i < 3000; ++i) {
    EXPECT_EQ(age.values[i], std::floor(age.values[i]));
    EXPECT_GE(age.values[i], *low);
    EXPECT_LE(age.values[i], *high);
    missing += size.is_missing(i) ? 1 : 0;
    EXPECT_TRUE(size.is_missing(i) || (size.values[i] >= 0 && size.values[i] <= 1));
    EXPECT_LT(examples.enlarged->columns[2].codes[i], 2);
    EXPECT_GE(examples.enlarged->columns[2].codes[i], 0);
  }
  EXPECT_GT(missing, 0);
}

TEST(ExamplesTest, TheForestGivesTheRightClasses) {
  const Made made(200);
  Settings settings;
  settings.augment = 2000;
  const Examples examples = made.examples(settings);
  const Table& table = *examples.enlarged;
  const auto yes = std::find(made.data.classes.begin(), made.data.classes.end(), "yes");
  const auto red =
      std::find(table.columns[2].categories.begin(), table.columns[2].categories.end(), "red");
  int right = 0;
  for (std::size_t i = 0; i < examples.rows.size(); ++i) {
    const std::uint32_t row = examples.rows[i];
    const bool is_red = table.columns[2].codes[row] == red - table.columns[2].categories.begin();
    const bool expected = table.columns[0].values[row] > 50 || is_red;
    right += (examples.classes[i] == yes - made.data.classes.begin()) == expected ? 1 : 0;
  }
  EXPECT_GT(right, 1900);  // of 2000; the border may be a year or two off
}

TEST(ExamplesTest, NoiseInTheClassesIsNotMemorised) {
  // A third of the classes are flipped. A forest with fine leaves gives synthetic rows the class of
  // their nearest real row, a coarse one the class on their side of the border.
  Table table;
  std::vector<double> x, other;
  std::vector<std::optional<std::string>> y;
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    x.push_back(random.uniform());
    other.push_back(random.uniform());
    y.emplace_back((x.back() > 0.5) != (random.uniform() < 1.0 / 3) ? "yes" : "no");
  }
  table.add_numeric("x", x);
  table.add_numeric("other", other);
  table.add_categorical("class", y);
  const Dataset data = make_dataset(table, "");
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0U);
  Control control({}, 0);
  const auto share_right = [&](int leaf) {
    Settings settings;
    settings.leaf = leaf;
    const Examples examples = make_examples(table, data, data.features, rows,
                                            std::vector<float>(300, 1.0F), settings, 1, control);
    double right = 0, made = 0;
    for (std::size_t i = 0; i < examples.rows.size(); ++i) {
      if (examples.rows[i] < 300) continue;
      made += 1;
      const bool yes = data.classes[static_cast<std::size_t>(examples.classes[i])] == "yes";
      right += yes == (examples.enlarged->columns[0].values[examples.rows[i]] > 0.5) ? 1 : 0;
    }
    EXPECT_EQ(made, 3700);
    return right / made;
  };
  EXPECT_LT(share_right(2), 0.8);
  EXPECT_GT(share_right(20), 0.85);
  EXPECT_EQ(share_right(0), share_right(20));
}

TEST(ExamplesTest, AreTheSameWithAnyNumberOfThreads) {
  const Made made(200);
  Settings settings;
  settings.augment = 1000;
  const Examples one = made.examples(settings, 1), three = made.examples(settings, 3);
  EXPECT_EQ(one.rows, three.rows);
  EXPECT_EQ(one.classes, three.classes);
  EXPECT_EQ(one.enlarged->columns[0].values, three.enlarged->columns[0].values);
}

// The class from the forest may differ from that of the real row.
TEST(ExamplesTest, ASyntheticRowHasTheWeightOfItsClass) {
  Made made(100);
  for (std::size_t i = 0; i < 100; ++i) made.weights[i] = made.data.labels[i] == 0 ? 50.0F : 0.1F;
  Settings settings;
  settings.augment = 300;
  const Examples examples = made.examples(settings);
  float weight_of[2] = {0, 0};
  for (std::size_t i = 0; i < examples.classes.size(); ++i) {
    float& weight = weight_of[examples.classes[i]];
    if (weight == 0) weight = examples.weights[i];
    EXPECT_NEAR(examples.weights[i], weight, 1e-5F * weight);
  }
  EXPECT_NEAR(weight_of[0], 500 * weight_of[1], 0.01F * weight_of[0]);
}

TEST(ExamplesTest, ASyntheticRowHasTheWeightOfItsRealRow) {
  Made made(100);
  std::fill(made.weights.begin(), made.weights.begin() + 50, 3.0F);
  Settings settings;
  settings.augment = 300;  // three times the rows: two synthetic ones from each
  const Examples examples = made.examples(settings);
  std::vector<float> weights = examples.weights;
  std::sort(weights.begin(), weights.end());
  EXPECT_NEAR(weights[149], 1.0 / 3, 1e-5);
  EXPECT_NEAR(weights[150], 1.0, 1e-5);
}

TEST(ExamplesTest, StatisticsCountOnlyRealRows) {
  const Made made(200);
  TrainRequest request;
  request.target = "kind";
  const RuleBase base = train(made.table, request);
  double rows = base.otherwise_statistics.rows();
  for (const Rule& rule : base.rules) rows += rule.statistics.rows();
  EXPECT_EQ(rows, 200);
  EXPECT_EQ(base.summary.rows, 200U);
}

}  // namespace
}  // namespace frr::internal
