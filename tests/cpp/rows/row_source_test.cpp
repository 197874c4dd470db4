#include "rows/row_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "model/statistics.hpp"
#include "search/rule_scores.hpp"
#include "support/local_shards.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using namespace local_shards;

const ColumnRoles class_column{.target = "class"};

// More than 65536 rows: several shards.
Table many_rows(std::uint64_t seed) { return random_rows(seed, 150000); }

std::string class_of(const Table& table, std::size_t row) {
  const Column& target = table.columns.back();
  return target.is_missing(row) ? ""
                                : target.categories[static_cast<std::size_t>(target.codes[row])];
}

TEST(RowSource, TheSurveyEqualsAPlainLoop) {
  const Table table = many_rows(1);
  TableSource source(TableView(table), class_column, 2);
  const Survey survey = source.survey();
  EXPECT_EQ(survey.rows.size(), 3U);
  std::map<std::string, std::uint64_t> rows;
  std::uint64_t unlabelled = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::string name = class_of(table, row);
    name.empty() ? ++unlabelled : ++rows[name];
  }
  EXPECT_EQ(survey.unlabelled, unlabelled);
  ASSERT_EQ(survey.classes.size(), rows.size());
  for (const auto& [name, count] : rows) EXPECT_EQ(survey.classes.at(name).rows, count) << name;
  EXPECT_EQ(survey.usable_rows(), table.rows - unlabelled);
  ASSERT_EQ(survey.columns.size(), table.columns.size());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column& column = table.columns[j];
    EXPECT_EQ(survey.columns[j].name, column.name);
    EXPECT_EQ(survey.columns[j].categorical, column.type == ColumnType::categorical);
    if (column.type == ColumnType::categorical) continue;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (class_of(table, row).empty() || column.is_missing(row)) continue;
      low = std::min(low, column.values[row]);
      high = std::max(high, column.values[row]);
    }
    EXPECT_EQ(survey.columns[j].low->value, low) << j;
    EXPECT_EQ(survey.columns[j].high->value, high) << j;
  }
}

TEST(RowSource, SamplingAllRowsGivesTheTable) {
  const Table table = many_rows(2);
  TableSource source(TableView(table), class_column, 2);
  const Survey survey = source.survey();
  SampleRequest request;
  request.first = {0, 65536, 131072};
  request.everything = true;
  const Sample sample =
      make_sample(source.sample(request), survey.columns, class_column, request, table.rows, "t");
  ASSERT_EQ(sample.table.rows, table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) ASSERT_EQ(sample.numbers[row], row);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column &original = table.columns[j], &copy = sample.table.columns[j];
    EXPECT_EQ(copy.name, original.name);
    for (std::size_t row = 0; row < table.rows; ++row) {
      ASSERT_EQ(copy.is_missing(row), original.is_missing(row));
      if (original.is_missing(row)) continue;
      if (original.type == ColumnType::numeric) {
        ASSERT_EQ(copy.values[row], original.values[row]);
      } else {
        ASSERT_EQ(copy.categories[static_cast<std::size_t>(copy.codes[row])],
                  original.categories[static_cast<std::size_t>(original.codes[row])]);
      }
    }
  }
}

// Random rules on random tables, against sums over the rows one by one.
TEST(RowSource, SumsEqualThoseOfTheRowsOneByOne) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = plain_rules::settings_for(seed);
    const plain_rules::Case problem(random, {.rows = 700, .classes = 2 + seed % 3, .missing = 0.05},
                                    settings);
    const RuleBase& rules = problem.base;
    const Table& table = problem.problem.table;
    ColumnRoles roles{.target = rules.target};
    TableSource source(TableView(table), roles, 1);
    const std::vector<std::int64_t> scores = source.rule_scores({rules, 1, settings.margin, {}});
    const RuleScoreLayout layout(rules, settings.margin, 0);
    ASSERT_EQ(scores.size(), layout.size());
    const ColumnMap map(rules, table);
    const std::vector<int> classes = class_indices(table, rules.target, rules.classes);
    std::vector<double> rows(rules.classes.size(), 0), right = rows;
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (classes[row] < 0) continue;
      const auto c = static_cast<std::size_t>(classes[row]);
      rows[c] += 1;
      right[c] += plain_rules::degree_of(rules, plain_rules::row_of(rules, map, row), classes[row],
                                         settings.margin);
    }
    for (std::size_t c = 0; c < rules.classes.size(); ++c) {
      EXPECT_EQ(static_cast<double>(scores[layout.all() + c]), rows[c]);
      EXPECT_NEAR(static_cast<double>(scores[layout.right() + c]) / degree_units, right[c],
                  rows[c] / degree_units + 1e-6);  // each degree is rounded
    }

    const std::vector<std::int64_t> counts = source.decision_counts(rules, 1);
    const CountLayout places(rules);
    ASSERT_EQ(counts.size(), places.size());
    std::vector<std::int64_t> decided((rules.rules.size() + 1) * rules.classes.size(), 0);
    std::int64_t correct = 0;
    const std::vector<Decision> decisions = predict(rules, table);
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (classes[row] < 0) continue;
      const auto rule = static_cast<std::size_t>(decisions[row].rule + 1);  // -1: ELSE
      ++decided[rule * rules.classes.size() + static_cast<std::size_t>(classes[row])];
      correct += decisions[row].predicted == classes[row] ? 1 : 0;
    }
    for (std::size_t i = 0; i < decided.size(); ++i) {
      const std::size_t outcome = i / rules.classes.size(), c = i % rules.classes.size();
      EXPECT_EQ(counts[places.rows(outcome) + c], decided[i]) << i;
    }
    EXPECT_EQ(counts[places.right()], correct);
  }
}

TEST(RowSource, OnlyTheColumnsOfRulesAreRead) {
  RuleBase rules;
  rules.target = "class";
  rules.classes = {"no", "yes"};
  rules.partition.features.resize(3);
  for (std::size_t j = 0; j < 3; ++j) rules.partition.features[j].name = "x" + std::to_string(j);
  rules.rules.push_back({{{2, 0}, {0, 0}}, 1, 1.0, {}});
  const std::vector<std::string> plain = {"class", "x0", "x2"};
  EXPECT_EQ(columns_read(rules, {.target = "class"}), plain);
  const std::vector<std::string> weighted = {"class", "w", "x0", "x2"};
  EXPECT_EQ(columns_read(rules, {.target = "class", .weight = "w"}), weighted);
}

}  // namespace
}  // namespace frr::internal
