#include "csv/csv_column.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/utf8.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

// An automatic column with at least this fraction of numbers was probably meant to be numeric.
constexpr double suspicious_fraction = 0.9;

// A text in quotes for a message; a long one is shortened at a whole UTF-8 character.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
}

// The text as the column stores it.
std::string readable(std::string_view text) {
  return is_utf8(text) ? std::string(text) : windows_1252_to_utf8(text);
}

}  // namespace

// ---- Dictionary ---------------------------------------------------------------------------------

std::size_t Dictionary::slot(std::string_view text) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = std::hash<std::string_view>{}(text)&mask;
  while (slots_[at] != absent && texts_[static_cast<std::size_t>(slots_[at])] != text) {
    at = (at + 1) & mask;
  }
  return at;
}

std::int32_t Dictionary::find(std::string_view text) const {
  return slots_.empty() ? absent : slots_[slot(text)];
}

std::int32_t Dictionary::find_or_add(std::string_view text) {
  if (2 * (texts_.size() + 1) > slots_.size()) grow();
  const std::size_t at = slot(text);
  if (slots_[at] == absent) {
    slots_[at] = static_cast<std::int32_t>(texts_.size());
    texts_.emplace_back(text);
  }
  return slots_[at];
}

void Dictionary::grow() {
  slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), absent);
  for (std::size_t code = 0; code < texts_.size(); ++code) {
    slots_[slot(texts_[code])] = static_cast<std::int32_t>(code);
  }
}

std::vector<std::string> Dictionary::take() {
  slots_.clear();
  return std::exchange(texts_, {});
}

// ---- Cells --------------------------------------------------------------------------------------

ColumnBuilder::ColumnBuilder(std::string name, Kind kind, const CellRules& rules)
    : name_(std::move(name)),
      kind_(kind),
      rules_(&rules),
      categorical_(kind == Kind::categorical || kind == Kind::mixed),
      fast_(!categorical_ && rules.missing.empty() && !rules.decimal_comma) {}

ColumnBuilder ColumnBuilder::emptied() const {
  ColumnBuilder next(name_, kind_, *rules_);
  next.facts_ = facts_;
  return next;
}

void ColumnBuilder::add_any(std::string_view text, std::uint32_t line) {
  const std::string_view core = trimmed(text);
  if (means_missing(core) || rules_->missing.contains(core)) return add_missing();
  if (!categorical_) {
    if (add_number(core, line)) return;
    become_categorical(text, line);
  }
  if (kind_ != Kind::categorical) {
    if (number_in(core).kind == NumberKind::none) {
      note_text(text, line);
    } else {
      ++facts_.numbers;
      ++facts_.exact;
    }
  }
  add_text(text);
}

// The first fraction of a column decides between decimal comma and point: "1.234" after "3,14" may
// mean 1234.
ParsedNumber ColumnBuilder::number_in(std::string_view text) {
  ParsedNumber number = parse_number(text);
  if (!rules_->decimal_comma) return number;
  Point used = text.find('.') == std::string_view::npos ? Point::unknown : Point::point;
  if (number.kind == NumberKind::none) {
    number = parse_comma_number(text);
    used = Point::comma;
  }
  if (number.kind == NumberKind::none || used == Point::unknown) return number;
  if (facts_.point != Point::unknown && used != facts_.point) return {};
  facts_.point = used;
  return number;
}

// False if the text is not a number.
bool ColumnBuilder::add_number(std::string_view text, std::uint32_t line) {
  const ParsedNumber number = number_in(text);
  if (number.kind == NumberKind::none) return false;
  ++facts_.numbers;
  if (rules_->missing.contains(number.value)) {
    add_missing();
    return true;
  }
  if (number.kind == NumberKind::infinite && facts_.infinite.empty()) {
    facts_.infinite = message(
        line, shown(text) + " is infinite. FRR needs finite numbers: correct it, declare it a " +
                  "missing value (--missing " + std::string(text) + ") or leave the column out.");
    if (kind_ == Kind::numeric) check_finite();
  }
  values_.push_back(number.kind == NumberKind::finite ? number.value
                                                      : std::numeric_limits<double>::quiet_NaN());
  return true;
}

// An infinite number is an error only in a numeric column; in a column with texts it is a category.
// Which of the two applies may depend on a later cell.
void ColumnBuilder::check_finite() const {
  if (facts_.texts == 0 && !facts_.infinite.empty()) fail_data(facts_.infinite);
}

void ColumnBuilder::add_text(std::string_view text) {
  std::int32_t code = dictionary_.find(text);
  if (code == Dictionary::absent) {
    if (is_utf8(text)) {
      code = dictionary_.find_or_add(text);
    } else {
      facts_.foreign_text = true;
      code = dictionary_.find_or_add(windows_1252_to_utf8(text));
    }
  }
  codes_.push_back(code);
}

void ColumnBuilder::add_missing() {
  if (categorical_) {
    codes_.push_back(Column::missing_code);
  } else {
    values_.push_back(std::numeric_limits<double>::quiet_NaN());
  }
}

void ColumnBuilder::note_text(std::string_view text, std::uint32_t line) {
  if (facts_.texts++ > 0) return;
  facts_.first_text = shown(readable(text));
  facts_.first_text_line = line;
}

// Only the values of the numbers so far are known, not their texts: their categories are
// provisional until the column is read again (lost_spelling).
void ColumnBuilder::become_categorical(std::string_view text, std::uint32_t line) {
  if (kind_ == Kind::numeric) {
    const bool mixed_marks = rules_->decimal_comma && facts_.point != Point::unknown &&
                             (parse_number(text).kind != NumberKind::none ||
                              parse_comma_number(text).kind != NumberKind::none);
    const std::string found = shown(readable(text));
    fail_data(message(
        line, mixed_marks ? found + " has another decimal mark than the numbers above it. Use " +
                                "the point or the comma throughout the column."
                          : found + " is not a number, but the column must be numeric. Correct " +
                                "it, or declare it a missing value (--missing)."));
  }
  categorical_ = true;
  fast_ = false;
  values_.for_each([this](double value) {
    codes_.push_back(std::isnan(value) ? Column::missing_code
                                       : dictionary_.find_or_add(number_name(value)));
  });
  values_ = ChunkedVector<double>();
}

std::string ColumnBuilder::warning() const {
  if (kind_ == Kind::categorical || facts_.texts == 0) return "";
  const std::size_t numbers = facts_.numbers, texts = facts_.texts;
  if (static_cast<double>(numbers) < suspicious_fraction * static_cast<double>(numbers + texts)) {
    return "";
  }
  return "column '" + name_ + "' is read as categorical because " + std::to_string(texts) +
         (texts == 1 ? " cell is not a number" : " cells are not numbers") +
         " (the first: " + facts_.first_text + " on line " +
         std::to_string(facts_.first_text_line) + "), but the other " + std::to_string(numbers) +
         " are. If that text means a missing value, add --missing TEXT; to make it an error, add " +
         "--numeric '" + name_ + "'.";
}

void ColumnBuilder::move_to(Column& column) {
  column.name = name_;
  column.type = categorical_ ? ColumnType::categorical : ColumnType::numeric;
  values_.move_to(column.values);
  codes_.move_to(column.codes);
  const auto known = static_cast<std::ptrdiff_t>(column.categories.size());
  const std::vector<std::string>& texts = dictionary_.texts();
  column.categories.insert(column.categories.end(), texts.begin() + known, texts.end());
}

Column ColumnBuilder::finish() {
  Column column;
  column.name = name_;
  column.type = categorical_ ? ColumnType::categorical : ColumnType::numeric;
  column.values = values_.take();
  column.codes = codes_.take();
  column.categories = dictionary_.take();
  return column;
}

std::string ColumnBuilder::message(std::uint32_t line, const std::string& what) const {
  return rules_->source + ", line " + std::to_string(line) + ", column '" + name_ + "': " + what;
}

}  // namespace frr::internal
