// Eight numbers side by side. The compiler makes of them the vector instructions of the machine
// that it compiles for, or several of a smaller kind. All of it is inlined (see kernel.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fastmath.hpp"
#include "kernel.hpp"

// Vectors are handed only to functions that are inlined: no calling convention is in play.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace frr {

inline constexpr std::size_t vector_lanes = 8;

template <typename T>
struct VectorType;
template <>
struct VectorType<float> {
  using type = float __attribute__((vector_size(32)));
};
template <>
struct VectorType<double> {
  using type = double __attribute__((vector_size(64)));
};
template <>
struct VectorType<std::int32_t> {
  using type = std::int32_t __attribute__((vector_size(32)));
};
template <typename T>
using Vector = typename VectorType<T>::type;

template <typename T>
FRR_INLINE Vector<T> load(const T* from) {
  Vector<T> x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
template <typename T>
FRR_INLINE void store(T* to, const Vector<T>& x) {
  std::memcpy(to, &x, sizeof x);
}
template <typename T>
FRR_INLINE Vector<T> all_equal(T x) {
  return Vector<T>{} + x;
}

FRR_INLINE Vector<float> larger(const Vector<float>& x, const Vector<float>& y) {
  return x > y ? x : y;
}
FRR_INLINE Vector<double> larger(const Vector<double>& x, const Vector<double>& y) {
  return x > y ? x : y;
}
FRR_INLINE Vector<float> smaller(const Vector<float>& x, const Vector<float>& y) {
  return x < y ? x : y;
}

template <typename T>
FRR_INLINE T largest_lane(const Vector<T>& x) {
  const T a = larger(x[0], x[4]), b = larger(x[1], x[5]);
  const T c = larger(x[2], x[6]), d = larger(x[3], x[7]);
  return larger(larger(a, c), larger(b, d));
}
template <typename T>
FRR_INLINE T sum_of_lanes(const Vector<T>& x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

// As in fastmath.hpp, lane by lane.
FRR_INLINE Vector<double> exponential(const Vector<double>& x) {
  Vector<double> y;
  for (std::size_t l = 0; l < vector_lanes; ++l) y[l] = exponential(x[l]);
  return y;
}
FRR_INLINE Vector<float> exponential(const Vector<float>& wide) {
  const Vector<float> x = smaller(larger(wide, all_equal(-87.0F)), all_equal(88.0F));
  const Vector<float> rounder = all_equal(12582912.0F);
  const Vector<float> shifted = x * 1.44269504F + rounder;
  const Vector<float> n = shifted - rounder;
  const Vector<float> r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Vector<float> p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const Vector<float> y = p * r * r + r + 1.0F;
  const auto bits = __builtin_bit_cast(Vector<std::int32_t>, shifted);
  const auto base = __builtin_bit_cast(Vector<std::int32_t>, rounder);
  return y * __builtin_bit_cast(Vector<float>, (bits - base + 127) << 23);
}

}  // namespace frr
