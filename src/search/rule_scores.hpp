// What rules and their changes are worth on rows that may be anywhere (frr/shards.hpp), by sums
// over the rows. One pass gives the objective of search.hpp; for every rule as it is and without
// each of its conditions the histogram of polish.hpp, from which all classes and weights are
// valued, the other rules being as they are; and the scores of borders at other places
// (border_worth.hpp).
//
// Sums are of whole numbers, so that the order of adding does not matter: a row counts its weight
// in units of 2^-16 of the largest one (1 where there are no weights), and degrees are counted in
// 256ths.
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

// A row of this weight counts so much; `most` is the largest weight of all rows.
std::int64_t weight_units(double weight, double most);

// Where each sum stands.
class WorthSums {
 public:
  WorthSums(const RuleBase& base, double margin, std::size_t trials);

  [[nodiscard]] const GainScale& scale() const { return scale_; }
  [[nodiscard]] std::size_t size() const { return borders() + trials_ * classes_; }
  // The histogram of rule r without condition p; all conditions: p is their number.
  [[nodiscard]] std::size_t histogram(std::size_t rule, std::size_t without) const {
    return (first_[rule] + without) * scale_.size();
  }
  // One a class: rows (weighted), rows that no rule covers, and degrees to which rows are right.
  [[nodiscard]] std::size_t all() const { return histograms_ * scale_.size(); }
  [[nodiscard]] std::size_t uncovered() const { return all() + classes_; }
  [[nodiscard]] std::size_t right() const { return all() + 2 * classes_; }
  // One a trial and class.
  [[nodiscard]] std::size_t borders() const { return all() + 3 * classes_; }

 private:
  GainScale scale_;
  std::size_t classes_, trials_;
  std::vector<std::size_t> first_;  // histograms before those of a rule
  std::size_t histograms_ = 0;
};

// The sums over the rows of `map`. classes: -1 for a row that does not count; units: one a row,
// or none where each counts 1. Sufficient semantics.
std::vector<std::int64_t> worth_sums(const RuleBase& base, std::span<const BorderTrial> trials,
                                     double margin, const ColumnMap& map,
                                     std::span<const int> classes,
                                     std::span<const std::int64_t> units, int threads);

}  // namespace frr::internal
