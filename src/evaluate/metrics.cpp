#include "evaluate/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace frr::internal {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : undefined; }

// Of the values that are defined.
class Mean {
 public:
  void add(double value) {
    if (std::isnan(value)) return;
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ > 0 ? sum_ / count_ : undefined; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

// Weights of the classes, as they are and as they are predicted.
struct Margins {
  std::vector<double> of_class, predicted;
  double total = 0, right = 0;

  explicit Margins(const std::vector<std::vector<double>>& confusion)
      : of_class(confusion.size(), 0), predicted(confusion.size(), 0) {
    for (std::size_t c = 0; c < confusion.size(); ++c) {
      for (std::size_t k = 0; k < confusion.size(); ++k) {
        of_class[c] += confusion[c][k];
        predicted[k] += confusion[c][k];
      }
      right += confusion[c][c];
    }
    total = std::accumulate(of_class.begin(), of_class.end(), 0.0);
  }
};

double correlation(const Margins& sums) {
  const auto positive = [](double weight) { return weight > 0; };
  if (std::ranges::count_if(sums.of_class, positive) < 2) return undefined;
  if (std::ranges::count_if(sums.predicted, positive) < 2) return 0;
  double both = 0, squared_class = 0, squared_predicted = 0;
  for (std::size_t c = 0; c < sums.of_class.size(); ++c) {
    both += sums.of_class[c] * sums.predicted[c];
    squared_class += sums.of_class[c] * sums.of_class[c];
    squared_predicted += sums.predicted[c] * sums.predicted[c];
  }
  const double all = sums.total * sums.total;
  return (sums.right * sums.total - both) /
         (std::sqrt(all - squared_predicted) * std::sqrt(all - squared_class));
}

// One class against the others. Each is a sum of weights, and so exactly 0 where there are no rows.
struct Counts {
  double of_class = 0, others = 0, predicted = 0, not_predicted = 0;
  double true_positive = 0, false_positive = 0, false_negative = 0;
};

Counts counts_of(const std::vector<std::vector<double>>& confusion, const Margins& sums,
                 std::size_t c) {
  Counts result;
  result.of_class = sums.of_class[c];
  result.predicted = sums.predicted[c];
  result.true_positive = confusion[c][c];
  for (std::size_t k = 0; k < confusion.size(); ++k) {
    if (k == c) continue;
    result.others += sums.of_class[k];
    result.not_predicted += sums.predicted[k];
    result.false_positive += confusion[k][c];
    result.false_negative += confusion[c][k];
  }
  return result;
}

ClassMetrics rates(const Counts& n, double total) {
  const double true_negative = std::max(0.0, n.others - n.false_positive);
  ClassMetrics result;
  result.prevalence = n.of_class / total;
  result.predicted = n.predicted / total;
  result.sensitivity = ratio(n.true_positive, n.of_class);
  result.specificity = ratio(true_negative, n.others);
  result.ppv = ratio(n.true_positive, n.predicted);
  result.npv = ratio(true_negative, n.not_predicted);
  result.f1 = ratio(2 * n.true_positive, 2 * n.true_positive + n.false_positive + n.false_negative);
  return result;
}

}  // namespace

Scorer::Scorer(const Predictions& predictions, std::span<const int> truth,
               std::span<const double> weights, std::optional<std::size_t> positive,
               std::span<const std::uint32_t> rows)
    : predictions_(predictions), positive_(positive), class_rows_(predictions.classes, 0) {
  add_cells(truth, weights, rows);
  for (std::size_t c = 0; c < predictions.classes; ++c) rankings_.push_back(ranking(c));
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    const auto actual = static_cast<std::size_t>(truth_[cell]);
    const double p = predictions_.probability(prediction_[cell], actual);
    log_losses_.push_back(-std::log(std::clamp(p, epsilon, 1 - epsilon)));
    double squares = 0;
    for (std::size_t c = 0; c < predictions.classes; ++c) {
      const double off = predictions_.probability(prediction_[cell], c) - (c == actual ? 1 : 0);
      squares += off * off;
    }
    briers_.push_back(predictions.classes == 2 ? squares / 2 : squares);
  }
  calibration_.emplace(outcomes());
  if (cells() > 0) fit_ = calibration_->fit(weights_, fit_);
}

void Scorer::add_cells(std::span<const int> truth, std::span<const double> weights,
                       std::span<const std::uint32_t> rows) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  const std::size_t count = rows.empty() ? truth.size() : rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = rows.empty() ? i : rows[i];
    const double weight = weights.empty() ? 1 : weights[row];
    if (truth[row] < 0 || weight == 0) continue;
    const std::uint64_t key = predictions_.of_row[row] * std::uint64_t{predictions_.classes} +
                              static_cast<std::uint64_t>(truth[row]);
    const auto [found, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(cells()));
    if (is_new) {
      prediction_.push_back(predictions_.of_row[row]);
      truth_.push_back(truth[row]);
      weights_.push_back(0);
    }
    weights_[found->second] += weight;
    cell_of_row_.push_back(found->second);
    if (!weights.empty()) row_weights_.push_back(weight);
    ++class_rows_[static_cast<std::size_t>(truth[row])];
  }
}

Scorer::Ranking Scorer::ranking(std::size_t of_class) const {
  const auto probability = [&](std::uint32_t cell) {
    return predictions_.probability(prediction_[cell], of_class);
  };
  Ranking result;
  result.cells.resize(cells());
  std::iota(result.cells.begin(), result.cells.end(), 0U);
  std::ranges::stable_sort(result.cells, [&](std::uint32_t x, std::uint32_t y) {
    return probability(x) > probability(y);
  });
  result.last_of_tie.resize(cells());
  for (std::size_t i = 0; i < cells(); ++i) {
    result.last_of_tie[i] =
        i + 1 == cells() || probability(result.cells[i]) != probability(result.cells[i + 1]);
  }
  return result;
}

std::vector<Outcome> Scorer::outcomes() const {
  std::vector<Outcome> result;
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    const bool two = predictions_.classes == 2 && positive_;
    const auto event =
        two ? *positive_ : static_cast<std::size_t>(predictions_.predicted[prediction_[cell]]);
    result.push_back({predictions_.probability(prediction_[cell], event),
                      static_cast<std::size_t>(truth_[cell]) == event});
  }
  return result;
}

template <typename Body>
void Scorer::for_each_threshold(std::size_t of_class, std::span<const double> weights,
                                const Body& body) const {
  const Ranking& order = rankings_[of_class];
  double right = 0, wrong = 0;
  for (std::size_t i = 0; i < order.cells.size(); ++i) {
    const std::uint32_t cell = order.cells[i];
    (truth_[cell] == static_cast<int>(of_class) ? right : wrong) += weights[cell];
    if (order.last_of_tie[i]) body(cell, right, wrong);
  }
}

void Scorer::rank_class(std::size_t of_class, std::span<const double> weights, double positive,
                        double negative, ClassMetrics& result) const {
  if (!(positive > 0)) return;
  double area = 0, precision_sum = 0, right_before = 0, wrong_before = 0;
  for_each_threshold(of_class, weights, [&](std::uint32_t, double right, double wrong) {
    area += (wrong - wrong_before) * (right + right_before) / 2;
    if (right > right_before) precision_sum += (right - right_before) * right / (right + wrong);
    right_before = right;
    wrong_before = wrong;
  });
  result.auc = negative > 0 ? area / (positive * negative) : undefined;
  result.average_precision = precision_sum / positive;
}

void Scorer::add_losses(std::span<const double> weights, double total, Metrics& result) const {
  double log_loss = 0, brier = 0;
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    log_loss += weights[cell] * log_losses_[cell];
    brier += weights[cell] * briers_[cell];
  }
  result.log_loss = log_loss / total;
  result.brier = brier / total;
  result.calibration_error = calibration_->error(weights);
  const CalibrationFit fit = calibration_->fit(weights, fit_);
  result.calibration_slope = fit.slope;
  result.calibration_intercept = fit.intercept;
}

void Scorer::add_referrals(std::span<const double> weights, double total, Metrics& result) const {
  if (predictions_.referred.empty()) return;
  double referred = 0, others = 0, wrong = 0;
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    const std::uint32_t prediction = prediction_[cell];
    if (predictions_.referred[prediction] != 0) {
      referred += weights[cell];
      continue;
    }
    others += weights[cell];
    if (predictions_.predicted[prediction] != truth_[cell]) wrong += weights[cell];
  }
  result.referred = referred / total;
  result.error_of_others = ratio(wrong, others);
}

std::vector<std::vector<double>> Scorer::confusion(std::span<const double> weights) const {
  const std::size_t classes = predictions_.classes;
  std::vector<std::vector<double>> result(classes, std::vector<double>(classes, 0));
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    result[static_cast<std::size_t>(truth_[cell])]
          [static_cast<std::size_t>(predictions_.predicted[prediction_[cell]])] += weights[cell];
  }
  return result;
}

Metrics Scorer::metrics(std::span<const double> weights) const {
  const std::vector<std::vector<double>> table = confusion(weights);
  const Margins sums(table);
  Metrics result;
  if (!(sums.total > 0)) {
    result.classes.resize(predictions_.classes);
    return result;
  }
  Mean sensitivity, auc, precision;
  for (std::size_t c = 0; c < predictions_.classes; ++c) {
    const Counts counts = counts_of(table, sums, c);
    ClassMetrics one_class = rates(counts, sums.total);
    rank_class(c, weights, counts.of_class, counts.others, one_class);
    sensitivity.add(one_class.sensitivity);
    auc.add(one_class.auc);
    precision.add(one_class.average_precision);
    result.classes.push_back(one_class);
  }
  result.accuracy = sums.right / sums.total;
  result.balanced_accuracy = sensitivity.value();
  result.mcc = correlation(sums);
  const bool two = predictions_.classes == 2 && positive_;
  result.auc = two ? result.classes[*positive_].auc : auc.value();
  result.average_precision = two ? result.classes[*positive_].average_precision : precision.value();
  add_losses(weights, sums.total, result);
  add_referrals(weights, sums.total, result);
  return result;
}

std::vector<RocPoint> Scorer::roc(std::size_t positive) const {
  constexpr double nearest = 0.002;
  double of_class = 0, total = 0;
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    total += weights_[cell];
    if (truth_[cell] == static_cast<int>(positive)) of_class += weights_[cell];
  }
  const double others = total - of_class;
  if (!(of_class > 0) || !(others > 0)) return {};
  std::vector<RocPoint> points = {{std::numeric_limits<double>::infinity(), 0, 0}};
  RocPoint last;
  for_each_threshold(positive, weights_, [&](std::uint32_t cell, double right, double wrong) {
    last = {predictions_.probability(prediction_[cell], positive), wrong / others,
            right / of_class};
    const RocPoint& before = points.back();
    if (last.false_positive_rate + last.true_positive_rate -
            (before.false_positive_rate + before.true_positive_rate) >
        nearest) {
      points.push_back(last);
    }
  });
  if (points.back().threshold != last.threshold) points.push_back(last);
  return points;
}

GroupMetrics group_metrics(const Metrics& metrics, std::optional<std::size_t> positive) {
  GroupMetrics result;
  result.accuracy = metrics.accuracy;
  result.auc = metrics.auc;
  result.calibration_error = metrics.calibration_error;
  if (!positive) return result;
  const ClassMetrics& of_positive = metrics.classes[*positive];
  result.prevalence = of_positive.prevalence;
  result.predicted_positive = of_positive.predicted;
  result.true_positive_rate = of_positive.sensitivity;
  result.false_positive_rate = 1 - of_positive.specificity;
  result.ppv = of_positive.ppv;
  return result;
}

}  // namespace frr::internal
