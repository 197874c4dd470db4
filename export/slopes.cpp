#include "slopes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/text.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Index in the order of the doubles.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double at_place(std::int64_t place) {
  return std::bit_cast<double>(place >= 0 ? place
                                          : std::numeric_limits<std::int64_t>::min() - place);
}

// The first double above `low` for which `is` holds. It holds for infinity, and for every double
// above one for which it holds.
template <typename Predicate>
double first_above(double low, const Predicate& is) {
  std::int64_t no = place_of(low), yes = place_of(infinity);
  while (yes - 1 > no) {
    const std::int64_t middle = std::midpoint(no, yes);
    (is(at_place(middle)) ? yes : no) = middle;
  }
  return at_place(yes);
}

double below(double value) { return std::nextafter(value, -infinity); }

Slope rise_of(const Plan::Edge& edge) {
  if (!edge.there) return {.zero = -infinity, .one = -infinity, .first_one = -infinity, .least = 1};
  if (edge.width == 0)
    return {.zero = below(edge.corner), .one = edge.corner, .first_one = edge.corner, .least = 1};
  const auto degree = [&](double x) { return (x - edge.corner) / edge.width; };
  const double positive = first_above(edge.corner, [&](double x) { return degree(x) > 0; });
  const double first = first_above(edge.corner, [&](double x) { return degree(x) >= 1; });
  const double last = below(first_above(edge.corner, [&](double x) { return degree(x) > 1; }));
  double one = short_between(below(first), last);
  const double sum = edge.corner + edge.width;
  if (sum >= first && sum <= last && shortest(sum).size() <= shortest(one).size()) one = sum;
  return {.zero = below(positive),
          .one = one,
          .first_one = first,
          .least = std::min(1.0, degree(positive))};
}

// The same seen from the right: a fall is a rise in the mirror.
Slope fall_of(const Plan::Edge& edge) {
  const Slope mirrored = rise_of({edge.there, -edge.corner, edge.width});
  return {.zero = -mirrored.zero,
          .one = -mirrored.one,
          .first_one = -mirrored.first_one,
          .least = mirrored.least};
}

}  // namespace

Slopes slopes_of(const Plan::Degree& degree) {
  Slopes result{rise_of(degree.rise), fall_of(degree.fall)};
  // What was chosen for few digits must not reach over to the other side.
  if (result.rise.one > result.fall.one) {
    result.rise.one = result.rise.first_one;
    result.fall.one = result.fall.first_one;
  }
  return result;
}

}  // namespace frr::internal
