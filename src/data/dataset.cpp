#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/number.hpp"
#include "data/class_names.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t most_classes = 1000;
// In fewer rows, distinct values may be chance.
constexpr std::size_t identifier_rows = 10;
constexpr std::size_t names_in_note = 5;

std::string source_of(const Table& table) {
  return table.source.empty() ? std::string("the table") : table.source;
}

std::optional<double> as_number(const std::string& text) {
  const ParsedNumber number = parse_number(text);
  if (number.kind != NumberKind::finite) return std::nullopt;
  return number.value;
}

// ---- Classes ------------------------------------------------------------------------------------

void check_classes(const std::vector<std::string>& classes, std::size_t labelled,
                   const std::string& where) {
  if (labelled < 2) {
    fail_data(where + " has a value in only " + std::to_string(labelled) +
              " rows. Learning needs at least two rows of different classes.");
  }
  if (classes.size() < 2) {
    fail_data(where + " is '" + classes.front() +
              "' in every row. Learning needs at least two classes.");
  }
  constexpr std::size_t few = 20, many = 100;
  bool numbers = true, whole = true;
  for (const std::string& name : classes) {
    const std::optional<double> number = as_number(name);
    numbers = numbers && number;
    whole = whole && number && std::floor(*number) == *number;
  }
  const std::size_t count = classes.size();
  if (numbers && count > few && (count > many || !whole || 2 * count > labelled)) {
    fail_data(where + " has " + std::to_string(count) + " different numbers: this looks like " +
              "regression, and FRR learns classes. Group the numbers into ranges (such as low, " +
              "medium, high), or choose another target.");
  }
  if (count > most_classes) {
    fail_data(where + " has " + std::to_string(count) + " different values; at most " +
              std::to_string(most_classes) +
              " classes can be learned. Is it the right column? If so, group its values.");
  }
}

void set_classes(Dataset& data, const Column& column, std::size_t rows, const std::string& where) {
  const DistinctValues values = distinct_values(ColumnView(column), rows);
  const auto labelled = static_cast<std::size_t>(
      std::count_if(values.of_row.begin(), values.of_row.end(), [](int v) { return v >= 0; }));
  check_classes(values.names, labelled, where);

  std::vector<std::size_t> order(values.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> numbers;
  for (const std::string& name : values.names) {
    if (const auto number = as_number(name)) numbers.push_back(*number);
  }
  const bool numeric = numbers.size() == order.size();
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (numeric && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
    return values.names[a] < values.names[b];
  });
  std::vector<int> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<int>(i);
    data.classes.push_back(values.names[order[i]]);
  }
  data.labels.reserve(rows);
  for (const int value : values.of_row) {
    data.labels.push_back(value < 0 ? -1 : rank[static_cast<std::size_t>(value)]);
  }
  if (labelled < rows) data.notes.push_back(unlabelled_note(rows - labelled, rows, data.target));
}

// ---- Features -----------------------------------------------------------------------------------

enum class Verdict { feature, all_missing, constant, identifier, counter };

// Whole numbers that rise or fall by the same step from each row to the next. `numbers`: the
// numbers of the rows if some are absent; empty: none is.
bool counts_rows(const Column& column, std::span<const std::uint64_t> numbers) {
  const std::vector<double>& x = column.values;
  if (x.size() < identifier_rows) return false;
  const auto from_first = [&](std::size_t row) {
    return static_cast<double>(numbers.empty() ? row : numbers[row] - numbers[0]);
  };
  const double step = (x[1] - x[0]) / from_first(1);
  if (!(step != 0) || std::floor(step) != step) return false;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (std::floor(x[row]) != x[row]) return false;  // NaN too
    if (x[row] - x[0] != step * from_first(row)) return false;
  }
  return true;
}

Verdict judge_numeric(const Column& column, const std::vector<int>& labels,
                      std::span<const std::uint64_t> numbers) {
  double low = 0, high = 0;
  bool any = false, missing = false;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) continue;
    const double x = column.values[row];
    if (std::isnan(x)) {
      missing = true;
      continue;
    }
    low = any ? std::min(low, x) : x;
    high = any ? std::max(high, x) : x;
    any = true;
  }
  if (!any) return Verdict::all_missing;
  if (low == high && !missing) return Verdict::constant;
  return counts_rows(column, numbers) ? Verdict::counter : Verdict::feature;
}

Verdict judge_categorical(const Column& column, const std::vector<int>& labels) {
  std::vector<char> seen(column.categories.size(), 0);
  std::size_t distinct = 0, present = 0, labelled = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) continue;
    ++labelled;
    if (column.is_missing(row)) continue;
    ++present;
    char& mark = seen[static_cast<std::size_t>(column.codes[row])];
    distinct += mark == 0 ? 1 : 0;
    mark = 1;
  }
  if (present == 0) return Verdict::all_missing;
  if (distinct == 1 && present == labelled) return Verdict::constant;
  const bool identifier = distinct == labelled && labelled >= identifier_rows;
  return identifier ? Verdict::identifier : Verdict::feature;
}

// "column 'a' <one>" or "columns 'a', 'b' and 7 more <many>"; nothing if there are no names.
void add_note(std::vector<std::string>& notes, std::string_view noun, std::string_view nouns,
              const std::vector<std::string>& names, std::string_view one, std::string_view many) {
  if (names.empty()) return;
  std::string note(names.size() == 1 ? noun : nouns);
  const std::size_t shown = std::min(names.size(), names_in_note);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    note += (i == 0 ? " '" : last ? " and '" : ", '") + names[i] + "'";
  }
  if (names.size() > shown) note += " and " + std::to_string(names.size() - shown) + " more";
  notes.push_back(note + " " + std::string(names.size() == 1 ? one : many));
}

void set_features(Dataset& data, const Table& table, std::size_t target,
                  std::span<const std::uint64_t> numbers) {
  std::vector<std::string> missing, constant, identifiers, counters;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i == target) continue;
    const Column& column = table.columns[i];
    const Verdict verdict = column.type == ColumnType::numeric
                                ? judge_numeric(column, data.labels, numbers)
                                : judge_categorical(column, data.labels);
    if (verdict == Verdict::all_missing) missing.push_back(column.name);
    if (verdict == Verdict::constant) constant.push_back(column.name);
    if (verdict == Verdict::identifier) identifiers.push_back(column.name);
    if (verdict == Verdict::counter) counters.push_back(column.name);
    if (verdict == Verdict::feature || verdict == Verdict::counter) data.features.push_back(i);
  }
  add_note(data.notes, "column", "columns", missing, "holds no values and is left out.",
           "hold no values and are left out.");
  add_note(data.notes, "column", "columns", constant,
           "holds the same value in every row and is left out.",
           "hold the same value in every row and are left out.");
  add_note(data.notes, "column", "columns", identifiers,
           "holds a different text in every row, looks like an identifier and is left out.",
           "hold a different text in every row, look like identifiers and are left out.");
  for (const std::string& name : counters) {
    data.notes.push_back("column '" + name + "' counts the rows; if it is an identifier leave it " +
                         "out with --ignore '" + name + "'.");
  }
}

void note_single_rows(Dataset& data) {
  std::vector<std::size_t> rows(data.classes.size(), 0);
  for (const int label : data.labels) {
    if (label >= 0) ++rows[static_cast<std::size_t>(label)];
  }
  std::vector<std::string> single;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c] == 1) single.push_back(data.classes[c]);
  }
  add_note(data.notes, "class", "classes", single,
           "has a single row: too few to learn from or to test on.",
           "have a single row each: too few to learn from or to test on.");
}

std::string joined(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += " " + note;
  return text;
}

}  // namespace

std::string unlabelled_note(std::size_t unlabelled, std::size_t rows, const std::string& target) {
  return std::to_string(unlabelled) + " of " + std::to_string(rows) +
         " rows have no value in the target '" + target + "' and are left out.";
}

Dataset make_dataset(const Table& table, const std::string& target,
                     std::span<const std::uint64_t> numbers) {
  if (table.columns.empty()) fail_data(source_of(table) + " has no columns");
  if (table.rows == 0) fail_data(source_of(table) + " has no rows");
  const Column& column =
      target.empty() ? table.columns.back() : require_column(table, target, "the target");
  Dataset data;
  data.target = column.name;
  set_classes(data, column, table.rows, source_of(table) + ": the target '" + column.name + "'");
  set_features(data, table, static_cast<std::size_t>(&column - table.columns.data()), numbers);
  if (data.features.empty()) {
    fail_data(source_of(table) + ": there is no column to learn from except the target '" +
              data.target + "'." + joined(data.notes) +
              (table.columns.size() == 1
                   ? " If there are more in the file, give its --delimiter (',', ';' or tab)."
                   : ""));
  }
  note_single_rows(data);
  return data;
}

}  // namespace frr::internal

namespace frr {
using namespace internal;

std::vector<int> class_indices(const Table& table, std::string_view target,
                               const std::vector<std::string>& classes) {
  return class_indices(ColumnView(require_column(table, target, "the target")), table.rows,
                       classes);
}

}  // namespace frr
