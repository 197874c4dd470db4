#include "csv_column.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "frr/error.hpp"
#include "utf8.hpp"

namespace frr {
namespace {

// An automatic column with at least this share of numbers was probably meant to be numeric.
constexpr double suspicious_share = 0.9;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool means_missing(std::string_view text) {
  if (text.empty() || text == "?") return true;
  if ((text.front() != 'n' && text.front() != 'N') || text.size() > 4) return false;
  return equals_ignoring_case(text, "na") || equals_ignoring_case(text, "n/a") ||
         equals_ignoring_case(text, "nan") || equals_ignoring_case(text, "null");
}

// Texts in messages: long ones cut short, at a whole UTF-8 character.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
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

bool CellRules::is_missing(std::string_view text) const {
  return std::find(missing.begin(), missing.end(), text) != missing.end();
}

ColumnBuilder::ColumnBuilder(std::string name, Kind kind, const CellRules& rules)
    : name_(std::move(name)),
      kind_(kind),
      rules_(&rules),
      categorical_(kind == Kind::categorical),
      fast_(!categorical_ && rules.missing.empty() && !rules.decimal_comma) {}

void ColumnBuilder::add_any(std::string_view text, std::uint32_t line) {
  const std::string_view core = trimmed(text);
  const bool stated_missing = !rules_->missing.empty() && rules_->is_missing(core);
  if (!stated_missing && kind_ != Kind::categorical && add_number(core, line)) return;
  if (stated_missing || means_missing(core)) {
    if (categorical_) {
      codes_.push_back(Column::missing_code);
    } else {
      values_.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    return;
  }
  if (!categorical_) become_categorical(text, line);
  ++texts_;
  add_text(text);
}

// False if the text is not a number.
bool ColumnBuilder::add_number(std::string_view text, std::uint32_t line) {
  ParsedNumber number = parse_number(text);
  if (rules_->decimal_comma) {
    // A column keeps to the first mark it shows: "1.234" next to "3,14" could be a thousand.
    Point used = text.find('.') == std::string_view::npos ? Point::unknown : Point::point;
    if (number.kind == NumberKind::none) {
      number = parse_comma_number(text);
      used = Point::comma;
    }
    if (number.kind == NumberKind::none) return false;
    if (used != Point::unknown && point_ != Point::unknown && used != point_) return false;
    if (used != Point::unknown) point_ = used;
  }
  if (number.kind == NumberKind::none) return false;
  if (number.kind == NumberKind::infinite) {
    if (categorical_) return false;
    fail(line, shown(text) + " is infinite. FRR needs finite numbers: correct it, name it as a " +
                   "missing value (--missing " + std::string(text) + ") or leave the column out.");
  }
  ++numbers_;
  if (categorical_) {
    add_text(number_name(number.value));
  } else {
    values_.push_back(number.value);
  }
  return true;
}

void ColumnBuilder::add_text(std::string_view text) {
  std::int32_t code = dictionary_.find(text);
  if (code == Dictionary::absent) {
    if (is_utf8(text)) {
      code = dictionary_.find_or_add(text);
    } else {
      foreign_text_ = true;
      code = dictionary_.find_or_add(windows_1252_to_utf8(text));
    }
  }
  codes_.push_back(code);
}

void ColumnBuilder::become_categorical(std::string_view text, std::uint32_t line) {
  const std::string readable = is_utf8(text) ? std::string(text) : windows_1252_to_utf8(text);
  if (kind_ == Kind::numeric) {
    const bool mixed_marks = rules_->decimal_comma && point_ != Point::unknown &&
                             (parse_number(text).kind != NumberKind::none ||
                              parse_comma_number(text).kind != NumberKind::none);
    fail(line, mixed_marks ? shown(readable) + " has another decimal mark than the numbers above " +
                                 "it. Use the point or the comma throughout the column."
                           : shown(readable) + " is not a number, but the column is to be " +
                                 "numeric. Correct it, or name it as a missing value (--missing).");
  }
  categorical_ = true;
  fast_ = false;
  first_text_ = shown(readable);
  first_text_line_ = line;
  values_.for_each([this](double value) {
    codes_.push_back(std::isnan(value) ? Column::missing_code
                                       : dictionary_.find_or_add(number_name(value)));
  });
  values_ = Blocks<double>();
}

std::string ColumnBuilder::warning() const {
  if (kind_ != Kind::automatic || !categorical_) return "";
  const auto all = static_cast<double>(numbers_ + texts_);
  if (static_cast<double>(numbers_) < suspicious_share * all) return "";
  return "column '" + name_ + "' is taken as categorical because of " + std::to_string(texts_) +
         (texts_ == 1 ? " cell that is not a number" : " cells that are not numbers") +
         " (the first: " + first_text_ + " on line " + std::to_string(first_text_line_) +
         "), though its other " + std::to_string(numbers_) +
         " are. If that text means a missing value, add --missing TEXT; to make it an error, " +
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
  column.name = std::move(name_);
  column.type = categorical_ ? ColumnType::categorical : ColumnType::numeric;
  column.values = values_.take();
  column.codes = codes_.take();
  column.categories = dictionary_.take();
  return column;
}

void ColumnBuilder::fail(std::uint32_t line, const std::string& what) const {
  fail_data(rules_->source + ", line " + std::to_string(line) + ", column '" + name_ +
            "': " + what);
}

}  // namespace frr
