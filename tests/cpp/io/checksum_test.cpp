#include "io/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace frr::internal {
namespace {

std::uint64_t checksum(std::string_view text) {
  Checksum sum;
  sum.add(text);
  return sum.value();
}

// Published values of XXH64 with seed 0.
TEST(Checksum, IsXxh64) {
  EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999);
  EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5B);
  EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999);
  EXPECT_EQ(checksum("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1);
}

TEST(Checksum, DoesNotDependOnTheParts) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 37);
  const std::uint64_t whole = checksum(text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (const std::size_t step : {1U, 7U, 31U, 32U, 33U, 64U, 200U}) {
      Checksum sum;
      sum.add(std::string_view(text).substr(0, first));
      for (std::size_t at = first; at < text.size(); at += step) {
        sum.add(std::string_view(text).substr(at, step));
      }
      ASSERT_EQ(sum.value(), whole) << first << " " << step;
    }
  }
}

TEST(Checksum, NoticesEveryChangedByte) {
  const std::string text(100, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = 'y';
    EXPECT_NE(checksum(other), checksum(text)) << i;
  }
}

}  // namespace
}  // namespace frr::internal
