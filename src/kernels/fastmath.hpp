// Exponential and logarithm that compilers turn into vector code: no branches, no calls.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/kernel.hpp"

namespace frr::internal {

// Compilers may not inline std::max and the like into a function that is compiled for another
// machine, and a single call keeps a loop from being vectorised.
FRR_INLINE std::int32_t bits_of(float x) { return __builtin_bit_cast(std::int32_t, x); }
FRR_INLINE float float_of(std::int32_t bits) { return __builtin_bit_cast(float, bits); }
template <typename T>
FRR_INLINE T larger(T x, T y) {
  return x > y ? x : y;
}
template <typename T>
FRR_INLINE T smaller(T x, T y) {
  return x < y ? x : y;
}

FRR_INLINE double exponential(double x) { return std::exp(x); }
FRR_INLINE double logarithm(double x) { return std::log(x); }

// e^x with a relative error below 3e-7 for x in [-87, 88]; x is clamped to that range.
// x = n log 2 + r; e^r is a polynomial, 2^n is set in the exponent bits.
FRR_INLINE float exponential(float x) {
  x = smaller(larger(x, -87.0F), 88.0F);
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
  const auto exponent = bits_of(shifted) - bits_of(rounder);
  return y * float_of((exponent + 127) << 23);
}

// log x with an absolute error below 2e-7 * max(1, |log x|) for normal x > 0. x = 2^n m with m in
// [sqrt(1/2), sqrt(2)); log m = 2 artanh(s) with s = (m - 1) / (m + 1).
FRR_INLINE float logarithm(float x) {
  const auto bits = bits_of(x) - 0x3f3504f3;
  const std::int32_t exponent = bits >> 23;
  const float m = float_of((bits & 0x007fffff) + 0x3f3504f3);
  const float s = (m - 1.0F) / (m + 1.0F);
  const float z = s * s;
  float p = 0.2222222222F;
  p = p * z + 0.2857142857F;
  p = p * z + 0.4F;
  p = p * z + 0.6666666667F;
  p = p * z + 2.0F;
  return static_cast<float>(exponent) * 0.6931471806F + p * s;
}

}  // namespace frr::internal
