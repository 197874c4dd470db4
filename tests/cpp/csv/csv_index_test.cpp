#include "csv/csv_index.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.hpp"
#include "csv/csv_row.hpp"
#include "support/random_cases.hpp"

namespace frr::internal {
namespace {

using Fields = std::vector<std::string>;

std::vector<Fields> indexed(const std::string& text, char delimiter, std::size_t* length) {
  CsvIndex index;
  std::vector<Fields> rows;
  *length = 0;
  const bool any = index.scan(text, delimiter);
  while (index.next()) {
    Fields& row = rows.emplace_back();
    for (std::size_t i = 0; i < index.fields(); ++i) row.emplace_back(index.text(i));
    *length += index.length();
  }
  EXPECT_EQ(any, !rows.empty());
  return rows;
}

// The rows from RowSplitter up to the first with a quote or NUL or without LF at its end.
std::vector<Fields> split(std::string_view text, char delimiter, std::size_t* length) {
  const RowSplitter splitter(delimiter);
  CsvRow row;
  std::vector<Fields> rows;
  *length = 0;
  while (!text.empty()) {
    splitter.split(text, false, row);
    const std::string_view line = text.substr(0, row.length);
    if (row.status != RowStatus::complete || line.back() != '\n') return rows;
    if (line.find_first_of(std::string_view("\"\0", 2)) != std::string_view::npos) return rows;
    Fields& fields = rows.emplace_back();
    for (const CsvField& field : row.fields) {
      fields.emplace_back(line.substr(field.begin, field.end - field.begin));
    }
    *length += row.length;
    text.remove_prefix(row.length);
  }
  return rows;
}

TEST(CsvIndex, FindsTheFieldsOfPlainRows) {
  std::size_t length = 0;
  EXPECT_EQ(indexed("a, b\t,,c\r\n\n 1 ;2\nrest", ',', &length),
            (std::vector<Fields>{{"a", "b", "", "c"}, {""}, {"1 ;2"}}));
  EXPECT_EQ(length, 17u);
  EXPECT_TRUE(indexed("no line end", ',', &length).empty());
  EXPECT_TRUE(indexed("", ',', &length).empty());
  EXPECT_TRUE(indexed("\"quoted\"\nplain\n", ',', &length).empty());
}

TEST(CsvIndex, AgreesWithTheSplitterOnRandomTexts) {
  Random random(31);
  std::size_t found = 0;
  for (int round = 0; round < random_cases(20000); ++round) {
    const char delimiter = ",;\t"[random.below(3)];
    // Sometimes a byte that ends the plain rows; long fields cross piece boundaries.
    const std::size_t odd = random.below(4) == 0 ? 20 : 2000;
    std::string text;
    for (std::size_t n = random.below(300); n > 0; --n) {
      const std::size_t kind = random.below(odd);
      if (kind < 3) {
        text += "\"\r\0"[kind];
      } else if (kind < 9) {
        text += random.below(2) == 0 ? "\n" : "\r\n";
      } else {
        text += "ab1,;\t \xc3"[random.below(8)];
        if (random.below(20) == 0) text.append(random.below(100), 'x');
        if (random.below(9) == 0) text += '\n';
      }
    }
    std::size_t length = 0, expected_length = 0;
    const std::vector<Fields> rows = indexed(text, delimiter, &length);
    const std::vector<Fields> expected = split(text, delimiter, &expected_length);
    ASSERT_EQ(rows, expected) << text;
    ASSERT_EQ(length, expected_length);
    found += rows.size();
  }
  EXPECT_GT(found, random_cases(50000u));
}

TEST(CsvIndex, ScansOneWindowOfALongText) {
  const std::string row(1000, 'x');
  std::string text;
  while (text.size() < 3 * CsvIndex::window) text += row + '\n';
  std::size_t length = 0;
  EXPECT_EQ(indexed(text, ',', &length).size(), CsvIndex::window / 1001);
  std::string long_row(CsvIndex::window, 'x');
  long_row.back() = '\n';
  EXPECT_EQ(indexed(long_row, ',', &length).size(), 1u);
  long_row.insert(0, 1, 'x');
  EXPECT_TRUE(indexed(long_row, ',', &length).empty());
  std::string delimiters(CsvIndex::window, ',');
  delimiters.back() = '\n';
  EXPECT_EQ(indexed(delimiters, ',', &length).at(0).size(), CsvIndex::window);
  const std::string feeds(CsvIndex::window, '\n');
  EXPECT_EQ(indexed(feeds, ',', &length).size(), CsvIndex::window);
}

}  // namespace
}  // namespace frr::internal
