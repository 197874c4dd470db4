#include "kernels/range_kernel.hpp"

#include <cmath>

#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

// NaN belongs to no range.
FRR_MULTIVERSION void known(const double* __restrict x, std::size_t count, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = x[i] == x[i] ? 1.0F : 0.0F;
}

FRR_MULTIVERSION void step_up(const double* __restrict x, std::size_t count, double at,
                              float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = x[i] >= at ? 1.0F : 0.0F;
}

FRR_MULTIVERSION void slope_up(const double* __restrict x, std::size_t count, double from,
                               double width, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (x[i] - from) / width;
    const double above = share > 0 ? share : 0.0;
    out[i] = static_cast<float>(above < 1 ? above : 1.0);
  }
}

FRR_MULTIVERSION void step_down(const double* __restrict x, std::size_t count, double at,
                                float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = x[i] < at ? out[i] : 0.0F;
}

FRR_MULTIVERSION void slope_down(const double* __restrict x, std::size_t count, double to,
                                 double width, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (to - x[i]) / width;
    const auto above = static_cast<float>(share > 0 ? share : 0.0);
    out[i] = above < out[i] ? above : out[i];
  }
}

}  // namespace

void fill_range(const Trapezoid& shape, const double* x, std::size_t count, float* out) {
  const bool left = std::isfinite(shape.a), right = std::isfinite(shape.d);
  const double rise = shape.b - shape.a, fall = shape.d - shape.c;
  const auto is_plain = [](bool sloped, double outer, double inner, double width) {
    return sloped ? width >= 0 && std::isfinite(width) : outer == inner;
  };
  const bool plain = is_plain(left, shape.a, shape.b, rise) &&
                     is_plain(right, shape.d, shape.c, fall) && shape.a < HUGE_VAL &&
                     shape.d > -HUGE_VAL && shape.b <= shape.c;
  if (!plain) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(shape(x[i]));
    return;
  }
  if (!left) {
    known(x, count, out);
  } else if (rise > 0) {
    slope_up(x, count, shape.a, rise, out);
  } else {
    step_up(x, count, shape.a, out);
  }
  if (right && fall > 0) slope_down(x, count, shape.d, fall, out);
  if (right && fall == 0) step_down(x, count, shape.d, out);
}

}  // namespace frr::internal
