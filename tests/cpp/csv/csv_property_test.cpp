#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "support/csv_helpers.hpp"

namespace frr::internal {
namespace {

using namespace csv_helpers;

void expect_same(const Table& a, const Table& b) {
  ASSERT_EQ(names(a), names(b));
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.lines, b.lines);
  EXPECT_EQ(a.warnings, b.warnings);
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].type, b.columns[i].type);
    EXPECT_EQ(cells(a.columns[i]), cells(b.columns[i]));
    EXPECT_EQ(a.columns[i].categories, b.columns[i].categories);
  }
}

// The reader requests chunks; the table must not depend on where they end.
TEST(CsvProperty, TablesDoNotDependOnChunkBoundaries) {
  const std::string text =
      "\"a long name, with comma\",b,\"c \"\"q\"\"\"\r\n1.5,x,\"a\r\nb\"\r\n\r\n-2e3, \"y\" "
      ",\"\"\"\"\r"
      ",?,\"\"\"x\"\"\"\n,,\n3,\"\",z\xc3\xbc\n4,w,last";
  CsvOptions options;
  options.delimiter = ',';
  const Table whole = read(text, options);
  ASSERT_EQ(whole.rows, 6u);
  EXPECT_EQ(cells(whole.columns[0]), (Texts{"1.5", "-2000", "<missing>", "<missing>", "3", "4"}));
  EXPECT_EQ(cells(whole.columns[1]), (Texts{"x", "y", "<missing>", "<missing>", "<missing>", "w"}));
  EXPECT_EQ(cells(whole.columns[2]),
            (Texts{"a\r\nb", "\"", "\"x\"", "<missing>", "z\xc3\xbc", "last"}));
  EXPECT_EQ(whole.lines, (std::vector<std::uint32_t>{2, 5, 6, 7, 8, 9}));
  for (std::size_t chunk = 1; chunk <= text.size() + 1; ++chunk) {
    SCOPED_TRACE(chunk);
    expect_same(read_in_chunks(text, options, chunk), whole);
    expect_same(read_in_chunks(text, {}, chunk), whole);
  }
}

TEST(CsvProperty, ErrorsDoNotDependOnChunkBoundaries) {
  for (const std::string text :
       {"some long names,b\r\n1,\"x\r\n\r\n", "some long names,b\r\n1,2\r\n1,\"x\"y\r\n",
        "some long names,b\r\n1,2\r\n\r\n1,2,3\r\n"}) {
    CsvOptions options;
    options.delimiter = ',';
    const Failure whole = failure(text, options);
    ASSERT_TRUE(whole.kind.has_value());
    for (std::size_t chunk = 1; chunk <= text.size(); ++chunk) {
      try {
        read_in_chunks(text, options, chunk);
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), whole.message);
      }
    }
  }
}

std::string random_text(Random& random) {
  static const Texts pieces = {"a", "B", ",", ";", "\t", "\"", "\n", "\r\n", " ", "\xc3\xa9", "0"};
  std::string text = "t";  // so that no text is a number or a missing value
  for (std::size_t n = random.below(6); n > 0; --n) text += pieces[random.below(pieces.size())];
  return text + "e";
}

std::string written(const std::string& text, bool may_be_bare, char delimiter, Random& random) {
  const std::string special = std::string("\"\r\n") + delimiter;
  const bool needs_quotes = text.find_first_of(special) != std::string::npos;
  std::string out;
  if (!needs_quotes && may_be_bare && random.below(2) == 0) {
    out = text;
  } else {
    out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  const std::string blanks(random.below(3), ' ');
  return random.below(4) == 0 ? blanks + out + blanks : out;
}

struct RandomFile {
  Texts names;
  std::vector<std::vector<std::optional<std::string>>> cells;  // [column][row]
  std::vector<bool> numeric;
  std::vector<std::uint32_t> lines;
  std::string text;
};

std::string line_ends_counted(const std::string& text, std::uint32_t& line) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      ++line;
    }
  }
  return text;
}

RandomFile random_file(Random& random, char delimiter) {
  const Texts ends = {"\n", "\r\n", "\r"};
  const std::string end = ends[random.below(3)];
  RandomFile file;
  std::uint32_t line = 1;
  if (random.below(4) == 0) file.text += "\xef\xbb\xbf";
  const std::size_t columns = 1 + random.below(5), rows = 1 + random.below(30);
  std::string row;
  for (std::size_t c = 0; c < columns; ++c) {
    file.names.push_back("name " + std::to_string(c));
    file.numeric.push_back(random.below(2) == 0);
    row +=
        (c > 0 ? std::string(1, delimiter) : "") + written(file.names[c], true, delimiter, random);
  }
  file.text += line_ends_counted(row + end, line);
  file.cells.resize(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    // In a table of a single column an empty line would be a row.
    if (columns > 1 && random.below(10) == 0) file.text += line_ends_counted(end, line);
    file.lines.push_back(line);
    row.clear();
    for (std::size_t c = 0; c < columns; ++c) {
      std::optional<std::string> value;
      // The first rows have no missing values, so that they show the type of a column.
      if (r == 0 || random.below(8) > 0) {
        value = file.numeric[c] ? std::to_string(static_cast<int>(random.below(2001)) - 1000)
                                : random_text(random);
      }
      file.cells[c].push_back(value);
      row += (c > 0 ? std::string(1, delimiter) : "") +
             written(value.value_or(random.below(2) == 0 ? "" : "NA"), value.has_value(), delimiter,
                     random);
    }
    file.text += line_ends_counted(row + (r + 1 == rows && random.below(2) == 0 ? "" : end), line);
  }
  return file;
}

TEST(CsvProperty, ReadsRandomTablesBack) {
  Random random(2024);
  for (int round = 0; round < 400; ++round) {
    const char delimiter = ",;\t"[random.below(3)];
    const RandomFile file = random_file(random, delimiter);
    CsvOptions options;
    options.delimiter = delimiter;
    const Table table = read_in_chunks(file.text, options, 1 + random.below(64));
    ASSERT_EQ(names(table), file.names) << file.text;
    ASSERT_EQ(table.rows, file.lines.size()) << file.text;
    EXPECT_EQ(table.lines, file.lines) << file.text;
    for (std::size_t c = 0; c < file.names.size(); ++c) {
      const Column& column = table.columns[c];
      EXPECT_EQ(column.type == ColumnType::numeric, file.numeric[c]);
      for (std::size_t r = 0; r < table.rows; ++r) {
        ASSERT_EQ(cell(column, r), file.cells[c][r]) << file.text;
      }
    }
  }
}

// The parts of a table, joined again.
Table joined_parts(std::string_view text, const CsvOptions& options, std::size_t rows,
                   std::size_t chunk) {
  const auto source = [&](char* into, std::size_t count) {
    const std::size_t got = std::min(count, text.size());
    std::memcpy(into, text.data(), got);
    text.remove_prefix(got);
    return got;
  };
  Table joined;
  const Table* object = nullptr;
  const auto add = [&](const Table& part) {
    EXPECT_TRUE(object == nullptr || object == &part);
    object = &part;
    EXPECT_TRUE(part.rows > 0 && part.rows <= rows);
    joined.columns.resize(part.columns.size());
    joined.rows += part.rows;
    joined.lines.insert(joined.lines.end(), part.lines.begin(), part.lines.end());
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      const Column& from = part.columns[i];
      Column& to = joined.columns[i];
      EXPECT_EQ(from.codes.size() + from.values.size(), part.rows);
      to.name = from.name;
      to.type = from.type;
      to.values.insert(to.values.end(), from.values.begin(), from.values.end());
      to.codes.insert(to.codes.end(), from.codes.begin(), from.codes.end());
      to.categories = from.categories;
    }
  };
  const Table rest = read_csv_parts(source, options, rows, add, chunk);
  EXPECT_EQ(rest.rows, joined.rows);
  for (std::size_t i = 0; i < rest.columns.size(); ++i) {
    EXPECT_EQ(rest.columns[i].categories, joined.columns[i].categories);
  }
  joined.warnings = rest.warnings;
  return joined;
}

TEST(CsvProperty, PartsEqualTheTable) {
  Random random(2025);
  for (int round = 0; round < 300; ++round) {
    const char delimiter = ",;\t"[random.below(3)];
    const RandomFile file = random_file(random, delimiter);
    CsvOptions options;
    options.delimiter = delimiter;
    for (std::size_t c = 0; c < file.names.size(); ++c) {
      (file.numeric[c] ? options.numeric : options.categorical).push_back(file.names[c]);
    }
    const Table whole = read(file.text, options);
    expect_same(joined_parts(file.text, options, 1 + random.below(12), 1 + random.below(64)),
                whole);
    // A type that is not given is known only at the end.
    (file.numeric[0] ? options.numeric : options.categorical).clear();
    expect_same(joined_parts(file.text, options, 1000, 1 + random.below(64)),
                read(file.text, options));
  }
}

}  // namespace
}  // namespace frr::internal
