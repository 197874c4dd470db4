// The stages of training in words, for progress displays.
#pragma once

#include <string_view>

#include "frr/frr.hpp"

namespace frr::internal {

inline std::string_view stage_text(Progress::Stage stage) {
  switch (stage) {
    case Progress::Stage::partition:
      return "placing labels";
    case Progress::Stage::gradient:
      return "learning";
    case Progress::Stage::polish:
      return "polishing rules";
    case Progress::Stage::tune:
      return "tuning labels";
    case Progress::Stage::done:
      break;
  }
  return "finishing";
}

}  // namespace frr::internal
