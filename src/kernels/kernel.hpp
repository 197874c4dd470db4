// FRR_MULTIVERSION compiles a function twice, for any x86-64 machine and for one with AVX2 and FMA;
// the loader selects one at start-up. It has no effect on other processors (the baseline of arm64
// has vectors and FMA) and under the sanitizers. Code shared by several scalar types or versions is
// an FRR_INLINE template.
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
