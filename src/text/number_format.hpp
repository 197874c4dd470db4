// The number of decimals with which a feature's numbers are shown.
#pragma once

#include <string>

#include "frr/rulebase.hpp"

namespace frr::internal {

// With at most this number of decimals, without trailing zeros: "0.25", "3".
std::string fixed_number(double value, int decimals);

// Writes a feature's numbers with a resolution of at most a two-hundredth of its spread, and with
// enough decimals to distinguish its corners.
class NumberFormat {
 public:
  explicit NumberFormat(const Feature& feature);
  std::string operator()(double x) const;

 private:
  int decimals_ = 0;
};

}  // namespace frr::internal
