#include "search/polish.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using random_table::Problem;

TEST(ValuePlainly, MatchesAHandComputedExample) {
  // Rule candidates on five rows; k = 0: rows 0-3 have a lead above 0, row 4 is not covered.
  const std::vector<float> lead = {4.5F, 2.5F, 1.5F, 0.5F, -never};
  const std::vector<int> classes = {1, 1, 0, 0, 1};
  const std::vector<unsigned char> others_right = {0, 0, 1, 1, 0};
  const std::vector<float> weights = {1, 2, 1, 4, 8};
  // Class 1 at k = 2 takes rows 0 and 1, which are of class 1 and were wrong: 1 + 2. At k = 1 it
  // also takes row 2 (-1), at k = 0 row 3 (-4). Class 0 never gains anything.
  const Valuation value = value_plainly(lead, classes, others_right, weights, 2, 0);
  EXPECT_EQ(value.gain, 3);
  EXPECT_EQ(value.then, 1);
  EXPECT_EQ(value.step, 2);
}

TEST(ValuePlainly, RampsByTheMargin) {
  // With margin 2, lead 1 at k = 0 takes (1 + 2) / 4 of the row; a smaller weight takes less.
  const Valuation value = value_plainly(std::vector<float>{1.0F}, std::vector<int>{0},
                                        std::vector<unsigned char>{0}, std::vector<float>{2}, 2, 2);
  EXPECT_NEAR(value.gain, 1.5, 1e-12);
  EXPECT_EQ(value.then, 0);
  EXPECT_EQ(value.step, 0);
}

// ---- An independent implementation in double ----------------------------------------------------

constexpr double infinity = std::numeric_limits<double>::infinity();

// The score of a rule on row i in steps; -infinity if it does not cover the row (product, root 1).
double steps_of(const Problem& problem, const LabelRule& rule, std::size_t i) {
  double truth = rule.weight;
  for (const std::size_t d : rule.labels) truth *= problem.memberships.column(d)[i];
  return truth > 0 ? std::log(truth) / std::log(1.25) : -infinity;
}

struct Others {
  std::vector<double> best;
  std::vector<bool> right;
};

Others others_of(const Problem& problem, const std::vector<LabelRule>& rules, std::size_t except,
                 int otherwise) {
  Others others;
  for (std::size_t i = 0; i < problem.classes.size(); ++i) {
    double best = -infinity;
    int then = otherwise;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (r == except) continue;
      const double score = steps_of(problem, rules[r], i);
      if (score > best) best = score, then = rules[r].then;
    }
    others.best.push_back(best);
    others.right.push_back(then == problem.classes[i]);
  }
  return others;
}

struct NetGain {
  double value = 0;      // gain as defined in the header, minus price
  double undecided = 0;  // weight of the relevant rows on the slope of the ramp
};

NetGain net_gain_of(const Problem& problem, const LabelRule& rule, const Others& others,
                    const Settings& settings, double price) {
  NetGain result;
  for (std::size_t i = 0; i < problem.classes.size(); ++i) {
    const double score = steps_of(problem, rule, i);
    const int change = (rule.then == problem.classes[i] ? 1 : 0) - (others.right[i] ? 1 : 0);
    if (score == -infinity || change == 0) continue;
    const double lead = score - others.best[i];
    double taken = lead > 0 ? 1 : 0;
    if (settings.margin > 0) {
      taken = std::clamp((lead + settings.margin) / (2 * settings.margin), 0.0, 1.0);
      if (std::abs(lead) < settings.margin + 0.5) result.undecided += problem.weights[i];
    }
    result.value += problem.weights[i] * taken * change;
  }
  result.value -= price * static_cast<double>(rule.labels.size());
  return result;
}

// All valid rules that differ from `labels` in at most one condition replaced, added or removed.
std::vector<std::vector<std::size_t>> neighbours(const Problem& problem,
                                                 const std::vector<std::size_t>& labels,
                                                 int conditions) {
  const Memberships& memberships = problem.memberships;
  std::vector<std::vector<std::size_t>> result;
  const auto valid = [&](const std::vector<std::size_t>& candidate) {
    std::set<std::size_t> features;
    for (const std::size_t d : candidate) features.insert(memberships.feature_of(d));
    return features.size() == candidate.size() && !candidate.empty() &&
           candidate.size() <= static_cast<std::size_t>(conditions);
  };
  const auto offer = [&](const std::vector<std::size_t>& candidate) {
    if (valid(candidate)) result.push_back(candidate);
  };
  for (std::size_t d = 0; d < memberships.labels(); ++d) {
    auto longer = labels;
    longer.push_back(d);
    offer(longer);
    for (std::size_t p = 0; p < labels.size(); ++p) {
      auto other = labels;
      other[p] = d;
      offer(other);
    }
  }
  for (std::size_t p = 0; p < labels.size(); ++p) {
    auto shorter = labels;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(p));
    offer(shorter);
  }
  return result;
}

// Triangles that are never 1 on the data: no two scores are equal, so the tests do not depend on
// how ties are broken.
std::vector<Feature> triangles(std::size_t features) {
  std::vector<Feature> result;
  for (std::size_t j = 0; j < features; ++j) {
    Feature feature;
    feature.name = "x" + std::to_string(j);
    feature.labels = {{"a", LabelKind::range, {0, 1, 1, 2.1}},
                      {"b", LabelKind::range, {0.9, 2, 2, 3.2}},
                      {"c", LabelKind::range, {1.8, 3, 3, 4}}};
    result.push_back(feature);
  }
  return result;
}

Table triangle_table(Random& random, std::size_t rows) {
  Table table;
  std::vector<std::vector<double>> x(3);
  std::vector<std::optional<std::string>> target;
  for (std::size_t i = 0; i < rows; ++i) {
    for (auto& column : x) column.push_back(4 * random.uniform());
    const bool inside = x[0][i] > 2 && x[1][i] < 2.5;
    const bool noise = random.below(8) == 0;
    const char* name = random.below(9) == 0 ? "q" : inside != noise ? "p" : "n";
    target.emplace_back(i < 3 ? std::vector<const char*>{"p", "n", "q"}[i] : name);
  }
  for (std::size_t j = 0; j < x.size(); ++j) table.add_numeric("x" + std::to_string(j), x[j]);
  table.add_categorical("class", target);
  return table;
}

class PolishOnRandomTables : public testing::TestWithParam<std::uint64_t> {
 protected:
  static Settings settings(double margin) {
    Settings result;
    result.margin = margin;
    result.rules = 5;
    result.conditions = 2;
    result.sweeps = 1000;
    return result;
  }
};

// Right rows minus the price of the conditions: the objective if the margin is 0.
double plain_objective(const Problem& problem, const Search& search) {
  const Others all = others_of(problem, search.rules(), search.rules().size(), search.otherwise());
  const auto right = std::count(all.right.begin(), all.right.end(), true);
  return static_cast<double>(right) - search.price() * static_cast<double>(search.conditions());
}

TEST_P(PolishOnRandomTables, WithoutMarginEndsWhereNoSingleChangeGains) {
  Random random(GetParam());
  const Settings chosen = settings(0);
  const Problem problem(triangle_table(random, 70), chosen, triangles(3));
  Search search(problem.search_rows(), chosen, random_table::random_rules(random, problem, 5, 2));
  const double before = plain_objective(problem, search);
  Control control({}, 0);
  polish(search, chosen, random, 1, control);
  EXPECT_GE(plain_objective(problem, search), before);
  EXPECT_LE(search.rules().size(), 5u);
  EXPECT_FALSE(polish(search, chosen, random, 1, control))
      << "the first call did not end at a fixed point";

  for (std::size_t r = 0; r < search.rules().size(); ++r) {
    const Others others = others_of(problem, search.rules(), r, search.otherwise());
    const double now =
        net_gain_of(problem, search.rules()[r], others, chosen, search.price()).value;
    EXPECT_GT(now, 0);
    for (const auto& labels : neighbours(problem, search.rules()[r].labels, chosen.conditions)) {
      for (int then = 0; then < 3; ++then) {
        for (int k = 0; k < weight_steps; ++k) {
          const LabelRule other{labels, then, std::pow(1.25, -k)};
          EXPECT_LE(net_gain_of(problem, other, others, chosen, search.price()).value, now + 2e-3);
        }
      }
    }
  }
  if (search.rules().size() == 5) return;
  // With fewer than five rules, no rule of one condition may have a net gain.
  const Others all = others_of(problem, search.rules(), search.rules().size(), search.otherwise());
  for (std::size_t d = 0; d < problem.memberships.labels(); ++d) {
    for (int then = 0; then < 3; ++then) {
      for (int k = 0; k < weight_steps; ++k) {
        const LabelRule extra{{d}, then, std::pow(1.25, -k)};
        EXPECT_LE(net_gain_of(problem, extra, all, chosen, search.price()).value, 1e-5);
      }
    }
  }
}

// The histogram's bins are one step wide, so the value of a row on the slope may be half a step
// off, both for the change that would gain and for the one that was preferred.
TEST_P(PolishOnRandomTables, WithMarginEndsWhereNoSingleChangeGainsMoreThanABin) {
  Random random(GetParam() + 100);
  const Settings chosen = settings(3);
  const Problem problem(triangle_table(random, 70), chosen, triangles(3));
  Search search(problem.search_rows(), chosen, random_table::random_rules(random, problem, 5, 2));
  Control control({}, 0);
  polish(search, chosen, random, 1, control);
  for (std::size_t r = 0; r < search.rules().size(); ++r) {
    const Others others = others_of(problem, search.rules(), r, search.otherwise());
    const double now =
        net_gain_of(problem, search.rules()[r], others, chosen, search.price()).value;
    double gain = -HUGE_VAL, undecided = 0;
    for (const auto& labels : neighbours(problem, search.rules()[r].labels, chosen.conditions)) {
      for (int then = 0; then < 3; ++then) {
        for (int k = 0; k < weight_steps; ++k) {
          const LabelRule other{labels, then, std::pow(1.25, -k)};
          const NetGain net_gain = net_gain_of(problem, other, others, chosen, search.price());
          gain = std::max(gain, net_gain.value - net_gain.undecided * 0.5 / (2 * chosen.margin));
          undecided = std::max(undecided, net_gain.undecided);
        }
      }
    }
    EXPECT_LE(gain, now + 2e-3 + undecided * 0.5 / (2 * chosen.margin));
  }
}

TEST_P(PolishOnRandomTables, KeepsTheLimitsFromAnyStart) {
  Random random(GetParam() + 200);
  Settings chosen;
  const auto tnorms = random_table::all_tnorms();
  chosen.tnorm = tnorms[random.below(tnorms.size())];
  chosen.margin = random.below(2) == 0 ? 0 : 3;
  chosen.rules = 1 + static_cast<int>(random.below(6));
  chosen.conditions = 1 + static_cast<int>(random.below(4));
  chosen.price = 0.2;
  const Problem problem(random_table::make(random, {.rows = 80, .classes = 4}), chosen);
  const auto start = random_table::random_rules(
      random, problem, random.below(static_cast<std::size_t>(chosen.rules) + 1),
      static_cast<std::size_t>(chosen.conditions));
  Search search(problem.search_rows(), chosen, start);
  Control control({}, 0);
  polish(search, chosen, random, 1, control);
  EXPECT_LE(search.rules().size(), static_cast<std::size_t>(chosen.rules));
  for (const LabelRule& rule : search.rules()) {
    EXPECT_GE(rule.labels.size(), 1u);
    EXPECT_LE(rule.labels.size(), static_cast<std::size_t>(chosen.conditions));
    std::set<std::size_t> features;
    for (const std::size_t d : rule.labels) {
      EXPECT_TRUE(features.insert(problem.memberships.feature_of(d)).second);
    }
    EXPECT_GT(rule.weight, 0);
    EXPECT_LE(rule.weight, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PolishOnRandomTables, testing::Range<std::uint64_t>(0, 10));

// ---- Known structures ---------------------------------------------------------------------------

// Two categorical features and a class that is their exclusive or, 20 rows per cell.
Table exclusive_or() {
  Table table;
  std::vector<std::optional<std::string>> p, q, target;
  for (int i = 0; i < 80; ++i) {
    const bool a = i % 2 == 1, b = i % 4 >= 2;
    p.emplace_back(a ? "yes" : "no");
    q.emplace_back(b ? "yes" : "no");
    target.emplace_back(a != b ? "odd" : "even");
  }
  table.add_categorical("p", p);
  table.add_categorical("q", q);
  table.add_categorical("class", target);
  return table;
}

TEST(Polish, CompletesAnExclusiveOrFromHalfOfIt) {
  // Columns: p IS no 0, yes 1; q IS no 2, yes 3. Classes: even 0, odd 1. One condition alone is
  // uninformative; the second rule is one replacement away from the other half. (If conditions have
  // a price, three of the four cells with half of the conditions are a fixed point, too.)
  Settings settings;
  settings.price = settings.price_rate = 0;
  const Problem problem(exclusive_or(), settings);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Search search(problem.search_rows(), problem.settings, {{{1, 2}, 1, 1}, {{0, 2}, 0, 1}});
    Random random(seed);
    Control control({}, 0);
    EXPECT_TRUE(polish(search, problem.settings, random, 1, control));
    EXPECT_EQ(search.correct(), 80);
    EXPECT_EQ(search.conditions(), 4u);
  }
}

TEST(Polish, AddsRulesToAnEmptyRuleBase) {
  Table table;
  std::vector<std::optional<std::string>> c, target;
  for (int i = 0; i < 90; ++i) {
    c.emplace_back(std::string(1, static_cast<char>('a' + i % 3)));
    target.emplace_back("k" + std::to_string(i % 3));
  }
  table.add_categorical("c", c);
  table.add_categorical("class", target);
  const Problem problem(std::move(table), Settings{});
  Search search(problem.search_rows(), problem.settings, {});
  EXPECT_EQ(search.correct(), 30);
  Random random(1);
  Control control({}, 0);
  EXPECT_TRUE(polish(search, problem.settings, random, 1, control));
  EXPECT_EQ(search.correct(), 90);
  EXPECT_EQ(search.rules().size(), 2u);  // and ELSE for the third class
}

TEST(Polish, RemovesARedundantRule) {
  const Problem problem(exclusive_or(), Settings{});
  Search search(problem.search_rows(), problem.settings,
                {{{1, 2}, 1, 1}, {{0, 3}, 1, 1}, {{0, 3}, 1, 0.5}});
  Random random(1);
  Control control({}, 0);
  EXPECT_TRUE(polish(search, problem.settings, random, 1, control));
  EXPECT_EQ(search.correct(), 80);
  EXPECT_EQ(search.rules().size(), 2u);
}

TEST(Polish, FlipsOrRemovesAWrongRule) {
  Table table;
  std::vector<std::optional<std::string>> c, target;
  for (int i = 0; i < 60; ++i) {
    c.emplace_back(i % 2 == 0 ? "a" : "b");
    target.emplace_back(i % 2 == 0 ? "x" : "y");
  }
  table.add_categorical("c", c);
  table.add_categorical("class", target);
  const Problem problem(std::move(table), Settings{});
  Search search(problem.search_rows(), problem.settings, {{{0}, 1, 1}, {{1}, 0, 1}});
  EXPECT_EQ(search.correct(), 0);
  Random random(1);
  Control control({}, 0);
  EXPECT_TRUE(polish(search, problem.settings, random, 1, control));
  EXPECT_EQ(search.correct(), 60);
  EXPECT_EQ(search.rules().size(), 1u);  // ELSE gives the other class
}

TEST(Polish, DoesNotAddAnExpensiveCondition) {
  Settings settings;
  settings.price = 1000;
  const Problem problem(exclusive_or(), settings);
  Search search(problem.search_rows(), settings, {{{1, 2}, 1, 1}});
  Random random(1);
  Control control({}, 0);
  EXPECT_TRUE(polish(search, settings, random, 1, control));
  EXPECT_TRUE(search.rules().empty());
}

TEST(Polish, StopsAtTheTimeLimitWithValidRules) {
  const Problem problem(exclusive_or(), Settings{});
  Search search(problem.search_rows(), problem.settings, {{{1, 2}, 1, 1}, {{0}, 1, 1}});
  Random random(1);
  Control control({}, 1e-9);
  EXPECT_FALSE(polish(search, problem.settings, random, 1, control));
  EXPECT_EQ(search.rules().size(), 2u);
}

TEST(Polish, CanBeInterrupted) {
  const Problem problem(exclusive_or(), Settings{});
  Search search(problem.search_rows(), problem.settings, {{{1, 2}, 1, 1}});
  Random random(1);
  Control control([](const Progress& p) { return p.stage != Progress::Stage::polish; }, 0);
  try {
    polish(search, problem.settings, random, 1, control);
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(PolishDeterminism, SameSeedSameRulesWithAnyNumberOfThreads) {
  Random random(3);
  const Settings settings;
  // 6000 rows x about 75 columns: enough to use several threads.
  const Problem problem(
      random_table::make(random, {.rows = 6000, .numeric = 20, .categorical = 3, .classes = 3}),
      settings);
  Settings quick = settings;
  quick.sweeps = 1;
  quick.rules = 2;
  const auto start = random_table::random_rules(random, problem, 2, 2);
  std::vector<LabelRule> first;
  for (const int threads : {1, 2, 7}) {
    Search search(problem.search_rows(), quick, start);
    Random random_for_polish(5);
    Control control({}, 0);
    polish(search, quick, random_for_polish, threads, control);
    if (threads == 1) first = search.rules();
    ASSERT_EQ(search.rules().size(), first.size());
    for (std::size_t r = 0; r < first.size(); ++r) {
      EXPECT_EQ(search.rules()[r].labels, first[r].labels);
      EXPECT_EQ(search.rules()[r].then, first[r].then);
      EXPECT_EQ(search.rules()[r].weight, first[r].weight);
    }
  }
}

}  // namespace
}  // namespace frr::internal
