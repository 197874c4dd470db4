#include "csv_row.hpp"

#include <algorithm>

namespace frr {

struct RowSplitter::Cursor {
  std::string_view text;
  bool last;
  std::size_t at = 0;

  [[nodiscard]] bool done() const { return at == text.size(); }
  [[nodiscard]] char now() const { return text[at]; }
};

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

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

// Leaves the cursor on the byte that ends the field, or at the end of the text.
void RowSplitter::plain_field(Cursor& at, CsvRow& row) const {
  const char* const data = at.text.data();
  const char* const end = data + at.text.size();
  const char* first = data + at.at;
  const char* now = first;
  while (now != end && !special_[static_cast<unsigned char>(*now)]) ++now;
  at.at = static_cast<std::size_t>(now - data);
  while (first != now && is_blank(*first)) ++first;
  while (first != now && is_blank(now[-1])) --now;
  row.fields.push_back(
      {static_cast<std::size_t>(first - data), static_cast<std::size_t>(now - data), false, false});
}

// The cursor stands on the opening quote. False if the row cannot be read on.
bool RowSplitter::quoted_field(Cursor& at, CsvRow& row) const {
  const std::uint32_t opened = row.line_ends;
  CsvField field{++at.at, 0, true, false};
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
    field.end = at.at++;
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

// Steps over LF, CR or CRLF and counts it. False if a CR ends the text: an LF may follow.
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

}  // namespace frr
