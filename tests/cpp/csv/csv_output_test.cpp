#include "csv/csv_output.hpp"

#include <gtest/gtest.h>

namespace frr::internal {
namespace {

TEST(CsvField, IsQuotedOnlyIfNeeded) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a;b"), "\"a;b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(" spaced"), "\" spaced\"");
  EXPECT_EQ(csv_field("spaced "), "\"spaced \"");
}

TEST(SpreadsheetField, HasAnApostropheIfItWouldBeAFormula) {
  EXPECT_EQ(spreadsheet_field("=1+1"), "'=1+1");
  EXPECT_EQ(spreadsheet_field("@home"), "'@home");
  EXPECT_EQ(spreadsheet_field("-x"), "'-x");
  EXPECT_EQ(spreadsheet_field("=A1,B1"), "\"'=A1,B1\"");
  EXPECT_EQ(spreadsheet_field("a=b"), "a=b");
}

TEST(SpreadsheetField, KeepsNumbers) {
  EXPECT_EQ(spreadsheet_field("-5"), "-5");
  EXPECT_EQ(spreadsheet_field("+1.5e3"), "+1.5e3");
  EXPECT_EQ(spreadsheet_field("-1,5"), "\"-1,5\"");
}

}  // namespace
}  // namespace frr::internal
