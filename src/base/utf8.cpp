#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace frr::internal {
namespace {

// The length of the sequence that a lead byte starts, and the range of its second byte (Unicode,
// table 3-7); length 0 if the byte starts none.
struct Sequence {
  std::size_t length;
  unsigned char low = 0x80, high = 0xbf;
};

Sequence sequence(unsigned char lead) {
  if (lead < 0x80) return {1};
  if (lead < 0xc2) return {0};
  if (lead < 0xe0) return {2};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

// Windows-1252, 0x80 to 0x9f.
constexpr std::uint16_t upper_controls[32] = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

}  // namespace

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const Sequence expected = sequence(lead);
    if (expected.length == 0 || at + expected.length > text.size()) return false;
    for (std::size_t k = 1; k < expected.length; ++k) {
      const auto byte = static_cast<unsigned char>(text[at + k]);
      const unsigned char low = k == 1 ? expected.low : 0x80;
      const unsigned char high = k == 1 ? expected.high : 0xbf;
      if (byte < low || byte > high) return false;
    }
    at += expected.length;
  }
  return true;
}

std::string windows_1252_to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const unsigned code = byte >= 0x80 && byte < 0xa0 ? upper_controls[byte - 0x80] : byte;
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      out += static_cast<char>(0xe0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return out;
}

}  // namespace frr::internal
