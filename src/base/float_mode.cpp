#include "base/float_mode.hpp"

namespace frr::internal {
namespace {

using Bits = FloatMode::Bits;

#if defined(__x86_64__)
constexpr Bits sticky_flags = 0x3f;
constexpr Bits nearest = 0x1f80;         // all exceptions masked
constexpr Bits flush = 0x8000 | 0x0040;  // results to zero, operands as zero
Bits read_register() { return __builtin_ia32_stmxcsr(); }
void write_register(Bits bits) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr Bits sticky_flags = 0;  // kept in a separate register
constexpr Bits nearest = 0;
constexpr Bits flush = 1U << 24U;
Bits read_register() {
  Bits bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void write_register(Bits bits) { asm volatile("msr fpcr, %0" : : "r"(bits) : "memory"); }
#else
constexpr Bits sticky_flags = 0, nearest = 0, flush = 0;
Bits read_register() { return 0; }
void write_register(Bits) {}
#endif

}  // namespace

FloatMode::Bits FloatMode::current() { return read_register() & ~sticky_flags; }

FloatMode::FloatMode(Denormals denormals)
    : FloatMode(denormals == Denormals::flush ? nearest | flush : nearest) {}

FloatMode::FloatMode(Bits mode) : before_(read_register()) {
  write_register(mode | (before_ & sticky_flags));
}

FloatMode::~FloatMode() {
  const Bits now = read_register();
  const Bits flags = (now & flush) != 0 ? before_ : now;
  write_register((before_ & ~sticky_flags) | (flags & sticky_flags));
}

}  // namespace frr::internal
