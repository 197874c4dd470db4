// Training of scorecards: additive rules with whole points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/column_map.hpp"
#include "model/inference.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

TrainRequest quick(int points) {
  TrainRequest request;
  request.settings.semantics = Semantics::additive;
  request.settings.points = points;
  request.settings.rules = 6;
  request.settings.threads = 1;
  return request;
}

double truth_of(const RuleBase& base, const ColumnMap& map, const Rule& rule, std::size_t row) {
  std::vector<FeatureValue> values(base.partition.features.size());
  for (const Condition& condition : rule.conditions) {
    values[static_cast<std::size_t>(condition.feature)] = map.value(row, condition.feature);
  }
  return truth(base, rule, values);
}

// Everything that a scorecard promises, on the rows of `table`.
void expect_scorecard(const RuleBase& base, const Table& table, int most) {
  ASSERT_TRUE(base.nats_per_point.has_value());
  const double nats = *base.nats_per_point;
  EXPECT_GT(nats, 0);
  ASSERT_GE(base.policy.positive, 0);
  for (const Rule& rule : base.rules) {
    EXPECT_NE(rule.points, 0);
    EXPECT_LE(std::abs(rule.points), most);
    EXPECT_EQ(rule.points > 0, rule.then == base.policy.positive);
    EXPECT_EQ(rule.weight, std::abs(rule.points) * nats);
    for (const Condition& condition : rule.conditions) {
      const Label& label = base.partition.features[static_cast<std::size_t>(condition.feature)]
                               .labels[static_cast<std::size_t>(condition.label)];
      if (label.kind != LabelKind::range) continue;
      EXPECT_EQ(label.shape.a, label.shape.b) << label.name;
      EXPECT_EQ(label.shape.c, label.shape.d) << label.name;
    }
  }
  const ColumnMap map(base, table);
  const std::vector<double> p = predict_proba(base, table, 1);
  const auto positive = static_cast<std::size_t>(base.policy.positive);
  const double bias = base.biases[positive] - base.biases[1 - positive];
  for (std::size_t i = 0; i < table.rows; ++i) {
    double total = 0;
    for (const Rule& rule : base.rules) {
      const double degree = truth_of(base, map, rule, i);
      ASSERT_TRUE(degree == 0 || degree == 1) << i;
      total += rule.points * degree;
    }
    EXPECT_NEAR(p[2 * i + positive], 1 / (1 + std::exp(-(bias + nats * total))), 1e-9) << i;
  }
}

TEST(TrainScorecard, GivesWholePointsOnCrispLabels) {
  int rules = 0;
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Random random(seed);
      const Table table = random_table::make(random, {.rows = 400, .numeric = 4, .missing = 0.1});
      TrainRequest request = quick(5);
      request.settings.tnorm = tnorm;
      const RuleBase base = train(table, request);
      expect_scorecard(base, table, 5);
      rules += static_cast<int>(base.rules.size());
    }
  }
  EXPECT_GT(rules, 18);
}

TEST(TrainScorecard, HasFinerLabelsUnlessTheirNumberIsGiven) {
  Random random(7);
  const Table table = random_table::make(random, {.rows = 400, .numeric = 1, .categorical = 0});
  EXPECT_EQ(train(table, quick(5)).partition.features[0].labels.size(), 7U);
  TrainRequest three = quick(5);
  three.settings.labels = 3;
  EXPECT_EQ(train(table, three).partition.features[0].labels.size(), 3U);
  EXPECT_EQ(train(table, quick(0)).partition.features[0].labels.size(), 3U);
}

TEST(TrainScorecard, KeepsItsPointsInTheModelFile) {
  Random random(1);
  const Table table = random_table::make(random, {.rows = 400, .numeric = 4});
  for (const int points : {1, 3, 10, 100}) {
    const RuleBase base = train(table, quick(points));
    expect_scorecard(base, table, points);
    const std::string text = to_json(base);
    const RuleBase read = from_json(text);
    EXPECT_EQ(to_json(read), text);
    expect_scorecard(read, table, points);
    EXPECT_EQ(predict_proba(read, table, 1), predict_proba(base, table, 1));
  }
}

TEST(TrainScorecard, HasPositivePointsForTheClassOfInterest) {
  Random random(2);
  const Table table = random_table::make(random, {.rows = 400, .numeric = 4});
  for (const char* positive : {"k0", "k1"}) {
    TrainRequest request = quick(5);
    request.policy.positive = positive;
    const RuleBase base = train(table, request);
    EXPECT_EQ(base.classes[static_cast<std::size_t>(base.policy.positive)], positive);
    expect_scorecard(base, table, 5);
  }
}

TEST(TrainScorecard, IsOneAlsoOfASampleOfALargeTable) {
  Random random(3);
  const Table table = random_table::make(random, {.rows = 3000, .numeric = 4, .missing = 0.05});
  TrainRequest request = quick(5);
  request.settings.search_rows = 1000;
  expect_scorecard(train(table, request), table, 5);
}

TEST(TrainScorecard, OfLabelsThatTheUserGaveMakesThemCrisp) {
  Random random(4);
  const Table table = random_table::make(random, {.rows = 400, .numeric = 2});
  TrainRequest request = quick(5);
  request.given = parse_partition(
      R"({"features": {"x0": {"little": [null, null, -0.5, 0.5], "much": [-0.5, 0.5, null, null]}}})");
  const RuleBase base = train(table, request);
  ASSERT_FALSE(base.rules.empty());
  expect_scorecard(base, table, 5);
}

// Of noise nothing can be learned: the shares of the classes remain.
TEST(TrainScorecard, WithoutARuleGivesTheSharesOfTheClasses) {
  Random random(5);
  Table table;
  table.source = "noise.csv";
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.normal());
    target.emplace_back(i % 4 == 0 ? "a" : "b");
  }
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  TrainRequest request = quick(5);
  request.settings.price = 10;
  const RuleBase base = train(table, request);
  ASSERT_TRUE(base.rules.empty());
  const std::size_t a = base.classes[0] == "a" ? 0 : 1;
  const std::vector<double> p = predict_proba(base, table, 1);
  EXPECT_NEAR(p[a], 0.25, 1e-3);
  EXPECT_NEAR(p[1 - a], 0.75, 1e-3);
  EXPECT_EQ(to_json(from_json(to_json(base))), to_json(base));
  EXPECT_FALSE(to_text(base).empty());
}

TEST(TrainScorecard, NeedsAdditiveRulesAndTwoClasses) {
  Random random(6);
  const auto refusal = [](const Table& table, const TrainRequest& request) {
    try {
      train(table, request);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  TrainRequest sufficient = quick(5);
  sufficient.settings.semantics = Semantics::sufficient;
  EXPECT_NE(refusal(random_table::make(random, {}), sufficient).find("--semantics additive"),
            std::string::npos);
  EXPECT_NE(refusal(random_table::make(random, {.classes = 3}), quick(5)).find("there are 3"),
            std::string::npos);
}

}  // namespace
}  // namespace frr::internal
