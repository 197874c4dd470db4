// The statistics of rules (frr/rulebase.hpp), as sums over training rows of whole numbers, so that
// they do not depend on the order of addition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

// The index of each sum. Outcome 0 is ELSE, outcome r + 1 is rule r.
class CountLayout {
 public:
  explicit CountLayout(const RuleBase& base)
      : classes_(base.classes.size()), outcomes_(base.rules.size() + 1) {}

  [[nodiscard]] std::size_t size() const { return right() + 1; }
  // Per class: rows of the outcome as in Statistics::class_rows.
  [[nodiscard]] std::size_t rows(std::size_t outcome) const { return outcome * (classes_ + 1); }
  [[nodiscard]] std::size_t coverage(std::size_t outcome) const { return rows(outcome) + classes_; }
  // Per class: all rows.
  [[nodiscard]] std::size_t all() const { return rows(outcomes_); }
  // Rows whose class is predicted.
  [[nodiscard]] std::size_t right() const { return all() + classes_; }

 private:
  std::size_t classes_, outcomes_;
};

// A weight in units of 2^-16 of the power of two above `largest`, the largest weight of all rows;
// at least 1 for a positive weight.
std::int64_t weight_units(double weight, double largest);

// The sums over the rows of `map`. `classes`: of each row, -1 for a row to ignore; `units`: the
// weight of each row (weight_units), none if each counts 1; `rows` selects those that count (empty:
// all).
std::vector<std::int64_t> decision_counts(const RuleBase& base, const ColumnMap& map,
                                          std::span<const int> classes,
                                          std::span<const std::uint32_t> rows,
                                          std::span<const std::int64_t> units, int threads);

// Sets the statistics and class_rows to the sums, scaled so that all rows together count `rows`,
// and returns the scaled weight of the rows whose class is predicted.
double set_statistics(RuleBase& base, std::span<const std::int64_t> counts, double rows);

}  // namespace frr::internal
