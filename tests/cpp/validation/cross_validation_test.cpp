// Cross-validation and paths.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "evaluate/evaluate.hpp"
#include "model/column_map.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

using Counts = std::vector<std::vector<std::size_t>>;

Table sample_table() {
  Random random(2);
  return random_table::make(random, {.rows = 90, .numeric = 3, .categorical = 1, .classes = 3});
}

TrainRequest quick() {
  TrainRequest request;
  request.settings.epochs = 5;
  request.settings.threads = 1;
  return request;
}

// The fractions that `work`, which trains as `request` asks, reports one call at a time.
std::vector<double> fractions_of(TrainRequest& request, const std::function<void()>& work) {
  std::atomic<int> inside = 0;
  std::vector<double> fractions;
  request.progress = [&](const Progress& progress) {
    EXPECT_EQ(inside.fetch_add(1), 0);
    fractions.push_back(progress.fraction);
    inside.fetch_sub(1);
    return true;
  };
  work();
  return fractions;
}

// `work`, which trains as `request` asks, ends when the progress callback returns false.
void expect_cancelled(TrainRequest& request, int most_calls, const std::function<void()>& work) {
  std::atomic<int> calls = 0;
  request.progress = [&](const Progress&) { return ++calls < most_calls; };
  try {
    work();
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(CrossValidate, TrainsOnTheOtherFoldsAndTestsOnTheFold) {
  const Table table = sample_table();
  std::vector<int> folds(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) folds[i] = i < 30 ? 7 : i < 50 ? 3 : 11;
  const TrainRequest request = quick();
  const CrossValidation result = cross_validate(table, request, folds);
  EXPECT_EQ(result.dataset, "random.csv");
  EXPECT_EQ(result.rows, 90u);
  EXPECT_EQ(result.features, 4u);
  EXPECT_EQ(result.classes, 3u);
  ASSERT_EQ(result.folds.size(), 3u);

  // By hand, in ascending order of the fold numbers.
  const std::vector<int> numbers = {3, 7, 11};
  const Dataset data = make_dataset(table, "");
  Counts confusion(3, std::vector<std::size_t>(3, 0));
  double mean = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    TrainRequest part = request;
    std::vector<std::uint32_t> test;
    for (std::size_t i = 0; i < table.rows; ++i) {
      (folds[i] == numbers[f] ? test : part.rows).push_back(static_cast<std::uint32_t>(i));
    }
    const RuleBase base = train(table, part);
    const ColumnMap map(base, table);
    const Evaluation expected = evaluate(base, map, data.labels, test);
    const FoldResult& fold = result.folds[f];
    EXPECT_EQ(fold.accuracy, expected.accuracy);
    EXPECT_EQ(fold.balanced_accuracy, expected.balanced_accuracy);
    EXPECT_EQ(fold.train_accuracy, base.summary.train_accuracy);
    EXPECT_EQ(fold.rules, static_cast<double>(base.rules.size()));
    EXPECT_EQ(fold.conditions, static_cast<double>(base.size()));
    EXPECT_EQ(fold.unique_conditions, static_cast<double>(base.unique_conditions()));
    EXPECT_GT(fold.fit_seconds, 0);
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t k = 0; k < 3; ++k) confusion[c][k] += expected.confusion[c][k];
    }
    mean += expected.accuracy / 3;
  }
  EXPECT_EQ(result.confusion, confusion);
  EXPECT_NEAR(result.mean.accuracy, mean, 1e-9);
  double squares = 0;
  for (const FoldResult& fold : result.folds) squares += std::pow(fold.accuracy - mean, 2);
  EXPECT_NEAR(result.deviation.accuracy, std::sqrt(squares / 2), 1e-9);
}

TEST(CrossValidate, StratifiedFoldsTestEveryLabelledRowOnce) {
  Table table = sample_table();
  for (std::size_t i = 80; i < 90; ++i) table.columns.back().codes[i] = Column::missing_code;
  const CrossValidation result = cross_validate(table, quick(), 4);
  EXPECT_EQ(result.folds.size(), 4u);
  std::size_t tested = 0;
  for (const auto& row : result.confusion) {
    for (const std::size_t count : row) tested += count;
  }
  EXPECT_EQ(tested, 80u);
}

TEST(CrossValidate, AClassMissingInTrainingCountsAsWrong) {
  Table table;
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  std::vector<int> folds;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    target.emplace_back(i < 4 ? "rare" : i < 20 ? "a" : "b");
    folds.push_back(i < 4 ? 0 : i % 2);
  }
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  const CrossValidation result = cross_validate(table, quick(), folds);
  ASSERT_EQ(result.class_names, (std::vector<std::string>{"a", "b", "rare"}));
  EXPECT_EQ(result.confusion[2][2], 0u);
  EXPECT_EQ(result.confusion[2][0] + result.confusion[2][1], 4u);
}

TEST(CrossValidate, ATrainingFoldOfOneClassGivesOnlyElse) {
  Table table;
  table.add_numeric("x", {1, 2, 3, 4, 5, 6});
  table.add_categorical("class", {"a", "a", "a", "b", "b", "b"});
  const CrossValidation result = cross_validate(table, quick(), std::vector<int>{0, 0, 0, 1, 1, 1});
  EXPECT_EQ(result.mean.accuracy, 0);
  EXPECT_EQ(result.confusion, (Counts{{0, 3}, {3, 0}}));
}

TEST(CrossValidate, FoldsThatDoNotFitAreRefused) {
  const Table table = sample_table();
  const auto kind = [&](const std::vector<int>& folds) {
    try {
      cross_validate(table, quick(), folds);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind({0, 1}), ErrorKind::usage);
  EXPECT_EQ(kind(std::vector<int>(90, 0)), ErrorKind::data);
  EXPECT_THROW(cross_validate(table, quick(), 1), Error);
  EXPECT_THROW(cross_validate(table, quick(), 91), Error);
}

TEST(CrossValidateThreads, ProgressIsOneCallAtATimeAndEndsAtOne) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.threads = 3;
  const std::vector<double> fractions =
      fractions_of(request, [&] { cross_validate(table, request, 3); });
  ASSERT_GT(fractions.size(), 6u);
  EXPECT_NEAR(fractions.back(), 1, 1e-9);
}

TEST(CrossValidateThreads, CanBeCancelled) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.threads = 3;
  expect_cancelled(request, 5, [&] { cross_validate(table, request, 3); });
}

// ---- Metrics of all rows, each predicted out of fold
// ----------------------------------------------

// 240 rows; the class "yes" is rarer and more frequent for large x.
Table risky_table(std::size_t rows = 240) {
  Random random(11);
  Table table;
  table.source = "risky.csv";
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> target;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(random.normal());
    z.push_back(random.normal());
    const double risk = 1 / (1 + std::exp(1 - 1.5 * x.back()));
    target.emplace_back(random.uniform() < risk ? "yes" : "no");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("class", target);
  return table;
}

TEST(CrossValidate, MeasuresAllRowsOutOfFold) {
  for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
    const Table table = risky_table();
    TrainRequest request = quick();
    request.settings.semantics = semantics;
    request.row_weights.assign(table.rows, 1);
    for (std::size_t i = 0; i < table.rows; i += 3) request.row_weights[i] = 2.5;
    std::vector<int> folds(table.rows);
    for (std::size_t i = 0; i < table.rows; ++i) folds[i] = static_cast<int>(i % 4);
    const CrossValidation result = cross_validate(table, request, folds);

    // By hand: the probability of every row by the model of its fold.
    double right = 0, all = 0, loss = 0, squares = 0;
    for (int fold = 0; fold < 4; ++fold) {
      TrainRequest part = request;
      for (std::size_t i = 0; i < table.rows; ++i) {
        if (folds[i] != fold) part.rows.push_back(static_cast<std::uint32_t>(i));
      }
      const RuleBase base = train(table, part);
      const std::vector<Decision> decisions = predict(base, table);
      const std::vector<double> shares = predict_proba(base, table);
      const std::vector<int> truth = class_indices(table, "class", base.classes);
      double fold_loss = 0, fold_weight = 0;
      for (std::size_t i = 0; i < table.rows; ++i) {
        if (folds[i] != fold) continue;
        const double weight = request.row_weights[i];
        const double p = shares[2 * i + static_cast<std::size_t>(truth[i])];
        all += weight;
        right += decisions[i].predicted == truth[i] ? weight : 0;
        loss -= weight * std::log(p);
        squares += weight * (1 - p) * (1 - p);
        fold_loss -= weight * std::log(p);
        fold_weight += weight;
      }
      EXPECT_NEAR(result.folds[static_cast<std::size_t>(fold)].log_loss, fold_loss / fold_weight,
                  1e-12);
    }
    EXPECT_EQ(result.metrics.rows, 240U);
    EXPECT_DOUBLE_EQ(result.metrics.weight, all);
    EXPECT_NEAR(result.metrics.metrics.value.accuracy, right / all, 1e-12);
    EXPECT_NEAR(result.metrics.metrics.value.log_loss, loss / all, 1e-12);
    EXPECT_NEAR(result.metrics.metrics.value.brier, squares / all, 1e-12);
    EXPECT_EQ(result.metrics.replicates, 0);
    double mean = 0;
    for (const FoldResult& fold : result.folds) mean += fold.auc / 4;
    EXPECT_NEAR(result.mean.auc, mean, 1e-12);
  }
}

TEST(CrossValidate, GivesIntervalsOnRequest) {
  const CrossValidation result = cross_validate(risky_table(), quick(), 3, 200);
  const Estimated<Metrics>& metrics = result.metrics.metrics;
  EXPECT_LT(metrics.low.auc, metrics.value.auc);
  EXPECT_GT(metrics.high.auc, metrics.value.auc);
  EXPECT_EQ(result.metrics.replicates, 200);
}

TEST(CrossValidate, AFoldOfOneClassHasNoAuc) {
  const Table table = risky_table(60);
  const std::vector<int> truth = class_indices(table, "class", {"no", "yes"});
  std::vector<int> folds(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) {
    folds[i] = truth[i] == 0 && i < 20 ? 0 : 1 + static_cast<int>(i % 2);
  }
  const CrossValidation result = cross_validate(table, quick(), folds);
  EXPECT_TRUE(std::isnan(result.folds[0].auc));
  EXPECT_NEAR(result.mean.auc, (result.folds[1].auc + result.folds[2].auc) / 2, 1e-12);
}

TEST(CrossValidate, TrainsOnlyOnTheOtherFoldsOfALargeTable) {
  const Table table = risky_table(2600);
  TrainRequest request = quick();
  request.settings.search_rows = 1000;
  request.settings.augment = 0;
  std::vector<int> folds(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) folds[i] = i < 1000 ? 0 : 1;
  const CrossValidation result = cross_validate(table, request, folds);
  for (std::size_t i = 1000; i < table.rows; ++i) {
    request.rows.push_back(static_cast<std::uint32_t>(i));
  }
  const RuleBase expected = train(table, request);
  EXPECT_EQ(expected.summary.rows, 1600U);
  EXPECT_EQ(result.folds[0].train_accuracy, expected.summary.train_accuracy);
}

// ---- Accuracy by number of rules ----------------------------------------------------------------

struct Numbers {
  double accuracy, error;
};

std::vector<PathPoint> points(const std::vector<Numbers>& numbers) {
  std::vector<PathPoint> result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result[i].budget = static_cast<int>(i) + 1;
    result[i].mean.accuracy = numbers[i].accuracy;
    result[i].error.accuracy = numbers[i].error;
  }
  return result;
}

TEST(PathChoice, TheSmallestBudgetWithinOneErrorOfTheBestIsRecommended) {
  // Best is 94 with error 1: the first one of at least 93 is the third. Only the error of the best
  // matters.
  const auto path = points({{70, 9}, {92.9, 5}, {93.2, 0.1}, {92, 3}, {94, 1}, {93.9, 2}});
  EXPECT_EQ(best_point(path), 4u);
  EXPECT_EQ(recommended_point(path), 2u);
}

TEST(PathChoice, APointAtTheThresholdIsRecommended) {
  const auto path = points({{92, 0}, {93, 0}, {94, 1}});
  EXPECT_EQ(recommended_point(path), 1u);
}

TEST(PathChoice, OfEqualsTheSmallestBudgetIsBest) {
  const auto path = points({{80, 1}, {90, 2}, {90, 0.5}, {90, 30}});
  EXPECT_EQ(best_point(path), 1u);
  EXPECT_EQ(recommended_point(path), 1u);
}

TEST(PathChoice, MeansThatDifferByRoundingAreEqual) {
  const double mean = (90.1 + 90.2 + 90.3) / 3, other = (90.3 + 90.2 + 90.1) / 3 + 1e-13;
  const auto path = points({{50, 0}, {mean, 0}, {other, 0}});
  EXPECT_EQ(best_point(path), 1u);
  EXPECT_EQ(recommended_point(path), 1u);
}

TEST(PathChoice, WithoutDeviationOnlyTheBestIsRecommended) {
  const auto path = points({{80, 0}, {89.99, 0}, {90, 0}, {89, 0}});
  EXPECT_EQ(best_point(path), 2u);
  EXPECT_EQ(recommended_point(path), 2u);
}

TEST(PathChoice, TheFirstPointCanBeBest) {
  EXPECT_EQ(best_point(points({{90, 1}, {80, 1}})), 0u);
  EXPECT_EQ(recommended_point(points({{90, 1}, {89.5, 1}})), 0u);
  EXPECT_EQ(best_point(points({{0, 0}})), 0u);
  EXPECT_EQ(recommended_point(points({{0, 0}})), 0u);
}

TEST(PathChoice, TheLowestLogLossIsBest) {
  auto path = points({{90, 0}, {91, 0}, {92, 0}, {93, 0}});
  const std::vector<double> losses = {0.5, 0.43, 0.4, 0.41};
  for (std::size_t i = 0; i < 4; ++i) path[i].mean.log_loss = losses[i];
  path[2].error.log_loss = 0.031;
  EXPECT_EQ(best_point(path, PathMetric::log_loss), 2U);
  EXPECT_EQ(recommended_point(path, PathMetric::log_loss), 1U);
  path[2].error.log_loss = 0.029;
  EXPECT_EQ(recommended_point(path, PathMetric::log_loss), 2U);
}

TEST(PathChoice, UndefinedIsNeverBest) {
  auto path = points({{90, 0}, {91, 0}, {92, 0}});
  path[1].mean.auc = 0.7;
  path[1].error.auc = 0.1;
  path[2].mean.auc = 0.6;
  EXPECT_EQ(best_point(path, PathMetric::auc), 1U);
  EXPECT_EQ(recommended_point(path, PathMetric::auc), 1U);
}

TEST(PathChoice, MetricsHaveNames) {
  for (const PathMetric metric : {PathMetric::accuracy, PathMetric::balanced_accuracy,
                                  PathMetric::auc, PathMetric::log_loss}) {
    EXPECT_EQ(parse_path_metric(to_string(metric)), metric);
  }
  EXPECT_THROW(parse_path_metric("roc"), Error);
}

void expect_same(const FoldResult& x, const FoldResult& y) {
  EXPECT_EQ(x.accuracy, y.accuracy);
  EXPECT_EQ(x.balanced_accuracy, y.balanced_accuracy);
  EXPECT_EQ(x.train_accuracy, y.train_accuracy);
  EXPECT_EQ(x.rules, y.rules);
  EXPECT_EQ(x.conditions, y.conditions);
  EXPECT_EQ(x.unique_conditions, y.unique_conditions);
}

TEST(AccuracyPath, EveryPointIsACrossValidation) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.rules = 4;
  std::vector<int> folds(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) folds[i] = i < 30 ? 7 : i < 50 ? 3 : 11;
  const AccuracyPath path = accuracy_path(table, request, folds);
  EXPECT_EQ(path.dataset, "random.csv");
  EXPECT_EQ(path.rows, 90u);
  EXPECT_EQ(path.features, 4u);
  EXPECT_EQ(path.classes, 3u);
  ASSERT_EQ(path.points.size(), 4u);
  for (int budget = 1; budget <= 4; ++budget) {
    const PathPoint& point = path.points[static_cast<std::size_t>(budget - 1)];
    request.settings.rules = budget;
    const CrossValidation expected = cross_validate(table, request, folds);
    EXPECT_EQ(point.budget, budget);
    ASSERT_EQ(point.folds.size(), 3u);
    for (std::size_t f = 0; f < 3; ++f) {
      expect_same(point.folds[f], expected.folds[f]);
      EXPECT_LE(point.folds[f].rules, budget);
      EXPECT_GT(point.folds[f].fit_seconds, 0);
    }
    expect_same(point.mean, expected.mean);
    expect_same(point.deviation, expected.deviation);
    EXPECT_NEAR(point.error.accuracy, expected.deviation.accuracy / std::sqrt(3.0), 1e-12);
  }
  EXPECT_EQ(path.best, best_point(path.points));
  EXPECT_EQ(path.recommended, recommended_point(path.points));
  EXPECT_LE(path.recommended, path.best);
}

TEST(AccuracyPath, UsesTheFoldsOfCrossValidation) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.rules = 2;
  request.settings.seed = 5;
  const AccuracyPath path = accuracy_path(table, request, 4);
  const CrossValidation expected = cross_validate(table, request, 4);
  ASSERT_EQ(path.points.back().folds.size(), 4u);
  for (std::size_t f = 0; f < 4; ++f) expect_same(path.points.back().folds[f], expected.folds[f]);
  EXPECT_THROW(accuracy_path(table, request, 1), Error);
  request.settings.rules = 0;
  EXPECT_THROW(accuracy_path(table, request, 4), Error);
}

TEST(AccuracyPath, SelectsByTheMetricOfTheObjective) {
  const Table table = risky_table(120);
  TrainRequest request = quick();
  request.settings.rules = 2;
  const auto by = [&] { return accuracy_path(table, request, 3).by; };
  EXPECT_EQ(by(), PathMetric::accuracy);
  request.settings.objective = Objective::risk;
  EXPECT_EQ(by(), PathMetric::log_loss);
  request.settings.objective = Objective::automatic;
  request.settings.semantics = Semantics::additive;
  EXPECT_EQ(by(), PathMetric::log_loss);
  request.settings.semantics = Semantics::sufficient;
  // Less than a tenth of the weight is of one class.
  request.row_weights.assign(table.rows, 1);
  const std::vector<int> truth = class_indices(table, "class", {"no", "yes"});
  for (std::size_t i = 0; i < table.rows; ++i) request.row_weights[i] = truth[i] == 0 ? 30 : 1;
  EXPECT_EQ(by(), PathMetric::log_loss);
  request.settings.objective = Objective::accuracy;
  EXPECT_EQ(by(), PathMetric::accuracy);
}

TEST(AccuracyPath, GivesTheMetricsOfEveryBudget) {
  const Table table = risky_table(120);
  TrainRequest request = quick();
  request.settings.rules = 3;
  const AccuracyPath path = accuracy_path(table, request, 3, PathMetric::auc, 100);
  EXPECT_EQ(path.by, PathMetric::auc);
  EXPECT_EQ(path.best, best_point(path.points, PathMetric::auc));
  EXPECT_EQ(path.recommended, recommended_point(path.points, PathMetric::auc));
  for (std::size_t i = 0; i < 3; ++i) {
    request.settings.rules = static_cast<int>(i) + 1;
    const CrossValidation expected =
        cross_validate(table, request, 3, i == path.recommended ? 100 : 0);
    EXPECT_EQ(to_json(path.points[i].metrics, ""), to_json(expected.metrics, ""));
  }
}

TEST(AccuracyPathThreads, TheResultIsTheSameWithAnyNumberOfThreads) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.rules = 3;
  const AccuracyPath one = accuracy_path(table, request, 3);
  for (const int threads : {2, 7, 20}) {
    request.settings.threads = threads;
    const AccuracyPath many = accuracy_path(table, request, 3);
    ASSERT_EQ(many.points.size(), one.points.size());
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      for (std::size_t f = 0; f < 3; ++f) {
        expect_same(many.points[i].folds[f], one.points[i].folds[f]);
      }
      expect_same(many.points[i].mean, one.points[i].mean);
      EXPECT_EQ(many.points[i].error.accuracy, one.points[i].error.accuracy);
      EXPECT_EQ(to_json(many.points[i].metrics, ""), to_json(one.points[i].metrics, ""));
    }
    EXPECT_EQ(many.best, one.best);
    EXPECT_EQ(many.recommended, one.recommended);
  }
}

TEST(AccuracyPathThreads, ProgressGrowsToOne) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.rules = 3;
  request.settings.threads = 3;
  const std::vector<double> fractions =
      fractions_of(request, [&] { accuracy_path(table, request, 3); });
  ASSERT_GT(fractions.size(), 9u);
  for (std::size_t i = 1; i < fractions.size(); ++i) {
    EXPECT_GE(fractions[i], fractions[i - 1] - 1e-9);
  }
  EXPECT_NEAR(fractions.back(), 1, 1e-9);
}

TEST(AccuracyPathThreads, CanBeCancelled) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.settings.threads = 3;
  expect_cancelled(request, 20, [&] { accuracy_path(table, request, 3); });
}

}  // namespace
}  // namespace frr::internal
