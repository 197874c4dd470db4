// The log-loss of additive rules (additive_fit.hpp, without the ridge) and its derivatives, as sums
// over rows of whole numbers, so that they do not depend on the order of addition.
//
// The contribution of a row counts its weight in units (weight_units in model/statistics.hpp; a row
// without a weight weighs 1) and is rounded to a whole number of 2^-fraction_bits units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "additive/additive_fit.hpp"
#include "frr/rulebase.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

// The index of each sum. Variables: the biases of all class groups but the last, relative to that
// of the last one; then the weights of the rules.
class LossLayout {
 public:
  explicit LossLayout(const RuleBase& base);

  [[nodiscard]] const ClassGroups& groups() const { return groups_; }
  [[nodiscard]] std::size_t biases() const { return groups_.count() - 1; }
  [[nodiscard]] std::size_t variables() const { return biases() + group_of_rule_.size(); }
  // The class group whose score contains the variable.
  [[nodiscard]] std::size_t group_of(std::size_t variable) const {
    return variable < biases() ? variable : group_of_rule_[variable - biases()];
  }

  [[nodiscard]] std::size_t size() const { return hessian(variables(), 0); }
  // Per class: the weight of the rows, in units.
  [[nodiscard]] std::size_t all() const { return 0; }
  // Of the class groups: the classes within a group are not told apart.
  [[nodiscard]] std::size_t loss() const { return classes_; }
  [[nodiscard]] std::size_t gradient(std::size_t k) const { return classes_ + 1 + k; }
  // j <= k.
  [[nodiscard]] std::size_t hessian(std::size_t k, std::size_t j) const {
    return classes_ + 1 + variables() + k * (k + 1) / 2 + j;
  }

 private:
  std::size_t classes_;
  ClassGroups groups_;
  std::vector<std::size_t> group_of_rule_;
};

// A larger loss of one row counts as this one, in nats.
inline constexpr double most_row_loss = 127;

// With this many bits, sums over `rows` rows are below 2^62. Negative above 2^39 rows.
int loss_fraction_bits(std::uint64_t rows);

// Throws Error{data} if loss_sums cannot be called with these values.
void check_point(const LossLayout& layout, std::span<const double> point, int fraction_bits);

// The sums over the rows of `map`. `classes`: of each row, -1 for a row to ignore; `units`: the
// weight of each row, none if each weighs 1.
std::vector<std::int64_t> loss_sums(const RuleBase& base, std::span<const double> point,
                                    const ColumnMap& map, std::span<const int> classes,
                                    std::span<const std::int64_t> units, int fraction_bits,
                                    int threads);

}  // namespace frr::internal
