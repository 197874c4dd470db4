// XML 1.0 as it is written.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/visible_text.hpp"

namespace frr::internal {

// A letter that XML 1.0 cannot hold, not even escaped, is shown by the picture of it that Unicode
// has for control characters; U+FFFE and U+FFFF by the sign for what cannot be shown.
inline std::string visible(std::string_view utf8) {
  std::string result;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') {
      result += "\xE2\x90";  // U+2400 and on
      result += static_cast<char>(0x80 + byte);
    } else if (utf8.substr(i, 3) == "\xEF\xBF\xBE" || utf8.substr(i, 3) == "\xEF\xBF\xBF") {
      result += "\xEF\xBF\xBD";
      i += 2;
    } else {
      result += utf8[i];
    }
  }
  return result;
}

// Hidden characters by their numbers. Line breaks and tabs are escaped, which a reader would else
// make blanks.
inline std::string by_number(std::string_view utf8) {
  return replace_hidden(utf8, [](std::uint32_t code) { return "&#" + std::to_string(code) + ";"; });
}

// Inside of an attribute or an element.
inline std::string escaped(std::string_view utf8) {
  std::string result;
  for (const char c : visible(utf8)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return by_number(result);
}

// <name a="1" b="2">content</name>, each child on a line of its own.
class Tag {
 public:
  explicit Tag(std::string name) : name_(std::move(name)) {}
  Tag& with(std::string_view attribute, std::string_view value) {
    attributes_ += " " + std::string(attribute) + "=\"" + escaped(value) + "\"";
    return *this;
  }
  Tag& add(const Tag& child) {
    content_ += "\n  ";
    // Line breaks in texts are escaped: these are the ones between tags.
    for (const char c : child.text()) {
      content_ += c;
      if (c == '\n') content_ += "  ";
    }
    lines_ = true;
    return *this;
  }
  // XML that stays on the line.
  Tag& holds(const std::string& xml) {
    content_ += xml;
    return *this;
  }
  [[nodiscard]] std::string text() const {
    if (content_.empty()) return "<" + name_ + attributes_ + "/>";
    return "<" + name_ + attributes_ + ">" + content_ + (lines_ ? "\n" : "") + "</" + name_ + ">";
  }

 private:
  std::string name_, attributes_, content_;
  bool lines_ = false;
};

}  // namespace frr::internal
