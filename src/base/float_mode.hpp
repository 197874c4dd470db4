// The floating-point mode of a thread: rounding and the treatment of denormal numbers (below
// 1.2e-38 for float). The caller may have set any mode; results must not depend on it.
//
// Flushing replaces denormal results and operands by 0, because some processors are a hundred times
// slower on them. Only gradient descent flushes; whatever works on the user's numbers keeps
// denormals, as predict and all exports do.
//
// On processors other than x86-64 and arm64 the guard does nothing.
#pragma once

#include <cstdint>

namespace frr::internal {

enum class Denormals { keep, flush };

// Sets the mode of this thread and restores the previous one when destroyed: round to nearest,
// exceptions masked. Sticky flags (x86-64) raised in between stay raised, except after flushing.
class FloatMode {
 public:
  using Bits = std::uint64_t;  // of the processor's register, without the sticky flags

  static Bits current();
  explicit FloatMode(Denormals denormals);
  explicit FloatMode(Bits mode);
  ~FloatMode();
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  Bits before_;  // the whole register
};

}  // namespace frr::internal
