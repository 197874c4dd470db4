// Marks a function to be compiled twice, for any x86-64 machine and for one with AVX2 and FMA; the
// loader picks once which runs. Elsewhere (arm64, whose baseline has vectors and FMA) and under the
// sanitizers it means nothing. Bodies shared between scalar types are FRR_INLINE templates that
// the marked functions take in.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && defined(__gnu_linux__) && \
    !defined(FRR_NO_MULTIVERSION)
#define FRR_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#define FRR_AVX2
#else
#define FRR_MULTIVERSION
#endif

#define FRR_INLINE inline __attribute__((always_inline))
#define FRR_LAMBDA_INLINE __attribute__((always_inline))

namespace frr::internal {

#ifdef FRR_AVX2
inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}
#endif

}  // namespace frr::internal
