#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "csv/csv_reader.hpp"
#include "support/csv_helpers.hpp"

namespace frr::internal {
namespace {

using namespace csv_helpers;

ByteSource bytes_of(const std::string& text) {
  return [&text, at = std::size_t{0}](char* into, std::size_t count) mutable {
    const std::size_t got = std::min(count, text.size() - at);
    std::memcpy(into, text.data() + at, got);
    at += got;
    return got;
  };
}

TEST(CsvPieces, AreIndependentTablesOfTheRowsInOrder) {
  const std::string text = "a,b,class\n1,x,no\n2,y,yes\n3,x,no\n4,,yes\n5,z,no\n";
  CsvPieces pieces(bytes_of(text), with_target(""), 2);
  EXPECT_EQ(pieces.names(), (Texts{"a", "b", "class"}));
  EXPECT_EQ(pieces.target(), "class");
  Table piece;
  ASSERT_TRUE(pieces.next(piece));
  EXPECT_EQ(piece.rows, 2U);
  EXPECT_EQ(cells(piece.columns[0]), (Texts{"1", "2"}));
  EXPECT_EQ(cells(piece.columns[1]), (Texts{"x", "y"}));
  EXPECT_EQ(piece.lines, (std::vector<std::uint32_t>{2, 3}));
  ASSERT_TRUE(pieces.next(piece));
  EXPECT_EQ(cells(piece.columns[1]), (Texts{"x", "<missing>"}));
  EXPECT_EQ(piece.columns[1].categories, (Texts{"x"}));
  ASSERT_TRUE(pieces.next(piece));
  EXPECT_EQ(piece.rows, 1U);
  EXPECT_EQ(cells(piece.columns[2]), (Texts{"no"}));
  EXPECT_FALSE(pieces.next(piece));
}

TEST(CsvPieces, DetectTypesIndependently) {
  const std::string text = "a,b\n1,x\n2,x\nten,x\n4.50,x\n";
  CsvPieces pieces(bytes_of(text), {}, 2);
  Table piece;
  ASSERT_TRUE(pieces.next(piece));
  EXPECT_EQ(piece.columns[0].type, ColumnType::numeric);
  ASSERT_TRUE(pieces.next(piece));
  EXPECT_EQ(piece.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(cells(piece.columns[0]), (Texts{"ten", "4.50"}));
}

TEST(CsvPieces, KeepTheTextsOfMixedColumnsInASecondReading) {
  const std::string text = "a,b,c\n01,x,1\n2.0,x,2\nten,x,3\n4.50,x,4\n";
  CsvPieces first(bytes_of(text), {}, 2);
  for (Table piece; first.next(piece);) {
  }
  EXPECT_EQ(first.mixed(), (Texts{"a"}));
  CsvPieces second(bytes_of(text), {}, 2, 16, first.mixed());
  Table piece;
  ASSERT_TRUE(second.next(piece));
  EXPECT_EQ(cells(piece.columns[0]), (Texts{"01", "2.0"}));
  EXPECT_EQ(piece.columns[2].type, ColumnType::numeric);
  ASSERT_TRUE(second.next(piece));
  EXPECT_EQ(cells(piece.columns[0]), (Texts{"ten", "4.50"}));
  EXPECT_FALSE(second.next(piece));
  EXPECT_TRUE(second.mixed().empty());
}

TEST(CsvPieces, RejectInfiniteNumbersOnlyInNumericColumns) {
  const std::string numbers = "a,b\n1,x\ninf,x\n3,x\n", mixed = numbers + "ten,x\n";
  const auto read_all = [](const std::string& text) {
    CsvPieces pieces(bytes_of(text), {}, 1);
    for (Table piece; pieces.next(piece);) {
    }
    return pieces.mixed();
  };
  EXPECT_THROW(read_all(numbers), Error);
  EXPECT_EQ(read_all(mixed), (Texts{"a"}));
}

TEST(CsvPieces, OfAnyLengthEqualTheWholeTable) {
  std::string text = "n,m,class\n";
  for (int i = 0; i < 57; ++i) {
    text += std::to_string(i * 7 % 10) + "," + (i % 5 == 0 ? "" : std::to_string(i) + ".25") +
            ",c" + std::to_string(i % 3) + "\n";
  }
  const Table whole = read(text, with_target("class"));
  for (const std::size_t rows : {1, 2, 7, 56, 57, 58, 1000}) {
    CsvPieces pieces(bytes_of(text), with_target("class"), rows, 16);
    std::vector<Texts> found(3);
    for (Table piece; pieces.next(piece);) {
      EXPECT_LE(piece.rows, rows);
      for (std::size_t c = 0; c < 3; ++c) {
        const Texts texts = cells(piece.columns[c]);
        found[c].insert(found[c].end(), texts.begin(), texts.end());
      }
    }
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(found[c], cells(whole.columns[c])) << rows;
  }
}

TEST(CsvPieces, WarnLikeTheWholeTableAndNameTheLineOfAnError) {
  std::string text = "a,b\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i) + ",x\n";
  text += "12 cm,x\n\n61,x\n";
  CsvPieces pieces(bytes_of(text), {}, 100);
  for (Table piece; pieces.next(piece);) {
  }
  EXPECT_EQ(pieces.warnings(), read(text).warnings);
  EXPECT_FALSE(pieces.warnings().empty());

  const std::string broken = "a,b\n1,2\n3\n";
  CsvPieces failing(bytes_of(broken), {}, 1);
  Table piece;
  EXPECT_TRUE(failing.next(piece));
  try {
    failing.next(piece);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos) << error.what();
  }
}

TEST(CsvPieces, RejectATableWithoutRows) {
  const std::string text = "a,b\n";
  CsvPieces pieces(bytes_of(text), {}, 5);
  Table piece;
  EXPECT_THROW(pieces.next(piece), Error);
}

}  // namespace
}  // namespace frr::internal
