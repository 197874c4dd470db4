#include "csv/csv_reader.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/number.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t max_rows = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t max_warnings = 10;

// Spreadsheets break long names within a cell; in a rule a name must fit on one line.
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

}  // namespace

CsvReader::CsvReader(ByteSource source, const CsvOptions& options, std::size_t chunk,
                     std::vector<std::string> mixed)
    : options_(options), mixed_(std::move(mixed)), input_(std::move(source), options, chunk) {
  rules_.source = options.source;
  rules_.missing = MissingCodes(options.missing);
  rules_.decimal_comma = input_.delimiter() == ';';
}

void CsvReader::start() {
  if (!input_.next(CsvInput::Skip::blank_lines)) {
    fail_data(options_.source + ": the file is empty");
  }
  read_names();
  choose_columns();
}

bool CsvReader::types_known() const {
  return std::all_of(builders_.begin(), builders_.end(),
                     [](const ColumnBuilder& column) { return column.type_known(); });
}

Table CsvReader::read() {
  while (next_row()) {
  }
  return finish();
}

Table CsvReader::read_parts(std::size_t rows, const TablePart& body) {
  Table part;
  while (next_row()) {
    if (lines_.size() == rows) pass_on(part, body);
  }
  if (lines_.size() > 0) pass_on(part, body);
  return finish();
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

std::vector<std::string> CsvReader::warnings() const {
  Table table;
  collect_warnings(table);
  return table.warnings;
}

std::vector<std::string> CsvReader::newly_mixed() const {
  std::vector<std::string> names;
  for (const ColumnBuilder& builder : builders_) {
    if (builder.lost_spelling()) names.push_back(builder.name());
  }
  return names;
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
              ": the first line contains no column names");
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
              "'. The first line must give each column a different name.");
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
    fail_data(options_.source + ": the required column '" + name + "' is missing" +
              did_you_mean(name, known));
  }
  fail_usage(std::string(option) + ": there is no column '" + name + "' in " + options_.source +
             did_you_mean(name, known));
}

std::vector<char> CsvReader::mark(const std::vector<std::string>& names,
                                  std::string_view option) const {
  std::vector<char> marked(names_.size(), 0);
  for (const std::string& name : names) marked[position(name, option)] = 1;
  return marked;
}

// The index of the target among the columns of the file; their number if there is none.
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
  const std::vector<char> numeric = mark(options_.numeric, "--numeric");
  std::vector<char> categorical = mark(options_.categorical, "--categorical");
  const std::vector<char> ignored = mark(options_.ignore, "--ignore");
  std::vector<char> kept(names_.size(), 0);
  std::unordered_set<std::string_view> only;
  if (options_.only) only.insert(options_.only->begin(), options_.only->end());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool requested = !options_.only || only.contains(names_[i]);
    kept[i] = !names_[i].empty() && requested && !ignored[i] ? 1 : 0;
    const auto& names = options_.categorical_if_present;
    if (std::find(names.begin(), names.end(), names_[i]) != names.end()) categorical[i] = 1;
  }
  const std::size_t target = find_target(kept, ignored);
  if (target < names_.size()) {
    if (numeric[target]) {
      fail_usage("column '" + names_[target] +
                 "' is the target and contains class names, so --numeric cannot name it");
    }
    categorical[target] = 1;
    target_ = names_[target];
  }
  add_columns(kept, numeric, categorical);
  if (builders_.empty() && !options_.only) {
    fail_usage("--ignore leaves no column of " + options_.source);
  }
}

void CsvReader::add_columns(const std::vector<char>& kept, const std::vector<char>& numeric,
                            const std::vector<char>& categorical) {
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
}

// A line of empty cells is a row of missing values. An empty line is a row only if the table has a
// single column.
bool CsvReader::next_row() {
  const bool single = names_.size() == 1;
  if (!input_.next(single ? CsvInput::Skip::nothing : CsvInput::Skip::empty_lines)) return false;
  if (rows_ == 0) blank_before_rows_ = input_.skipped();
  add_row();
  return true;
}

void CsvReader::add_row() {
  check_width();
  if (rows_ == max_rows) fail_data(options_.source + ": more than 2147483647 rows");
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

// Spreadsheets leave empty fields beyond the last name.
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
            (width_ == 1 ? " column" : " columns") + ". Quote texts that contain the delimiter (" +
            (input_.delimiter() == '\t' ? "a tab" : std::string(1, input_.delimiter())) +
            "), and check that every row is complete.");
}

void CsvReader::fail_nameless(std::size_t field) const {
  fail_data(options_.source + ", line " + std::to_string(input_.line()) + ": column " +
            std::to_string(field + 1) + " contains data but has no name in the first line. Name " +
            "it there (--ignore can then leave it out), or delete it. From pandas, write the " +
            "file with index=False.");
}

void CsvReader::collect_warnings(Table& table) const {
  const auto numbers = static_cast<std::size_t>(std::count_if(
      names_.begin(), names_.end(),
      [](const std::string& name) { return parse_number(name).kind != NumberKind::none; }));
  if (2 * numbers > positions_.size()) {
    table.warnings.push_back("the first line of " + options_.source +
                             " is mostly numbers, but it is read as column names. If it is a row " +
                             "of data, add a line of names above it.");
  }
  bool foreign = foreign_names_;
  std::size_t more = 0;
  for (const ColumnBuilder& builder : builders_) {
    foreign = foreign || builder.had_foreign_text();
    std::string warning = builder.warning();
    if (warning.empty()) continue;
    if (table.warnings.size() < max_warnings) {
      table.warnings.push_back(std::move(warning));
    } else {
      ++more;
    }
  }
  if (more > 0) {
    table.warnings.push_back(std::to_string(more) + " more columns have the same problem");
  }
  const std::size_t blank = input_.skipped() - blank_before_rows_;
  if (blank > 0) {
    table.warnings.push_back(options_.source + ": " + std::to_string(blank) +
                             (blank == 1 ? " empty line is" : " empty lines are") +
                             " skipped between the rows; rows are counted without them");
  }
  if (foreign) {
    table.warnings.push_back(options_.source +
                             " contains text that is not UTF-8; it is read as Windows-1252. If " +
                             "letters look wrong, save the file again as CSV in UTF-8.");
  }
}

void CsvReader::pass_on(Table& part, const TablePart& body) {
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

}  // namespace frr::internal
