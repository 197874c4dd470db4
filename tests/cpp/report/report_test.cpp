#include "frr/report.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "frr/frr.hpp"
#include "report/report_figures.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using Json = nlohmann::json;

Json data_of(const std::string& page) {
  const std::string mark = "id=\"frr-data\">";
  const std::size_t start = page.find(mark) + mark.size();
  return Json::parse(page.substr(start, page.find("</script>", start) - start));
}

ColumnView view(const std::vector<double>& values) {
  return {"x", NumberView{.data = values.data()}};
}

// ---- Numbers ------------------------------------------------------------------------------------

TEST(ReportFigures, WholeNumbersGetOneBinEach) {
  const std::vector<double> values = {0, 1, 1, 3, 3, 3, sample::nan};
  const std::vector<int> groups = {0, 0, 1, 1, 1, 1, 0};
  const NumberSummary summary = summarise_numbers(view(values), 7, {}, groups, 2);
  EXPECT_EQ(summary.low, 0);
  EXPECT_EQ(summary.high, 3);
  EXPECT_EQ(summary.decimals, 0);
  EXPECT_EQ(summary.from, -0.5);
  EXPECT_EQ(summary.to, 3.5);
  EXPECT_EQ(summary.counts, (std::vector<std::vector<std::size_t>>{{1, 1, 0, 0}, {0, 1, 0, 3}}));
  EXPECT_EQ(summary.below + summary.above, 0u);
}

TEST(ReportFigures, FarValuesCountInTheLastBin) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i * 0.25);
  values.push_back(1e9);
  const std::vector<int> groups(values.size(), 0);
  const NumberSummary summary = summarise_numbers(view(values), values.size(), {}, groups, 1);
  EXPECT_EQ(summary.high, 1e9);
  EXPECT_EQ(summary.decimals, 2);
  EXPECT_LT(summary.to, 250);
  EXPECT_GE(summary.above, 1u);
  std::size_t all = 0;
  for (const std::size_t count : summary.counts[0]) all += count;
  EXPECT_EQ(all, values.size());
}

TEST(ReportFigures, BordersAreWithinThePicture) {
  const std::vector<double> values = {1.5, 2.5, 3.5};
  const std::vector<double> borders = {-7.5, 40};
  const NumberSummary summary =
      summarise_numbers(view(values), 3, borders, std::vector<int>(3, 0), 1);
  EXPECT_LE(summary.from, -7.5);
  EXPECT_GE(summary.to, 40);
}

TEST(ReportFigures, ConstantAndMissingColumnsHaveFiniteFigures) {
  const std::vector<double> constant(5, 0.125);
  const NumberSummary one = summarise_numbers(view(constant), 5, {}, std::vector<int>(5, 0), 1);
  EXPECT_LT(one.from, one.to);
  const std::vector<double> nothing(5, sample::nan);
  const NumberSummary none = summarise_numbers(view(nothing), 5, {}, std::vector<int>(5, 0), 1);
  EXPECT_TRUE(none.counts.empty());
}

TEST(ReportFigures, NumbersWithoutHalvesOrQuartersHaveBins) {
  for (const double x : {0x1p53, 1e300, 5e-324}) {
    const std::vector<double> values(4, x);
    const std::vector<double> borders = {x, std::nextafter(x, 2 * x)};
    const NumberSummary summary =
        summarise_numbers(view(values), 4, borders, std::vector<int>(4, 0), 1);
    EXPECT_LT(summary.from, summary.to);
    std::size_t all = 0;
    for (const std::size_t count : summary.counts.at(0)) all += count;
    EXPECT_EQ(all, 4u);
  }
}

TEST(ReportFigures, LargestNumbersDoNotOverflow) {
  const std::vector<double> values = {-1e308, 0, 1e308};
  const NumberSummary summary = summarise_numbers(view(values), 3, {}, std::vector<int>(3, 0), 1);
  EXPECT_TRUE(std::isfinite(summary.from) && std::isfinite(summary.to));
  std::size_t all = 0;
  for (const std::size_t count : summary.counts[0]) all += count;
  EXPECT_EQ(all, 3u);
}

// ---- Rows ---------------------------------------------------------------------------------------

TEST(ReportRows, AllRowsIfTheyFit) {
  EXPECT_EQ(draw_rows(std::vector<int>{0, 1, 0}, 3, 1, 0), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(draw_rows({}, 3, 1, 0).empty());
}

TEST(ReportRows, RareKindsAreComplete) {
  std::vector<int> kinds(10000, 0);
  for (int i = 0; i < 30; ++i) kinds[static_cast<std::size_t>(i) * 300 + 7] = 1;
  const std::vector<std::uint32_t> rows = draw_rows(kinds, 500, 50, 0);
  EXPECT_EQ(rows.size(), 500u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 500u);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [&](auto row) { return kinds[row] == 1; }), 30);
  EXPECT_EQ(draw_rows(kinds, 500, 50, 0), rows);
}

// ---- The page -----------------------------------------------------------------------------------

Table patients(std::vector<std::optional<std::string>> state) {
  Table table =
      sample::patient_table({108, 80, sample::nan, 200}, {40, 50, 50, 20}, {"m", "f", "f", "x"});
  if (!state.empty()) table.add_categorical("state", state);
  return table;
}

// Rows: 1 by rule 1 (ill), 2 by rule 2 (well), 3 by rule 3 (ill), 4 by ELSE (well).
TEST(Report, CountsWhatTheRulesDecide) {
  const Json data =
      data_of(report_page(sample::patients(), patients({"ill", "ill", std::nullopt, "dead"}), {}));
  EXPECT_EQ(data["target"], "state");
  EXPECT_EQ(data["rules"][0]["here"], Json({0, 1, 0}));
  EXPECT_EQ(data["rules"][1]["here"], Json({0, 1, 0}));
  EXPECT_EQ(data["rules"][2]["here"], Json({0, 0, 1}));
  EXPECT_EQ(data["else"]["here"], Json({0, 0, 1}));
  EXPECT_EQ(data["data"]["rows"], 4);
  EXPECT_EQ(data["data"]["known"], 2);
  EXPECT_EQ(data["data"]["accuracy"], 50);
  EXPECT_EQ(data["data"]["confusion"], Json({{0, 0}, {1, 1}}));
  EXPECT_EQ(data["data"]["same"], false);
  EXPECT_EQ(data["rows"]["truth"], Json({1, 1, -1, -1}));
  EXPECT_EQ(data["rows"]["columns"][0], Json({108, 80, nullptr, 200}));
  EXPECT_EQ(data["rows"]["columns"][2], Json({1, 0, 0, "x"}));
  EXPECT_EQ(data["rows"]["numbers"], nullptr);
}

TEST(Report, HasNoAccuracyWithoutTarget) {
  ReportRequest request;
  request.why_not = "It was not asked for.";
  const Json data = data_of(report_page(sample::patients(), patients({}), request));
  EXPECT_EQ(data["data"]["hasTarget"], false);
  EXPECT_FALSE(data["data"].contains("accuracy"));
  EXPECT_EQ(data["rows"]["truth"], nullptr);
  EXPECT_EQ(data["validation"]["whyNot"], "It was not asked for.");
  // Coloured by what is predicted: age 40 is ill, 50 well, 50 ill, 20 well.
  const Json& counts = data["features"][2]["counts"];
  EXPECT_EQ(counts[1], Json({1, 1, 0}));
  EXPECT_EQ(counts[0], Json({1, 0, 1}));
}

TEST(Report, FoldsGiveMeanAndDeviation) {
  ReportRequest request;
  request.fold_accuracies = {80, 90, 100};
  const Json data = data_of(report_page(sample::patients(), patients({}), request));
  EXPECT_EQ(data["validation"]["folds"], 3);
  EXPECT_EQ(data["validation"]["accuracy"], 90);
  EXPECT_EQ(data["validation"]["deviation"], 10);
}

TEST(Report, OnlyUsedFeaturesAreOnThePage) {
  RuleBase base = sample::patients();
  base.rules.pop_back();  // the only one that reads sex
  const Json data = data_of(report_page(base, patients({}), {}));
  EXPECT_EQ(data["allFeatures"], 3);
  ASSERT_EQ(data["features"].size(), 2u);
  EXPECT_EQ(data["features"][1]["name"], "age");
  EXPECT_EQ(data["rules"][0]["if"], Json({{0, 1}, {1, 1}}));
}

TEST(Report, RecognisesTheTrainingData) {
  Table table;
  std::vector<double> x;
  std::vector<std::optional<std::string>> y;
  for (int i = 0; i < 200; ++i) {
    x.push_back(i % 37);
    y.emplace_back(i % 37 < 20 || i % 11 == 0 ? "a" : "b");
  }
  table.add_numeric("x", x);
  table.add_categorical("y", y);
  const RuleBase base = train(table, {});
  EXPECT_TRUE(is_training_data(base, table));
  Table other;
  x[3] = 36;
  other.add_numeric("x", x);
  other.add_categorical("y", y);
  EXPECT_FALSE(is_training_data(base, other));
  Table without;
  without.add_numeric("x", x);
  EXPECT_FALSE(is_training_data(base, without));
}

// By hand: glucose 108 is low and high to the degree 1/2, and 80 is low.
TEST(Report, RecognisesTheTrainingDataOfAdditiveRules) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0, 0};
  base.rules[0].statistics = {{0, 1}, 1};
  base.rules[1].statistics = {{1, 1}, 2};
  base.otherwise_statistics = {{0, 0}, 0};
  const auto table = [](double age) {
    Table result = sample::patient_table({108, 80}, {age, 50}, {"m", "f"});
    result.add_categorical("state", {"ill", "well"});
    return result;
  };
  EXPECT_TRUE(is_training_data(base, table(40)));
  EXPECT_FALSE(is_training_data(base, table(39.9)));  // rule 1 is true to less than 1/2
}

TEST(Report, SaysWhetherTheRowsWereUsedForTraining) {
  RuleBase base = sample::patients();
  const auto held_out = [&](const Table& table) {
    return data_of(report_page(base, table, {}))["data"]["heldOut"].get<bool>();
  };
  const Table table = patients({"ill", "ill", std::nullopt, "dead"});
  EXPECT_TRUE(held_out(table));
  EXPECT_FALSE(held_out(patients({})));                                      // no classes
  EXPECT_FALSE(held_out(patients({"dead", "dead", std::nullopt, "dead"})));  // none is known
  base.rules[0].statistics.class_rows = {1.5, 18.5};  // training rows had weights
  EXPECT_FALSE(held_out(table));
  for (Rule& rule : base.rules) rule.statistics = {};
  base.otherwise_statistics = {};
  EXPECT_FALSE(held_out(table));  // nothing is known of the training rows
}

// By hand, with 35 of 54 training rows well: rule 1 has a probability of (18 + 19 / 54) / 21 = 0.87
// of ill, rule 2 of 0.99 of well, rule 3 those of all rows. Row 2, by rule 2, is wrong.
TEST(Report, CountsReferredRows) {
  RuleBase base = sample::patients();
  const Table table = patients({"ill", "ill", std::nullopt, "dead"});
  EXPECT_FALSE(data_of(report_page(base, table, {}))["data"].contains("referred"));
  base.policy.refer = 0.9;
  const Json strict = data_of(report_page(base, table, {}));
  EXPECT_EQ(strict["data"]["referred"], Json({{"rows", 3}, {"restKnown", 1}, {"restRight", 0}}));
  EXPECT_EQ(strict["policy"]["refer"], 0.9);
  EXPECT_DOUBLE_EQ(strict["baseRates"][0].get<double>(), 35.0 / 54);
  base.policy.refer = 0.6;
  const Json lenient = data_of(report_page(base, table, {}));
  EXPECT_EQ(lenient["data"]["referred"], Json({{"rows", 1}, {"restKnown", 2}, {"restRight", 1}}));
}

TEST(Report, HasTheOffsetsOfAdditiveRules) {
  RuleBase base = sample::patients();
  base.policy.positive = 1;
  base.policy.threshold = 0.2;
  EXPECT_FALSE(data_of(report_page(base, patients({}), {}))["policy"].contains("offsets"));
  base.semantics = Semantics::additive;
  base.biases = {0.5, -0.5};
  const Json data = data_of(report_page(base, patients({}), {}));
  EXPECT_EQ(data["biases"], Json({0.5, -0.5}));
  EXPECT_EQ(data["policy"]["first"], 1);
  EXPECT_EQ(data["policy"]["offsets"], Json({0.0, std::log(0.8 / 0.2)}));
  EXPECT_EQ(data["policy"]["threshold"], 0.2);
}

TEST(Report, LeavesOutRowsThatExceedItsSize) {
  std::vector<double> glucose, age;
  std::vector<std::optional<std::string>> sex, state;
  for (int i = 0; i < 50000; ++i) {
    glucose.push_back(60 + i % 140 + 0.37);
    age.push_back(20 + i % 61);
    sex.emplace_back("f");
    state.emplace_back(i % 3 ? "ill" : "well");
  }
  Table table = sample::patient_table(glucose, age, sex);
  table.add_categorical("state", state);
  ReportRequest request;
  request.max_bytes = 300'000;
  const std::string page = report_page(sample::patients(), table, request);
  EXPECT_LT(page.size(), 310'000u);
  EXPECT_GT(page.size(), 200'000u);
  const Json data = data_of(page);
  EXPECT_EQ(data["data"]["rows"], 50000);
  const Json& numbers = data["rows"]["numbers"];
  ASSERT_TRUE(numbers.is_array());
  EXPECT_EQ(numbers.size(), data["rows"]["columns"][0].size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto row = numbers[i].get<std::size_t>() - 1;
    ASSERT_EQ(data["rows"]["columns"][0][i], glucose[row]);
  }
  // Of each rule and ELSE: rows that are decided correctly or have no class, and the others.
  const Json& kinds = data["rows"]["kinds"];
  ASSERT_EQ(kinds.size(), 8u);
  for (std::size_t rule = 0; rule < 4; ++rule) {
    const Json& part = rule == 0 ? data["else"] : data["rules"][rule - 1];
    const auto right = part["here"][part["then"].get<std::size_t>()];
    EXPECT_EQ(kinds[2 * rule], right);
    const std::size_t all = part["here"][0].get<std::size_t>() + part["here"][1].get<std::size_t>();
    EXPECT_EQ(kinds[2 * rule + 1], all - right.get<std::size_t>());
  }
}

TEST(Report, NoTagComesFromTheData) {
  RuleBase base = sample::patients();
  const std::string hostile = "</script><script>alert(1)</script><!-- {{data}} & \"";
  base.target = hostile;
  base.classes[1] = hostile;
  base.partition.features[0].name = hostile;
  base.partition.features[0].labels[0].name = hostile;
  Table table;
  table.add_numeric(hostile, {108});
  table.add_numeric("age", {40});
  table.add_categorical("sex", {hostile});
  const std::string page = report_page(base, table, {.data = hostile});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(data_of(page)["target"], hostile);
  EXPECT_EQ(data_of(page)["features"][0]["labels"][0]["name"], hostile);
}

TEST(Report, ShowsAdditionalColumns) {
  Table table = patients({});
  table.add_categorical("name", {"Ann", std::nullopt, "Cy", "Di"});
  const Json data = data_of(report_page(sample::patients(), table, {.show = {"name"}}));
  EXPECT_EQ(data["rows"]["shown"][0]["name"], "name");
  EXPECT_EQ(data["rows"]["shown"][0]["values"], Json({"Ann", nullptr, "Cy", "Di"}));
  EXPECT_THROW(report_page(sample::patients(), table, {.show = {"nobody"}}), Error);
}

TEST(Report, UnusableDataIsAnError) {
  Table table;
  table.add_numeric("glucose", {1});
  EXPECT_THROW(report_page(sample::patients(), table, {}), Error);
  Table names = sample::patient_table({1}, {1}, {"f"});
  names.columns[2].categories[0] = "\xff";
  EXPECT_THROW(report_page(sample::patients(), names, {}), Error);
}

TEST(Report, NoRowsAndNoRules) {
  RuleBase base = sample::patients();
  const Json empty = data_of(report_page(base, sample::patient_table({}, {}, {}), {}));
  EXPECT_EQ(empty["data"]["rows"], 0);
  base.rules.clear();
  const Json alone = data_of(report_page(base, patients({}), {}));
  EXPECT_TRUE(alone["features"].empty());
  EXPECT_EQ(alone["else"]["here"], Json({0, 0, 4}));
}

}  // namespace
}  // namespace frr::internal
