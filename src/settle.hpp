// Rules that were found on a sample, brought up to all rows: each gets the class and the weight,
// and loses the conditions, that all rows tell; a rule that is not worth its conditions there goes.
//
// Rows enter by sums alone, so they may be anywhere (frr/shards.hpp). One pass over them gives the
// objective of search.hpp and, for every rule as it is and without each of its conditions, the
// histogram of polish.hpp, from which all classes and weights are valued, the other rules being as
// they are. All changes that gain are made at once; where the objective then turns out to be lower,
// because they do not go together, only the better half of them, and so on.
//
// Sums are of whole numbers, so that the order of adding does not matter: a row counts its weight
// in units of 2^-16 of the largest one (1 where there are no weights), and degrees are counted in
// 256ths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "control.hpp"
#include "frr/rulebase.hpp"
#include "frr/settings.hpp"
#include "valuation.hpp"

namespace frr {

// A row of this weight counts so much; `most` is the largest weight of all rows.
std::int64_t weight_units(double weight, double most);

// Where each sum stands.
class WorthSums {
 public:
  WorthSums(const RuleBase& base, double margin);

  [[nodiscard]] const GainScale& scale() const { return scale_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // The histogram of rule r without condition p; all conditions: p is their number.
  [[nodiscard]] std::size_t histogram(std::size_t rule, std::size_t without) const {
    return (first_[rule] + without) * scale_.size();
  }
  // One a class: rows (weighted), rows that no rule covers, and degrees to which rows are right.
  [[nodiscard]] std::size_t all() const { return size_ - 3 * classes_; }
  [[nodiscard]] std::size_t uncovered() const { return size_ - 2 * classes_; }
  [[nodiscard]] std::size_t right() const { return size_ - classes_; }

 private:
  GainScale scale_;
  std::size_t classes_;
  std::vector<std::size_t> first_;  // histograms before those of a rule
  std::size_t size_ = 0;
};

inline constexpr double degree_units = 256;

// The sums over the rows of `binding`. classes: -1 for a row that does not count; units: one a row,
// or none where each counts 1. Sufficient semantics.
std::vector<std::int64_t> worth_sums(const RuleBase& base, double margin, const Binding& binding,
                                     std::span<const int> classes,
                                     std::span<const std::int64_t> units, int threads);

struct SettleInput {
  // The sums for these rules, over all rows.
  std::function<std::vector<std::int64_t>(const RuleBase& base)> sums;
  std::vector<double> class_weights;  // one a class
  std::vector<double> class_rows;     // rows of each class, unweighted
};
void settle(RuleBase& base, const SettleInput& input, const Settings& settings, Control& control);

}  // namespace frr
