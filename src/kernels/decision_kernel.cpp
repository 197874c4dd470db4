#include "kernels/decision_kernel.hpp"

#include <limits>

#include "kernels/kernel.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(FRR_NO_MULTIVERSION)
#define FRR_DECIDE_AVX2
#endif

namespace frr::internal {
namespace {

namespace plain {
constexpr std::size_t vector_bytes = 16;
#include "kernels/decision_kernel.inc"  // NOLINT(readability-duplicate-include)
}  // namespace plain

// FRR_MULTIVERSION would not do: GCC splits vector types before it clones functions for other
// processors. AVX2 without FMA, so that no operations are fused.
#ifdef FRR_DECIDE_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
constexpr std::size_t vector_bytes = 32;
#include "kernels/decision_kernel.inc"  // NOLINT(readability-duplicate-include)
}  // namespace avx2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

}  // namespace

std::span<const DecisionKernel* const> decision_kernels() {
#ifdef FRR_DECIDE_AVX2
  static constexpr const DecisionKernel* all[] = {&plain::kernel, &avx2::kernel};
  return {all, __builtin_cpu_supports("avx2") ? 2U : 1U};
#else
  static constexpr const DecisionKernel* all[] = {&plain::kernel};
  return all;
#endif
}

const DecisionKernel& decision_kernel() { return *decision_kernels().back(); }

}  // namespace frr::internal
