#include <algorithm>
#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <utility>

#include "csv/csv_reader.hpp"
#include "frr/error.hpp"
#include "frr/table.hpp"
#include "io/input_file.hpp"

namespace frr {
using namespace internal;
namespace {

// Bytes that can be read from the beginning more than once.
struct RepeatableSource {
  std::function<ByteSource()> open;
  std::function<void()> read_once;  // called when open() will not be called again
};

// Keeps the bytes of a source that can be read only once.
RepeatableSource keep_bytes(ByteSource source) {
  struct Kept {
    ByteSource source;
    std::string text;
    bool keep = true, complete = false;
  };
  const auto kept = std::make_shared<Kept>(Kept{std::move(source), {}});
  const auto first = [kept](char* into, std::size_t count) {
    const std::size_t got = kept->source(into, count);
    if (kept->keep) kept->text.append(into, got);
    kept->complete = got == 0;
    return got;
  };
  const auto again = [kept] {
    return [kept, at = std::size_t{0}](char* into, std::size_t count) mutable {
      const std::size_t got = kept->text.copy(into, count, at);
      at += got;
      return got;
    };
  };
  return {.open = [kept, first, again]() -> ByteSource {
            if (kept->complete) return again();
            return first;
          },
          .read_once = [kept] { kept->keep = false; }};
}

RepeatableSource file_source(const std::string& path, CsvOptions& options) {
  if (options.source == CsvOptions().source) {
    options.source = path == "-" ? "<standard input>" : path;
  }
  const auto open = [path]() -> ByteSource {
    const auto file = std::make_shared<const InputFile>(path);
    return [file](char* into, std::size_t count) { return file->read(into, count); };
  };
  std::error_code unknown;
  if (path == "-" || !std::filesystem::is_regular_file(path, unknown)) return keep_bytes(open());
  return {.open = open, .read_once = [] {}};
}

// Reads again as long as a column turns out to mix numbers and texts after some of its numbers were
// read as numbers: such tables are read twice, others once. `rows` and `body` as for
// read_csv_parts; without a body the table is read as a whole.
Table read_again_if_mixed(const RepeatableSource& source, const CsvOptions& options,
                          std::size_t chunk, std::size_t rows, const TablePart& body) {
  std::vector<std::string> mixed;
  while (true) {
    CsvReader reader(source.open(), options, chunk, mixed);
    reader.start();
    const bool types_known = reader.types_known();
    if (types_known) source.read_once();
    if (types_known && body) return reader.read_parts(rows, body);
    Table table = reader.read();
    const std::vector<std::string> more = reader.newly_mixed();
    if (more.empty()) {
      if (body) body(table);
      return table;
    }
    mixed.insert(mixed.end(), more.begin(), more.end());
  }
}

}  // namespace

Table internal::read_csv(ByteSource source, const CsvOptions& options, std::size_t chunk) {
  return read_again_if_mixed(keep_bytes(std::move(source)), options, chunk, 0, {});
}

Table read_csv(std::istream& input, const CsvOptions& options) {
  const auto source = [&](char* into, std::size_t count) {
    input.read(into, static_cast<std::streamsize>(count));
    if (input.bad()) fail_data(options.source + ": reading failed");
    return static_cast<std::size_t>(input.gcount());
  };
  return internal::read_csv(source, options, CsvInput::default_chunk);
}

Table internal::read_csv_parts(ByteSource source, const CsvOptions& options, std::size_t rows,
                               const TablePart& body, std::size_t chunk) {
  return read_again_if_mixed(keep_bytes(std::move(source)), options, chunk, rows, body);
}

Table read_csv_file(const std::string& path, CsvOptions options) {
  const RepeatableSource source = file_source(path, options);
  return read_again_if_mixed(source, options, CsvInput::default_chunk, 0, {});
}

Table internal::read_csv_file_parts(const std::string& path, CsvOptions options, std::size_t rows,
                                    const TablePart& body) {
  const RepeatableSource source = file_source(path, options);
  return read_again_if_mixed(source, options, CsvInput::default_chunk, rows, body);
}

}  // namespace frr

namespace frr::internal {

struct CsvPieces::State {
  State(ByteSource source, CsvOptions csv_options, std::size_t rows_of_piece, std::size_t chunk,
        std::vector<std::string> mixed)
      : options(std::move(csv_options)),
        rows(rows_of_piece),
        reader(std::move(source), options, chunk, std::move(mixed)) {
    reader.start();
  }
  CsvOptions options;
  std::size_t rows;
  CsvReader reader;
};

CsvPieces::CsvPieces(const std::string& path, CsvOptions options, std::size_t rows,
                     std::vector<std::string> mixed) {
  const RepeatableSource source = file_source(path, options);
  source.read_once();
  state_ = std::make_unique<State>(source.open(), std::move(options), rows, CsvInput::default_chunk,
                                   std::move(mixed));
}

CsvPieces::CsvPieces(ByteSource source, CsvOptions options, std::size_t rows, std::size_t chunk,
                     std::vector<std::string> mixed)
    : state_(std::make_unique<State>(std::move(source), std::move(options), rows, chunk,
                                     std::move(mixed))) {}

CsvPieces::~CsvPieces() = default;

std::vector<std::string> CsvPieces::names() const { return state_->reader.column_names(); }
std::string CsvPieces::target() const { return state_->reader.target(); }
bool CsvPieces::next(Table& piece) { return state_->reader.next_piece(state_->rows, piece); }
std::vector<std::string> CsvPieces::warnings() const { return state_->reader.warnings(); }
std::vector<std::string> CsvPieces::mixed() const { return state_->reader.newly_mixed(); }

}  // namespace frr::internal
