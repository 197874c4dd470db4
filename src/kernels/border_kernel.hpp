// The inner loops of tuning (tune.hpp): rows on the slope of a border, in single precision.
#pragma once

#include <cstddef>

namespace frr::internal {

// For each row, the best scores, in steps, of rules of its true class (right) and of other classes
// (wrong). There are three groups of rules: those that read neither label of the border, those that
// read the rising label, and those that read the falling label. The scores of the last two are
// without the cost of that label. -infinity if a group is empty, except for `right` and `wrong`,
// which must be finite.
struct BorderRows {
  const float* right = nullptr;
  const float* wrong = nullptr;
  const float* rising_right = nullptr;
  const float* rising_wrong = nullptr;
  const float* falling_right = nullptr;
  const float* falling_wrong = nullptr;
  const float* weight = nullptr;
  std::size_t count = 0;
};

// out[i] = factor * log((x[i] - from) * scale); -infinity if the product is not above 0.
void distance_logs(const double* x, std::size_t count, double from, double scale, float factor,
                   float* out);

// The sum of weight * clamp((right - wrong) * slope + 0.5, 0, 1) over rows within the border: the
// rising label costs `width` - rise[i] steps and the falling one `width` - fall[i]. `rise` and
// `fall` are the distance_logs from the border's start and to its end, `width` that from start to
// end.
float slope_sum(const BorderRows& rows, const float* rise, const float* fall, float width,
                float slope);

}  // namespace frr::internal
