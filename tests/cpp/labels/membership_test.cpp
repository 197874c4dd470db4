#include "labels/membership.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/inference.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  Table table;
  Partition partition;
};

Sample sample() {
  Sample s;
  s.table.add_numeric("x", {0, 12, 15, nan, 20, 99});
  s.table.add_categorical("c", {"a", "b", std::nullopt, "z", "a", "b"});
  s.partition.features = {{.name = "c",
                           .type = ColumnType::categorical,
                           .labels = {{"a", LabelKind::category, {}},
                                      {"b", LabelKind::category, {}},
                                      {"never seen", LabelKind::category, {}},
                                      {"missing", LabelKind::missing, {}}}},
                          {"x",
                           ColumnType::numeric,
                           {{"low", LabelKind::range, {-infinity, -infinity, 10, 20}},
                            {"high", LabelKind::range, {10, 20, infinity, infinity}},
                            {"missing", LabelKind::missing, {}}},
                           0,
                           99,
                           80}};
  return s;
}

std::vector<float> column(const Memberships& memberships, std::size_t d) {
  const auto values = memberships.column(d);
  return {values.begin(), values.end()};
}

using Column1 = std::vector<float>;

TEST(Memberships, FollowTheLabelsOfEachKind) {
  const Sample s = sample();
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3, 4, 5};
  const Memberships memberships(s.partition, s.table, rows, 1);
  ASSERT_EQ(memberships.labels(), 7u);
  EXPECT_EQ(memberships.rows(), 6u);
  EXPECT_EQ(column(memberships, 0), (Column1{1, 0, 0, 0, 1, 0}));  // c IS a; z has no label
  EXPECT_EQ(column(memberships, 1), (Column1{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(column(memberships, 2), (Column1{0, 0, 0, 0, 0, 0}));  // not a category of the table
  EXPECT_EQ(column(memberships, 3), (Column1{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(column(memberships, 4), (Column1{1, 0.8F, 0.5F, 0, 0, 0}));
  EXPECT_EQ(column(memberships, 5), (Column1{0, 0.2F, 0.5F, 0, 1, 1}));
  EXPECT_EQ(column(memberships, 6), (Column1{0, 0, 0, 1, 0, 0}));
}

TEST(Memberships, MapColumnsToConditions) {
  const Sample s = sample();
  const std::vector<std::uint32_t> rows = {0};
  const Memberships memberships(s.partition, s.table, rows, 1);
  EXPECT_EQ(memberships.features(), 2u);
  for (std::size_t d = 0; d < memberships.labels(); ++d) {
    const Condition c = memberships.condition(d);
    EXPECT_EQ(c.feature, d < 4 ? 0 : 1);
    EXPECT_EQ(c.label, static_cast<int>(d < 4 ? d : d - 4));
    EXPECT_EQ(memberships.column_of(c), d);
    EXPECT_EQ(memberships.feature_of(d), d < 4 ? 0u : 1u);
  }
}

TEST(Memberships, KeepTheOrderOfTheRows) {
  const Sample s = sample();
  const std::vector<std::uint32_t> rows = {5, 0, 5};
  const Memberships memberships(s.partition, s.table, rows, 1);
  EXPECT_EQ(column(memberships, 0), (Column1{0, 1, 0}));
  EXPECT_EQ(column(memberships, 5), (Column1{1, 0, 1}));
}

TEST(Memberships, RefreshFollowsAMovedBorder) {
  Sample s = sample();
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3, 4, 5};
  Memberships memberships(s.partition, s.table, rows, 1);
  set_border(s.partition.features[1], 0, {13, 13});
  memberships.refresh(s.partition.features[1], 1, *s.table.find("x"), rows);
  EXPECT_EQ(column(memberships, 4), (Column1{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(column(memberships, 5), (Column1{0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(column(memberships, 0), (Column1{1, 0, 0, 0, 1, 0}));
}

TEST(Memberships, EqualThoseOfTheRuleBaseOnRandomTables) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    random_table::Problem problem(
        random_table::make(random, {.rows = 50, .numeric = 3, .categorical = 2, .missing = 0.2}),
        Settings{});
    RuleBase base;
    base.partition = problem.partition;
    base.classes = problem.data.classes;
    const ColumnMap map(base, problem.table, true);
    for (std::size_t d = 0; d < problem.memberships.labels(); ++d) {
      const Condition c = problem.memberships.condition(d);
      const Label& label = problem.partition.features[static_cast<std::size_t>(c.feature)]
                               .labels[static_cast<std::size_t>(c.label)];
      for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        const auto value = map.value(problem.rows[i], c.feature);
        EXPECT_EQ(problem.memberships.column(d)[i],
                  static_cast<float>(membership(label, c.label, value)));
      }
    }
  }
}

TEST(SparseRows, HoldExactlyThePositiveMembershipsOfEachRow) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    random_table::Problem problem(
        random_table::make(random, {.rows = 40, .numeric = 3, .categorical = 2, .missing = 0.2}),
        Settings{});
    const Memberships& dense = problem.memberships;
    const auto sparse = sparse_rows<double>(dense, dense.rows(), 1 + static_cast<int>(seed % 2));
    ASSERT_EQ(sparse.rows(), dense.rows());
    for (std::size_t i = 0; i < dense.rows(); ++i) {
      std::vector<double> row(dense.labels(), 0);
      std::int64_t before = -1;
      for (const auto& [column, value] : sparse.of_row(i)) {
        EXPECT_GT(value, 0);
        EXPECT_LT(before, column);
        before = column;
        row[column] = value;
      }
      for (std::size_t d = 0; d < dense.labels(); ++d) {
        EXPECT_EQ(row[d], static_cast<double>(dense.column(d)[i]));
      }
    }
  }
}

TEST(MembershipThreads, NeverChangeTheMatrix) {
  Random random(4);
  random_table::Problem problem(
      random_table::make(random, {.rows = 200, .numeric = 9, .categorical = 2}), Settings{});
  const Memberships many(problem.partition, problem.table, problem.rows, 7);
  for (std::size_t d = 0; d < many.labels(); ++d) {
    EXPECT_EQ(column(many, d), column(problem.memberships, d));
  }
}

}  // namespace
}  // namespace frr::internal
