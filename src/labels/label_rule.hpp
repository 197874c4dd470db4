// A rule in terms of the columns of the membership matrix, as training uses it.
#pragma once

#include <cstddef>
#include <vector>

namespace frr::internal {

struct LabelRule {
  std::vector<std::size_t> labels;  // membership columns, at most one per feature
  int then = 0;
  double weight = 1;
};

}  // namespace frr::internal
