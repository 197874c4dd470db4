// "5000x20x2" for a synthetic table, or the name of a CSV file with its categorical columns.
#pragma once

#include <cstdio>
#include <string>

#include "problem.hpp"

namespace frr::bench {

inline Table table_argument(const std::string& text, const std::string& categorical = "") {
  std::size_t rows = 0, columns = 0, classes = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%zux%zux%zu%n", &rows, &columns, &classes, &used) == 3 &&
      static_cast<std::size_t>(used) == text.size()) {
    return generated_table(rows, columns, classes);
  }
  CsvOptions options;
  options.target = "";
  for (std::size_t from = 0; from < categorical.size();) {
    const std::size_t to = std::min(categorical.find(',', from), categorical.size());
    options.categorical.push_back(categorical.substr(from, to - from));
    from = to + 1;
  }
  return read_csv_file(text, options);
}

}  // namespace frr::bench
