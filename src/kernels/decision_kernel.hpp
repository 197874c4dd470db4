// The steps of deciding a block of rows, as vector code: one call performs one step for `count`
// rows. Every kernel gives the results of decide() for single rows, bit for bit.
//
// Arrays hold padded(count) rows; results beyond `count` are meaningless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "frr/rulebase.hpp"

namespace frr::internal {

inline constexpr std::size_t step_rows = 8;  // rows that a kernel processes at a time
constexpr std::size_t padded(std::size_t count) {
  return (count + step_rows - 1) / step_rows * step_rows;
}

// The best score so far of each row, and the rule that has it.
struct Lead {
  double* score;
  std::int64_t* rule;
};

// A rule whose truth is the product of its degrees.
struct ProductRule {
  std::span<const double* const> degrees;  // not empty
  double weight;
};

struct DecisionKernel {
  // Degrees of membership: in a trapezoid; 1 if the value is `category`; 1 if it is NaN.
  void (*range_degrees)(const Trapezoid& shape, const double* values, double* degrees,
                        std::size_t count);
  void (*category_degrees)(double category, const double* values, double* degrees,
                           std::size_t count);
  void (*missing_degrees)(const double* values, double* degrees, std::size_t count);
  // Whether one of the padded(count) values is infinite.
  bool (*any_infinite)(const double* values, std::size_t count);

  // Product and minimum of at least one degree. A product that is 0 stays 0, even before a NaN.
  void (*multiply)(std::span<const double* const> degrees, double* truth, std::size_t count);
  void (*minimum)(std::span<const double* const> degrees, double* truth, std::size_t count);

  // sums += weight * truth
  void (*add_vote)(double weight, const double* truth, double* sums, std::size_t count);
  // Rule `rule` takes the lead on rows where weight * truth is above the leading score.
  void (*take_lead)(double weight, const double* truth, std::int64_t rule, Lead lead,
                    std::size_t count);
  // multiply and take_lead for all rules in order, in one pass.
  void (*lead_of_products)(std::span<const ProductRule> rules, Lead lead, std::size_t count);
};

// The fastest kernel that this machine can run.
const DecisionKernel& decision_kernel();
// All kernels that this machine can run; the first runs on any machine.
std::span<const DecisionKernel* const> decision_kernels();

}  // namespace frr::internal
