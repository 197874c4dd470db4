#include "names.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/utf8.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t most_signs = 40;

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

// Whether a character needs no escape in double quotes. A question mark could be part of a C
// trigraph.
bool is_plain(std::uint32_t point) {
  return point >= 0x20 && point < 0x7F && point != '"' && point != '\\';
}
bool is_plain_c(char c) { return is_plain(static_cast<unsigned char>(c)) && c != '?'; }

std::string octal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  std::string text = "\\";
  for (int shift = 6; shift >= 0; shift -= 3) {
    text += static_cast<char>('0' + ((byte >> static_cast<unsigned>(shift)) & 7U));
  }
  return text;
}
std::string c_letter(char c) { return is_plain_c(c) ? std::string(1, c) : octal(c); }

// Number of bytes of the first character of a text; 0 if it is not UTF-8.
std::size_t letter_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return is_utf8(text.substr(0, size)) ? size : 0;
}

// Pairs of characters that begin or end a comment, or are part of a trigraph, in some language.
bool is_mark(char first, char second) {
  const char pair[] = {first, second, '\0'};
  constexpr std::string_view marks[] = {"*/", "/*", "--", "??", "</", "<!"};
  return std::find(std::begin(marks), std::end(marks), pair) != std::end(marks);
}

std::string hexadecimal(std::string_view mark, std::uint32_t value, int digits) {
  static constexpr char signs[] = "0123456789abcdef";
  std::string text(mark);
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text += signs[(value >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

// Calls body(code point) for each character of well-formed UTF-8.
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

// Characters that some readers take for a line end, or that change the reading direction and can
// make code look like a comment.
bool is_treacherous(std::string_view letter) {
  std::uint32_t point = 0;
  for_each_letter(letter, [&](std::uint32_t code) { point = code; });
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == '\\' || point == 0x61C ||
         point == 0x200E || point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

template <typename Escape>
std::string quoted(std::string_view utf8, const Escape& escape) {
  std::string result = "\"";
  for_each_letter(utf8, [&](std::uint32_t point) {
    result += is_plain(point) ? std::string(1, static_cast<char>(point)) : escape(point);
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

std::string comment_text(std::string_view text, std::size_t most) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = letter_size(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(1, size));
    if (result.size() + letter.size() > most) return result + " ...";
    const std::string_view shown = size == 0 ? "?" : is_treacherous(letter) ? " " : letter;
    if (!result.empty() && is_mark(result.back(), shown[0])) result += ' ';
    result += shown;
    text.remove_prefix(letter.size());
  }
  return result;
}

std::string exact_text(std::string_view text) {
  const bool plain = !text.empty() && text.front() != ' ' && text.front() != '"' &&
                     text.back() != ' ' && comment_text(text, std::string_view::npos) == text;
  if (plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) result += c == '/' ? octal(c) : c_letter(c);
  return result + '"';
}

std::string quoted_c(std::string_view utf8) {
  std::string result = "\"";
  for (const char c : utf8) result += c_letter(c);
  return result + '"';
}

std::string quoted_javascript(std::string_view utf8) {
  std::string result;
  const std::string plain = quoted(utf8, [](std::uint32_t point) {
    if (point < 0x10000) return hexadecimal("\\u", point, 4);
    const std::uint32_t rest = point - 0x10000;
    return hexadecimal("\\u", 0xD800 + (rest >> 10U), 4) +
           hexadecimal("\\u", 0xDC00 + (rest & 0x3FFU), 4);
  });
  for (const char c : plain) result += c == '<' ? "\\u003c" : std::string(1, c);
  return result;
}

std::string quoted_python(std::string_view utf8) {
  return quoted(utf8, [](std::uint32_t point) {
    return point < 0x10000 ? hexadecimal("\\u", point, 4) : hexadecimal("\\U", point, 8);
  });
}

}  // namespace frr::internal
