// Helpers for tests of the CSV reader.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "csv/csv_reader.hpp"
#include "frr/error.hpp"
#include "frr/table.hpp"

namespace frr::internal::csv_helpers {

using Texts = std::vector<std::string>;

inline Table read(const std::string& text, const CsvOptions& options = {}) {
  std::istringstream input(text);
  return read_csv(input, options);
}

inline Table read_in_chunks(const std::string& text, const CsvOptions& options, std::size_t chunk) {
  std::size_t at = 0;
  const auto source = [&](char* into, std::size_t count) {
    const std::size_t got = std::min(count, text.size() - at);
    std::memcpy(into, text.data() + at, got);
    at += got;
    return got;
  };
  return read_csv(source, options, chunk);
}

inline CsvOptions with_target(std::string name) {
  CsvOptions options;
  options.target = std::move(name);
  return options;
}

// The kind and message of the error from reading `text`.
struct Failure {
  std::optional<ErrorKind> kind;
  std::string message;
};

inline Failure failure(const std::string& text, const CsvOptions& options = {}) {
  try {
    read(text, options);
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

inline void expect_failure(const Failure& failure, ErrorKind kind, const Texts& parts) {
  ASSERT_TRUE(failure.kind.has_value()) << "no error";
  EXPECT_EQ(*failure.kind, kind) << failure.message;
  for (const std::string& part : parts) {
    EXPECT_NE(failure.message.find(part), std::string::npos) << part << " in: " << failure.message;
  }
}

// The text of a table's cell; nullopt if it is missing.
inline std::optional<std::string> cell(const Column& column, std::size_t row) {
  if (column.is_missing(row)) return std::nullopt;
  if (column.type == ColumnType::categorical) {
    return column.categories.at(static_cast<std::size_t>(column.codes[row]));
  }
  std::ostringstream out;
  out.precision(17);
  out << column.values[row];
  return out.str();
}

inline Texts cells(const Column& column) {
  Texts all;
  for (std::size_t row = 0; row < column.codes.size() + column.values.size(); ++row) {
    all.push_back(cell(column, row).value_or("<missing>"));
  }
  return all;
}

inline Texts names(const Table& table) {
  Texts all;
  for (const Column& column : table.columns) all.push_back(column.name);
  return all;
}

}  // namespace frr::internal::csv_helpers
