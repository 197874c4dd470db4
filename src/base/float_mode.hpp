// How the processor rounds and what it does with denormal numbers (those too small for all their
// digits, below 1.2e-38 as float), thread by thread. Callers may have set it to anything; results
// must not depend on that.
//
// Where denormals are flushed, results that small become 0 and operands that small count as 0: some
// processors need a hundred times as long for them. Gradient descent runs so. Everything that works
// on the user's numbers keeps them, as predict and all exports do.
//
// Processors other than x86-64 and arm64 have no such modes here: the guard does nothing.
#pragma once

#include <cstdint>

namespace frr::internal {

enum class Denormals { keep, flush };

// Sets the mode of this thread while it lives, and then what was there before. Exceptions are
// masked, rounding is to nearest. Sticky flags (x86-64) that were raised meanwhile stay raised,
// except those of flushing.
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
