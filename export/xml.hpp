// Writing XML 1.0.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "base/visible_text.hpp"

namespace frr::internal {

// Control characters that XML 1.0 cannot hold, not even escaped, are replaced by their Unicode
// pictures; U+FFFE and U+FFFF by the replacement character.
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

// Hidden characters as numeric references. Line breaks and tabs are included, because a reader
// would turn them into blanks.
inline std::string by_number(std::string_view utf8) {
  return replace_hidden(utf8, [](std::uint32_t code) { return "&#" + std::to_string(code) + ";"; });
}

// For an attribute or an element.
inline std::string xml_text(std::string_view utf8) {
  return by_number(escape_markup(visible(utf8)));
}

// <name a="1" b="2">content</name>, with each child on a separate line.
class Tag {
 public:
  explicit Tag(std::string name) : name_(std::move(name)) {}
  Tag& with(std::string_view attribute, std::string_view value) {
    attributes_ += " " + std::string(attribute) + "=\"" + xml_text(value) + "\"";
    return *this;
  }
  Tag& add(const Tag& child) {
    content_ += "\n  ";
    // Line breaks in texts are escaped, so these separate tags.
    for (const char c : child.text()) {
      content_ += c;
      if (c == '\n') content_ += "  ";
    }
    lines_ = true;
    return *this;
  }
  // Adds XML without a line break.
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
