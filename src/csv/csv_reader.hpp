// The CSV reader behind read_csv: reads any source of bytes, at once, in parts or in pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/chunked_vector.hpp"
#include "csv/csv_column.hpp"
#include "csv/csv_input.hpp"
#include "frr/table.hpp"

namespace frr::internal {

// read_csv from any source of bytes, requested `chunk` bytes at a time. The source is read once;
// its bytes are kept until the types of all columns are known.
Table read_csv(ByteSource source, const CsvOptions& options,
               std::size_t chunk = CsvInput::default_chunk);

// Reads the same table in parts of at most `rows` rows, in bounded memory. Calls `body` for each
// part in order, always with the same Table object: its rows are replaced, its categories only
// grow. If the options leave the type of a column open, it is known only at the end, and there is a
// single part. Returns the table without the values: `rows` counts all rows, and all categories and
// warnings are there.
using TablePart = std::function<void(const Table& part)>;
Table read_csv_parts(ByteSource source, const CsvOptions& options, std::size_t rows,
                     const TablePart& body, std::size_t chunk = CsvInput::default_chunk);
Table read_csv_file_parts(const std::string& path, CsvOptions options, std::size_t rows,
                          const TablePart& body);  // "-" is standard input

// Reads the same table in pieces: independent tables, each with separate categories. If the options
// leave the type of a column open, each piece decides for itself. Only one piece is in memory at a
// time.
class CsvPieces {
 public:
  // Reads the names of the columns. `rows`: maximum rows of a piece. `mixed`: columns that an
  // earlier reading returned from mixed().
  CsvPieces(const std::string& path, CsvOptions options, std::size_t rows,
            std::vector<std::string> mixed = {});
  CsvPieces(ByteSource source, CsvOptions options, std::size_t rows,
            std::size_t chunk = CsvInput::default_chunk, std::vector<std::string> mixed = {});
  ~CsvPieces();
  CsvPieces(const CsvPieces&) = delete;
  CsvPieces& operator=(const CsvPieces&) = delete;

  // The names of the columns that are read, in order, and of the target ("" if the options have
  // none).
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string target() const;
  // False at the end. Throws Error{data} for a text without rows, too.
  bool next(Table& piece);
  // The warnings of read_csv; complete after the last piece.
  [[nodiscard]] std::vector<std::string> warnings() const;
  // Columns that mix numbers and other text, if some of their numbers were read as numbers;
  // complete after the last piece. Read again with these names to get their categories.
  [[nodiscard]] std::vector<std::string> mixed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One reading of a source, from the names of the columns to the last row.
class CsvReader {
 public:
  // `mixed`: columns to read as ColumnBuilder::Kind::mixed. `options` must outlive it.
  CsvReader(ByteSource source, const CsvOptions& options, std::size_t chunk,
            std::vector<std::string> mixed);

  // Reads the names and chooses the columns; call it first.
  void start();
  // Whether the types of all columns are known after start().
  [[nodiscard]] bool types_known() const;
  // Reads all rows: at once, in parts (see read_csv_parts), or piece by piece (see CsvPieces).
  Table read();
  Table read_parts(std::size_t rows, const TablePart& body);
  bool next_piece(std::size_t rows, Table& piece);

  [[nodiscard]] std::vector<std::string> column_names() const;
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] std::vector<std::string> warnings() const;
  // Columns that must be read again as mixed.
  [[nodiscard]] std::vector<std::string> newly_mixed() const;

 private:
  using Kind = ColumnBuilder::Kind;
  static constexpr int nameless = -1;

  void read_names();
  void check_names();
  void choose_columns();
  [[nodiscard]] std::vector<char> mark(const std::vector<std::string>& names,
                                       std::string_view option) const;
  [[nodiscard]] std::size_t position(const std::string& name, std::string_view option) const;
  [[nodiscard]] std::size_t find_target(const std::vector<char>& kept,
                                        const std::vector<char>& ignored) const;
  void add_columns(const std::vector<char>& kept, const std::vector<char>& numeric,
                   const std::vector<char>& categorical);
  bool next_row();
  void add_row();
  void check_width() const;
  [[noreturn]] void fail_nameless(std::size_t field) const;
  void pass_on(Table& part, const TablePart& body);
  void check_end() const;
  Table finish();
  void collect_warnings(Table& table) const;

  const CsvOptions& options_;
  std::vector<std::string> mixed_;
  CsvInput input_;
  CellRules rules_;
  std::vector<std::string> names_;  // of all columns in the file, "" for a nameless one
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::size_t width_ = 0;  // columns up to the last one with a name
  struct ReadField {
    std::size_t field;
    int builder;  // index, or `nameless`
  };
  std::vector<ReadField> read_fields_;  // in order
  std::vector<ColumnBuilder> builders_;
  std::string target_;
  ChunkedVector<std::uint32_t> lines_;
  std::size_t rows_ = 0;
  std::size_t blank_before_rows_ = 0;  // blank lines around the names
  bool foreign_names_ = false;         // a name is not UTF-8
};

}  // namespace frr::internal
