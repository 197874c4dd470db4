// The sides of a trapezoid, for engines in which overflow and underflow are errors.
#pragma once

#include "plan.hpp"

namespace frr::internal {

// The bounds of the slope clamp((x - corner) / width): it is 0 up to `zero`, and 1 from `one` on.
// Between them, the quotient needs no clamp, the difference does not overflow and the quotient does
// not underflow; PostgreSQL reports both as errors. `zero` is the corner, or above it if
// the corner is so close to 0 that the next doubles do not give a degree above 0.
struct Slope {
  double zero, one;
  double first_one;  // the smallest possible `one`, which is chosen to have few digits
  double least;      // smallest degree above 0
};

struct Slopes {
  Slope rise, fall;
};

// The slopes of a range. A side that is absent is 1 everywhere. The width of a side is the
// difference of its corners, so the quotient is exactly 1 for some double.
Slopes slopes_of(const Plan::Degree& degree);

}  // namespace frr::internal
