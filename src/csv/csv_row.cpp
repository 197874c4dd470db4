#include "csv/csv_row.hpp"

#include <bit>
#include <cstring>

namespace frr::internal {

struct RowSplitter::Cursor {
  std::string_view text;
  bool last;
  std::size_t at = 0;

  [[nodiscard]] bool done() const { return at == text.size(); }
  [[nodiscard]] char now() const { return text[at]; }
};

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Finds the first byte from `now` on that is `delimiter` or below ' ' (as line ends and NUL are).
// Tests eight bytes at a time, because field lengths are too irregular to predict a loop over
// single bytes. May stop earlier within the last eight bytes.
const char* skip_plain(const char* now, const char* end, char delimiter) {
  if constexpr (std::endian::native != std::endian::little) return now;
  constexpr std::uint64_t ones = 0x0101010101010101, top_bits = 0x8080808080808080;
  const std::uint64_t delimiters = ones * static_cast<unsigned char>(delimiter);
  while (end - now >= 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, now, 8);
    // (b - n) & ~b has the top bit of each byte b < n; exact up to the first such byte.
    const std::uint64_t low = (bytes - ones * ' ') & ~bytes;
    const std::uint64_t other = bytes ^ delimiters;
    const std::uint64_t equal = (other - ones) & ~other;
    const std::uint64_t found = (low | equal) & top_bits;
    if (found != 0) return now + std::countr_zero(found) / 8;
    now += 8;
  }
  return now;
}

void stop(CsvRow& row, RowStatus status) {
  row.status = status;
  row.fault_line = row.line_ends;
}

}  // namespace

RowSplitter::RowSplitter(char delimiter) : delimiter_(delimiter) {
  for (const char c : {delimiter, '\n', '\r', '\0'}) {
    special_[static_cast<unsigned char>(c)] = true;
  }
}

void RowSplitter::split(std::string_view text, bool last, CsvRow& row) const {
  row.status = RowStatus::complete;
  row.fields.clear();
  row.line_ends = 0;
  Cursor at{text, last};
  while (true) {
    const std::size_t begin = at.at;
    while (!at.done() && is_blank(at.now()) && at.now() != delimiter_) ++at.at;
    if (!at.done() && at.now() == '"') {
      if (!quoted_field(at, row)) return;
    } else {
      at.at = begin;
      plain_field(at, row);
    }
    if (at.done()) {
      row.length = text.size();
      if (!last) row.status = RowStatus::incomplete;
      return;
    }
    if (at.now() != delimiter_) break;
    ++at.at;
  }
  if (at.now() == '\0') return stop(row, RowStatus::nul);
  if (!end_row(at, row)) return stop(row, RowStatus::incomplete);
  row.length = at.at;
}

// Leaves the cursor on the byte after the field, or at the end of the text.
void RowSplitter::plain_field(Cursor& at, CsvRow& row) const {
  const char* const data = at.text.data();
  const char* const end = data + at.text.size();
  const char* first = data + at.at;
  const char* now = first;
  now = skip_plain(now, end, delimiter_);
  while (now != end && !special_[static_cast<unsigned char>(*now)]) ++now;
  at.at = static_cast<std::size_t>(now - data);
  while (first != now && is_blank(*first)) ++first;
  while (first != now && is_blank(now[-1])) --now;
  row.fields.push_back({.begin = static_cast<std::uint32_t>(first - data),
                        .end = static_cast<std::uint32_t>(now - data)});
}

// The cursor is on the opening quote. False if the rest of the row cannot be read.
bool RowSplitter::quoted_field(Cursor& at, CsvRow& row) const {
  const std::uint32_t opened = row.line_ends;
  CsvField field{.begin = static_cast<std::uint32_t>(++at.at), .quoted = true};
  while (true) {
    while (!at.done() && at.now() != '"' && at.now() != '\n' && at.now() != '\r' &&
           at.now() != '\0') {
      ++at.at;
    }
    if (at.done()) {
      stop(row, at.last ? RowStatus::open_quote : RowStatus::incomplete);
      row.fault_line = opened;
      return false;
    }
    if (at.now() == '\0') return stop(row, RowStatus::nul), false;
    if (at.now() != '"') {
      if (end_row(at, row)) continue;
      stop(row, RowStatus::incomplete);
      row.fault_line = opened;
      return false;
    }
    field.end = static_cast<std::uint32_t>(at.at++);
    if (at.done() || at.now() != '"') break;
    field.doubled = true;
    ++at.at;
  }
  row.fields.push_back(field);
  while (!at.done() && is_blank(at.now()) && at.now() != delimiter_) ++at.at;
  if (at.done() || special_[static_cast<unsigned char>(at.now())]) return true;
  stop(row, RowStatus::text_after_quote);
  return false;
}

// Steps over LF, CR or CRLF and counts it. False if the text ends with CR: LF may follow.
bool RowSplitter::end_row(Cursor& at, CsvRow& row) const {
  const bool carriage_return = at.now() == '\r';
  ++at.at;
  if (carriage_return) {
    if (at.done() && !at.last) return false;
    if (!at.done() && at.now() == '\n') ++at.at;
  }
  ++row.line_ends;
  return true;
}

}  // namespace frr::internal
