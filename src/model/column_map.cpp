#include "model/column_map.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "base/missing_codes.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

bool all_missing(const ColumnView& column, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row)
    if (!column.is_missing(row)) return false;
  return true;
}

// A column without any value has no type: it fits every feature.
void check_type(const Feature& feature, const ColumnView& column, const TableView& table) {
  if (feature.type == column.type || all_missing(column, table.rows)) return;
  const std::string place = table.source + ": column '" + feature.name + "' ";
  if (feature.type == ColumnType::numeric)
    fail_data(place + "holds text such as '" + column.categories.front() +
              "', but the model needs numbers there: correct or clear the values that are no "
              "numbers");
  fail_data(place + "was read as numbers, but the model knows it as categories such as '" +
            (feature.labels.empty() ? std::string() : feature.labels.front().name) +
            "': read it as categorical");
}

// Category code of the column -> label of the feature with this name, or -1. Adds what `labels`
// does not have yet.
void translate(const Feature& feature, const ColumnView& column, std::vector<int>& labels) {
  if (labels.size() == column.categories.size()) return;
  std::unordered_map<std::string_view, int> label_of;
  for (std::size_t v = 0; v < feature.labels.size(); ++v)
    if (feature.labels[v].kind == LabelKind::category)
      label_of.emplace(feature.labels[v].name, static_cast<int>(v));
  labels.reserve(column.categories.size());
  while (labels.size() < column.categories.size()) {
    const auto found = label_of.find(column.categories[labels.size()]);
    labels.push_back(found == label_of.end() ? -1 : found->second);
  }
}

// A copy of the numbers with NaN for those that equal a code; empty if none do.
std::vector<double> without_codes(const NumberView& numbers, std::size_t rows,
                                  const MissingCodes& codes) {
  const auto is_code = [&](double value) {
    if (!numbers.single) return codes.contains(value);
    // A code such as 0.1 is rounded like the numbers.
    return std::any_of(codes.numbers().begin(), codes.numbers().end(), [value](double code) {
      return static_cast<double>(static_cast<float>(code)) == value;
    });
  };
  std::size_t row = 0;
  while (row < rows && !is_code(numbers[row])) ++row;
  if (row == rows) return {};
  std::vector<double> cleaned(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double value = numbers[i];
    cleaned[i] = is_code(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  }
  return cleaned;
}

// The same for categories, by their codes in the column. A category that the model knows by this
// name is not missing.
std::vector<std::int32_t> without_codes(const ColumnView& column, std::span<const int> labels,
                                        std::size_t rows, const MissingCodes& codes) {
  std::vector<char> missing;
  for (std::size_t i = 0; i < column.categories.size(); ++i) {
    missing.push_back(labels[i] < 0 && codes.contains(trimmed(column.categories[i])) ? 1 : 0);
  }
  if (std::find(missing.begin(), missing.end(), 1) == missing.end()) return {};
  std::vector<std::int32_t> cleaned(column.codes, column.codes + rows);
  for (std::int32_t& code : cleaned) {
    if (code >= 0 && missing[static_cast<std::size_t>(code)] != 0) code = Column::missing_code;
  }
  return cleaned;
}

[[noreturn]] void fail_absent(const std::string& name, const TableView& table) {
  std::vector<std::string> names;
  for (const ColumnView& column : table.columns) names.emplace_back(column.name);
  fail_data((table.source.empty() ? std::string("the table") : table.source) + " has no column '" +
            name + "' (a feature of the model)" + did_you_mean(name, names));
}

}  // namespace

ColumnMap::ColumnMap(const RuleBase& base, const TableView& table, bool all)
    : base_(&base),
      rows_(table.rows),
      positions_(base.partition.features.size(), unbound),
      columns_(base.partition.features.size()),
      cleaned_(base.missing.empty() ? 0 : base.partition.features.size()),
      category_labels_(base.partition.features.size()) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < table.columns.size(); ++i) by_name.emplace(table.columns[i].name, i);
  const std::vector<bool> used = base.used_features();
  for (std::size_t f = 0; f < used.size(); ++f) {
    if (!all && !used[f]) continue;
    const Feature& feature = base.partition.features[f];
    const auto found = by_name.find(feature.name);
    if (found == by_name.end()) fail_absent(feature.name, table);
    check_type(feature, table.columns[found->second], table);
    positions_[f] = found->second;
    map(f, table.columns[found->second]);
  }
}

ColumnMap::ColumnMap(const RuleBase& base, const Table& table, bool all)
    : ColumnMap(base, TableView(table), all) {}

void ColumnMap::refresh(const Table& table) {
  rows_ = table.rows;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    if (positions_[f] != unbound) map(f, ColumnView(table.columns[positions_[f]]));
  }
}

void ColumnMap::map(std::size_t feature, const ColumnView& column) {
  columns_[feature] = column;
  const Feature& mapped = base_->partition.features[feature];
  if (mapped.type == ColumnType::categorical) translate(mapped, column, category_labels_[feature]);
  if (cleaned_.empty()) return;
  const MissingCodes codes(base_->missing);
  Column& cleaned = cleaned_[feature];
  if (column.type == ColumnType::numeric) {
    cleaned.values = without_codes(column.numbers, rows_, codes);
    if (!cleaned.values.empty()) columns_[feature].numbers = {.data = cleaned.values.data()};
  } else {
    cleaned.codes = without_codes(column, category_labels_[feature], rows_, codes);
    if (!cleaned.codes.empty()) columns_[feature].codes = cleaned.codes.data();
  }
}

const ColumnView& ColumnMap::column(int feature) const {
  const auto f = static_cast<std::size_t>(feature);
  if (positions_[f] == unbound)
    throw Error(ErrorKind::internal,
                "feature '" + base_->partition.features[f].name + "' is not mapped to a column");
  return columns_[f];
}

FeatureValue ColumnMap::value(std::size_t row, int feature) const {
  const ColumnView& view = column(feature);
  FeatureValue result{.number = std::numeric_limits<double>::quiet_NaN()};
  if (view.is_missing(row)) {
    result.missing = true;
  } else if (view.type == ColumnType::numeric) {
    result.number = view.numbers[row];
  } else {
    result.category = category_labels(feature)[static_cast<std::size_t>(view.codes[row])];
  }
  return result;
}

std::string ColumnMap::text(std::size_t row, int feature) const {
  const auto f = static_cast<std::size_t>(feature);
  if (positions_[f] == unbound || columns_[f].is_missing(row)) return "";
  const ColumnView& column = columns_[f];
  if (column.type == ColumnType::numeric) return plain_number(column.numbers[row]);
  return column.categories[static_cast<std::size_t>(column.codes[row])];
}

}  // namespace frr::internal
