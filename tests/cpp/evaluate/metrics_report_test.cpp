#include "evaluate/metrics_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using Texts = std::vector<std::optional<std::string>>;

// sample::patients decides: ill (rule 1), well (rule 2), ELSE well, ill (rule 3), well (rule 2).
Table five_patients() {
  Table table = sample::patient_table({150, 80, 150, sample::nan, 90}, {60, 50, 20, 50, 30},
                                      {"m", "f", "f", "f", "m"});
  table.source = "five.csv";
  table.add_categorical("state", Texts{"ill", "ill", "well", "ill", "well"});
  return table;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Measure, ReportsAllRows) {
  const MetricsReport report = measure(sample::patients(), five_patients(), {.replicates = 200});
  EXPECT_EQ(report.target, "state");
  EXPECT_EQ(report.rows, 5U);
  EXPECT_EQ(report.weight, 5);
  EXPECT_EQ(report.class_rows, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(report.confusion, (std::vector<std::vector<double>>{{2, 0}, {1, 2}}));
  EXPECT_DOUBLE_EQ(report.metrics.value.accuracy, 0.8);
  EXPECT_LT(report.metrics.low.accuracy, 0.8);
  EXPECT_GE(report.metrics.high.accuracy, 0.8);
  EXPECT_EQ(report.replicates, 200);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Measure, TheProbabilitiesAreThoseOfTheRules) {
  // Of 54 training rows, 19 are ill. Rule 1 has 18 ill of 20, rule 2 none of 30, ELSE 1 of 4, and
  // rule 3 no rows; the base rate counts as one more row.
  const MetricsReport report = measure(sample::patients(), five_patients(), {.replicates = 0});
  ASSERT_GE(report.roc.size(), 2U);
  const double base = 19.0 / 54;
  const double p[] = {(18 + base) / 21, base / 31, (1 + base) / 5, base, base / 31};
  const double truth[] = {1, 1, 0, 1, 0};
  double brier = 0;
  for (int i = 0; i < 5; ++i) brier += std::pow(p[i] - truth[i], 2) / 5;
  EXPECT_NEAR(report.metrics.value.brier, brier, 1e-15);
  EXPECT_TRUE(std::isnan(report.metrics.low.accuracy));
}

TEST(Measure, ThePositiveClassIsTheOneWithFewerTrainingRows) {
  // 2 + 30 + 3 well, 18 + 1 ill.
  EXPECT_EQ(measure(sample::patients(), five_patients(), {.replicates = 0}).positive, 1U);
  EXPECT_EQ(
      measure(sample::patients(), five_patients(), {.positive = "well", .replicates = 0}).positive,
      0U);
  const std::string message = message_of(
      [] { measure(sample::patients(), five_patients(), {.positive = "il", .replicates = 0}); });
  EXPECT_TRUE(holds(message, "did you mean 'ill'?")) << message;
}

TEST(Measure, ThePolicyNamesThePositiveClass) {
  RuleBase base = sample::patients();
  base.policy.positive = 0;
  EXPECT_EQ(measure(base, five_patients(), {.replicates = 0}).positive, 0U);
  EXPECT_EQ(measure(base, five_patients(), {.positive = "ill", .replicates = 0}).positive, 1U);
}

TEST(Measure, CountsReferredRows) {
  RuleBase base = sample::patients();
  const Metrics none = measure(base, five_patients(), {.replicates = 0}).metrics.value;
  EXPECT_TRUE(std::isnan(none.referred));
  EXPECT_TRUE(std::isnan(none.error_of_others));
  // Rule 1 gives ill 0.87 and rule 3 gives well 0.65, both below 0.9; no rule applies to row 2.
  // Rule 2 gives well 0.99: wrong for row 1, right for row 4.
  base.policy.refer = 0.9;
  const MetricsReport report = measure(base, five_patients(), {.replicates = 300});
  EXPECT_DOUBLE_EQ(report.metrics.value.referred, 0.6);
  EXPECT_DOUBLE_EQ(report.metrics.value.error_of_others, 0.5);
  EXPECT_LT(report.metrics.low.referred, 0.6);
  EXPECT_GT(report.metrics.high.referred, 0.6);
  // All other figures stay.
  EXPECT_EQ(report.metrics.value.accuracy, none.accuracy);
  EXPECT_EQ(report.metrics.value.log_loss, none.log_loss);
  const Metrics weighted =
      measure(base, five_patients(), {.row_weights = {1, 3, 1, 1, 2}, .replicates = 0})
          .metrics.value;
  EXPECT_DOUBLE_EQ(weighted.referred, 3.0 / 8);
  EXPECT_DOUBLE_EQ(weighted.error_of_others, 0.6);
}

// Additive rules: two rows with equal probabilities, of which no rule applies to one.
TEST(Measure, ReferralDependsOnWhetherARuleApplies) {
  RuleBase base;
  base.target = "class";
  base.classes = {"a", "b"};
  base.semantics = Semantics::additive;
  base.partition.features = {
      {.name = "x",
       .labels = {sample::range("low", -sample::infinity, -sample::infinity, 0, 0),
                  sample::range("high", 0, 0, 1, 1),
                  sample::range("more", 1, 1, sample::infinity, sample::infinity)}}};
  // Both rules for x = 0.5 cancel.
  base.rules = {sample::rule({{0, 1}}, 0, 1), sample::rule({{0, 1}}, 1, 1)};
  base.biases = {2, 0};
  base.policy.refer = 0.6;
  Table table;
  table.add_numeric("x", {0.5, -1, 0.5, -1, -1});
  table.add_categorical("class", Texts{"a", "a", "b", "b", "a"});
  const Metrics metrics = measure(base, table, {.replicates = 0}).metrics.value;
  EXPECT_DOUBLE_EQ(metrics.referred, 0.6);
  EXPECT_DOUBLE_EQ(metrics.error_of_others, 0.5);
}

TEST(Measure, GroupsAndTheirGaps) {
  const MetricsReport report =
      measure(sample::patients(), five_patients(), {.by = {"sex"}, .replicates = 0});
  ASSERT_EQ(report.groupings.size(), 1U);
  const Grouping& sex = report.groupings[0];
  ASSERT_EQ(sex.groups.size(), 2U);
  EXPECT_EQ(sex.groups[0].name, "f");
  EXPECT_EQ(sex.groups[0].rows, 3U);
  // f: ill as well, well as well, ill as ill. m: ill as ill, well as well.
  const GroupMetrics& f = sex.groups[0].metrics.value;
  const GroupMetrics& m = sex.groups[1].metrics.value;
  EXPECT_DOUBLE_EQ(f.accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(f.predicted_positive, 1.0 / 3);
  EXPECT_DOUBLE_EQ(f.true_positive_rate, 0.5);
  EXPECT_DOUBLE_EQ(f.false_positive_rate, 0);
  EXPECT_DOUBLE_EQ(f.ppv, 1);
  EXPECT_DOUBLE_EQ(m.true_positive_rate, 1);
  EXPECT_DOUBLE_EQ(sex.gaps.predicted_positive, 0.5 - 1.0 / 3);
  EXPECT_DOUBLE_EQ(sex.gaps.true_positive_rate, 0.5);
  EXPECT_DOUBLE_EQ(sex.gaps.false_positive_rate, 0);
}

TEST(Measure, GroupsAreInOrderAndMissingValuesAreOne) {
  Table table = five_patients();
  table.add_numeric("ward", {10, 9, sample::nan, 9, 10});
  table.add_categorical("site", Texts{"b", "10", "9", {}, "a"});
  const auto names = [&](const std::string& column) {
    const MetricsReport report =
        measure(sample::patients(), table, {.by = {column}, .replicates = 0});
    Texts result;
    for (const Group& group : report.groupings[0].groups) result.push_back(group.name);
    return result;
  };
  EXPECT_EQ(names("ward"), (Texts{"9", "10", {}}));
  EXPECT_EQ(names("site"), (Texts{"9", "10", "a", "b", {}}));
}

TEST(Measure, TooManyGroupsAreRefused) {
  const std::size_t count = most_groups + 1;
  std::vector<double> numbers;
  Texts texts;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<double>(i));
    texts.emplace_back("site " + std::to_string(i));
  }
  Table table;
  table.rows = 0;
  table.add_numeric("age", numbers);
  table.add_categorical("site", texts);
  const auto groups = [&](std::size_t column, std::size_t rows) {
    return row_groups(ColumnView(table.columns[column]), rows, "t.csv");
  };
  EXPECT_EQ(groups(0, most_groups).names.size(), most_groups + 1);  // and those of missing values
  const std::string age = message_of([&] { groups(0, count); });
  EXPECT_TRUE(holds(age, "'age'") && holds(age, "51 different numbers")) << age;
  EXPECT_TRUE(holds(age, "categorical column")) << age;
  const std::string site = message_of([&] { groups(1, count); });
  EXPECT_TRUE(holds(site, "'site'") && holds(site, "fewer categories")) << site;
}

TEST(Measure, WhatIsUndefinedIsNoted) {
  Table table = sample::patient_table({150, 150}, {60, 20}, {"m", "f"});
  table.add_categorical("state", Texts{"ill", "ill"});
  const MetricsReport report = measure(sample::patients(), table, {.replicates = 10});
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_TRUE(holds(report.notes[0], "all rows are of the class 'ill'")) << report.notes[0];
  EXPECT_TRUE(report.roc.empty());
  EXPECT_TRUE(std::isnan(report.metrics.low.auc));
  EXPECT_TRUE(std::isfinite(report.metrics.low.accuracy));
}

TEST(Measure, RowsThatCannotBeEvaluated) {
  Table table = five_patients();
  const RuleBase base = sample::patients();
  const auto message = [&](const Table& rows, const MetricsRequest& request) {
    return message_of([&] { measure(base, rows, request); });
  };
  EXPECT_TRUE(holds(message(table, {.row_weights = {0, 0, 0, 0, 0}}), "a weight above 0"));
  EXPECT_TRUE(holds(message(table, {.row_weights = {1, 1}}), "one for each row"));
  EXPECT_TRUE(holds(message(table, {.row_weights = {1, 1, 2e100, 1, 1}}), "0 to 1e100"));
  EXPECT_TRUE(holds(message(table, {.row_weights = {1, 1, -1, 1, 1}}), "0 to 1e100"));
  EXPECT_TRUE(holds(message(table, {.by = {"sx"}}), "did you mean 'sex'?"));
  table.columns.back().name = "stat";
  EXPECT_TRUE(holds(message(table, {}), "no column 'state'"));
  table.columns.back().name = "state";
  table.columns.back().categories = {"sick", "fine"};
  EXPECT_TRUE(holds(message(table, {}), "none has a class of the model"));
}

TEST(Measure, ProgressCanStopIt) {
  double last = 0;
  MetricsRequest request{.by = {"sex"}, .replicates = 20};
  request.progress = [&](double fraction) {
    last = fraction;
    return true;
  };
  measure(sample::patients(), five_patients(), request);
  EXPECT_GT(last, 0);
  EXPECT_LE(last, 1);
  request.progress = [](double) { return false; };
  EXPECT_THROW(measure(sample::patients(), five_patients(), request), Error);
}

}  // namespace
}  // namespace frr::internal
