// The CSV reader behind read_csv, with the parts that only it and its tests use.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frr/table.hpp"
#include "io/csv_input.hpp"

namespace frr::internal {

// read_csv from any source of bytes; `chunk` is how many are asked for at a time. The source is
// asked for its bytes once; they are kept until the types of all columns are known.
Table read_csv(ByteSource source, const CsvOptions& options,
               std::size_t chunk = CsvInput::default_chunk);

// Reads the same table in parts of at most `rows` rows, so that memory does not grow with their
// number. `body` gets them in order: always the same Table object with the next rows in it, whose
// columns only ever gain categories. If a column's type is not given by the options, it shows at
// the end alone, and there is one part. Returns the table without what was handed over: `rows`
// counts all of them, and there are all categories and warnings.
using TablePart = std::function<void(const Table& part)>;
Table read_csv_parts(ByteSource source, const CsvOptions& options, std::size_t rows,
                     const TablePart& body, std::size_t chunk = CsvInput::default_chunk);
Table read_csv_file_parts(const std::string& path, CsvOptions options, std::size_t rows,
                          const TablePart& body);  // "-" is standard input

// Reads the same table in pieces, each a table of its own with its own categories: where the
// options leave a column's type open, a piece finds its own. The pieces of all rows are never in
// memory.
class CsvPieces {
 public:
  // Reads the names of the columns. `rows`: of a piece, at most. `mixed`: columns that an earlier
  // reading found to be mixed().
  CsvPieces(const std::string& path, CsvOptions options, std::size_t rows,
            std::vector<std::string> mixed = {});
  CsvPieces(ByteSource source, CsvOptions options, std::size_t rows,
            std::size_t chunk = CsvInput::default_chunk, std::vector<std::string> mixed = {});
  ~CsvPieces();
  CsvPieces(const CsvPieces&) = delete;
  CsvPieces& operator=(const CsvPieces&) = delete;

  // Of the columns that are read, in order, and of the target among them ("" if the options ask for
  // none).
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string target() const;
  // False at the end. Throws Error{data} for a text without rows, too.
  bool next(Table& piece);
  // What read_csv would warn of; once all is read.
  [[nodiscard]] std::vector<std::string> warnings() const;
  // Columns that hold both numbers and other texts, of which some numbers have been read as such;
  // once all is read. Their categories are known only to a reading that is given these names.
  [[nodiscard]] std::vector<std::string> mixed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace frr::internal
