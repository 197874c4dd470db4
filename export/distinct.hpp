// Names that stay as they are where they can, for formats in which a name may be any text.
#pragma once

#include <string>
#include <unordered_set>

namespace frr::internal {

// Gives each name out once: one that is taken gets underscores until it is another.
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
