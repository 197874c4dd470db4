// The number of random cases of a long test.
#pragma once

namespace frr::internal {

// `count`, or a fifth of it in a build with sanitizers, where a case takes eight times as long and
// a single one reveals memory errors and undefined behaviour.
template <typename Count>
constexpr Count random_cases(Count count) {
#ifdef FRR_TEST_SANITIZED
  return (count + 4) / 5;
#else
  return count;
#endif
}

}  // namespace frr::internal
