// Promises that hold for every table and all settings.
#include <gtest/gtest.h>

#include <set>

#include "model/inference.hpp"
#include "support/random_cases.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Shape;

struct Case {
  Table table;
  TrainRequest request;
};

Settings random_settings(Random& random) {
  Settings settings = preset(random.below(4) == 0 ? "paper" : "default");
  settings.rules = 1 + static_cast<int>(random.below(20));
  settings.conditions = 1 + static_cast<int>(random.below(5));
  settings.labels = 2 + static_cast<int>(random.below(6));
  const auto tnorms = random_table::all_tnorms();
  settings.tnorm = tnorms[random.below(tnorms.size())];
  settings.semantics = random.below(3) == 0 ? Semantics::additive : Semantics::sufficient;
  if (settings.preset == "default") {
    settings.partition = static_cast<PartitionKind>(random.below(3));
    settings.slope = 0.5 * random.uniform();
    settings.min_share = 0.5 * random.uniform();
    settings.polish = random.below(5) != 0;
    settings.tune = random.below(4) != 0;
    settings.margin = random.below(3) == 0 ? 0 : 5 * random.uniform();
    settings.price = random.uniform();
    settings.class_weight = random.below(4) == 0 ? ClassWeight::balanced : ClassWeight::none;
    settings.root = random.below(4) == 0 ? 2.5 : 1;
    settings.max_categories = 2 + static_cast<int>(random.below(4));
    settings.restarts = 1 + static_cast<int>(random.below(2));
  }
  settings.epochs = 1 + static_cast<int>(random.below(6));
  settings.grid = 2 + static_cast<int>(random.below(10));
  settings.seed = random.next();
  settings.threads = 1;
  return settings;
}

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Shape shape;
  shape.classes = 2 + (random.below(4) == 0 ? random.below(12) : random.below(3));
  shape.rows = shape.classes + (random.below(3) == 0 ? random.below(6) : random.below(120));
  shape.numeric = random.below(5);
  shape.categorical = random.below(3) + (shape.numeric == 0 ? 1 : 0);
  shape.missing = random.below(2) == 0 ? 0 : 0.3 * random.uniform();
  shape.missing_target = random.below(4) == 0 ? 0.2 : 0;
  Case result{random_table::make(random, shape), {}};
  result.request.settings = random_settings(random);
  if (random.below(3) == 0) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      const bool none = i >= shape.classes && random.below(5) == 0;
      result.request.row_weights.push_back(none ? 0 : 0.1 + 3 * random.uniform());
    }
  }
  return result;
}

std::size_t training_row_count(const Case& c) {
  std::size_t count = 0;
  const Column& target = c.table.columns.back();
  for (std::size_t i = 0; i < c.table.rows; ++i) {
    const bool counts = c.request.row_weights.empty() || c.request.row_weights[i] > 0;
    count += !target.is_missing(i) && counts ? 1 : 0;
  }
  return count;
}

void expect_limits(const RuleBase& base, const Settings& settings) {
  EXPECT_LE(base.rules.size(), static_cast<std::size_t>(settings.rules));
  for (const Rule& rule : base.rules) {
    EXPECT_GE(rule.conditions.size(), 1u);
    EXPECT_LE(rule.conditions.size(), static_cast<std::size_t>(settings.conditions));
    std::set<int> features;
    for (const Condition& c : rule.conditions) {
      EXPECT_TRUE(features.insert(c.feature).second) << "a feature twice in a rule";
      ASSERT_LT(static_cast<std::size_t>(c.feature), base.partition.features.size());
      ASSERT_LT(static_cast<std::size_t>(c.label),
                base.partition.features[static_cast<std::size_t>(c.feature)].labels.size());
    }
    EXPECT_GT(rule.weight, 0);
    if (base.semantics == Semantics::sufficient) {
      EXPECT_LE(rule.weight, 1);
    }
    EXPECT_GE(rule.then, 0);
    EXPECT_LT(static_cast<std::size_t>(rule.then), base.classes.size());
  }
}

void expect_ordered_labels(const RuleBase& base, const Settings& settings) {
  for (const Feature& feature : base.partition.features) {
    std::set<std::string> names;
    const Trapezoid* before = nullptr;
    int ranges = 0;
    for (const Label& label : feature.labels) {
      EXPECT_TRUE(names.insert(label.name).second) << label.name << " twice in " << feature.name;
      if (label.kind != LabelKind::range) continue;
      ++ranges;
      const Trapezoid& t = label.shape;
      EXPECT_TRUE(t.a <= t.b && t.b <= t.c && t.c <= t.d) << feature.name << " IS " << label.name;
      if (before != nullptr) {
        EXPECT_TRUE(before->a <= t.a && before->b <= t.b && before->c <= t.c && before->d <= t.d)
            << feature.name << " IS " << label.name;
      }
      before = &label.shape;
    }
    EXPECT_LE(ranges, settings.labels);
  }
}

void expect_statistics(const RuleBase& base, std::size_t rows) {
  double of_classes = 0;
  for (const double count : base.class_rows) of_classes += count;
  EXPECT_NEAR(of_classes, static_cast<double>(rows), 1e-4);
  EXPECT_EQ(base.summary.rows, rows);
  if (base.semantics == Semantics::additive) return;
  double sum = base.otherwise_statistics.rows(), right = 0;
  right += base.otherwise_statistics.class_rows[static_cast<std::size_t>(base.otherwise)];
  for (const Rule& rule : base.rules) {
    EXPECT_GE(rule.statistics.coverage, rule.statistics.rows() - 1e-4);
    sum += rule.statistics.rows();
    right += rule.statistics.class_rows[static_cast<std::size_t>(rule.then)];
  }
  EXPECT_NEAR(sum, static_cast<double>(rows), 1e-4);
  EXPECT_NEAR(base.summary.train_accuracy, 100 * right / static_cast<double>(rows), 1e-4);
}

double expected_cost(const DecisionPolicy& policy, std::span<const double> p, int predicted) {
  const auto d = static_cast<std::size_t>(predicted);
  double cost = 0;
  for (std::size_t c = 0; c < p.size(); ++c) {
    if (c != d) cost += p[c] * (policy.costs.empty() ? 1 : policy.costs[c * p.size() + d]);
  }
  return cost;
}

void expect_probabilities(const RuleBase& base, const Table& table) {
  const ColumnMap map(base, table);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::vector<double> p = row_probabilities(base, map, row).of_class;
    double sum = 0;
    for (const double share : p) sum += share;
    // Balanced classes can make the costs of all classes equal but for rounding.
    const int predicted = decide(base, map, row).predicted, best = decide(base.policy, p);
    EXPECT_LE(expected_cost(base.policy, p, predicted),
              expected_cost(base.policy, p, best) * (1 + 1e-9) + 1e-12);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

void expect_same_after_loading(const RuleBase& base, const Table& table) {
  const std::string text = to_json(base);
  const RuleBase loaded = from_json(text);
  EXPECT_EQ(to_json(loaded), text);
  const ColumnMap before(base, table), after(loaded, table);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const Decision x = decide(base, before, row), y = decide(loaded, after, row);
    EXPECT_EQ(x.predicted, y.predicted);
    EXPECT_EQ(x.rule, y.rule);
    EXPECT_EQ(x.score, y.score);
  }
}

class Limits : public testing::TestWithParam<int> {};

TEST_P(Limits, HoldForRandomTablesAndSettings) {
  for (int i = 0; i < random_cases(50); ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 50 + i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_case(seed);
    const RuleBase base = train(c.table, c.request);
    const Settings& settings = c.request.settings;
    expect_limits(base, settings);
    expect_ordered_labels(base, settings);
    expect_statistics(base, training_row_count(c));
    expect_probabilities(base, c.table);
    expect_same_after_loading(base, c.table);
    if (settings.preset == "paper" && settings.semantics == Semantics::sufficient) {
      EXPECT_EQ(base.summary.agreement, 100);
    }
    if (HasFailure()) return;
  }
}

// Rules that decide no row only distract a reader.
TEST_P(Limits, PolishedRulesAllDecideARow) {
  for (int i = 0; i < random_cases(50); ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 50 + i);
    Case c = random_case(seed);
    c.request.settings.semantics = Semantics::sufficient;
    c.request.settings.polish = true;
    for (const Rule& rule : train(c.table, c.request).rules) {
      EXPECT_GT(rule.statistics.rows(), 0) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Limits, testing::Range(0, 8));

}  // namespace
}  // namespace frr::internal
