#include "model/decider.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "model/inference.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using sample::infinity;
using sample::nan;

void expect_same(const Decision& actual, const Decision& expected, std::size_t row) {
  EXPECT_EQ(actual.predicted, expected.predicted) << row;
  EXPECT_EQ(actual.rule, expected.rule) << row;
  EXPECT_EQ(actual.score, expected.score) << row;
}

// All rows at once, and some of them in another order, by every kernel, against decide() by row.
void expect_decides_as_by_row(const RuleBase& base, const Table& table, Random& random) {
  const ColumnMap map(base, table);
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  random.shuffle<std::uint32_t>(rows);
  rows.resize(1 + random.below(rows.size()));
  for (const DecisionKernel* kernel : decision_kernels()) {
    Decider decider(base, map, *kernel);
    std::vector<Decision> all(table.rows), some(rows.size());
    decider.decide(0, all);
    decider.decide(rows, some);
    for (std::size_t row = 0; row < table.rows; ++row) {
      expect_same(all[row], decide(base, map, row), row);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) expect_same(some[i], all[rows[i]], rows[i]);
    if (testing::Test::HasFailure()) return;
  }
}

// Borders, their neighbours, and the ends of the axis with infinities, which only a table made in
// memory can hold.
void make_extreme(Random& random, const RuleBase& base, Table& table) {
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    std::vector<double> special = {0.0, -0.0, nan, infinity, -infinity, 1e308, -1e308, 5e-324};
    for (const Label& label : base.partition.features[f].labels) {
      for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d}) {
        special.insert(special.end(),
                       {x, std::nextafter(x, infinity), std::nextafter(x, -infinity)});
      }
    }
    for (double& x : table.columns[f].values) {
      if (random.below(3) == 0) x = special[random.below(special.size())];
    }
  }
}

TEST(Decider, DecidesAsRowByRowBitForBit) {
  Random random(21);
  const std::size_t sizes[] = {1, 2, 3, 7, 8, 9, 31, 255, 256, 257, 509, 1021};
  for (int round = 0; round < 400; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    Table table = sample::random_table(random, base, sizes[random.below(std::size(sizes))]);
    if (round % 2 == 0) make_extreme(random, base, table);
    expect_decides_as_by_row(base, table, random);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(DecisionKernels, DegreesAreTheTrapezoidsBitForBit) {
  const double all = infinity, huge = 1.7e308, tiny = 5e-324;
  std::vector<Trapezoid> shapes = {{-all, -all, all, all},
                                   {-all, -all, 0, 0},
                                   {0, 0, all, all},
                                   {0, 0, 0, 0},
                                   {0, 0, 1, 1},
                                   {-1, 0, 0, 0},
                                   {0, 0, 0, 1},
                                   {-huge, huge, huge, huge},
                                   {-huge, -huge, -huge, huge},
                                   {0, tiny, tiny, 2 * tiny},
                                   {-all, -all, -huge, huge},
                                   {-huge, huge, all, all}};
  Random random(31);
  for (int i = 0; i < 300; ++i) {
    double x[4];
    for (double& border : x)
      border = std::ldexp(random.normal(), static_cast<int>(random.below(30)));
    std::sort(x, x + 4);
    shapes.push_back({x[0], x[1], x[2], x[3]});
    shapes.push_back({-all, -all, x[1], x[2]});
    shapes.push_back({x[1], x[2], all, all});
  }
  for (const Trapezoid& shape : shapes) {
    std::vector<double> values = {nan, all, -all, 0.0, -0.0, huge, -huge, tiny, -tiny};
    for (const double x : {shape.a, shape.b, shape.c, shape.d}) {
      values.insert(values.end(), {x, std::nextafter(x, all), std::nextafter(x, -all)});
    }
    for (int i = 0; i < 100; ++i) {
      values.push_back(std::ldexp(random.normal(), static_cast<int>(random.below(30))));
    }
    values.resize((values.size() + step_rows - 1) / step_rows * step_rows, 0.0);
    for (const DecisionKernel* kernel : decision_kernels()) {
      std::vector<double> degrees(values.size());
      kernel->range_degrees(shape, values.data(), degrees.data(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = shape(values[i]);
        ASSERT_TRUE(degrees[i] == expected || (std::isnan(degrees[i]) && std::isnan(expected)))
            << values[i] << " in " << shape.a << ", " << shape.b << ", " << shape.c << ", "
            << shape.d;
      }
    }
  }
}

TEST(Decider, AcceptsRulesWithoutConditionsAndBasesWithoutRules) {
  Random random(22);
  RuleBase base = sample::patients();
  const Table table = sample::patient_table({108, nan, 200}, {35, 50, nan}, {"m", "x", {}});
  base.rules[1].conditions.clear();
  expect_decides_as_by_row(base, table, random);
  base.semantics = Semantics::additive;
  expect_decides_as_by_row(base, table, random);
  base.rules.clear();
  expect_decides_as_by_row(base, table, random);
}

TEST(Decider, TheFirstOfEqualsDecidesInEveryLane) {
  Random random(23);
  RuleBase base = sample::patients();
  base.rules = {sample::rule({{0, 1}}, 1, 0.5), sample::rule({{0, 1}}, 0, 0.5),
                sample::rule({{1, 0}}, 0, 0.5)};
  const Table table =
      sample::patient_table(std::vector<double>(19, 120), std::vector<double>(19, 20),
                            std::vector<std::optional<std::string>>(19, "f"));
  const ColumnMap map(base, table);
  for (const Decision& decision : decide_all(base, map, 1)) EXPECT_EQ(decision.rule, 0);
  std::vector<Decision> room(map.rows() + 1);
  EXPECT_THROW(decide_all(base, map, room, 1), Error);
  expect_decides_as_by_row(base, table, random);
}

// A column without any value fits every feature, whatever its type.
TEST(Decider, ReadsColumnsOfTheOtherTypeIfAllValuesAreMissing) {
  Random random(24);
  RuleBase base = sample::patients();
  base.partition.features[2].labels.push_back(sample::missing());
  base.rules.push_back(sample::rule({{2, 2}}, 1, 0.1));
  Table table;
  table.add_categorical("glucose", {{}, {}, {}});
  table.add_numeric("age", {20, 35, 50});
  table.add_numeric("sex", {nan, nan, nan});
  expect_decides_as_by_row(base, table, random);
}

// Slopes so long that the difference of their ends overflows give NaN degrees.
TEST(Decider, NanDegreesCountAsRowByRow) {
  Random random(25);
  RuleBase base = sample::patients();
  base.partition.features[0].labels[1].shape = {-1.7e308, 1.7e308, infinity, infinity};
  const Table table = sample::patient_table({1e308, 1e308, -1e308, 0, 1.7e308},
                                            {20, 50, 35, 50, 35}, {"m", "f", "m", "f", "m"});
  for (const TNormKind kind : {TNormKind::product, TNormKind::minimum}) {
    for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
      base.tnorm.kind = kind;
      base.semantics = semantics;
      expect_decides_as_by_row(base, table, random);
    }
  }
}

// The numbers of a table in another layout: `stride` bytes apart, starting at an odd address.
struct Elsewhere {
  std::vector<std::vector<char>> memory;
  TableView view;

  template <typename Number>
  static Elsewhere of(const Table& table, std::size_t stride, Number) {
    Elsewhere result;
    result.view = TableView(table);
    for (ColumnView& column : result.view.columns) {
      if (column.type != ColumnType::numeric) continue;
      std::vector<char>& buffer =
          result.memory.emplace_back(table.rows * stride + sizeof(Number) + 1);
      for (std::size_t row = 0; row < table.rows; ++row) {
        const auto number = static_cast<Number>(column.numbers[row]);
        std::memcpy(buffer.data() + 1 + row * stride, &number, sizeof number);
      }
      column.numbers = {buffer.data() + 1, static_cast<std::ptrdiff_t>(stride),
                        std::is_same_v<Number, float>};
    }
    return result;
  }
};

TEST(Decider, ReadsNumbersAtAnyAddressAndStride) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    Table table = sample::random_table(random, base, 1 + random.below(300));
    for (Column& column : table.columns) {  // numbers that a float can hold, too
      for (double& x : column.values) x = static_cast<double>(static_cast<float>(x));
    }
    const std::vector<Decision> expected = decide_all(base, ColumnMap(base, table));
    for (const std::size_t stride : {8U, 11U, 160U}) {
      const Elsewhere doubles = Elsewhere::of(table, stride, double{});
      const Elsewhere floats = Elsewhere::of(table, stride, float{});
      for (const TableView* view : {&doubles.view, &floats.view}) {
        const std::vector<Decision> decisions = decide_all(base, ColumnMap(base, *view));
        for (std::size_t row = 0; row < table.rows; ++row)
          expect_same(decisions[row], expected[row], row);
      }
    }
  }
}

TEST(Decider, RefusesInfiniteNumbersOnRequest) {
  RuleBase base = sample::patients();
  for (const std::size_t rows : {1U, 7U, 64U, 65U, 200U}) {
    for (const std::size_t at : {std::size_t{0}, rows / 2, rows - 1}) {
      for (const double value : {infinity, -infinity, nan, 1e308}) {
        std::vector<double> glucose(rows, 1.0);
        glucose[at] = value;
        Table table;
        table.add_categorical("sex", std::vector<std::optional<std::string>>(rows, "f"));
        table.add_numeric("age", std::vector<double>(rows, 30));
        table.add_numeric("glucose", std::vector<double>(rows, 1));
        table.columns[2].values = glucose;
        const ColumnMap map(base, table);
        for (const DecisionKernel* kernel : decision_kernels()) {
          Decider decider(base, map, *kernel);
          decider.refuse_infinite();
          std::vector<Decision> out(rows);
          std::string message;
          try {
            decider.decide(0, out);
          } catch (const Error& error) {
            message = error.what();
          }
          const bool refused = message.find("'glucose' is infinite in row " + std::to_string(at)) !=
                               std::string::npos;
          EXPECT_EQ(refused, std::isinf(value)) << rows << ", " << at << ", " << value << message;
        }
      }
    }
  }
}

}  // namespace
}  // namespace frr::internal
