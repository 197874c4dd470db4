// How many random cases a long test runs.
#pragma once

namespace frr::internal {

// `count`, or a fifth of it in a build with sanitizers, where each case takes eight times as long
// and any one of them shows a fault of memory or undefined behaviour.
template <typename Count>
constexpr Count random_cases(Count count) {
#ifdef FRR_TEST_SANITIZED
  return (count + 4) / 5;
#else
  return count;
#endif
}

}  // namespace frr::internal
