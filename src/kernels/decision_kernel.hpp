// What deciding a block of rows is made of, in vector code: one call does one step for `count`
// rows. Each step comes to what decide() does for one row, bit for bit, whichever kernel runs.
//
// Arrays hold `padded(count)` rows; what is behind `count` is computed along and means nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "frr/rulebase.hpp"

namespace frr::internal {

inline constexpr std::size_t step_rows = 8;  // what a kernel does at a time
constexpr std::size_t padded(std::size_t count) {
  return (count + step_rows - 1) / step_rows * step_rows;
}

// The best score so far, and whose it is, of each row.
struct Lead {
  double* score;
  std::int64_t* rule;
};

// A rule whose truth is the product of its degrees.
struct ProductRule {
  std::span<const double* const> degrees;  // at least one
  double weight;
};

struct DecisionKernel {
  // Degrees of membership: in a trapezoid; 1 where the value is `category`; 1 where it is NaN.
  void (*range_degrees)(const Trapezoid& shape, const double* values, double* degrees,
                        std::size_t count);
  void (*category_degrees)(double category, const double* values, double* degrees,
                           std::size_t count);
  void (*missing_degrees)(const double* values, double* degrees, std::size_t count);
  // Whether one of the values, whole steps of them, is infinite.
  bool (*any_infinite)(const double* values, std::size_t count);

  // Product and minimum of degrees, at least one. A product of 0 stays 0 whatever follows.
  void (*multiply)(std::span<const double* const> degrees, double* truth, std::size_t count);
  void (*minimum)(std::span<const double* const> degrees, double* truth, std::size_t count);

  // sums += weight * truth
  void (*add_vote)(double weight, const double* truth, double* sums, std::size_t count);
  // Rule `rule` takes the lead where weight * truth is larger than the score that leads.
  void (*take_lead)(double weight, const double* truth, std::int64_t rule, Lead lead,
                    std::size_t count);
  // multiply and take_lead of all rules in order, in one pass.
  void (*lead_of_products)(std::span<const ProductRule> rules, Lead lead, std::size_t count);
};

// The fastest that this machine runs.
const DecisionKernel& decision_kernel();
// All that this machine runs; the first needs nothing special.
std::span<const DecisionKernel* const> decision_kernels();

}  // namespace frr::internal
