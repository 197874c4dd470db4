#include "frr/table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename Action>
std::string error_of(ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Table, HoldsAddedColumns) {
  Table table;
  table.add_numeric("x", {1, nan, 3});
  table.add_categorical("c", {"b", "a", std::nullopt});
  table.add_categorical("empty text", {"", "", "z"});
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[1].categories, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(table.columns[1].codes, (std::vector<std::int32_t>{0, 1, Column::missing_code}));
  EXPECT_EQ(table.columns[2].codes, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_TRUE(table.columns[0].is_missing(1));
  EXPECT_FALSE(table.columns[0].is_missing(0));
  EXPECT_TRUE(table.columns[1].is_missing(2));
  EXPECT_TRUE(table.columns[0].has_missing());
  EXPECT_TRUE(table.columns[1].has_missing());
  EXPECT_FALSE(table.columns[2].has_missing());
}

TEST(Table, FindsByName) {
  Table table;
  table.add_numeric("x", {1});
  table.add_numeric("y", {2});
  EXPECT_EQ(table.find("y"), &table.columns[1]);
  EXPECT_EQ(table.find("z"), nullptr);
}

TEST(Table, RejectsColumnsThatDoNotFit) {
  Table table;
  table.add_numeric("x", {1, 2});
  const auto error = [&](std::string name, std::vector<double> values) {
    return error_of(ErrorKind::usage,
                    [&] { table.add_numeric(std::move(name), std::move(values)); });
  };
  EXPECT_NE(error("y", {1}).find("2 rows"), std::string::npos);
  EXPECT_NE(error("x", {1, 2}).find("'x'"), std::string::npos);
  EXPECT_NE(error("", {1, 2}).find("name"), std::string::npos);
  EXPECT_NE(error("y", {1, -std::numeric_limits<double>::infinity()}).find("row 2"),
            std::string::npos);
  EXPECT_NE(error("\xff", {1, 2}).find("UTF-8"), std::string::npos);
  error_of(ErrorKind::usage, [&] { table.add_categorical("c", {"a"}); });
  error_of(ErrorKind::usage, [&] { table.add_categorical("c", {"a", "\xc3"}); });
  EXPECT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.rows, 2u);
}

TEST(Table, AbsentColumnIsReportedWithANearName) {
  Table table;
  table.source = "people.csv";
  table.add_numeric("glucose", {1});
  EXPECT_EQ(&require_column(table, "glucose", "a feature"), &table.columns[0]);
  const std::string message =
      error_of(ErrorKind::data, [&] { require_column(table, "glucoze", "a feature"); });
  for (const std::string part : {"people.csv", "'glucoze'", "'glucose'", "a feature"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

}  // namespace
}  // namespace frr::internal
