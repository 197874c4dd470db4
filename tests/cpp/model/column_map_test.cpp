#include <gtest/gtest.h>

#include <cmath>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::nan;

std::string failure(const RuleBase& base, const Table& table, bool all = false) {
  try {
    const ColumnMap map(base, table, all);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

void expect_mentions(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

TEST(ColumnMapValue, ReadsNumbersCategoriesAndMissingValues) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({1.5, nan}, {30, 31}, {"m", std::nullopt});
  const ColumnMap map(base, table);
  EXPECT_EQ(map.rows(), 2u);
  EXPECT_EQ(map.value(0, 0).number, 1.5);
  EXPECT_FALSE(map.value(0, 0).missing);
  EXPECT_TRUE(map.value(1, 0).missing);
  EXPECT_TRUE(std::isnan(map.value(1, 0).number));
  EXPECT_EQ(map.value(0, 2).category, 1);
  EXPECT_EQ(map.value(1, 2).category, -1);
  EXPECT_TRUE(map.value(1, 2).missing);
}

TEST(ColumnMapValue, UnknownCategoryHasNoLabelAndIsNotMissing) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({1, 1}, {1, 1}, {"x", "f"});
  const ColumnMap map(base, table);
  EXPECT_EQ(map.value(0, 2).category, -1);
  EXPECT_FALSE(map.value(0, 2).missing);
  EXPECT_EQ(map.value(1, 2).category, 0);  // independent of the order of the table's categories
}

TEST(ColumnMapValue, ColumnsAreMatchedByNameInAnyOrder) {
  const RuleBase base = sample::patients();
  Table table;
  table.add_categorical("sex", {"f"});
  table.add_numeric("unrelated", {7});
  table.add_numeric("age", {33});
  table.add_numeric("glucose", {111});
  const ColumnMap map(base, table);
  EXPECT_EQ(map.value(0, 0).number, 111);
  EXPECT_EQ(map.value(0, 1).number, 33);
}

TEST(ColumnMapValue, ACategoryIsItsExactText) {
  RuleBase base = sample::patients();
  base.partition.features[2].labels = {sample::category("1"), sample::category("2.0")};
  const Table table =
      sample::patient_table({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {"1", "2.0", "1.0", "2", "+1"});
  const ColumnMap map(base, table);
  const std::vector<int> expected = {0, 1, -1, -1, -1};
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_EQ(map.value(row, 2).category, expected[row]) << row;
  }
}

TEST(ColumnMapValue, CodesOfTheModelAreMissing) {
  RuleBase base = sample::patients();
  base.missing = {"-9", "unknown", "0.1"};
  const Table table = sample::patient_table({-9, 9, 0.1}, {-9.5, -9, 1}, {"unknown", "-9.0", "-9"});
  const ColumnMap map(base, table);
  EXPECT_TRUE(map.value(0, 0).missing);
  EXPECT_EQ(map.value(1, 0).number, 9);
  EXPECT_TRUE(map.value(2, 0).missing);
  EXPECT_EQ(map.value(0, 1).number, -9.5);
  EXPECT_TRUE(map.value(1, 1).missing);
  EXPECT_TRUE(map.value(0, 2).missing);
  EXPECT_FALSE(map.value(1, 2).missing);  // texts are compared exactly
  EXPECT_TRUE(map.value(2, 2).missing);
  EXPECT_EQ(map.text(0, 0), "");
}

TEST(ColumnMapValue, CodesAreMissingInNumbersOfSinglePrecision) {
  RuleBase base = sample::patients();
  base.missing = {"0.1"};
  const std::vector<float> glucose = {0.1F, 0.2F};
  TableView view;
  view.rows = 2;
  view.columns.emplace_back(
      "glucose", NumberView{.data = glucose.data(), .stride = sizeof(float), .single = true});
  base.rules.resize(1);
  base.rules[0].conditions = {{0, 0}};
  const ColumnMap map(base, view);
  EXPECT_TRUE(map.value(0, 0).missing);
  EXPECT_EQ(map.value(1, 0).number, static_cast<double>(0.2F));
}

TEST(ColumnMapText, IsWhatTheTableHolds) {
  const RuleBase base = sample::patients();
  const Table table = sample::patient_table({0.1, nan, 100000}, {30, 31, 32}, {"m", "odd", "f"});
  const ColumnMap map(base, table);
  EXPECT_EQ(map.text(0, 0), "0.1");
  EXPECT_EQ(map.text(1, 0), "");
  EXPECT_EQ(map.text(2, 0), "100000");
  EXPECT_EQ(map.text(1, 2), "odd");
}

TEST(ColumnMapColumns, OnlyFeaturesOfRulesAreNeededUnlessAllAre) {
  RuleBase base = sample::patients();
  base.rules = {sample::rule({{0, 0}}, 0, 1)};
  Table table;
  table.source = "new.csv";
  table.add_numeric("glucose", {1});
  const ColumnMap map(base, table);
  EXPECT_EQ(decide(base, map, 0).rule, 0);
  EXPECT_THROW(static_cast<void>(map.value(0, 1)), Error);
  expect_mentions(failure(base, table, true), {"new.csv", "age"});
}

TEST(ColumnMapColumns, AbsentColumnIsNamed) {
  Table table;
  table.source = "new.csv";
  table.add_numeric("glucose", {1});
  table.add_numeric("age", {1});
  expect_mentions(failure(sample::patients(), table), {"new.csv", "sex"});
}

TEST(ColumnMapColumns, WrongTypesAreNamedWithARemedy) {
  Table text_age;
  text_age.source = "new.csv";
  text_age.add_numeric("glucose", {1});
  text_age.add_categorical("age", {"old"});
  text_age.add_categorical("sex", {"f"});
  expect_mentions(failure(sample::patients(), text_age), {"new.csv", "'age'", "'old'", "numbers"});

  Table number_sex;
  number_sex.source = "new.csv";
  number_sex.add_numeric("glucose", {1});
  number_sex.add_numeric("age", {1});
  number_sex.add_numeric("sex", {0});
  expect_mentions(failure(sample::patients(), number_sex),
                  {"new.csv", "'sex'", "read it as categorical"});
}

TEST(ColumnMapColumns, ColumnWithoutAnyValueFitsEveryType) {
  const RuleBase base = sample::patients();
  Table table;
  table.add_categorical("glucose", {std::nullopt});
  table.add_numeric("age", {nan});
  table.add_numeric("sex", {nan});
  const ColumnMap map(base, table);
  EXPECT_TRUE(map.value(0, 0).missing);
  EXPECT_TRUE(map.value(0, 2).missing);
  EXPECT_EQ(decide(base, map, 0).rule, Decision::otherwise);
}

}  // namespace
}  // namespace frr::internal
