// How many decimals the numbers of a feature need, for people to read.
#pragma once

#include <string>

#include "frr/rulebase.hpp"

namespace frr::internal {

// At most so many decimals, without zeros at the end: "0.25", "3".
std::string fixed_number(double value, int decimals);

// Writes a feature's numbers with as many decimals as its spread asks for, a two-hundredth of it or
// finer, and at least as many as keep its corners apart.
class NumberFormat {
 public:
  explicit NumberFormat(const Feature& feature);
  std::string operator()(double x) const;

 private:
  int decimals_ = 0;
};

}  // namespace frr::internal
