// Distinct names for formats in which a name may be any text.
#pragma once

#include <string>
#include <unordered_set>

namespace frr::internal {

// Returns each name only once: underscores are appended to a name that is taken.
class Distinct {
 public:
  std::string give(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace frr::internal
