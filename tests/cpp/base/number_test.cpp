#include "base/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Number, ParsesFiniteNumbers) {
  const auto value = [](std::string_view text) {
    const ParsedNumber number = parse_number(text);
    EXPECT_EQ(number.kind, NumberKind::finite) << text;
    return number.value;
  };
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value("+3"), 3);
  EXPECT_EQ(value("-.5"), -0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("1e-3"), 0.001);
  EXPECT_EQ(value("1E+3"), 1000);
  EXPECT_EQ(value("0e999"), 0);
  EXPECT_TRUE(std::signbit(value("-0")));
}

TEST(Number, TooLargeIsInfiniteAndTooSmallIsZero) {
  for (const std::string text :
       {"inf", "Infinity", "1e999", "+1e309", "0.001e400", "1e99999999999"}) {
    EXPECT_EQ(parse_number(text).kind, NumberKind::infinite) << text;
    EXPECT_EQ(parse_number(text).value, infinity) << text;
  }
  const std::string long_number(400, '9');
  EXPECT_EQ(parse_number(long_number).kind, NumberKind::infinite);
  EXPECT_EQ(parse_number("-1e999").value, -infinity);
  const std::string tiny = "0." + std::string(400, '0') + "1";
  for (const std::string& text : {std::string("1e-999"), std::string("-123456e-400"), tiny}) {
    EXPECT_EQ(parse_number(text).kind, NumberKind::finite) << text;
    EXPECT_EQ(parse_number(text).value, 0) << text;
  }
}

TEST(Number, RejectsOtherTexts) {
  for (const std::string text :
       {"",    " ",    " 1",    "1 ",  "a",   "+",    "-",      ".",   "-.", "1e", "+-1",
        "++1", "1..2", "1.2.3", "0x1", "nan", "-nan", "nan(0)", "1,5", "i",  "12-"}) {
    EXPECT_EQ(parse_number(text).kind, NumberKind::none) << text;
  }
}

TEST(Number, PlainNumbersEqualThoseOfTheCLibrary) {
  Random random(11);
  int plain = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text = random.below(3) == 0 ? "-" : "";
    const std::size_t length = 1 + random.below(18);
    for (std::size_t k = 0; k < length; ++k) text += "0123456789."[random.below(11)];
    double value = 0;
    if (!parse_plain_number(text, value)) continue;
    ++plain;
    char* end = nullptr;
    ASSERT_EQ(value, std::strtod(text.c_str(), &end)) << text;
    ASSERT_EQ(*end, '\0') << text;
  }
  EXPECT_GT(plain, 10000);
}

TEST(Number, PlainNumbersHaveAtMostFifteenDigits) {
  double value = 0;
  EXPECT_TRUE(parse_plain_number("-12345678.9012345", value));
  EXPECT_EQ(value, -12345678.9012345);
  EXPECT_FALSE(parse_plain_number("12345678.90123456", value));
  EXPECT_FALSE(parse_plain_number("1234567890123456", value));
}

TEST(Number, PaddedNumbersEqualPlainNumbers) {
  Random random(12);
  int plain = 0;
  for (int i = 0; i < 400000; ++i) {
    std::string text = random.below(3) == 0 ? "-" : "";
    const std::size_t length = random.below(19);
    // Mostly digits and points, sometimes any byte.
    for (std::size_t k = 0; k < length; ++k) {
      text += random.below(60) == 0 ? static_cast<char>(random.below(256))
                                    : "0123456789."[random.below(random.below(3) == 0 ? 11 : 10)];
    }
    const std::string padded = text + "9.-,9999";
    double expected = 7, value = 7;
    const bool is_plain = parse_plain_number(text, expected);
    ASSERT_EQ(parse_padded_number({padded.data(), text.size()}, value), is_plain) << text;
    ASSERT_EQ(value, expected) << text;
    ASSERT_EQ(std::signbit(value), std::signbit(expected)) << text;
    plain += is_plain ? 1 : 0;
  }
  EXPECT_GT(plain, 100000);
}

TEST(Number, ParsesDecimalCommas) {
  EXPECT_EQ(parse_comma_number("3,14").value, 3.14);
  EXPECT_EQ(parse_comma_number("-,5").value, -0.5);
  for (const std::string text : {"3", "3.14", "1.234,5", "1,234.5", "1,2,3", ",", "a,b"}) {
    EXPECT_EQ(parse_comma_number(text).kind, NumberKind::none) << text;
  }
}

TEST(Number, NamesAreShortAndReadBack) {
  EXPECT_EQ(number_name(1.0), "1");
  EXPECT_EQ(number_name(-0.0), "0");
  EXPECT_EQ(number_name(0.1), "0.1");
  EXPECT_EQ(number_name(-2.50), "-2.5");
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const double value =
        random.normal() * std::pow(10.0, static_cast<double>(random.below(40)) - 20);
    EXPECT_EQ(parse_number(number_name(value)).value, value);
  }
}

}  // namespace
}  // namespace frr::internal
