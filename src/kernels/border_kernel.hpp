// The inner loops of tuning (tune.hpp): rows on the slope of a border, in single precision.
#pragma once

#include <cstddef>

namespace frr::internal {

// For each row the best score, in steps, of the rules of its own class (right) and of the others
// (wrong): of those that do not read the two labels, of those that read the label which rises over
// the border and of those that read the one which falls, both without the cost of that label.
// -infinity where there is none, but finite in `right` and `wrong`.
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

// out[i] = factor * log((x[i] - from) * scale), -infinity where that is not above 0.
void distance_logs(const double* x, std::size_t count, double from, double scale, float factor,
                   float* out);

// The sum of weight * clamp((right - wrong) * slope + 0.5, 0, 1) with the border's slope through
// these rows: the rising label costs `width` - rise[i] steps and the falling one
// `width` - fall[i], where rise and fall are the distance_logs from the border's start and to its
// end, and `width` that of the whole border.
float slope_sum(const BorderRows& rows, const float* rise, const float* fall, float width,
                float slope);

}  // namespace frr::internal
