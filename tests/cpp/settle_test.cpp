#include "settle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "extract.hpp"
#include "frr/frr.hpp"
#include "random_table.hpp"

namespace frr {
namespace {

// ---- Slow and plain, from the truth of rules as prediction computes it --------------------------

struct Row {
  std::vector<double> scores;                // of each rule, in steps; -inf where it is not true
  std::vector<std::vector<double>> shorter;  // truth without each condition, in steps, unweighted
};

double steps(double degree) { return degree > 0 ? std::log(degree) / std::log(1.25) : -HUGE_VAL; }

Row row_of(const RuleBase& base, const Binding& binding, std::size_t row) {
  std::vector<Binding::Value> values(base.partition.features.size());
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      const auto feature = static_cast<std::size_t>(condition.feature);
      values[feature] = binding.value(row, condition.feature);
    }
  }
  Row result;
  for (const Rule& rule : base.rules) {
    result.scores.push_back(steps(rule.weight * truth(base, rule, values)));
    std::vector<double> own;
    for (std::size_t p = 0; p <= rule.conditions.size(); ++p) {
      Rule without = rule;
      if (p < rule.conditions.size()) {
        without.conditions.erase(without.conditions.begin() + static_cast<std::ptrdiff_t>(p));
      }
      own.push_back(steps(truth(base, without, values)));
    }
    result.shorter.push_back(std::move(own));
  }
  return result;
}

double degree_of(const RuleBase& base, const Row& row, int actual, double margin) {
  double right = -HUGE_VAL, wrong = -HUGE_VAL;
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    double& side = base.rules[r].then == actual ? right : wrong;
    side = std::max(side, row.scores[r]);
  }
  if (right == -HUGE_VAL && wrong == -HUGE_VAL) return base.otherwise == actual ? 1 : 0;
  if (right == -HUGE_VAL) return 0;
  if (wrong == -HUGE_VAL) return 1;
  if (margin == 0) return right > wrong + 1e-4 ? 1 : 0;
  return std::clamp((right - wrong + margin) / (2 * margin), 0.0, 1.0);
}

struct Case {
  random_table::Problem problem;
  RuleBase base;
  Binding binding;
  std::vector<int> classes;

  Case(Random& random, const random_table::Shape& shape, const Settings& settings)
      : problem(random_table::make(random, shape), settings),
        base(make_base(random, problem)),
        binding(base, problem.table),
        classes(problem.data.labels) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  static RuleBase make_base(Random& random, const random_table::Problem& problem) {
    const auto rules = random_table::random_rules(random, problem, 5, 3);
    RuleBase base =
        make_rulebase(problem.partition, problem.memberships, rules, 0, problem.settings);
    base.classes = problem.data.classes;
    base.target = problem.data.target;
    return base;
  }
};

Settings settings_for(std::uint64_t seed) {
  const auto tnorms = random_table::all_tnorms();
  Settings settings;
  settings.tnorm = tnorms[seed % tnorms.size()];
  settings.margin = seed % 3 == 0 ? 0 : 3;
  settings.price = seed % 2 == 0 ? 0.1 : 2;
  return settings;
}

// ---- Sums ---------------------------------------------------------------------------------------

// Where a lead is so close to the edge of a bin that rounding decides, the row may be in either.
struct Bounds {
  std::vector<double> surely, perhaps;

  void add(std::size_t first, double lead, std::size_t bins, double unit) {
    const auto bin = [&](double x) {
      return x < 1 ? 0 : static_cast<std::size_t>(std::min(x, static_cast<double>(bins - 1)));
    };
    const std::size_t low = bin(lead - 2e-3), high = bin(lead + 2e-3);
    if (low == high) {
      if (low > 0) surely[first + low] += unit;
      return;
    }
    if (low > 0) perhaps[first + low] += unit;
    perhaps[first + high] += unit;
  }
};

TEST(Settle, SumsAreThoseOfASlowReference) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case own(
        random,
        {.rows = 300 + random.below(2000), .classes = 3, .missing = 0.1, .missing_target = 0.1},
        settings);
    const RuleBase& base = own.base;
    const std::size_t rows = own.problem.table.rows;
    std::vector<std::int64_t> units;
    if (seed % 2 == 1) {
      for (std::size_t i = 0; i < rows; ++i) {
        units.push_back(static_cast<std::int64_t>(random.below(5)));
      }
    }
    const WorthSums places(base, settings.margin);
    const std::size_t bins = places.scale().bins();
    Bounds bounds{std::vector<double>(places.size(), 0), std::vector<double>(places.size(), 0)};
    std::vector<double> right(3, 0), all(3, 0), uncovered(3, 0), narrow(3, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      const int actual = own.classes[i];
      if (actual < 0) continue;
      const double unit = units.empty() ? 1 : static_cast<double>(units[i]);
      const Row row = row_of(base, own.binding, i);
      const auto y = static_cast<std::size_t>(actual);
      all[y] += unit;
      const double degree = degree_of(base, row, actual, settings.margin);
      right[y] += unit * degree;
      // Without a margin rounding may decide a tie.
      if (std::abs(degree_of(base, row, actual, 3) - 0.5) < 1e-3) narrow[y] += unit;
      if (std::all_of(row.scores.begin(), row.scores.end(),
                      [](double score) { return score == -HUGE_VAL; })) {
        uncovered[y] += unit;
      }
      for (std::size_t r = 0; r < base.rules.size(); ++r) {
        double best = -HUGE_VAL;
        std::size_t other = r;
        for (std::size_t q = 0; q < base.rules.size(); ++q) {
          if (q == r || row.scores[q] <= best + 1e-4) continue;
          best = row.scores[q];
          other = q;
        }
        // Where others tie, another order of rounding may name another one.
        const bool tied = std::any_of(base.rules.begin(), base.rules.end(), [&](const Rule& rule) {
          const auto q = static_cast<std::size_t>(&rule - base.rules.data());
          return q != r && other != r && std::abs(row.scores[q] - best) < 1e-3 &&
                 rule.then != base.rules[other].then;
        });
        const int other_class = other == r ? base.otherwise : base.rules[other].then;
        const std::size_t length = base.rules[r].conditions.size();
        for (std::size_t p = 0; p <= length; ++p) {
          if (p < length && length == 1) continue;
          const double truth_steps = row.shorter[r][p];
          if (truth_steps == -HUGE_VAL) continue;
          const double lead =
              std::min(-best, 1e6) + truth_steps + static_cast<double>(places.scale().offset());
          const std::size_t first = places.histogram(r, p);
          for (const bool same : {false, true}) {
            if (!tied && same != (other_class == actual)) continue;
            const std::size_t start = first + (2 * y + (same ? 1 : 0)) * bins;
            if (!tied) {
              bounds.add(start, lead, bins, unit);
            } else if (lead > 0.9) {
              const auto bin =
                  static_cast<std::size_t>(std::min(lead, static_cast<double>(bins - 1)));
              for (std::size_t b = bin == 0 ? 0 : bin - 1; b < std::min(bin + 2, bins); ++b) {
                bounds.perhaps[start + b] += unit;
              }
            }
          }
        }
      }
    }

    for (const int threads : {1, 2}) {
      const std::vector<std::int64_t> sums =
          worth_sums(base, settings.margin, own.binding, own.classes, units, threads);
      ASSERT_EQ(sums.size(), places.size());
      for (std::size_t i = 0; i < places.all(); ++i) {
        const auto sum = static_cast<double>(sums[i]);
        ASSERT_GE(sum, bounds.surely[i]) << i;
        ASSERT_LE(sum, bounds.surely[i] + bounds.perhaps[i]) << i;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(static_cast<double>(sums[places.all() + c]), all[c]);
        EXPECT_EQ(static_cast<double>(sums[places.uncovered() + c]), uncovered[c]);
        EXPECT_NEAR(static_cast<double>(sums[places.right() + c]) / degree_units, right[c],
                    settings.margin > 0 ? all[c] * 0.004 : narrow[c]);
        EXPECT_LT(narrow[c], all[c] / 4);
      }
    }
  }
}

TEST(Settle, SumsOfPartsAddUp) {
  Random random(5);
  const Case own(random, {.rows = 3000, .classes = 2}, Settings{});
  const auto sums_of = [&](std::size_t from, std::size_t to) {
    std::vector<std::uint32_t> rows(to - from);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(from));
    Table part;
    part.rows = rows.size();
    for (const Column& column : own.problem.table.columns) {
      Column copy = column;
      if (column.type == ColumnType::numeric) {
        copy.values.assign(column.values.begin() + static_cast<std::ptrdiff_t>(from),
                           column.values.begin() + static_cast<std::ptrdiff_t>(to));
      } else {
        copy.codes.assign(column.codes.begin() + static_cast<std::ptrdiff_t>(from),
                          column.codes.begin() + static_cast<std::ptrdiff_t>(to));
      }
      part.columns.push_back(std::move(copy));
    }
    const Binding binding(own.base, part);
    return worth_sums(own.base, 3, binding, std::span(own.classes).subspan(from, to - from), {}, 1);
  };
  const std::vector<std::int64_t> whole = sums_of(0, 3000);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{1023}, std::size_t{1500}}) {
    std::vector<std::int64_t> sum = sums_of(0, cut);
    const std::vector<std::int64_t> rest = sums_of(cut, 3000);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
    EXPECT_EQ(sum, whole) << cut;
  }
}

// ---- Settling -----------------------------------------------------------------------------------

double slow_objective(const Case& own, const RuleBase& base, const Settings& settings) {
  const Binding binding(base, own.problem.table);
  double right = 0, rows = 0;
  for (std::size_t i = 0; i < own.classes.size(); ++i) {
    if (own.classes[i] < 0) continue;
    rows += 1;
    right += degree_of(base, row_of(base, binding, i), own.classes[i], settings.margin);
  }
  return right - (settings.price + settings.price_rate * rows) * static_cast<double>(base.size());
}

void settle_on(const Case& own, RuleBase& base, const Settings& settings) {
  SettleInput input;
  input.sums = [&](const RuleBase& rules) {
    return worth_sums(rules, settings.margin, Binding(rules, own.problem.table), own.classes, {},
                      1);
  };
  input.class_weights.assign(base.classes.size(), 1);
  input.class_rows.assign(base.classes.size(), 0);
  for (const int c : own.classes) {
    if (c >= 0) input.class_rows[static_cast<std::size_t>(c)] += 1;
  }
  Control control({}, 0);
  settle(base, input, settings, control);
}

TEST(Settle, NeverLowersTheObjectiveAndOnlyTakesConditionsAway) {
  int better = 0, shorter = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Settings settings = settings_for(seed);
    const Case own(random, {.rows = 500, .classes = 2 + seed % 3, .missing = 0.05}, settings);
    RuleBase base = own.base;
    settle_on(own, base, settings);
    const double before = slow_objective(own, own.base, settings);
    const double after = slow_objective(own, base, settings);
    // Degrees are counted in 256ths.
    EXPECT_GE(after, before - 500.0 / 256 - 1e-6);
    better += after > before + 3 ? 1 : 0;
    EXPECT_LE(base.rules.size(), own.base.rules.size());
    shorter += base.size() < own.base.size() ? 1 : 0;
    for (const Rule& rule : base.rules) {
      EXPECT_FALSE(rule.conditions.empty());
      const bool known =
          std::any_of(own.base.rules.begin(), own.base.rules.end(), [&](const Rule& old) {
            return std::all_of(
                rule.conditions.begin(), rule.conditions.end(), [&](const Condition& condition) {
                  return std::find(old.conditions.begin(), old.conditions.end(), condition) !=
                         old.conditions.end();
                });
          });
      EXPECT_TRUE(known);
    }
  }
  EXPECT_GT(better, 40);
  EXPECT_GT(shorter, 20);
}

// x <= 0 is always "a" and x > 0 always "b"; the rule says "a" where x is high.
TEST(Settle, TurnsARuleThatIsWrongOnAllRows) {
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 400; ++i) {
    x.push_back(i % 2 == 0 ? -1 - i * 1e-3 : 1 + i * 1e-3);
    target.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  Table table;
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  RuleBase base;
  base.target = "class";
  base.classes = {"a", "b"};
  base.partition.features.push_back(
      {"x", ColumnType::numeric, {{"high", LabelKind::range, {}}}, -2, 2, 0});
  base.partition.features[0].labels[0].shape.a = 0;
  base.partition.features[0].labels[0].shape.b = 0.5;
  base.partition.features[0].labels[0].shape.c = HUGE_VAL;
  base.partition.features[0].labels[0].shape.d = HUGE_VAL;
  base.rules.push_back({{{0, 0}}, 0, 1.0, {}});
  base.otherwise = 0;
  SettleInput input;
  const std::vector<int> classes = class_indices(table, "class", base.classes);
  input.sums = [&](const RuleBase& rules) {
    return worth_sums(rules, 3, Binding(rules, table), classes, {}, 1);
  };
  input.class_weights = {1, 1};
  input.class_rows = {200, 200};
  Control control({}, 0);
  settle(base, input, Settings{}, control);
  ASSERT_EQ(base.rules.size(), 1U);
  EXPECT_EQ(base.rules[0].then, 1);
  EXPECT_EQ(base.otherwise, 0);
}

TEST(Settle, UnitsOfWeights) {
  EXPECT_EQ(weight_units(0, 1), 0);
  EXPECT_EQ(weight_units(std::nan(""), 1), 0);
  // Whole numbers stay in proportion: 1, 2 and 3 of at most 3 are quarters of 2^16.
  EXPECT_EQ(weight_units(1, 3), 1 << 14);
  EXPECT_EQ(weight_units(2, 3), 2 << 14);
  EXPECT_EQ(weight_units(3, 3), 3 << 14);
  EXPECT_EQ(weight_units(1e-30, 1), 1);  // never lost
  EXPECT_EQ(weight_units(1e90, 1e90), weight_units(1e90 / (1ULL << 40), 1e90 / (1ULL << 40)));
}

}  // namespace
}  // namespace frr
