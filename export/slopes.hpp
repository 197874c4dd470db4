// The sides of a trapezoid, for engines in which overflow and underflow are errors.
#pragma once

#include "plan.hpp"

namespace frr::internal {

// Where clamp((x - corner) / width) is 0, up to `zero`, and 1, from `one` on. Between them the
// quotient needs no clamp, and neither the difference overflows nor the quotient underflows, which
// PostgreSQL refuses to compute. `zero` is the corner itself, or above it where the corner is so
// near to 0 that doubles right of it are too close for a degree above 0.
struct Slope {
  double zero, one;
  double first_one;  // the lowest that `one` can be: `one` is chosen for having few digits
  double least;      // of the degrees above 0
};

struct Slopes {
  Slope rise, fall;
};

// Of a range. A side that is not there is 1 everywhere; the width of one that is there is the
// difference of two corners, so that the quotient is exactly 1 for some double.
Slopes slopes_of(const Plan::Degree& degree);

}  // namespace frr::internal
