// A fast 64-bit checksum of bytes that arrive in parts: XXH64 with seed 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace frr::internal {

class Checksum {
 public:
  // The result does not depend on how the bytes are cut into parts.
  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const;  // of all bytes so far

 private:
  static constexpr std::size_t stripe = 32;
  void mix(const char* bytes);

  static constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F;
  std::array<std::uint64_t, 4> lanes_{prime1 + prime2, prime2, 0, 0 - prime1};
  std::array<char, stripe> rest_{};  // the bytes after the last whole stripe
  std::uint64_t count_ = 0;
};

}  // namespace frr::internal
