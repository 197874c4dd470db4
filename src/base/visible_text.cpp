#include "base/visible_text.hpp"

#include "base/utf8.hpp"

namespace frr::internal {
namespace {

constexpr std::uint32_t stray_byte = 0xdc00;

struct Character {
  std::uint32_t code_point;
  std::size_t size;  // in bytes
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (!is_utf8(text.substr(0, size))) return {stray_byte + lead, 1};
  std::uint32_t code = lead & (0x7fU >> size);
  for (const char c : text.substr(1, size - 1)) {
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return {code, size};
}

bool is_stray(std::uint32_t code) { return code >= stray_byte && code <= stray_byte + 0xff; }

std::string escape(std::string_view prefix, std::uint32_t value, int digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text(prefix);
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += hex[(value >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

std::string visible_character(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (is_stray(code)) return escape("\\x", code - stray_byte, 2);
  return code < 0x80 ? escape("\\x", code, 2) : escape("\\u", code, 4);
}

}  // namespace

bool is_hidden(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || is_stray(code);
}

bool has_hidden(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (is_hidden(next.code_point)) return true;
    text.remove_prefix(next.size);
  }
  return false;
}

std::string replace_hidden(std::string_view text,
                           const std::function<std::string(std::uint32_t)>& replacement) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    if (is_hidden(next.code_point)) {
      result += replacement(next.code_point);
    } else {
      result += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
  }
  return result;
}

std::string visible_text(std::string_view text) { return replace_hidden(text, visible_character); }

std::string visible_lines(std::string_view text) {
  return replace_hidden(text, [](std::uint32_t code) {
    return code == '\n' || code == '\t' ? std::string(1, static_cast<char>(code))
                                        : visible_character(code);
  });
}

std::string visible_json(std::string_view json) {
  return replace_hidden(json, [](std::uint32_t code) {
    return code == '\n' ? "\n" : escape("\\u", is_stray(code) ? 0xfffd : code, 4);
  });
}

}  // namespace frr::internal
