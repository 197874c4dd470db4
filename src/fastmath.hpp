// Exponential and logarithm that compilers turn into vector code: no branches, no calls.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "kernel.hpp"

namespace frr {

FRR_INLINE double exponential(double x) { return std::exp(x); }

// e^x with a relative error below 3e-7 for x in [-87, 88], clamped outside. x = n log 2 + r; e^r by
// a polynomial, 2^n through the exponent bits.
FRR_INLINE float exponential(float x) {
  x = std::min(std::max(x, -87.0F), 88.0F);
  const float rounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  const float shifted = x * 1.44269504F + rounder;
  const float n = shifted - rounder;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const float y = p * r * r + r + 1.0F;
  const auto exponent = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(rounder);
  return y * std::bit_cast<float>((exponent + 127) << 23);
}

// log x with an absolute error below 2e-7 * max(1, |log x|) for normal x > 0. x = 2^n m with m in
// [sqrt(1/2), sqrt(2)); log m = 2 artanh(s) with s = (m - 1) / (m + 1).
FRR_INLINE float logarithm(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x) - 0x3f3504f3;
  const std::int32_t exponent = bits >> 23;
  const float m = std::bit_cast<float>((bits & 0x007fffff) + 0x3f3504f3);
  const float s = (m - 1.0F) / (m + 1.0F);
  const float z = s * s;
  float p = 0.2222222222F;
  p = p * z + 0.2857142857F;
  p = p * z + 0.4F;
  p = p * z + 0.6666666667F;
  p = p * z + 2.0F;
  return static_cast<float>(exponent) * 0.6931471806F + p * s;
}

}  // namespace frr
