#include "csv/csv_input.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr std::size_t sample_bytes = std::size_t{1} << 18;
constexpr int sample_rows = 32;
// Enough for a byte order mark and a "sep=;" line.
constexpr std::size_t mark_bytes = 16;

constexpr std::string_view delimiters = ",;\t|";
// Names may contain a bar, so it is a delimiter only if the user says so.
constexpr std::string_view likely_delimiters = ",;\t";

bool is_delimiter(char c) { return delimiters.find(c) != std::string_view::npos; }

const char* const save_as_utf8 = "Save it again as CSV in UTF-8.";

// How well a delimiter fits: the fraction of rows with as many fields as the first one, then the
// number of fields. {0, 1} if it does not split the first row.
std::pair<double, std::size_t> fit(std::string_view sample, bool whole, char delimiter) {
  const RowSplitter splitter(delimiter);
  CsvRow row;
  std::size_t width = 0;
  int rows = 0, alike = 0;
  while (!sample.empty() && rows < sample_rows) {
    splitter.split(sample, whole, row);
    if (row.status == RowStatus::incomplete && rows > 0) break;
    const bool readable = row.status == RowStatus::complete || row.status == RowStatus::incomplete;
    const bool blank_line = row.fields.size() == 1 && row.fields[0].begin == row.fields[0].end;
    if (readable && !blank_line) {
      if (rows == 0) width = row.fields.size();
      alike += row.fields.size() == width ? 1 : 0;
    }
    rows += blank_line ? 0 : 1;
    if (row.status != RowStatus::complete) break;
    sample.remove_prefix(row.length);
  }
  if (width < 2) return {0.0, 1};
  return {static_cast<double>(alike) / rows, width};
}

}  // namespace

CsvInput::CsvInput(ByteSource source, const CsvOptions& options, std::size_t chunk)
    : source_(std::move(source)), options_(options), chunk_(std::max<std::size_t>(chunk, 1)) {
  if (options.delimiter != '\0' && !is_delimiter(options.delimiter)) {
    fail_usage("the delimiter must be a comma, a semicolon, a tab or a bar (|)");
  }
  fill_to(mark_bytes);
  skip_mark();
  const char stated = separator_line();
  delimiter_ = options.delimiter != '\0' ? options.delimiter : stated;
  if (delimiter_ == '\0') {
    fill_to(sample_bytes);
    delimiter_ = find_delimiter();
  }
  splitter_ = RowSplitter(delimiter_);
}

bool CsvInput::next(Skip skip) {
  while (true) {
    if (index_.next()) {
      step(index_.length(), 1);
      plain_ = true;
    } else {
      if (position_ == filled_) {
        if (ended_) return false;
        refill();
        continue;
      }
      if (index_.scan(rest(), delimiter_) || !split()) continue;
      plain_ = false;
    }
    if (skipped_by(skip)) {
      ++pending_;
      continue;
    }
    skipped_ += pending_;
    pending_ = 0;
    if (!plain_) undouble_quotes();
    return true;
  }
}

// Splits the next row into row_. False if more bytes were needed, which have then been read.
bool CsvInput::split() {
  splitter_.split(rest(), ended_, row_);
  if (row_.status == RowStatus::incomplete) {
    if (filled_ - position_ > longest_row) fail(RowStatus::incomplete);
    refill();
    return false;
  }
  if (row_.status != RowStatus::complete) fail(row_.status);
  step(row_.length, row_.line_ends);
  return true;
}

void CsvInput::step(std::size_t length, std::uint32_t line_ends) {
  line_ = next_line_;
  start_ = position_;
  position_ += length;
  if (line_ends > std::numeric_limits<std::uint32_t>::max() - next_line_) {
    fail_data(options_.source + ": more than 4294967295 lines. Split the file.");
  }
  next_line_ += line_ends;
}

// Reading at least as much as is carried over keeps the time linear for rows longer than a chunk.
void CsvInput::refill() {
  const std::size_t carried = filled_ - position_;
  if (carried > 0) std::memmove(buffer_.data(), buffer_.data() + position_, carried);
  position_ = 0;
  filled_ = carried;
  const std::size_t count = std::max(chunk_, carried);
  if (buffer_.size() < carried + count + slack) buffer_.resize(carried + count + slack);
  const std::size_t got = source_(buffer_.data() + carried, count);
  ended_ = got == 0;
  filled_ += got;
  bytes_ += got;
  if (options_.progress && bytes_ - reported_ >= megabyte) {
    reported_ = bytes_;
    if (!options_.progress(bytes_)) {
      throw Error(ErrorKind::interrupted, options_.source + ": reading was stopped");
    }
  }
}

void CsvInput::fill_to(std::size_t count) {
  while (!ended_ && filled_ - position_ < count) refill();
}

void CsvInput::skip_mark() {
  const std::string_view text = rest();
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    fail_data(options_.source + ": the file is UTF-16, not UTF-8. " + save_as_utf8);
  }
  if (text.starts_with("PK\x03\x04") || text.starts_with("\xd0\xcf\x11\xe0")) {
    fail_data(options_.source + ": this is a spreadsheet or an archive, not CSV. Open it in the " +
              "spreadsheet program and save it as CSV in UTF-8.");
  }
  const bool parquet = text.starts_with("PAR1");
  if (parquet || text.starts_with("ARROW1")) {
    fail_data(options_.source + (parquet ? " is a Parquet file" : " is an Arrow file") +
              "; frr.files in the Python package reads it: pip install 'frr[parquet]'.");
  }
  if (text.starts_with("\xef\xbb\xbf")) position_ += 3;
}

char CsvInput::separator_line() {
  const std::string_view text = rest();
  if (text.size() < 5 || !text.starts_with("sep=") || !is_delimiter(text[4])) return '\0';
  std::size_t length = 5;
  if (length < text.size() && text[length] == '\r') ++length;
  if (length < text.size() && text[length] == '\n') ++length;
  if (length == 5 && text.size() > 5) return '\0';
  position_ += length;
  ++next_line_;
  return text[4];
}

char CsvInput::find_delimiter() const {
  char best = ',';
  std::pair<double, std::size_t> best_fit{0.0, 1};
  for (const char candidate : likely_delimiters) {
    const auto candidate_fit = fit(rest(), ended_, candidate);
    if (candidate_fit > best_fit) {
      best = candidate;
      best_fit = candidate_fit;
    }
  }
  return best;
}

bool CsvInput::skipped_by(Skip skip) const {
  if (skip == Skip::nothing || (skip == Skip::empty_lines && fields() > 1)) return false;
  if (plain_) {
    std::size_t field = 0;
    while (field < index_.fields() && index_.text(field).empty()) ++field;
    return field == index_.fields();
  }
  return std::all_of(row_.fields.begin(), row_.fields.end(), [](const CsvField& field) {
    return field.begin == field.end && !field.quoted;
  });
}

void CsvInput::undouble_quotes() {
  for (CsvField& field : row_.fields) {
    if (!field.doubled) continue;
    char* const text = buffer_.data() + start_;
    std::uint32_t to = field.begin;
    for (std::uint32_t from = field.begin; from < field.end; ++from) {
      text[to++] = text[from];
      if (text[from] == '"') ++from;
    }
    field.end = to;
  }
}

void CsvInput::fail(RowStatus status) const {
  const std::string place =
      options_.source + ", line " + std::to_string(std::uint64_t{next_line_} + row_.fault_line);
  switch (status) {
    case RowStatus::open_quote:
      fail_data(place + ": the quote (\") that opens here is never closed. Close it, or double " +
                "it (\"\") if it is part of the text.");
    case RowStatus::text_after_quote:
      fail_data(place + ": text follows a closing quote (\"). Write a quote within quoted text " +
                "twice (\"\"), and put a delimiter after the closing one.");
    case RowStatus::nul:
      fail_data(place + ": a NUL byte; the file is UTF-16 or not text at all. " + save_as_utf8);
    default:
      fail_data(options_.source + ", line " + std::to_string(next_line_) +
                ": a row longer than 64 MiB starts here. Is a quote (\") left open in it?");
  }
}

}  // namespace frr::internal
