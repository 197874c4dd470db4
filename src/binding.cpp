#include <limits>
#include <string_view>
#include <unordered_map>

#include "frr/error.hpp"
#include "frr/rulebase.hpp"
#include "number.hpp"
#include "plain_number.hpp"
#include "text.hpp"

namespace frr {
namespace {

std::vector<char> needed_features(const RuleBase& base, bool all) {
  std::vector<char> needed(base.partition.features.size(), all ? 1 : 0);
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions) needed[static_cast<std::size_t>(c.feature)] = 1;
  return needed;
}

bool all_missing(const ColumnView& column, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row)
    if (!column.is_missing(row)) return false;
  return true;
}

// A column without any value has no type of its own: it fits every feature.
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

// Category code of the column -> label of the feature that stands for it, or -1. In a column that
// mixes numbers and texts, training names a number by its shortest spelling: "1.0" finds "1".
// Adds what `labels` does not have yet.
void translate(const Feature& feature, const ColumnView& column, std::vector<int>& labels) {
  if (labels.size() == column.categories.size()) return;
  std::unordered_map<std::string_view, int> label_of;
  for (std::size_t v = 0; v < feature.labels.size(); ++v)
    if (feature.labels[v].kind == LabelKind::category)
      label_of.emplace(feature.labels[v].name, static_cast<int>(v));
  labels.reserve(column.categories.size());
  while (labels.size() < column.categories.size()) {
    const std::string& category = column.categories[labels.size()];
    auto found = label_of.find(category);
    if (found == label_of.end()) {
      const ParsedNumber number = parse_number(category);
      if (number.kind == NumberKind::finite) found = label_of.find(number_name(number.value));
    }
    labels.push_back(found == label_of.end() ? -1 : found->second);
  }
}

[[noreturn]] void fail_absent(const std::string& name, const TableView& table) {
  std::vector<std::string> names;
  for (const ColumnView& column : table.columns) names.emplace_back(column.name);
  fail_data((table.source.empty() ? std::string("the table") : table.source) + " has no column '" +
            name + "' (a feature of the model)" + did_you_mean(name, names));
}

}  // namespace

Binding::Binding(const RuleBase& base, const TableView& table, bool all)
    : base_(&base),
      rows_(table.rows),
      positions_(base.partition.features.size(), unbound),
      columns_(base.partition.features.size()),
      category_labels_(base.partition.features.size()) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < table.columns.size(); ++i) by_name.emplace(table.columns[i].name, i);
  const std::vector<char> needed = needed_features(base, all);
  for (std::size_t f = 0; f < needed.size(); ++f) {
    if (!needed[f]) continue;
    const Feature& feature = base.partition.features[f];
    const auto found = by_name.find(feature.name);
    if (found == by_name.end()) fail_absent(feature.name, table);
    check_type(feature, table.columns[found->second], table);
    positions_[f] = found->second;
    columns_[f] = table.columns[found->second];
  }
  translate_categories();
}

Binding::Binding(const RuleBase& base, const Table& table, bool all)
    : Binding(base, TableView(table), all) {}

void Binding::refresh(const Table& table) {
  rows_ = table.rows;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    if (positions_[f] != unbound) columns_[f] = ColumnView(table.columns[positions_[f]]);
  }
  translate_categories();
}

void Binding::translate_categories() {
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    const Feature& feature = base_->partition.features[f];
    if (positions_[f] == unbound || feature.type != ColumnType::categorical) continue;
    translate(feature, columns_[f], category_labels_[f]);
  }
}

const ColumnView& Binding::column(int feature) const {
  const auto f = static_cast<std::size_t>(feature);
  if (positions_[f] == unbound)
    throw Error(ErrorKind::internal,
                "feature '" + base_->partition.features[f].name + "' is not bound to a column");
  return columns_[f];
}

Binding::Value Binding::value(std::size_t row, int feature) const {
  const ColumnView& own = column(feature);
  Value result{.number = std::numeric_limits<double>::quiet_NaN()};
  if (own.is_missing(row)) {
    result.missing = true;
  } else if (own.type == ColumnType::numeric) {
    result.number = own.numbers[row];
  } else {
    result.category = category_labels(feature)[static_cast<std::size_t>(own.codes[row])];
  }
  return result;
}

std::string Binding::text(std::size_t row, int feature) const {
  const auto f = static_cast<std::size_t>(feature);
  if (positions_[f] == unbound || columns_[f].is_missing(row)) return "";
  const ColumnView& column = columns_[f];
  if (column.type == ColumnType::numeric) return plain_number(column.numbers[row]);
  return column.categories[static_cast<std::size_t>(column.codes[row])];
}

}  // namespace frr
