#include "data/dataset.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {
namespace {

using Texts = std::vector<std::string>;
using Cells = std::vector<std::optional<std::string>>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const Table& table, const std::string& target = "") {
  try {
    make_dataset(table, target);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

void expect_parts(const std::string& text, const Texts& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }
}

Table numbered(std::size_t rows, const std::function<std::string(std::size_t)>& target) {
  Table table;
  std::vector<double> x;
  Cells y;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(static_cast<double>(i * i % 7));
    y.push_back(target(i));
  }
  table.add_numeric("x", x);
  table.add_categorical("y", y);
  return table;
}

TEST(Dataset, ClassesAreSortedByNumberIfAllAreNumbersElseByBytes) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 4});
  table.add_categorical("n", {"10", "9", "-1.5", "10"});
  table.add_categorical("t", {"10", "b", "9", "B"});
  const Dataset numbers = make_dataset(table, "n");
  EXPECT_EQ(numbers.classes, (Texts{"-1.5", "9", "10"}));
  EXPECT_EQ(numbers.labels, (std::vector<int>{2, 1, 0, 2}));
  EXPECT_EQ(numbers.features, (std::vector<std::size_t>{0, 2}));
  const Dataset texts = make_dataset(table, "");
  EXPECT_EQ(texts.target, "t");
  EXPECT_EQ(texts.classes, (Texts{"10", "9", "B", "b"}));
  EXPECT_EQ(texts.labels, (std::vector<int>{0, 3, 1, 2}));
}

TEST(Dataset, NumericTargetIsNamedByShortestSpelling) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 3});
  table.add_numeric("y", {2, 0.5, -0.0, 0.0});
  const Dataset data = make_dataset(table, "y");
  EXPECT_EQ(data.classes, (Texts{"0", "0.5", "2"}));
  EXPECT_EQ(data.labels, (std::vector<int>{2, 1, 0, 0}));
}

TEST(Dataset, RowsWithoutAClassAreDroppedWithANote) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 4, 5});
  table.add_categorical("y", {"a", std::nullopt, "b", std::nullopt, "b"});
  const Dataset data = make_dataset(table, "y");
  EXPECT_EQ(data.labels, (std::vector<int>{0, -1, 1, -1, 1}));
  ASSERT_EQ(data.notes.size(), 2u);
  expect_parts(data.notes[0], {"2 of 5", "'y'"});
  expect_parts(data.notes[1], {"class 'a'", "single row"});
}

TEST(Dataset, UselessColumnsAreIgnoredWithANote) {
  Table table;
  Cells ids, same(12, "s"), y;
  std::vector<double> x, missing(12, nan), some_missing(12, 4.0), constant(12, 4.0);
  some_missing[3] = nan;
  Cells ids_but_one;
  for (int i = 0; i < 12; ++i) {
    ids.push_back("id" + std::to_string(i));
    ids_but_one.push_back("id" + std::to_string(i == 11 ? 0 : i));
    x.push_back(i % 5);
    y.push_back(i % 2 == 0 ? "a" : "b");
  }
  table.add_categorical("ids", ids);
  table.add_numeric("missing", missing);
  table.add_numeric("x", x);
  table.add_numeric("constant", constant);
  table.add_categorical("same", same);
  table.add_numeric("some missing", some_missing);
  table.add_categorical("ids but one", ids_but_one);
  table.add_categorical("missing too", Cells(12));
  table.add_categorical("y", y);
  const Dataset data = make_dataset(table, "y");
  EXPECT_EQ(data.features, (std::vector<std::size_t>{2, 5, 6}));
  ASSERT_EQ(data.notes.size(), 3u);
  expect_parts(data.notes[0], {"'missing' and 'missing too'", "no values"});
  expect_parts(data.notes[1], {"'constant' and 'same'", "same value"});
  expect_parts(data.notes[2], {"column 'ids' ", "identifier"});
}

TEST(Dataset, ConstantColumnsAreFoundOnRowsWithAClassOnly) {
  Table table;
  table.add_numeric("x", {1, 2, 3});
  table.add_numeric("c", {5, 5, 6});
  table.add_categorical("y", {"a", "b", std::nullopt});
  EXPECT_EQ(make_dataset(table, "y").features, (std::vector<std::size_t>{0}));
}

TEST(Dataset, ManyConstantColumnsMakeOneNote) {
  Table table;
  for (int i = 0; i < 8; ++i) table.add_numeric("c" + std::to_string(i), {1, 1});
  table.add_numeric("x", {1, 2});
  table.add_categorical("y", {"a", "b"});
  const Dataset data = make_dataset(table, "y");
  ASSERT_EQ(data.notes.size(), 2u);
  expect_parts(data.notes[0], {"columns 'c0', 'c1', 'c2', 'c3', 'c4' and 3 more hold"});
  expect_parts(data.notes[1], {"classes 'a' and 'b' have"});
}

TEST(Dataset, AColumnThatCountsTheRowsIsNotedButKept) {
  Table table;
  std::vector<double> up, down, broken, halves;
  Cells y;
  for (int i = 0; i < 12; ++i) {
    up.push_back(100 + i);
    down.push_back(-3 * i);
    broken.push_back(i == 7 ? 70 : i);
    halves.push_back(i * 0.5);
    y.push_back(i % 2 == 0 ? "a" : "b");
  }
  table.add_numeric("up", up);
  table.add_numeric("down", down);
  table.add_numeric("broken", broken);
  table.add_numeric("halves", halves);
  table.add_categorical("y", y);
  const Dataset data = make_dataset(table, "y");
  EXPECT_EQ(data.features, (std::vector<std::size_t>{0, 1, 2, 3}));
  ASSERT_EQ(data.notes.size(), 2u);
  expect_parts(data.notes[0], {"'up'", "--ignore 'up'"});
  expect_parts(data.notes[1], {"'down'"});
}

TEST(Dataset, NothingToLearnFromIsAnError) {
  Table table;
  expect_parts(error_of(table), {"no columns"});
  table.add_numeric("x", {});
  expect_parts(error_of(table), {"no rows"});
  Table one;
  one.add_numeric("x", {1});
  one.add_categorical("y", {"a"});
  expect_parts(error_of(one), {"'y'", "only 1 rows"});
  Table unlabelled;
  unlabelled.add_numeric("x", {1, 2});
  unlabelled.add_categorical("y", {std::nullopt, std::nullopt});
  expect_parts(error_of(unlabelled), {"'y'", "only 0 rows"});
  Table constant;
  constant.add_numeric("x", {1, 2});
  constant.add_categorical("y", {"a", "a"});
  expect_parts(error_of(constant), {"'y'", "'a'", "two classes"});
  Table alone;
  alone.add_categorical("y", {"a", "b"});
  expect_parts(error_of(alone), {"no column to learn from", "--delimiter"});
  Table useless;
  useless.add_numeric("c", {1, 1});
  useless.add_categorical("y", {"a", "b"});
  expect_parts(error_of(useless), {"no column to learn from", "'c'"});
}

TEST(Dataset, AbsentTargetIsReportedWithANearName) {
  Table table;
  table.add_numeric("x", {1, 2});
  table.add_categorical("class", {"a", "b"});
  expect_parts(error_of(table, "clas"), {"'clas'", "'class'"});
}

// Each side of each border of the rule in dataset.hpp.
TEST(Dataset, ManyNumbersLookLikeRegression) {
  const auto whole = [](std::size_t distinct) {
    return [distinct](std::size_t i) { return std::to_string(i % distinct); };
  };
  const auto halves = [](std::size_t distinct) {
    return [distinct](std::size_t i) { return std::to_string(i % distinct) + ".5"; };
  };
  EXPECT_EQ(make_dataset(numbered(1000, whole(100)), "y").classes.size(), 100u);
  expect_parts(error_of(numbered(1000, whole(101))), {"101", "regression", "ranges"});
  EXPECT_EQ(make_dataset(numbered(1000, halves(20)), "y").classes.size(), 20u);
  expect_parts(error_of(numbered(1000, halves(21))), {"regression"});
  EXPECT_EQ(make_dataset(numbered(42, whole(21)), "y").classes.size(), 21u);
  expect_parts(error_of(numbered(41, whole(21))), {"regression"});
  EXPECT_EQ(make_dataset(numbered(20, whole(20)), "y").classes.size(), 20u);
  const auto texts = [](std::size_t i) { return "t" + std::to_string(i % 1000); };
  EXPECT_EQ(make_dataset(numbered(3000, texts), "y").classes.size(), 1000u);
  const auto too_many = [](std::size_t i) { return "t" + std::to_string(i % 1001); };
  expect_parts(error_of(numbered(3000, too_many)), {"1001", "1000"});
}

TEST(ClassIndices, FollowTheGivenNames) {
  Table table;
  table.add_categorical("t", {"b", "a", std::nullopt, "new", "1.0", "01"});
  table.add_numeric("n", {1, 2, nan, 0.5, -0.0, 3});
  EXPECT_EQ(class_indices(table, "t", {"a", "b"}), (std::vector<int>{1, 0, -1, -1, -1, -1}));
  EXPECT_EQ(class_indices(table, "t", {"1", "b"}), (std::vector<int>{1, -1, -1, -1, 0, 0}));
  EXPECT_EQ(class_indices(table, "t", {"1", "01"}), (std::vector<int>{-1, -1, -1, -1, 0, 1}));
  EXPECT_EQ(class_indices(table, "n", {"0", "0.50", "2.0"}),
            (std::vector<int>{-1, 2, -1, 1, 0, -1}));
  EXPECT_THROW(class_indices(table, "absent", {"a"}), Error);
}

}  // namespace
}  // namespace frr::internal
