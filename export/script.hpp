// Labels and rules as expressions of a language with dynamic types (Python, JavaScript).
#pragma once

#include <string>
#include <string_view>

#include "plan.hpp"

namespace frr::internal {

struct Script {
  std::string (*truth)(const std::string& condition);  // 1 or 0
  std::string (*quoted)(std::string_view utf8);
  std::string_view same, different, no_text;                 // " == ", " != ", " is None"
  std::string_view smaller, conjunction, clamp, power, one;  // functions, and the number in "1 / x"
};

// "d3"
std::string degree_name(std::size_t index);

// How true a label is of the value in the variable `x`.
std::string degree_text(const Script& script, const Plan& plan, const Plan::Degree& degree,
                        const std::string& x);

// How strong a rule is, of degrees in d1, d2, ...
std::string strength_text(const Script& script, const Plan& plan, const Plan::Strength& strength);

}  // namespace frr::internal
