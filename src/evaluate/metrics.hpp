// The metrics of frr/metrics.hpp from predictions, true classes and weights.
//
// Rows of the same prediction and the same true class form a cell; all metrics are functions of the
// weights of the cells. A Scorer sorts the cells once, so that other weights of the rows, such as
// those of a bootstrap replicate, cost time proportional to the cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluate/calibration.hpp"
#include "evaluate/predictions.hpp"
#include "frr/metrics.hpp"

namespace frr::internal {

class Scorer {
 public:
  // `truth`: class of each row, -1 if unknown; `weights`: of each row, empty: 1. Rows of an unknown
  // class or of weight 0 are left out. `positive` matters for two classes, which need it. `rows`:
  // selects rows; empty: all. Refers to `predictions`, which must outlive it.
  Scorer(const Predictions& predictions, std::span<const int> truth,
         std::span<const double> weights, std::optional<std::size_t> positive,
         std::span<const std::uint32_t> rows = {});
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  // The number of evaluated rows: those that are not left out.
  [[nodiscard]] std::size_t rows() const { return cell_of_row_.size(); }
  [[nodiscard]] std::size_t cells() const { return truth_.size(); }
  [[nodiscard]] const std::vector<std::size_t>& class_rows() const { return class_rows_; }
  // Weight of each cell.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  // Adds the weight of the i-th evaluated row to its cell.
  void add_row(std::size_t i, std::vector<double>& cell_weights) const {
    cell_weights[cell_of_row_[i]] += row_weights_.empty() ? 1 : row_weights_[i];
  }

  // The metrics if the cells have these weights, at least one of them above 0.
  [[nodiscard]] Metrics metrics(std::span<const double> weights) const;
  [[nodiscard]] Metrics metrics() const { return metrics(weights_); }
  [[nodiscard]] std::vector<std::vector<double>> confusion(std::span<const double> weights) const;
  // As MetricsReport::roc.
  [[nodiscard]] std::vector<RocPoint> roc(std::size_t positive) const;

 private:
  // The cells in descending order of the probability of one class. `last_of_tie`: the next cell has
  // another probability.
  struct Ranking {
    std::vector<std::uint32_t> cells;
    std::vector<bool> last_of_tie;
  };
  // Calls body(cell, TP, FP) after each distinct probability of the class, in descending order.
  template <typename Body>
  void for_each_threshold(std::size_t of_class, std::span<const double> weights,
                          const Body& body) const;

  void add_cells(std::span<const int> truth, std::span<const double> weights,
                 std::span<const std::uint32_t> rows);
  [[nodiscard]] Ranking ranking(std::size_t of_class) const;
  [[nodiscard]] std::vector<Outcome> outcomes() const;
  void rank_class(std::size_t of_class, std::span<const double> weights, double positive,
                  double negative, ClassMetrics& result) const;
  void add_losses(std::span<const double> weights, double total, Metrics& result) const;
  void add_referrals(std::span<const double> weights, double total, Metrics& result) const;

  const Predictions& predictions_;
  std::optional<std::size_t> positive_;
  std::vector<std::uint32_t> prediction_;  // of each cell
  std::vector<int> truth_;                 // of each cell
  std::vector<double> weights_;            // of each cell
  std::vector<std::uint32_t> cell_of_row_;
  std::vector<double> row_weights_;  // empty: all 1
  std::vector<std::size_t> class_rows_;
  std::vector<Ranking> rankings_;            // of each class
  std::vector<double> log_losses_, briers_;  // of each cell
  std::optional<Calibration> calibration_;
  CalibrationFit fit_{undefined, undefined, undefined};  // with weights_
};

// What is compared between groups; the rates are those of `positive`.
GroupMetrics group_metrics(const Metrics& metrics, std::optional<std::size_t> positive);

}  // namespace frr::internal
