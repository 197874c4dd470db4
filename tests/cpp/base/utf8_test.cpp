#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace frr::internal {
namespace {

TEST(Utf8, AcceptsWellFormedSequences) {
  for (const std::string text : {"", "plain", "\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf",
                                 "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RejectsIllFormedSequences) {
  // A bare continuation, cut short, overlong (2, 3, 4 bytes), a surrogate, beyond U+10FFFF.
  for (const std::string text :
       {"\x80", "a\xc3", "\xe2\x82", "\xc3(", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, ConvertsWindows1252) {
  EXPECT_EQ(windows_1252_to_utf8("Z\xfcrich"), "Z\xc3\xbcrich");
  EXPECT_EQ(windows_1252_to_utf8("\x80 5"), "\xe2\x82\xac 5");
  EXPECT_EQ(windows_1252_to_utf8("\x93quoted\x94"), "\xe2\x80\x9cquoted\xe2\x80\x9d");
  EXPECT_EQ(windows_1252_to_utf8("\xff"), "\xc3\xbf");
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_TRUE(is_utf8(windows_1252_to_utf8(std::string(1, static_cast<char>(byte))))) << byte;
  }
}

}  // namespace
}  // namespace frr::internal
