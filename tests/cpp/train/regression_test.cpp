// Each of these tests has failed before.
#include <gtest/gtest.h>
#include <chrono>
#include <cmath>
#include "frr/frr.hpp"
#include "search/polish.hpp"
#include "support/random_table.hpp"
namespace frr::internal {
namespace {

using random_table::Problem;
TEST(PolishRegression, ConvergesWithTheDefaultMargin) {
  Random random(1);
  Settings s;
  s.sweeps = 1000;
  const Problem p(
      random_table::make(random, {.rows = 200, .numeric = 4, .categorical = 1, .classes = 3}), s);
  Search search(p.search_rows(), s, random_table::random_rules(random, p, 6, 2));
  Control c({}, 0);
  polish(search, s, random, 1, c);
  EXPECT_FALSE(polish(search, s, random, 1, c)) << "1000 sweeps did not come to rest";
}

TEST(PolishRegression, ConvergesOnManyTables) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Settings s;
    s.sweeps = 1000;
    const Problem p(
        random_table::make(random, {.rows = 80, .numeric = 3, .categorical = 2, .classes = 3}), s);
    Search search(p.search_rows(), s, random_table::random_rules(random, p, 6, 2));
    Control c({}, 0);
    polish(search, s, random, 1, c);
    EXPECT_FALSE(polish(search, s, random, 1, c)) << "seed " << seed;
  }
}

TEST(PolishRegression, KeepsAUsefulRuleWhoseWeightIsBetweenSteps) {
  // rule 0 (p=yes -> x) w .9 ; rule 1 (q=yes -> y) .95 right on rows A; rule 2 (r=yes -> y) .85
  // wrong on rows B
  Table t;
  std::vector<std::optional<std::string>> p, q, r, y;
  for (int i = 0; i < 60; ++i) {
    const int k = i / 20;
    p.emplace_back(k < 2 ? "yes" : "no");
    q.emplace_back(k == 0 ? "yes" : "no");
    r.emplace_back(k >= 1 ? "yes" : "no");
    y.emplace_back(k == 1 ? "x" : "y");
  }
  t.add_categorical("p", p);
  t.add_categorical("q", q);
  t.add_categorical("r", r);
  t.add_categorical("class", y);
  Settings s;
  s.margin = 0;
  s.rules = 3;
  s.conditions = 1;
  const Problem pr(std::move(t), s);
  Search search(pr.search_rows(), s, {{{1}, 0, 0.9}, {{3}, 1, 0.95}, {{5}, 1, 0.85}});
  EXPECT_EQ(search.correct(), 60);
  const double before = search.objective();
  Random random(0);
  Control c({}, 0);
  polish(search, s, random, 1, c);
  EXPECT_GE(search.objective(), before - 1e-6) << search.correct();
}

TEST(TrainRegression, ProgressNeverFalls) {
  Random random(1);
  const Table t = random_table::make(random, {.rows = 100, .numeric = 3});
  TrainRequest q;
  q.settings.epochs = 3;
  double last = 0;
  int falls = 0;
  q.progress = [&](const Progress& p) {
    falls += p.fraction < last ? 1 : 0;
    last = p.fraction;
    return true;
  };
  train(t, q);
  EXPECT_EQ(falls, 0);
}

TEST(TrainRegression, TimeLimitEndsManyRestarts) {
  Random random(1);
  const Table t = random_table::make(random, {.rows = 3000, .numeric = 8});
  TrainRequest q;
  q.settings.restarts = 200;
  q.settings.threads = 1;
  q.settings.time_limit = 0.1;
  const auto start = std::chrono::steady_clock::now();
  train(t, q);
  // 200 restarts would take minutes.
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
}

TEST(ModelRegression, APaperPresetModelOfTiedDecimalsLoads) {
  int bad = 0;
  std::string what;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Table t;
    std::vector<double> x;
    std::vector<std::optional<std::string>> y;
    const double tie = static_cast<double>(1 + random.below(999)) * 0.01;
    for (int i = 0; i < 30; ++i) {
      x.push_back(random.below(4) == 0 ? 10 * random.uniform() : tie);
      y.emplace_back(i % 2 == 1 ? "a" : "b");
    }
    t.add_numeric("x", x);
    t.add_categorical("class", y);
    TrainRequest q;
    q.settings = preset("paper");
    q.settings.epochs = 1;
    q.settings.labels = 2 + static_cast<int>(seed % 6);
    try {
      from_json(to_json(train(t, q)));
    } catch (const Error& e) {
      ++bad;
      what = e.what();
    }
  }
  EXPECT_EQ(bad, 0) << what;
}

TEST(PartitionRegression, LabelNamesAreDistinctIfAGivenLabelIsCalledMissing) {
  Table t;
  t.add_numeric("x", {1, 2, std::nan(""), 4, 5, 6});
  t.add_categorical("class", {"a", "b", "a", "b", "a", "b"});
  TrainRequest q;
  q.settings.epochs = 1;
  try {
    q.given = parse_partition(
        R"({"features": {"x": {"missing": [null, null, 3, 3], "there": [3, 3, null, null]}}})");
    from_json(to_json(train(t, q)));
  } catch (const Error& e) {
    FAIL() << e.what();
  }
}

TEST(PartitionRegression, GivenLabelsOfTheTargetAreNoted) {
  Table t;
  t.add_numeric("x", {1, 2, 3, 4, 5, 6});
  t.add_numeric("class", {0, 1, 0, 1, 0, 1});
  TrainRequest q;
  q.settings.epochs = 1;
  q.given = parse_partition(
      R"({"features": {"class": {"l": [null, null, 3, 3], "h": [3, 3, null, null]}}})");
  const RuleBase base = train(t, q);
  ASSERT_EQ(base.summary.notes.size(), 1U);
  EXPECT_NE(base.summary.notes[0].find("'class' are not used"), std::string::npos);
}

}  // namespace
}  // namespace frr::internal
