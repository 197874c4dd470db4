#include "base/visible_text.hpp"

#include <gtest/gtest.h>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

TEST(VisibleText, KeepsReadableText) {
  const std::string text = "C:\\data\\\u00fcber \u05d0\u05d1 \u4e2d\U0001F600 a\u200db\u00a0c";
  EXPECT_EQ(visible_text(text), text);
  EXPECT_EQ(visible_lines(text), text);
  EXPECT_FALSE(has_hidden(text));
}

TEST(VisibleText, EscapesControls) {
  EXPECT_EQ(visible_text("\x1b[31m\a\x7f"), "\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(visible_text(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(visible_text("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(visible_text("\u0080\u009b\u009f\u00a0"), "\\u0080\\u009b\\u009f\u00a0");
}

TEST(VisibleText, EscapesDirectionalMarksAndLineSeparators) {
  EXPECT_EQ(visible_text("\u061c\u200e\u200f"), "\\u061c\\u200e\\u200f");
  EXPECT_EQ(visible_text("\u2027\u2028\u2029\u202a\u202e\u202f"),
            "\u2027\\u2028\\u2029\\u202a\\u202e\u202f");
  EXPECT_EQ(visible_text("\u2065\u2066\u2069\u206a"), "\u2065\\u2066\\u2069\u206a");
}

TEST(VisibleText, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(visible_text("a\xff\xc3(\xe2\x80"), "a\\xff\\xc3(\\xe2\\x80");
  EXPECT_EQ(visible_text("\x9b"
                         "31m"),
            "\\x9b31m");
  EXPECT_EQ(visible_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(VisibleText, VisibleLinesKeepLineEndsAndTabs) {
  EXPECT_EQ(visible_lines("a\tb\n\x1b\r\n"), "a\tb\n\\x1b\\r\n");
}

TEST(VisibleText, VisibleJsonKeepsValues) {
  EXPECT_EQ(visible_json("{\n \"a\u202e\x7f\": \"\u009b\"\n}"),
            "{\n \"a\\u202e\\u007f\": \"\\u009b\"\n}");
}

TEST(VisibleText, ErrorsContainNoHiddenCharacters) {
  const Error error(ErrorKind::data, "column '\x1b[2J\u202e'\n is odd");
  EXPECT_STREQ(error.what(), "column '\\x1b[2J\\u202e'\\n is odd");
}

}  // namespace
}  // namespace frr::internal
