#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "support/csv_helpers.hpp"

namespace frr::internal {
namespace {

using namespace csv_helpers;

// ---- Reading ------------------------------------------------------------------------------------

TEST(Csv, DetectsTypes) {
  const Table table = read("age,city\n31,Bern\n4.5,Genf\n-1e2,Bern\n");
  ASSERT_EQ(table.rows, 3u);
  ASSERT_EQ(names(table), (Texts{"age", "city"}));
  EXPECT_EQ(table.columns[0].type, ColumnType::numeric);
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{31, 4.5, -100}));
  EXPECT_EQ(table.columns[1].type, ColumnType::categorical);
  EXPECT_EQ(table.columns[1].categories, (Texts{"Bern", "Genf"}));
  EXPECT_EQ(table.columns[1].codes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_TRUE(table.warnings.empty());
}

TEST(Csv, AcceptsEveryLineEndAndNoneAtTheEnd) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string& last : {end, std::string()}) {
      const Table table = read("a,b" + end + "1,x" + end + "2,y" + last);
      EXPECT_EQ(table.rows, 2u);
      EXPECT_EQ(cells(table.columns[0]), (Texts{"1", "2"}));
      EXPECT_EQ(cells(table.columns[1]), (Texts{"x", "y"}));
      EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 3}));
    }
  }
}

TEST(Csv, QuotedFieldsMayContainDelimitersLineEndsAndQuotes) {
  const Table table =
      read("a,b\n\"x, y\",1\n\"two\nlines\",2\n\"say \"\"hi\"\"\",3\n \"pad\" ,4\n5\" pipe,5\n");
  EXPECT_EQ(cells(table.columns[0]),
            (Texts{"x, y", "two\nlines", "say \"hi\"", "pad", "5\" pipe"}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 3, 5, 6, 7}));
}

TEST(Csv, KeepsBlanksOnlyInsideQuotes) {
  const Table table = read("a , b\n 1 ,\" x \"\n\t2,x\n\" 3 \", x\n");
  EXPECT_EQ(names(table), (Texts{"a", "b"}));
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(cells(table.columns[1]), (Texts{" x ", "x", "x"}));
}

TEST(Csv, SkipsByteOrderMarkAndSeparatorLine) {
  const Table marked = read(
      "\xef\xbb\xbf"
      "a,b\n1,2\n");
  EXPECT_EQ(names(marked), (Texts{"a", "b"}));
  const Table stated = read("\xef\xbb\xbfsep=;\r\na;b,c\r\n1;2\r\n");
  EXPECT_EQ(names(stated), (Texts{"a", "b,c"}));
  EXPECT_EQ(stated.lines, (std::vector<std::uint32_t>{3}));
}

TEST(Csv, JoinsTheLinesOfAName) {
  EXPECT_EQ(names(read("\"weight\r\n (kg)\",b\n1,2\n")), (Texts{"weight (kg)", "b"}));
}

TEST(Csv, LineOfEmptyFieldsIsARowOfMissingValues) {
  const Table table = read(",\n\na,b\n1,2\n , \n,,,,\n3,4\n,\n");
  EXPECT_EQ(cells(table.columns[0]), (Texts{"1", "<missing>", "<missing>", "3", "<missing>"}));
  EXPECT_EQ(cells(table.columns[1]), (Texts{"2", "<missing>", "<missing>", "4", "<missing>"}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{4, 5, 6, 7, 8}));
  EXPECT_TRUE(table.warnings.empty());
}

TEST(Csv, SkipsEmptyLinesIfThereAreSeveralColumns) {
  const Table table = read("\n\na,b\n\n1,2\n\n  \n3,4\n\n\n");
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{1, 3}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{5, 8}));
  ASSERT_EQ(table.warnings.size(),
            1U);  // of lines 6 and 7, for users who match rows with another file
  EXPECT_NE(table.warnings[0].find("2 empty lines are skipped"), std::string::npos);
}

TEST(Csv, EmptyLineIsARowOfASingleColumn) {
  const Table table = read("\na\n1\n\"\"\n\n2\n\n");
  EXPECT_EQ(cells(table.columns[0]), (Texts{"1", "<missing>", "<missing>", "2", "<missing>"}));
}

TEST(Csv, DropsEmptyColumnsWithoutAName) {
  EXPECT_EQ(names(read("a,b,,\n1,2,,\n3,4\n5,6,\n")), (Texts{"a", "b"}));
  EXPECT_EQ(names(read("a,b\n1,2,\n3,4,,\n")), (Texts{"a", "b"}));
  EXPECT_EQ(names(read("a,,b\n1,,2\n")), (Texts{"a", "b"}));
}

TEST(Csv, DetectsTheDelimiter) {
  EXPECT_EQ(names(read("a;b;c\n1;2;3\n")), (Texts{"a", "b", "c"}));
  EXPECT_EQ(names(read("a\tb\n1\t2\n")), (Texts{"a", "b"}));
  EXPECT_EQ(names(read("only\n1\n2\n")), (Texts{"only"}));
  // More commas than semicolons, but within quotes or not in every row.
  EXPECT_EQ(names(read("\"a,b,c\";d\n\"1,2,3\";4\n")), (Texts{"a,b,c", "d"}));
  EXPECT_EQ(names(read("size, in m;b\n1,5;2\n2,5;3,5\n")), (Texts{"size, in m", "b"}));
  EXPECT_EQ(names(read("a,b;c,d\n1,2,3\n4,5,6\n")), (Texts{"a", "b;c", "d"}));
}

TEST(Csv, UsesTheGivenDelimiter) {
  CsvOptions options;
  options.delimiter = ';';
  EXPECT_EQ(names(read("a,b\n1,2\n", options)), (Texts{"a,b"}));
  options.delimiter = '|';
  EXPECT_EQ(names(read("a|b,c\n1|2\n", options)), (Texts{"a", "b,c"}));
  EXPECT_EQ(names(read("a|b,c\n1|2,3\n")), (Texts{"a|b", "c"}));
  options.delimiter = ':';
  expect_failure(failure("a:b\n1:2\n", options), ErrorKind::usage, {"delimiter"});
}

TEST(Csv, RecognisesMissingTexts) {
  const Table table =
      read("a,b\n1,x\n?,?\nNA,na\nn/a,N/A\nNaN,nan\nNULL,null\n\"\",\"\"\n2,none\n3,None\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::numeric);
  EXPECT_EQ(cells(table.columns[0]), (Texts{"1", "<missing>", "<missing>", "<missing>", "<missing>",
                                            "<missing>", "<missing>", "2", "3"}));
  EXPECT_EQ(table.columns[1].categories, (Texts{"x", "none", "None"}));
}

TEST(Csv, MissingCodesAreNumbersOrTexts) {
  CsvOptions options;
  options.missing = {"-999", "unknown"};
  const Table table =
      read("a,b\n-999,unknown\n1,x\nunknown,NA\n-999.0,-999.0\n\" -999\",\" -999\"\n", options);
  EXPECT_EQ(cells(table.columns[0]),
            (Texts{"<missing>", "1", "<missing>", "<missing>", "<missing>"}));
  EXPECT_EQ(cells(table.columns[1]), (Texts{"<missing>", "x", "<missing>", "-999.0", "<missing>"}));
}

TEST(Csv, ColumnOfMissingValuesIsNumeric) {
  const Table table = read("a,b\n?,1\n,2\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::numeric);
  EXPECT_TRUE(std::isnan(table.columns[0].values[0]));
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
}

TEST(Csv, AcceptsAllSpellingsOfNumbers) {
  const Table table = read(
      "a\n+3\n-.5\n5.\n1E3\n1e308\n4.9e-324\n1e-400\n-0\n0.1\n12345678901234567890\n0."
      "30000000000000004\n");
  ASSERT_EQ(table.columns[0].type, ColumnType::numeric);
  EXPECT_EQ(table.columns[0].values,
            (std::vector<double>{3, -0.5, 5, 1000, 1e308, 4.9e-324, 0, 0, 0.1,
                                 12345678901234567890.0, 0.30000000000000004}));
}

TEST(Csv, ReadsOtherTextsAsCategories) {
  for (const std::string text : {"1.2.3", "--1", "+-1", "1e", ".", "-", "+", "0x10", "1 2", "1,5",
                                 "nan(1)", "-nan", "e5", "12a", "1_000", "5%"}) {
    const Table table = read("a,b\n\"" + text + "\",1\n");
    EXPECT_EQ(table.columns[0].type, ColumnType::categorical) << text;
    EXPECT_EQ(cells(table.columns[0]), (Texts{text}));
  }
}

TEST(Csv, RoundsDecimalsLikeStrtod) {
  Random random(7);
  std::string text = "a\n";
  std::vector<double> expected;
  for (int i = 0; i < 20000; ++i) {
    std::string number = random.below(2) == 0 ? "-" : "";
    const std::size_t digits = 1 + random.below(19), point = random.below(digits + 1);
    for (std::size_t d = 0; d < digits; ++d) {
      if (d == point) number += '.';
      number += static_cast<char>('0' + random.below(10));
    }
    expected.push_back(std::strtod(number.c_str(), nullptr));
    text += number + "\n";
  }
  EXPECT_EQ(read(text).columns[0].values, expected);
}

TEST(Csv, MixedColumnKeepsEachText) {
  const Table table = read("a,b\n1.0,1\n0.50,2\n\" 1\",3\nx,4\n1,5\n,6\n1.0,7\n1e400,8\n");
  EXPECT_EQ(table.columns[0].categories, (Texts{"1.0", "0.50", " 1", "x", "1", "1e400"}));
  EXPECT_EQ(table.columns[0].codes, (std::vector<std::int32_t>{0, 1, 2, 3, 4, -1, 0, 5}));
  EXPECT_TRUE(table.columns[0].values.empty());
  EXPECT_EQ(table.columns[1].type, ColumnType::numeric);
}

TEST(Csv, MixedColumnDoesNotDependOnTheOrderOfRows) {
  Texts rows = {"1.0,1", "x,2", "1e400,3", "NA,4", "01,5"};
  std::sort(rows.begin(), rows.end());
  do {
    std::string text = "a,b\n";
    for (const std::string& row : rows) text += row + "\n";
    const Table table = read(text);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string cell = rows[row].substr(0, rows[row].find(','));
      EXPECT_EQ(cells(table.columns[0])[row], cell == "NA" ? "<missing>" : cell) << text;
    }
  } while (std::next_permutation(rows.begin(), rows.end()));
}

TEST(Csv, CategoricalAndTargetColumnsKeepTheExactText) {
  CsvOptions options = with_target("");
  options.categorical = {"zip"};
  const Table table = read("zip,n,y\n007, 1.0 ,01\n7,2,1.0\n", options);
  EXPECT_EQ(cells(table.columns[0]), (Texts{"007", "7"}));
  EXPECT_EQ(table.columns[1].type, ColumnType::numeric);
  EXPECT_EQ(cells(table.columns[2]), (Texts{"01", "1.0"}));
}

TEST(Csv, TargetMayBeAnyColumn) {
  CsvOptions options = with_target("y");
  const Table table = read("y,n\n1,2\n", options);
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(table.columns[1].type, ColumnType::numeric);
}

TEST(Csv, LastKeptColumnIsTheDefaultTarget) {
  CsvOptions options = with_target("");
  options.ignore = {"note"};
  const Table table = read("a,y,note\n1,2,x\n", options);
  EXPECT_EQ(names(table), (Texts{"a", "y"}));
  EXPECT_EQ(table.columns[1].type, ColumnType::categorical);
}

TEST(Csv, OnlyLeavesOtherColumnsUnparsed) {
  CsvOptions options;
  options.only = Texts{"b", "absent"};
  const Table table = read("a,b\ninf,2\n1,3\n", options);
  EXPECT_EQ(names(table), (Texts{"b"}));
  EXPECT_EQ(table.rows, 2u);
  options.only = Texts{"absent"};
  EXPECT_EQ(read("a,b\n1,2\n", options).rows, 1u);
}

TEST(Csv, AcceptsDecimalCommasBetweenSemicolons) {
  const Table table = read("a;b;c\n3,14;1.5;x\n2;2;y\n-0,5;3;z\n");
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{3.14, 2, -0.5}));
  EXPECT_EQ(table.columns[1].values, (std::vector<double>{1.5, 2, 3}));
}

TEST(Csv, MixedDecimalMarksAreNotNumbers) {
  const Table table = read("a;b\n3,14;1\n1.234;2\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(cells(table.columns[0]), (Texts{"3,14", "1.234"}));
  CsvOptions options;
  options.numeric = {"a"};
  expect_failure(failure("a;b\n3,14;1\n1.234;2\n", options), ErrorKind::data,
                 {"line 3", "'a'", "1.234", "decimal mark"});
  EXPECT_EQ(read("a;b\n1,2,3;1\n").columns[0].type, ColumnType::categorical);
}

TEST(Csv, ReadsTextThatIsNotUtf8AsWindows1252) {
  const Table table = read(
      "gr\xf6\xdf"
      "e,b\nZ\xfcrich,1\nZ\xc3\xbcrich,2\n\x80,3\n");
  EXPECT_EQ(table.columns[0].name,
            "gr\xc3\xb6\xc3\x9f"
            "e");
  EXPECT_EQ(table.columns[0].categories, (Texts{"Z\xc3\xbcrich", "\xe2\x82\xac"}));
  EXPECT_EQ(table.columns[0].codes, (std::vector<std::int32_t>{0, 0, 1}));
  ASSERT_EQ(table.warnings.size(), 1u);
  EXPECT_NE(table.warnings[0].find("Windows-1252"), std::string::npos);
}

TEST(Csv, ReadsManyColumns) {
  std::string text, row;
  for (int i = 0; i < 10000; ++i) {
    text += (i > 0 ? ",c" : "c") + std::to_string(i);
    row += (i > 0 ? "," : "") + std::to_string(i);
  }
  const Table table = read(text + "\n" + row + "\n" + row + "\n");
  ASSERT_EQ(table.columns.size(), 10000u);
  EXPECT_EQ(table.columns[9999].values, (std::vector<double>{9999, 9999}));
}

TEST(Csv, ReadsManyCategories) {
  std::string text = "id,n\n";
  for (int i = 0; i < 200000; ++i) text += "k" + std::to_string(i % 100000) + ",1\n";
  const Table table = read(text);
  ASSERT_EQ(table.columns[0].categories.size(), 100000u);
  EXPECT_EQ(table.columns[0].codes[199999], 99999);
  EXPECT_EQ(table.columns[0].categories[99999], "k99999");
}

// ---- Warnings -----------------------------------------------------------------------------------

TEST(Csv, WarnsOfAlmostNumericColumns) {
  std::string text = "a,b\n";
  for (int i = 0; i < 18; ++i) text += std::to_string(i) + ",1\n";
  const Table nine_tenths = read(text + "oops,1\nwell,1\n");
  ASSERT_EQ(nine_tenths.warnings.size(), 1u);
  for (const std::string part : {"'a'", "'oops'", "line 20", "2 cells", "--missing", "--numeric"}) {
    EXPECT_NE(nine_tenths.warnings[0].find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(read(text + "oops,1\nwell,1\nno,1\n").warnings.empty());
  EXPECT_TRUE(read(text + "oops,1\n", with_target("a")).warnings.empty());
}

TEST(Csv, LimitsTheNumberOfColumnWarnings) {
  std::string names, numbers, texts;
  for (int i = 0; i < 50; ++i) {
    names += "c" + std::to_string(i) + ",";
    numbers += "1,";
    texts += "x,";
  }
  std::string text = names + "y\n";
  for (int i = 0; i < 20; ++i) text += numbers + "1\n";
  const Table table = read(text + texts + "1\n");
  ASSERT_EQ(table.warnings.size(), 11u);
  EXPECT_NE(table.warnings[10].find("40 more"), std::string::npos);
}

TEST(Csv, WarnsOfAFirstLineOfNumbers) {
  const Table table = read("5.1,3.5,setosa\n4.9,3.0,setosa\n");
  ASSERT_EQ(table.warnings.size(), 1u);
  EXPECT_NE(table.warnings[0].find("column names"), std::string::npos);
}

// ---- Rejected input -----------------------------------------------------------------------------

TEST(Csv, RejectsEmptyFilesAndLoneHeaders) {
  expect_failure(failure(""), ErrorKind::data, {"empty"});
  expect_failure(failure("\xef\xbb\xbf"), ErrorKind::data, {"empty"});
  expect_failure(failure("\n \n\n"), ErrorKind::data, {"empty"});
  expect_failure(failure("a,b\n"), ErrorKind::data, {"no rows"});
  expect_failure(failure("a,b"), ErrorKind::data, {"no rows"});
  expect_failure(failure("\"\",\n1,2\n"), ErrorKind::data, {"line 1", "names"});
}

TEST(Csv, RejectsRaggedRows) {
  CsvOptions options;
  options.source = "people.csv";
  expect_failure(failure("a,b,c\n1,2,3\n1,2\n", options), ErrorKind::data,
                 {"people.csv, line 3: 2 fields", "3 columns"});
  expect_failure(failure("a,b\n\"1\n\",2\n1,2,3\n", options), ErrorKind::data,
                 {"people.csv, line 4: 3 fields", "2 columns"});
  expect_failure(failure("a,b\n1\n", options), ErrorKind::data, {"line 2: 1 field,"});
}

TEST(Csv, RejectsDataWithoutAColumnName) {
  expect_failure(failure(",a\n0,1\n"), ErrorKind::data, {"line 2", "column 1", "no name"});
  expect_failure(failure("a,b,\n1,2,\n1,2,3\n"), ErrorKind::data, {"line 3", "column 3"});
}

TEST(Csv, RejectsDuplicateNames) {
  expect_failure(failure("a,b,a\n1,2,3\n"), ErrorKind::data, {"1 and 3", "'a'"});
}

TEST(Csv, RejectsOpenQuotes) {
  expect_failure(failure("a,b\n1,\"x\n2,y\n3,z\n"), ErrorKind::data, {"line 2", "never closed"});
  expect_failure(failure("a,b\n1,2\n\"x\ny\",\"\n\n"), ErrorKind::data, {"line 4", "never closed"});
}

TEST(Csv, RejectsTextAfterAClosingQuote) {
  expect_failure(failure("a,b\n1,\"x\" y\n"), ErrorKind::data, {"line 2", "closing quote"});
}

TEST(Csv, RejectsBinaryFilesAndUtf16) {
  expect_failure(failure(std::string("a,b\n1,\0\n", 8)), ErrorKind::data, {"line 2", "NUL"});
  expect_failure(failure(std::string("a,b\n1,\"\0\"\n", 10)), ErrorKind::data, {"line 2", "NUL"});
  expect_failure(failure(std::string("\xff\xfe"
                                     "a\0,\0",
                                     6)),
                 ErrorKind::data, {"UTF-16", "UTF-8"});
  expect_failure(failure(std::string("a\0,\0b\0\n\0", 8)), ErrorKind::data, {"UTF-16", "UTF-8"});
  expect_failure(failure("PK\x03\x04 etc"), ErrorKind::data, {"spreadsheet"});
}

TEST(Csv, RejectsInfiniteValues) {
  for (const std::string text : {"inf", "-Infinity", "1e999", "-1e400", "+inf"}) {
    expect_failure(failure("a,b\n1,2\n1," + text + "\n"), ErrorKind::data,
                   {"line 3", "'b'", text, "infinite"});
  }
  CsvOptions options;
  options.missing = {"inf"};
  EXPECT_EQ(cells(read("a,b\n1,2\n1,inf\n", options).columns[1]), (Texts{"2", "<missing>"}));
  options = {};
  options.categorical = {"b"};
  EXPECT_EQ(cells(read("a,b\n1,2\n1,inf\n", options).columns[1]), (Texts{"2", "inf"}));
}

TEST(Csv, RejectsTextInANumericColumn) {
  CsvOptions options;
  options.numeric = {"b"};
  expect_failure(failure("a,b\n1,2\n1,two\n", options), ErrorKind::data,
                 {"line 3", "'b'", "'two'", "not a number"});
}

TEST(Csv, RejectsOptionsThatNameNoColumn) {
  for (auto member : {&CsvOptions::numeric, &CsvOptions::categorical, &CsvOptions::ignore}) {
    CsvOptions options;
    options.*member = {"glucos"};
    expect_failure(failure("glucose,y\n1,2\n", options), ErrorKind::usage,
                   {"'glucos'", "'glucose'"});
  }
  CsvOptions options = with_target("why");
  expect_failure(failure("glucose,y\n1,2\n", options), ErrorKind::usage, {"'why'"});
}

TEST(Csv, RejectsContradictoryOptions) {
  CsvOptions options;
  options.numeric = options.categorical = {"a"};
  expect_failure(failure("a,y\n1,2\n", options), ErrorKind::usage, {"'a'", "both"});
  options = with_target("a");
  options.ignore = {"a"};
  expect_failure(failure("a,y\n1,2\n", options), ErrorKind::usage, {"'a'", "target"});
  options = with_target("");
  options.numeric = {"y"};
  expect_failure(failure("a,y\n1,2\n", options), ErrorKind::usage, {"'y'", "target"});
  options = {};
  options.ignore = {"a", "y"};
  expect_failure(failure("a,y\n1,2\n", options), ErrorKind::usage, {"no column"});
}

TEST(Csv, RejectsAnEndlessRowInBoundedMemory) {
  const std::string header = "a,b\n1,\"";
  std::size_t given = 0;
  const auto endless = [&](char* into, std::size_t count) {
    std::memset(into, 'x', count);
    if (given == 0) std::memcpy(into, header.data(), header.size());
    given += count;
    return count;
  };
  CsvOptions options;
  options.delimiter = ',';
  try {
    read_csv(endless, options);
    FAIL() << "no error";
  } catch (const Error& error) {
    expect_failure({error.kind(), error.what()}, ErrorKind::data, {"line 2", "64 MiB", "quote"});
  }
  EXPECT_LT(given, std::size_t{200} << 20);
}

TEST(Csv, ReportsProgressAndCanBeStopped) {
  std::string text = "a,b\n";
  while (text.size() < (std::size_t{5} << 20)) text += "1234567,7654321\n";
  CsvOptions options;
  std::vector<std::size_t> reported;
  options.progress = [&](std::size_t bytes) {
    reported.push_back(bytes);
    return true;
  };
  read(text, options);
  ASSERT_GE(reported.size(), 4u);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_LE(reported.back(), text.size());
  options.progress = [](std::size_t) { return false; };
  expect_failure(failure(text, options), ErrorKind::interrupted, {});
}

// ---- Files --------------------------------------------------------------------------------------

Failure file_failure(const std::string& path) {
  try {
    read_csv_file(path, {});
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

TEST(CsvFile, IsReadAndNamedInMessages) {
  const auto path =
      std::filesystem::temp_directory_path() / ("frr_csv_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << "a,b\n1,2\n";
  EXPECT_EQ(read_csv_file(path, {}).source, path.string());
  std::ofstream(path) << "a,b\n1\n";
  expect_failure(file_failure(path), ErrorKind::data, {path.string() + ", line 2"});
  std::filesystem::remove(path);
  expect_failure(file_failure(path), ErrorKind::data, {path.string(), "No such file"});
  expect_failure(file_failure("/tmp"), ErrorKind::data, {"/tmp", "directory"});
}

}  // namespace
}  // namespace frr::internal
