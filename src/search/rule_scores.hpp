// Sums over rows that score rules and their changes, for rows that may be in several shards
// (frr/shards.hpp). One pass computes the objective (objective.hpp); for every rule, and for the
// rule without each of its conditions, the histogram (polish.hpp) that gives the gain of every
// class and weight if the other rules do not change; and the scores of borders at other places
// (border_scores.hpp).
//
// All sums are of whole numbers, so that they do not depend on the order of addition: the weight of
// a row is counted in weight_units (1 if there are no weights), degrees in 256ths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"
#include "search/border_scores.hpp"
#include "search/valuation.hpp"

namespace frr::internal {

// The index of each sum in the result of rule_score_sums.
class RuleScoreLayout {
 public:
  RuleScoreLayout(const RuleBase& base, double margin, std::size_t trials);

  [[nodiscard]] const GainScale& scale() const { return scale_; }
  [[nodiscard]] std::size_t size() const { return borders() + trials_ * classes_; }
  // The histogram of a rule without condition `without`, or of the whole rule if that is their
  // number.
  [[nodiscard]] std::size_t histogram(std::size_t rule, std::size_t without) const {
    return (first_[rule] + without) * scale_.size();
  }
  // Per class: weighted rows, weighted rows that no rule covers, and degrees to which rows are
  // right.
  [[nodiscard]] std::size_t all() const { return histograms_ * scale_.size(); }
  [[nodiscard]] std::size_t uncovered() const { return all() + classes_; }
  [[nodiscard]] std::size_t right() const { return all() + 2 * classes_; }
  // Per trial and class: the change of the degrees.
  [[nodiscard]] std::size_t borders() const { return all() + 3 * classes_; }

 private:
  GainScale scale_;
  std::size_t classes_, trials_;
  std::vector<std::size_t> first_;  // per rule: number of histograms before its first one
  std::size_t histograms_ = 0;
};

// The sums over the rows of `map`. `classes` is -1 for a row to ignore; `units` has the weight of
// each row (weight_units) or is empty if all are 1. Sufficient semantics.
std::vector<std::int64_t> rule_score_sums(const RuleBase& base, std::span<const BorderTrial> trials,
                                          double margin, const ColumnMap& map,
                                          std::span<const int> classes,
                                          std::span<const std::int64_t> units, int threads);

}  // namespace frr::internal
