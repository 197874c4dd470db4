#include "base/text.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace frr::internal {
namespace {

TEST(Shortest, ReadsBackToTheSameNumber) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(15), "15");
  EXPECT_EQ(shortest(1e22), "1e+22");
  EXPECT_EQ(shortest(std::uint64_t{18446744073709551615ULL}), "18446744073709551615");
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.normal() * std::pow(10.0, static_cast<double>(random.below(40)) - 20);
    EXPECT_EQ(std::stod(shortest(x)), x);
  }
}

// Decimal digits of the shortest spelling, zeros at either end not counted.
int digits_of(double x) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr;
  int digits = 0;
  for (const char* at = buffer; at != end && *at != 'e'; ++at) digits += *at >= '0' && *at <= '9';
  return digits;
}

TEST(ShortBetween, FindsHandChosenNumbers) {
  EXPECT_EQ(short_between(0.1234, 0.5678), 0.3);
  EXPECT_EQ(short_between(-0.4, 0.4), 0);
  EXPECT_EQ(short_between(1.4, 1.6), 1.5);
  EXPECT_EQ(short_between(96, 108), 100);
  EXPECT_EQ(short_between(-1.6, -1.4), -1.5);
}

TEST(ShortBetween, LiesAboveLowAndNotAboveHigh) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(random.below(30)) - 15);
    const double low = random.normal() * scale;
    const double high = low + std::abs(random.normal()) * scale *
                                  std::pow(10.0, -static_cast<double>(random.below(14)));
    if (!(low < high)) continue;
    const double x = short_between(low, high);
    EXPECT_GT(x, low);
    EXPECT_LE(x, high);
  }
}

TEST(ShortBetween, HasTheFewestDigits) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    // Whole numbers represent all numbers of the same length.
    const double low = static_cast<double>(random.below(990)) + 0.37 * random.uniform();
    const double high = low + 0.6 + 40 * random.uniform();
    const double x = short_between(low, high);
    int fewest = 17;
    for (int n = static_cast<int>(low); n <= static_cast<int>(high) + 1; ++n) {
      if (n > low && n <= high) fewest = std::min(fewest, digits_of(n));
    }
    EXPECT_LE(digits_of(x), fewest) << low << " " << high;
  }
}

TEST(ShortBetween, ReturnsHighForAdjacentDoubles) {
  for (const double low : {1.0, -1.0, 1e300, 5e-324, 0.0, -5e-324, 123.456}) {
    const double high = std::nextafter(low, std::numeric_limits<double>::infinity());
    EXPECT_EQ(short_between(low, high), high) << low;
  }
  const double most = std::numeric_limits<double>::max();
  const double x = short_between(-most, most);
  EXPECT_TRUE(x > -most && x <= most);
}

TEST(DidYouMean, SuggestsTheNearest) {
  const std::vector<std::string> names = {"glucose", "age", "bmi"};
  EXPECT_EQ(did_you_mean("glukose", names), "; did you mean 'glucose'?");
  EXPECT_EQ(did_you_mean("GLUCOSE", names), "; did you mean 'glucose'?");
  EXPECT_EQ(did_you_mean("aeg", names), "; did you mean 'age'?");
}

TEST(DidYouMean, ListsAFewIfNoneIsNear) {
  const std::vector<std::string> names = {"glucose", "insulin"};
  EXPECT_EQ(did_you_mean("zzzzzzzz", names), " (available: glucose, insulin)");
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("column number " + std::to_string(i));
  EXPECT_EQ(did_you_mean("zzz", many), "");
  EXPECT_EQ(did_you_mean("zzz", {}), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'z'), many), "");
}

TEST(EscapeMarkup, ReplacesTheCharactersOfTagsAndQuotedAttributes) {
  EXPECT_EQ(escape_markup("<a href=\"x\">R&D</a>"),
            "&lt;a href=&quot;x&quot;&gt;R&amp;D&lt;/a&gt;");
}

TEST(EscapeMarkup, KeepsOtherText) {
  EXPECT_EQ(escape_markup("it's 5 \xC2\xB5m\n"), "it's 5 \xC2\xB5m\n");
  EXPECT_EQ(escape_markup(""), "");
}

}  // namespace
}  // namespace frr::internal
