// Identifiers for the names in the data: valid, not reserved, distinct.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace frr::internal {

// Makes identifiers of ASCII letters, digits and underscores that begin with a letter: "Blood sugar
// (mg)" becomes "Blood_sugar_mg". At most 40 characters of a name are kept. If none are left,
// `kind` is used; if the identifier is taken or reserved, `kind` or a number is added. The caller
// writes the original name next to it, in a comment.
class Names {
 public:
  explicit Names(std::unordered_set<std::string> reserved = {}) : taken_(std::move(reserved)) {}
  std::string give(std::string_view name, std::string_view kind);

 private:
  std::unordered_set<std::string> taken_;
};

// The text for a one-line comment in any language. Bytes that are not UTF-8 become question marks.
// Control characters, backslashes and characters that end lines or change the reading direction
// become blanks. What would end a comment or a script ("*/", "--", "</") is broken by a blank. A
// text longer than `most` bytes is cut, with " ..." appended.
std::string comment_text(std::string_view text, std::size_t most = 120);

// The text for a one-line comment, such that it can be recovered: unchanged if comment_text would
// not change it and it has no blanks or double quotes at its ends; otherwise as quoted_c writes it,
// with slashes escaped as well.
std::string exact_text(std::string_view text);

// A string literal in double quotes, in plain ASCII. Everything else is escaped: for C by the octal
// digits of the UTF-8 bytes, for JavaScript by \uXXXX (also "<", for scripts inside pages), for
// Python by \uXXXX or \UXXXXXXXX.
std::string quoted_c(std::string_view utf8);
std::string quoted_javascript(std::string_view utf8);
std::string quoted_python(std::string_view utf8);

}  // namespace frr::internal
