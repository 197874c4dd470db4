// What the writers of program code (C, Python, JavaScript) share.
#pragma once

#include <string>
#include <string_view>

#include "plan.hpp"

namespace frr::internal {

// How additive semantics makes sure that the predicted class is the most probable; the same two
// numbers as in src/rulebase.cpp, which says why.
inline constexpr std::string_view share_lead = "1e-9", share_order = "1e-3";

// The rules in words, one a line, each behind `mark`:
//   1  IF glucose IS high AND age IS old THEN ill (weight 0.8)
//   ELSE well
std::string rules_comment(const Plan& plan, std::string_view mark);

// `text` with every `place` in it replaced.
std::string filled(std::string_view text, std::string_view place, std::string_view with);

// What `each(index)` gives for 0 to count - 1, with `between` between.
template <typename Each>
std::string listed(std::size_t count, std::string_view between, const Each& each) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += between;
    text += each(i);
  }
  return text;
}

}  // namespace frr::internal
