#include <algorithm>
#include <filesystem>
#include <functional>
#include <istream>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/number.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "frr/error.hpp"
#include "frr/table.hpp"
#include "io/csv_column.hpp"
#include "io/csv_reader.hpp"
#include "io/input_file.hpp"

namespace frr {
using namespace internal;
namespace {

constexpr std::size_t most_rows = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t most_column_warnings = 10;

class CsvReader {
 public:
  // `mixed`: columns to be read as ColumnBuilder::Kind::mixed.
  CsvReader(ByteSource source, const CsvOptions& options, std::size_t chunk,
            std::vector<std::string> mixed)
      : options_(options), mixed_(std::move(mixed)), input_(std::move(source), options, chunk) {
    rules_.source = options.source;
    rules_.missing = MissingCodes(options.missing);
    rules_.decimal_comma = input_.delimiter() == ';';
  }

  void start();
  // Whether the types of all columns are known after start().
  [[nodiscard]] bool settled() const {
    return std::all_of(builders_.begin(), builders_.end(),
                       [](const ColumnBuilder& column) { return column.settled(); });
  }
  // The rest of the rows.
  Table read() {
    while (next_row()) {
    }
    return finish();
  }
  Table read_parts(std::size_t rows, const TablePart& body) {
    Table part;
    while (next_row()) {
      if (lines_.size() == rows) hand_over(part, body);
    }
    if (lines_.size() > 0) hand_over(part, body);
    return finish();
  }
  bool next_piece(std::size_t rows, Table& piece);
  [[nodiscard]] std::vector<std::string> column_names() const;
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] std::vector<std::string> warnings() const {
    Table table;
    collect_warnings(table);
    return table.warnings;
  }
  // Columns that have to be read again, as mixed.
  [[nodiscard]] std::vector<std::string> newly_mixed() const {
    std::vector<std::string> names;
    for (const ColumnBuilder& builder : builders_) {
      if (builder.lost_spelling()) names.push_back(builder.name());
    }
    return names;
  }

 private:
  using Kind = ColumnBuilder::Kind;
  static constexpr int nameless = -1;

  void read_names();
  void check_names();
  void choose_columns();
  void mark(const std::vector<std::string>& names, std::string_view option,
            std::vector<char>& marked);
  std::size_t position(const std::string& name, std::string_view option) const;
  std::size_t find_target(const std::vector<char>& kept, const std::vector<char>& ignored) const;
  bool next_row();
  void add_row();
  void check_width() const;
  [[noreturn]] void fail_nameless(std::size_t field) const;
  void hand_over(Table& part, const TablePart& body);
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
  Blocks<std::uint32_t> lines_;
  std::size_t rows_ = 0;
  std::size_t blank_before_rows_ = 0;  // blank lines around the names
  bool foreign_names_ = false;
};

// Spreadsheets break long names over lines within a cell; a rule has to fit on one.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t gap = std::min(text.find_first_of("\n\r\t"), text.size());
    const std::string_view part = text.substr(0, gap);
    const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
    const std::size_t end = part.find_last_not_of(' ') + 1;
    if (begin < part.size()) {
      if (!out.empty()) out += ' ';
      out += part.substr(begin, end - begin);
    }
    text.remove_prefix(std::min(gap + 1, text.size()));
  }
  return out;
}

void CsvReader::read_names() {
  for (std::size_t i = 0; i < input_.fields(); ++i) {
    std::string name = one_line(input_.text(i));
    if (!is_utf8(name)) {
      foreign_names_ = true;
      name = windows_1252_to_utf8(name);
    }
    names_.push_back(std::move(name));
    if (!names_.back().empty()) width_ = i + 1;
  }
  if (width_ == 0) {
    fail_data(options_.source + ", line " + std::to_string(input_.line()) +
              ": the first line holds no column names");
  }
  check_names();
}

void CsvReader::check_names() {
  for (std::size_t i = 0; i < width_; ++i) {
    if (names_[i].empty()) continue;
    const auto [at, added] = positions_.emplace(names_[i], i);
    if (added) continue;
    fail_data(options_.source + ", line " + std::to_string(input_.line()) + ": columns " +
              std::to_string(at->second + 1) + " and " + std::to_string(i + 1) +
              " have the same name, '" + names_[i] +
              "'. The first line must hold a different name for each column.");
  }
}

std::size_t CsvReader::position(const std::string& name, std::string_view option) const {
  const auto found = positions_.find(name);
  if (found != positions_.end()) return found->second;
  std::vector<std::string> known;
  for (const std::string& other : names_) {
    if (!other.empty()) known.push_back(other);
  }
  if (options_.only) {
    fail_data(options_.source + ": there is no column '" + name + "', which is needed" +
              did_you_mean(name, known));
  }
  fail_usage(std::string(option) + ": there is no column '" + name + "' in " + options_.source +
             did_you_mean(name, known));
}

void CsvReader::mark(const std::vector<std::string>& names, std::string_view option,
                     std::vector<char>& marked) {
  marked.assign(names_.size(), 0);
  for (const std::string& name : names) marked[position(name, option)] = 1;
}

// Index of the target among the columns of the file; their number if there is none.
std::size_t CsvReader::find_target(const std::vector<char>& kept,
                                   const std::vector<char>& ignored) const {
  if (!options_.target) return names_.size();
  if (options_.target->empty()) {
    const auto last = std::find(kept.rbegin(), kept.rend(), 1);
    return last == kept.rend() ? names_.size() : static_cast<std::size_t>(kept.rend() - last) - 1;
  }
  const std::size_t target = position(*options_.target, "--target");
  if (ignored[target]) {
    fail_usage("column '" + *options_.target + "' is the target, so --ignore cannot leave it out");
  }
  return target;
}

void CsvReader::choose_columns() {
  std::vector<char> numeric, categorical, ignored, kept(names_.size(), 0);
  mark(options_.numeric, "--numeric", numeric);
  mark(options_.categorical, "--categorical", categorical);
  mark(options_.ignore, "--ignore", ignored);
  std::unordered_set<std::string_view> only;
  if (options_.only) only.insert(options_.only->begin(), options_.only->end());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool wanted = !options_.only || only.contains(names_[i]);
    kept[i] = !names_[i].empty() && wanted && !ignored[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto& names = options_.if_there;
    if (std::find(names.begin(), names.end(), names_[i]) != names.end()) categorical[i] = 1;
  }
  const std::size_t target = find_target(kept, ignored);
  if (target < names_.size()) {
    if (numeric[target]) {
      fail_usage("column '" + names_[target] +
                 "' is the target: it holds class names, so --numeric cannot name it");
    }
    categorical[target] = 1;
    target_ = names_[target];
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (numeric[i] && categorical[i]) {
      fail_usage("column '" + names_[i] + "' is named by both --numeric and --categorical");
    }
    if (names_[i].empty() && i < width_) read_fields_.push_back({i, nameless});
    if (!kept[i]) continue;
    read_fields_.push_back({i, static_cast<int>(builders_.size())});
    const bool mixed = std::find(mixed_.begin(), mixed_.end(), names_[i]) != mixed_.end();
    const Kind kind = numeric[i]       ? Kind::numeric
                      : categorical[i] ? Kind::categorical
                      : mixed          ? Kind::mixed
                                       : Kind::automatic;
    builders_.emplace_back(names_[i], kind, rules_);
  }
  if (builders_.empty() && !options_.only) {
    fail_usage("--ignore leaves no column of " + options_.source);
  }
}

void CsvReader::start() {
  if (!input_.next(CsvInput::Skip::blank_lines)) {
    fail_data(options_.source + ": the file is empty");
  }
  read_names();
  choose_columns();
}

bool CsvReader::next_piece(std::size_t rows, Table& piece) {
  while (lines_.size() < rows && next_row()) {
  }
  piece = {};
  piece.source = options_.source;
  piece.rows = lines_.size();
  if (piece.rows == 0) {
    check_end();
    return false;
  }
  lines_.move_to(piece.lines);
  for (ColumnBuilder& builder : builders_) {
    ColumnBuilder next = builder.emptied();
    piece.columns.push_back(builder.finish());
    builder = std::move(next);
  }
  return true;
}

std::vector<std::string> CsvReader::column_names() const {
  std::vector<std::string> names;
  for (const auto& [field, builder] : read_fields_) {
    if (builder >= 0) names.push_back(names_[field]);
  }
  return names;
}

// A line of empty cells is a row whose values are all missing. An empty line is such a row only
// where the table has a single column; elsewhere it is not a row at all.
bool CsvReader::next_row() {
  const bool single = names_.size() == 1;
  if (!input_.next(single ? CsvInput::Skip::nothing : CsvInput::Skip::empty_lines)) return false;
  if (rows_ == 0) blank_before_rows_ = input_.skipped();
  add_row();
  return true;
}

void CsvReader::add_row() {
  check_width();
  if (rows_ == most_rows) fail_data(options_.source + ": more than 2147483647 rows");
  const std::uint32_t line = input_.line();
  for (const auto& [field, builder] : read_fields_) {
    if (builder >= 0) {
      builders_[static_cast<std::size_t>(builder)].add(input_.text(field), line);
    } else if (!input_.text(field).empty()) {
      fail_nameless(field);
    }
  }
  lines_.push_back(line);
  ++rows_;
}

// Empty fields at the right, beyond the last name, are what spreadsheets leave behind.
void CsvReader::check_width() const {
  const std::size_t found = input_.fields();
  if (found == width_) return;
  std::size_t filled = found;
  while (filled > width_ && input_.text(filled - 1).empty()) --filled;
  if (found >= width_ && filled == width_) return;
  if (filled > width_ && filled <= names_.size()) fail_nameless(filled - 1);
  fail_data(options_.source + ", line " + std::to_string(input_.line()) + ": " +
            std::to_string(filled) + (filled == 1 ? " field" : " fields") +
            ", but the first line names " + std::to_string(width_) +
            (width_ == 1 ? " column" : " columns") + ". Put a text that holds the delimiter (" +
            (input_.delimiter() == '\t' ? "a tab" : std::string(1, input_.delimiter())) +
            ") in quotes, and check that every row is complete.");
}

void CsvReader::fail_nameless(std::size_t field) const {
  fail_data(options_.source + ", line " + std::to_string(input_.line()) + ": column " +
            std::to_string(field + 1) + " holds data but has no name in the first line. Give it " +
            "a name there (then --ignore can leave it out), or delete it; from pandas, write " +
            "the file with index=False.");
}

void CsvReader::collect_warnings(Table& table) const {
  const auto numbers = static_cast<std::size_t>(std::count_if(
      names_.begin(), names_.end(),
      [](const std::string& name) { return parse_number(name).kind != NumberKind::none; }));
  if (2 * numbers > positions_.size()) {
    table.warnings.push_back("the first line of " + options_.source +
                             " is mostly numbers, yet it is taken as the column names. If it is " +
                             "a row of data, put a line of names above it.");
  }
  bool foreign = foreign_names_;
  std::size_t more = 0;
  for (const ColumnBuilder& builder : builders_) {
    foreign = foreign || builder.had_foreign_text();
    std::string warning = builder.warning();
    if (warning.empty()) continue;
    if (table.warnings.size() < most_column_warnings) {
      table.warnings.push_back(std::move(warning));
    } else {
      ++more;
    }
  }
  if (more > 0) {
    table.warnings.push_back("the same holds for " + std::to_string(more) + " more columns");
  }
  const std::size_t blank = input_.skipped() - blank_before_rows_;
  if (blank > 0) {
    table.warnings.push_back(options_.source + ": " + std::to_string(blank) +
                             (blank == 1 ? " empty line is" : " empty lines are") +
                             " skipped between the rows; rows are counted without them");
  }
  if (foreign) {
    table.warnings.push_back(options_.source +
                             " holds text that is not UTF-8; it is read as Windows-1252. If " +
                             "letters look wrong, save the file again as CSV in UTF-8.");
  }
}

void CsvReader::hand_over(Table& part, const TablePart& body) {
  part.source = options_.source;
  part.rows = lines_.size();
  lines_.move_to(part.lines);
  part.columns.resize(builders_.size());
  for (std::size_t i = 0; i < builders_.size(); ++i) builders_[i].move_to(part.columns[i]);
  body(part);
}

void CsvReader::check_end() const {
  if (rows_ == 0) {
    fail_data(options_.source + ": there are column names but no rows below them");
  }
  for (const ColumnBuilder& builder : builders_) builder.check_finite();
}

Table CsvReader::finish() {
  check_end();
  Table table;
  table.source = options_.source;
  table.rows = rows_;
  collect_warnings(table);
  table.lines = lines_.take();
  table.columns.reserve(builders_.size());
  for (ColumnBuilder& builder : builders_) table.columns.push_back(builder.finish());
  return table;
}

// ---- Reading again ------------------------------------------------------------------------------

// Bytes that can be read from the beginning more than once.
struct RepeatableSource {
  std::function<ByteSource()> open;
  std::function<void()> read_once;  // called when open() will not be called again
};

// Of a source that gives its bytes only once: keeps them.
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

// Reads until no column turns out to mix numbers and texts after its first numbers were read as
// such: once for ordinary tables, twice for a table with such columns. `rows` and `body` as for
// read_csv_parts; without a body the table is read as a whole.
Table read_again_if_mixed(const RepeatableSource& source, const CsvOptions& options,
                          std::size_t chunk, std::size_t rows, const TablePart& body) {
  std::vector<std::string> mixed;
  while (true) {
    CsvReader reader(source.open(), options, chunk, mixed);
    reader.start();
    const bool settled = reader.settled();
    if (settled) source.read_once();
    if (settled && body) return reader.read_parts(rows, body);
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
  State(ByteSource source, CsvOptions given, std::size_t rows_of_piece, std::size_t chunk,
        std::vector<std::string> mixed)
      : options(std::move(given)),
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
