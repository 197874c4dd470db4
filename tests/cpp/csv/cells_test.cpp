// Training and prediction read any cell in the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/rulebase.hpp"
#include "model/column_map.hpp"
#include "support/csv_helpers.hpp"

namespace frr::internal {
namespace {

using namespace csv_helpers;

constexpr int rounds = 2000, columns_per_table = 5;  // 10,000 columns

const Texts numbers = {"1",    "1.0", "01", "+1",   "1e0", "-1",  "0",      "-0",  "0.10", ".1",
                       "1e-1", "5.",  "-9", "-9.0", "99",  "1e5", "100000", "1E5", "007",  "3.14"};
const Texts texts = {"a",   "A",  "true",     "x y", "none", "1 kg",
                     "1,5", "=1", "\xc3\xbc", "inf", "1e400"};
const Texts missing = {"", "?", "NA", "n/a", "NaN", "nUlL", " ", "\t"};
const Texts codes = {"-9", "99", "x y"};

// A cell of the file: sometimes quoted, and then sometimes with blanks inside the quotes.
struct Cell {
  std::string exact;    // the text that counts: between the quotes
  std::string written;  // in the file
};

Cell random_cell(const Texts& pool, Random& random) {
  std::string text = pool[random.below(pool.size())];
  const bool needs_quotes = text.find_first_of(", \t") != std::string::npos;
  if (!needs_quotes && random.below(4) > 0) {
    return {text, random.below(8) == 0 ? " " + text + "\t" : text};
  }
  if (random.below(3) == 0) text = " " + text;
  return {text, "\"" + text + "\""};
}

// ---- What docs/reference/model.md says of a cell, in the slowest way

std::string without_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool is_built_in_missing(const std::string& text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const Texts known = {"", "?", "na", "n/a", "nan", "null"};
  return std::find(known.begin(), known.end(), lower) != known.end();
}

std::optional<double> as_number(const std::string& text) {
  static const std::regex pattern(R"([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf)");
  if (!std::regex_match(text, pattern)) return std::nullopt;
  return std::strtod(text.c_str(), nullptr);
}

bool is_code(const std::string& text) {
  return std::find(codes.begin(), codes.end(), text) != codes.end();
}

bool is_missing_text(const std::string& text, bool with_codes) {
  return is_built_in_missing(text) || (with_codes && is_code(text));
}

// Expected content of a column: nullopt for a missing value, else a number or an exact text.
struct Expected {
  bool numeric = true;
  bool infinite = false;
  std::vector<std::optional<double>> values;
  std::vector<std::optional<std::string>> exact;
};

Expected expected(const std::vector<Cell>& cells, bool with_codes) {
  Expected result;
  for (const Cell& cell : cells) {
    const std::string core = without_blanks(cell.exact);
    const bool gone = is_missing_text(core, with_codes);
    const std::optional<double> number = as_number(core);
    result.exact.push_back(gone ? std::nullopt : std::optional(cell.exact));
    if (!gone && !number) result.numeric = false;
    bool number_gone = gone;
    for (const std::string& code : codes) {
      number_gone = number_gone || (with_codes && number && as_number(code) == number);
    }
    result.values.push_back(number_gone ? std::nullopt : number);
    if (!number_gone && number && std::isinf(*number)) result.infinite = true;
  }
  return result;
}

void expect_column(const Column& column, const Expected& expected, const std::string& file) {
  ASSERT_EQ(column.type == ColumnType::numeric, expected.numeric) << file;
  for (std::size_t row = 0; row < expected.exact.size(); ++row) {
    if (expected.numeric) {
      ASSERT_EQ(column.is_missing(row), !expected.values[row].has_value()) << row << "\n" << file;
      if (!expected.values[row]) continue;
      ASSERT_EQ(column.values[row], *expected.values[row]) << file;
    } else {
      ASSERT_EQ(cell(column, row), expected.exact[row]) << row << "\n" << file;
    }
  }
}

// A model that knows all categories of the columns.
RuleBase model_of(const Table& table, bool with_codes) {
  RuleBase base;
  base.classes = {"no", "yes"};
  if (with_codes) base.missing = codes;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    Feature feature;
    feature.name = column.name;
    feature.type = column.type;
    for (const std::string& category : column.categories) {
      feature.labels.push_back({category, LabelKind::category, {}});
    }
    if (column.type == ColumnType::numeric) feature.labels.push_back({"any", LabelKind::range, {}});
    base.partition.features.push_back(std::move(feature));
  }
  return base;
}

void expect_same_values(const ColumnMap& map, const RuleBase& base, const Table& trained,
                        std::size_t first, const std::string& file) {
  for (std::size_t row = 0; row < map.rows(); ++row) {
    for (std::size_t c = 0; c < trained.columns.size(); ++c) {
      const Column& column = trained.columns[c];
      const FeatureValue value = map.value(row, static_cast<int>(c));
      ASSERT_EQ(value.missing, column.is_missing(first + row)) << file;
      if (value.missing) continue;
      if (column.type == ColumnType::numeric) {
        ASSERT_EQ(value.number, column.values[first + row]) << file;
      } else {
        ASSERT_GE(value.category, 0) << file;
        const Feature& feature = base.partition.features[c];
        ASSERT_EQ(feature.labels[static_cast<std::size_t>(value.category)].name,
                  cell(column, first + row))
            << file;
      }
    }
  }
}

struct RandomFile {
  std::string text;
  std::vector<std::vector<Cell>> columns;
};

RandomFile random_file(Random& random) {
  RandomFile file;
  const std::size_t rows = 1 + random.below(12);
  file.columns.resize(columns_per_table);
  for (std::size_t c = 0; c < columns_per_table; ++c) {
    file.text += (c == 0 ? "" : ",") + ("c" + std::to_string(c));
    const std::size_t tenths_of_texts = random.below(4);  // 0: a column of numbers
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t kind = random.below(10);
      const Texts& pool = kind < tenths_of_texts ? texts : kind == 9 ? missing : numbers;
      file.columns[c].push_back(random_cell(pool, random));
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns_per_table; ++c) {
      file.text += (c == 0 ? "\n" : ",") + file.columns[c][row].written;
    }
  }
  file.text += "\n";
  return file;
}

TEST(Cells, TrainingAndPredictionReadThemAlike) {
  Random random(22);
  int mixed = 0, failed = 0;
  for (int round = 0; round < rounds; ++round) {
    const RandomFile file = random_file(random);
    CsvOptions options;
    options.delimiter = ',';
    const bool with_codes = random.below(2) == 0;
    if (with_codes) options.missing = codes;
    std::vector<Expected> columns;
    bool infinite = false;
    for (const std::vector<Cell>& cells : file.columns) {
      columns.push_back(expected(cells, with_codes));
      infinite = infinite || (columns.back().numeric && columns.back().infinite);
      mixed += columns.back().numeric ? 0 : 1;
    }
    if (infinite) {
      ++failed;
      expect_failure(failure(file.text, options), ErrorKind::data, {"infinite"});
      continue;
    }
    const Table trained = read_in_chunks(file.text, options, 1 + random.below(64));
    ASSERT_EQ(trained.rows, file.columns[0].size()) << file.text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      expect_column(trained.columns[c], columns[c], file.text);
    }
    // As predict reads the file: types and codes are those of the model.
    const RuleBase base = model_of(trained, with_codes);
    for (const Column& column : trained.columns) {
      (column.type == ColumnType::numeric ? options.numeric : options.categorical)
          .push_back(column.name);
    }
    std::size_t at = 0, first = 0;
    const auto source = [&](char* into, std::size_t count) {
      const std::size_t got = file.text.copy(into, count, at);
      at += got;
      return got;
    };
    read_csv_parts(source, options, 1 + random.below(5), [&](const Table& part) {
      expect_same_values(ColumnMap(base, part, true), base, trained, first, file.text);
      first += part.rows;
    });
    ASSERT_EQ(first, trained.rows) << file.text;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(mixed, rounds);  // mixed columns are compared, too
  EXPECT_LT(failed, rounds / 4);
}

}  // namespace
}  // namespace frr::internal
