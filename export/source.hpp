// Helpers for the exports to program code (C, Python, JavaScript).
#pragma once

#include <string>
#include <string_view>

#include "plan.hpp"

namespace frr::internal {

// The rules in words, one per line, each after `mark`:
//   1  IF glucose IS high AND age IS old THEN ill (weight 0.8)
//   ELSE well
// and then the notes of the plan.
std::string rules_comment(const Plan& plan, std::string_view mark);

// `text` with every `place` replaced by `with`.
std::string filled(std::string_view text, std::string_view place, std::string_view with);

// each(0), each(1), ... each(count - 1), joined by `between`.
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
