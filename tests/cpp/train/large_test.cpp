// Tables with more rows than gradient descent and search see.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "search/polish.hpp"
#include "support/random_table.hpp"
#include "train/learner.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t row_count = 5000;

Table large_table(std::uint64_t seed = 1) {
  Random random(seed);
  return random_table::make(
      random, {.rows = row_count, .numeric = 4, .categorical = 1, .classes = 3, .missing = 0.02});
}

// The smallest samples that the options allow.
TrainRequest sampled(int gradient_rows = 1000, int search_rows = 1000) {
  TrainRequest request;
  request.settings.gradient_rows = gradient_rows;
  request.settings.search_rows = search_rows;
  request.settings.epochs = 3;
  request.settings.rules = 6;
  request.settings.threads = 1;
  return request;
}

bool has_note(const RuleBase& base, const std::string& part) {
  return std::any_of(base.summary.notes.begin(), base.summary.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

double rows_decided(const RuleBase& base) {
  double rows = base.otherwise_statistics.rows();
  for (const Rule& rule : base.rules) rows += rule.statistics.rows();
  return rows;
}

const Feature* feature_named(const Partition& partition, const std::string& name) {
  const auto found = std::find_if(partition.features.begin(), partition.features.end(),
                                  [&](const Feature& feature) { return feature.name == name; });
  return found == partition.features.end() ? nullptr : &*found;
}
bool has_missing_label(const Feature& feature) {
  return !feature.labels.empty() && feature.labels.back().kind == LabelKind::missing;
}

double majority_share(const Table& table) {
  const Column& target = table.columns.back();
  std::vector<double> counts(target.categories.size(), 0);
  for (const auto code : target.codes) ++counts[static_cast<std::size_t>(code)];
  return 100 * *std::max_element(counts.begin(), counts.end()) / static_cast<double>(table.rows);
}

// x above 0.7 raises the probability of a rare class from 1 % to 25 %: no decision changes, but the
// log-loss falls. The refit for accuracy would remove such rules.
TEST(LargeTable, RulesForProbabilitiesSurviveAllRows) {
  Random random(4);
  Table table;
  std::vector<double> x;
  std::vector<std::optional<std::string>> y;
  for (std::size_t i = 0; i < row_count; ++i) {
    x.push_back(random.uniform());
    y.emplace_back(random.uniform() < (x.back() > 0.7 ? 0.25 : 0.01) ? "ill" : "well");
  }
  table.add_numeric("x", x);
  table.add_categorical("y", y);
  TrainRequest request = sampled(1000, 2000);
  request.settings.objective = Objective::risk;
  const RuleBase base = train(table, request);
  EXPECT_FALSE(base.rules.empty());
  EXPECT_NEAR(rows_decided(base), row_count, 1e-9);
  EXPECT_TRUE(has_note(base, "counts, probabilities and classes of the rules are of all rows"));
}

TEST(LargeTable, NotesSayHowManyRowsEachStageSaw) {
  const Table table = large_table();
  EXPECT_TRUE(has_note(train(table, sampled(1000, 2000)),
                       "of 5000 rows, gradient descent saw 1000 and the search for conditions and "
                       "borders 2000"));
  // The gradient never sees more than the search.
  EXPECT_TRUE(has_note(train(table, sampled(5000, 1000)), "saw 1000 and the search"));
  EXPECT_FALSE(has_note(train(table, sampled(5000, 5000)), "gradient descent saw"));
  // All rows are searched; only those of gradient descent are drawn.
  const RuleBase some = train(table, sampled(1000, 5000));
  EXPECT_TRUE(has_note(some, "of 5000 rows, gradient descent saw 1000, drawn at random (--grad"));
  EXPECT_FALSE(has_note(some, "search"));
  TrainRequest request = sampled(1000, 2000);
  request.settings.gradient = false;
  EXPECT_TRUE(has_note(train(table, request),
                       "of 5000 rows, the search for conditions and borders saw 2000,"));
}

TEST(LargeTable, CountsCoverAllRowsAndAccuracyHardlyFalls) {
  const Table table = large_table();
  const RuleBase some = train(table, sampled());
  const RuleBase all = train(table, sampled(5000, 5000));
  for (const RuleBase* base : {&some, &all}) {
    EXPECT_EQ(base->summary.rows, row_count);
    EXPECT_EQ(rows_decided(*base), static_cast<double>(row_count));
    EXPECT_GT(base->summary.train_accuracy, majority_share(table) + 10);
    EXPECT_EQ(from_json(to_json(*base)).rules.size(), base->rules.size());
  }
  EXPECT_NEAR(some.summary.train_accuracy, all.summary.train_accuracy, 3);
}

TEST(LargeTable, ThreadsNeverChangeTheModelOfASample) {
  const Table table = large_table(2);
  TrainRequest request = sampled(1000, 2000);
  const std::string one = to_json(train(table, request));
  request.settings.threads = 2;
  EXPECT_EQ(to_json(train(table, request)), one);
}

// ---- Subsamples ---------------------------------------------------------------------------------

// Enough rows for three subsamples; the class is high x and low y, or high z, with a tenth of the
// classes flipped.
Table many_rows() {
  Random random(11);
  constexpr std::size_t rows = 50000;
  std::vector<double> x, y, z, noise;
  std::vector<std::optional<std::string>> target;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(random.normal());
    y.push_back(random.normal());
    z.push_back(random.normal());
    noise.push_back(random.normal());
    const bool yes = (x.back() > 0.3 && y.back() < 0.2) || z.back() > 1.1;
    target.emplace_back(yes != (random.uniform() < 0.1) ? "yes" : "no");
  }
  Table table;
  table.source = "many.csv";
  table.add_numeric("x", x);
  table.add_numeric("y", y);
  table.add_numeric("z", z);
  table.add_numeric("noise", noise);
  table.add_categorical("class", target);
  return table;
}

TEST(Subsamples, GiveTheSameModelAndLossesWithAnyNumberOfThreads) {
  const Table table = many_rows();
  std::vector<std::string> models;
  std::vector<std::vector<double>> losses;
  for (const int threads : {1, 2, 3}) {
    TrainRequest request;
    request.settings.threads = threads;
    losses.emplace_back();
    request.progress = [&](const Progress& now) {
      const bool ended = now.stage == Progress::Stage::gradient &&
                         now.epoch > static_cast<int>(losses.back().size());
      if (ended) losses.back().push_back(now.loss);
      return true;
    };
    const RuleBase base = train(table, request);
    models.push_back(to_json(base));
    EXPECT_EQ(losses.back().size(), static_cast<std::size_t>(base.summary.epochs));
    // 90 is the best possible.
    EXPECT_GT(base.summary.train_accuracy, 88.5);
    EXPECT_LE(base.rules.size(), 15U);
  }
  EXPECT_EQ(models[1], models[0]);
  EXPECT_EQ(models[2], models[0]);
  EXPECT_EQ(losses[1], losses[0]);
  EXPECT_EQ(losses[2], losses[0]);
}

TEST(Subsamples, StopIfTheCallbackReturnsFalse) {
  const Table table = many_rows();
  TrainRequest request;
  request.settings.threads = 2;
  int calls = 0;
  request.progress = [&](const Progress&) { return ++calls < 12; };
  try {
    train(table, request);
    FAIL() << "was not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(Subsamples, RespectTheTimeLimit) {
  TrainRequest request;
  request.settings.time_limit = 1e-6;
  const RuleBase base = train(many_rows(), request);
  EXPECT_TRUE(base.summary.stopped_early);
  EXPECT_EQ(base.summary.rows, 50000U);
}

// ---- Rare values --------------------------------------------------------------------------------

// A table in which only row `at` has a missing value, an extreme value, another value in a column
// that is otherwise constant, and a category and a class that no other row has.
Table with_odd_row(std::size_t at) {
  Random random(3);
  std::vector<double> useful, gappy, extreme, constant;
  std::vector<std::optional<std::string>> category, target;
  for (std::size_t i = 0; i < row_count; ++i) {
    const bool odd = i == at;
    useful.push_back(random.normal());
    gappy.push_back(odd ? std::numeric_limits<double>::quiet_NaN() : random.normal());
    extreme.push_back(odd ? -1e9 : random.uniform());
    constant.push_back(odd ? 7 : 5);
    category.emplace_back(odd ? "odd" : random.uniform() < 0.5 ? "a" : "b");
    const bool high = useful.back() > 0.4;
    target.emplace_back(odd ? "rare" : high ? "yes" : "no");
  }
  Table table;
  table.source = "odd.csv";
  table.add_numeric("useful", useful);
  table.add_numeric("gappy", gappy);
  table.add_numeric("extreme", extreme);
  table.add_numeric("constant", constant);
  table.add_categorical("category", category);
  table.add_categorical("class", target);
  return table;
}

void expect_labels_of_all_rows(const Partition& partition) {
  const Feature* gappy = feature_named(partition, "gappy");
  const Feature* extreme = feature_named(partition, "extreme");
  const Feature* constant = feature_named(partition, "constant");
  const Feature* category = feature_named(partition, "category");
  ASSERT_TRUE(gappy && extreme && constant && category);
  EXPECT_TRUE(has_missing_label(*gappy));
  EXPECT_FALSE(has_missing_label(*extreme));
  EXPECT_EQ(extreme->low, -1e9);
  EXPECT_LT(extreme->high, 1);
  EXPECT_EQ(constant->low, 5);
  EXPECT_EQ(constant->high, 7);
  // Its labels separate the two values.
  EXPECT_EQ(constant->labels.front().shape(5), 1);
  EXPECT_EQ(constant->labels.back().shape(5), 0);
  EXPECT_EQ(constant->labels.back().shape(7), 1);
  EXPECT_EQ(category->labels.size(), 3U);
}

// About two of twelve rows are in the sample of 1000, and some certainly are not.
const std::vector<std::size_t> odd_rows = {0,    7,    500,  999,  1000, 1777,
                                           2500, 3001, 3500, 4100, 4998, 4999};

TEST(LargeTable, ThePartitionCoversValuesOfASingleRow) {
  for (const std::size_t at : odd_rows) {
    const random_table::Problem problem(with_odd_row(at), sampled().settings);
    SCOPED_TRACE("row " + std::to_string(at));
    expect_labels_of_all_rows(problem.partition);
  }
}

TEST(LargeTable, TrainsOnAClassAndValuesOfASingleRow) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{1777}, std::size_t{4999}}) {
    SCOPED_TRACE("row " + std::to_string(at));
    const Table table = with_odd_row(at);
    for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
      TrainRequest request = sampled();
      request.settings.semantics = semantics;
      const RuleBase base = train(table, request);
      expect_labels_of_all_rows(base.partition);
      ASSERT_EQ(base.classes.size(), 3U);
      const auto rare = static_cast<std::size_t>(
          std::find(base.classes.begin(), base.classes.end(), "rare") - base.classes.begin());
      ASSERT_LT(rare, base.classes.size());
      double of_rare = base.otherwise_statistics.class_rows[rare];
      for (const Rule& rule : base.rules) of_rare += rule.statistics.class_rows[rare];
      if (semantics == Semantics::sufficient) {
        EXPECT_EQ(of_rare, 1);
        EXPECT_EQ(rows_decided(base), static_cast<double>(row_count));
      }
      EXPECT_GT(base.summary.train_accuracy, 95);
    }
  }
}

// In noise, the search finds rules on any sample. On all rows they gain nothing and are dropped.
TEST(LargeTable, DropsRulesThatHoldOnlyInTheSample) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(seed);
    std::vector<double> x[4];
    std::vector<std::optional<std::string>> target;
    for (std::size_t i = 0; i < row_count; ++i) {
      for (auto& column : x) column.push_back(random.normal());
      target.emplace_back(random.uniform() < 0.55 ? "a" : "b");
    }
    Table table;
    for (std::size_t j = 0; j < 4; ++j) table.add_numeric("x" + std::to_string(j), x[j]);
    table.add_categorical("class", target);
    TrainRequest request = sampled();
    request.settings.margin = 0;  // the gain of a rule is the rows that it makes right
    request.settings.price = 1;
    request.settings.price_rate = 0;
    request.settings.seed = seed;
    const RuleBase base = train(table, request);
    EXPECT_GE(base.summary.train_accuracy, majority_share(table)) << "seed " << seed;
  }
}

TEST(LargeTable, TrainsWithWeightsBalanceAndEveryTNorm) {
  const Table table = large_table(4);
  for (const TNorm& tnorm : random_table::all_tnorms()) {
    TrainRequest request = sampled();
    request.settings.epochs = 1;
    request.settings.rules = 3;
    request.settings.tnorm = tnorm;
    request.settings.class_weight = ClassWeight::balanced;
    for (std::size_t i = 0; i < table.rows; ++i)
      request.row_weights.push_back(0.5 * static_cast<double>(i % 3));
    const RuleBase base = train(table, request);
    EXPECT_EQ(base.summary.rows, 3333U);
    EXPECT_NEAR(rows_decided(base), 3333, 1e-4) << to_string(tnorm);
  }
}

}  // namespace
}  // namespace frr::internal
