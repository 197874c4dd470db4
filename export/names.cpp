#include "names.hpp"

#include <cstdint>

namespace frr {
namespace {

constexpr std::size_t most_signs = 40;
constexpr std::size_t most_comment = 120;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string cleaned(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
    if (result.size() == most_signs) break;
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '?'; }

std::string hexadecimal(std::string_view mark, std::uint32_t value, int digits) {
  static constexpr char signs[] = "0123456789abcdef";
  std::string text(mark);
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += signs[(value >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

// Calls body(code point) for each letter of well-formed UTF-8.
template <typename Body>
void for_each_letter(std::string_view utf8, const Body& body) {
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i++]);
    const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    std::uint32_t point = more == 0 ? first : first & (0x3FU >> static_cast<unsigned>(more));
    for (int k = 0; k < more && i < utf8.size(); ++k) {
      point = point << 6U | (static_cast<unsigned char>(utf8[i++]) & 0x3FU);
    }
    body(point);
  }
}

template <typename Escape>
std::string quoted(std::string_view utf8, const Escape& escape) {
  std::string result = "\"";
  for_each_letter(utf8, [&](std::uint32_t point) {
    const bool plain = point < 0x7F && is_plain(static_cast<char>(point));
    result += plain ? std::string(1, static_cast<char>(point)) : escape(point);
  });
  return result + '"';
}

}  // namespace

std::string Names::give(std::string_view name, std::string_view kind) {
  std::string base = cleaned(name);
  if (base.empty() || !is_letter(base[0])) {
    base = std::string(kind) + (base.empty() ? "" : "_") + base;
  }
  std::string result = base;
  for (int number = 2; !taken_.insert(result).second; ++number) {
    result = base + "_" + std::to_string(number);
  }
  return result;
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, most_comment)) {
    const auto byte = static_cast<unsigned char>(c);
    const char last = result.empty() ? ' ' : result.back();
    const bool ends = (last == '*' && c == '/') || (last == '/' && c == '*') ||
                      (last == '-' && c == '-') || (last == '?' && c == '?');
    if (ends) result += ' ';
    result += byte < 0x20 || byte == 0x7F || c == '\\' ? ' ' : c;
  }
  // A letter of several bytes that was cut in two.
  if (text.size() > most_comment) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0) == 0x80)
      result.pop_back();
    if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0) result.pop_back();
    result += " ...";
  }
  return result;
}

std::string quoted_c(std::string_view utf8) {
  std::string result = "\"";
  for (const char c : utf8) {
    if (is_plain(c)) {
      result += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    result += '\\';
    for (int shift = 6; shift >= 0; shift -= 3) {
      result += static_cast<char>('0' + ((byte >> static_cast<unsigned>(shift)) & 7U));
    }
  }
  return result + '"';
}

std::string quoted_javascript(std::string_view utf8) {
  return quoted(utf8, [](std::uint32_t point) {
    if (point < 0x10000) return hexadecimal("\\u", point, 4);
    const std::uint32_t rest = point - 0x10000;
    return hexadecimal("\\u", 0xD800 + (rest >> 10U), 4) +
           hexadecimal("\\u", 0xDC00 + (rest & 0x3FFU), 4);
  });
}

std::string quoted_python(std::string_view utf8) {
  return quoted(utf8, [](std::uint32_t point) {
    return point < 0x10000 ? hexadecimal("\\u", point, 4) : hexadecimal("\\U", point, 8);
  });
}

}  // namespace frr
