// The wire format of Protocol Buffers, as far as ONNX needs it. A message is a sequence of fields;
// each is a key (field number and wire type) followed by an integer or by bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace frr::internal {

class Message {
 public:
  Message& integer(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(value);
    return *this;
  }
  Message& text(unsigned field, std::string_view value) {
    varint(std::uint64_t{field} << 3U | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(unsigned field, const Message& value) { return text(field, value.bytes_); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  // Seven bits per byte, lowest first; the eighth bit says that more follow.
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// Eight bytes, lowest first, on any machine.
inline void append_fixed64(std::string& bytes, std::uint64_t value) {
  for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
}
inline void append_fixed64(std::string& bytes, double value) {
  append_fixed64(bytes, std::bit_cast<std::uint64_t>(value));
}

}  // namespace frr::internal
