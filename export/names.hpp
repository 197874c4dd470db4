// Names of the data as names of a program: cleaned, no keyword, all different.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace frr::internal {

// Gives out identifiers of ASCII letters, digits and underscores that begin with a letter: "Blood
// sugar (mg)" becomes "Blood_sugar_mg". What is left of a name is at most 40 signs long; where
// nothing is left, or the name is taken or reserved, `kind` or a number makes it another. The
// caller writes the name itself beside it, in a comment.
class Names {
 public:
  explicit Names(std::unordered_set<std::string> reserved = {}) : taken_(std::move(reserved)) {}
  std::string give(std::string_view name, std::string_view kind);

 private:
  std::unordered_set<std::string> taken_;
};

// A text that can stand in a comment of one line in any language: what is no letter of UTF-8 is a
// question mark; control characters, backslashes, and signs that end lines or turn the direction of
// reading are blanks; what would end a comment or a script ("*/", "--", "</") is broken by a blank.
// Cut at `most` bytes, with " ..." behind.
std::string comment_text(std::string_view text, std::size_t most = 120);

// A text that can stand in a comment of one line and from which it can be read back: itself where
// comment_text leaves it alone, without blanks or a double quote at its ends; else as quoted_c
// writes it, with slashes escaped, too.
std::string exact_text(std::string_view text);

// A text between double quotes in a source of plain ASCII, all else escaped: for C by the octal
// digits of the bytes of UTF-8, for JavaScript by \uXXXX (so is "<", for scripts inside of pages),
// for Python by \UXXXXXXXX too.
std::string quoted_c(std::string_view utf8);
std::string quoted_javascript(std::string_view utf8);
std::string quoted_python(std::string_view utf8);

}  // namespace frr::internal
