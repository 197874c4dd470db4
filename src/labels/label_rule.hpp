// A rule in terms of the columns of the membership matrix: what learning works on.
#pragma once

#include <cstddef>
#include <vector>

namespace frr::internal {

struct LabelRule {
  std::vector<std::size_t> labels;  // membership columns, one a feature
  int then = 0;
  double weight = 1;
};

}  // namespace frr::internal
