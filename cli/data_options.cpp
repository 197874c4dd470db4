#include "data_options.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "csv/csv_reader.hpp"
#include "interrupt.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* group = "Data";

void add_form_options(Command& command, DataOptions& data, bool required = true) {
  if (required) {
    command.add({.name = "DATA",
                 .help = "CSV file with a header line; - is standard input",
                 .required = true},
                data.path);
  } else {
    command.add({.name = "--data",
                 .type = "FILE",
                 .help = "CSV file with rows whose class is known, best the training data: for "
                         "--sensitivity and --specificity, and to count the rows whose class "
                         "changes; - is standard input",
                 .group = group},
                data.path);
  }
  command.add({.name = "--delimiter",
               .type = "CHAR",
               .help = "Character between fields: comma, semicolon, tab or pipe, or the character "
                       "itself [default: detected from the first lines; pipe is not detected]",
               .group = group},
              data.delimiter);
  command.add(
      {.name = "--missing",
       .type = "A,B",
       .help = "Codes for missing values, such as -9, in addition to empty, ?, NA, N/A, NaN "
               "and null. The model records them, and all commands apply them",
       .group = group},
      data.missing);
}

char delimiter_of(const std::string& text) {
  if (text.empty()) return '\0';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "pipe") return '|';
  if (text.size() == 1 && std::string(",;\t|").find(text) != std::string::npos) return text[0];
  fail_usage("--delimiter " + text + ": give comma, semicolon, tab or pipe, or one of , ; |");
}

}  // namespace

std::vector<std::string> missing_codes(const DataOptions& data) {
  std::vector<std::string> codes = split_names(data.missing);
  for (const std::string& code : codes) {
    if (!is_utf8(code)) fail_usage("--missing: a code is not UTF-8 text");
  }
  return codes;
}

namespace {

CsvOptions form_of(const DataOptions& data, Terminal& terminal) {
  CsvOptions options;
  options.delimiter = delimiter_of(data.delimiter);
  options.missing = missing_codes(data);
  options.source = data.path == "-" ? "<standard input>" : data.path;
  std::error_code unknown;
  const auto size = std::filesystem::file_size(data.path, unknown);
  const double total = unknown ? 0 : static_cast<double>(size);
  options.progress = [&terminal, total, name = options.source](std::size_t bytes) {
    terminal.progress("reading " + name, total > 0 ? static_cast<double>(bytes) / total : -1);
    return !interrupted();
  };
  return options;
}

// Shows the warnings of the reader at once: they may explain a later error.
void show_warnings(const Table& table, Terminal& terminal) {
  terminal.clear();
  terminal.warn(table.warnings);
  stop_if_interrupted();
}

Table read(const std::string& path, CsvOptions options, Terminal& terminal) {
  Table table = read_csv_file(path, std::move(options));
  show_warnings(table, terminal);
  return table;
}

std::string place(const Table& table, std::size_t row) {
  if (row < table.lines.size()) {
    return table.source + ", line " + std::to_string(table.lines[row]);
  }
  return table.source + ", row " + std::to_string(row + 1);
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc{} && end == text.data() + text.size();
}

}  // namespace

void check_weights(const Table& table, const std::string& name) {
  const Column& column = require_column(table, name, "column of row weights");
  const bool text = column.type != ColumnType::numeric;
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::string fault;
    if (column.is_missing(row)) {
      fault = "the weight is missing";
    } else if (text) {
      const std::string& value = column.categories[static_cast<std::size_t>(column.codes[row])];
      if (!is_number(value)) fault = "the weight '" + value + "' is not a number";
    } else if (column.values[row] < 0) {
      fault = "the weight is negative";
    }
    if (!fault.empty()) {
      fail_data(place(table, row) + ", column '" + name + "': " + fault +
                "; give every row a number >= 0");
    }
  }
}

void add_table_options(Command& command, DataOptions& data) {
  add_form_options(command, data);
  command.add({.name = "--target",
               .type = "NAME",
               .help = "Column to predict [default: the last one]",
               .group = group},
              data.target);
  command.add({.name = "--numeric",
               .type = "A,B",
               .help = "Columns that must contain numbers",
               .group = group},
              data.numeric);
  command.add({.name = "--categorical",
               .type = "A,B",
               .help = "Columns whose values are categories, even if they look like numbers",
               .group = group},
              data.categorical);
  command.add({.name = "--ignore", .type = "A,B", .help = "Columns to leave out", .group = group},
              data.ignore);
  command.add({.name = "--weight-column",
               .type = "NAME",
               .help = "Column with the weight of each row, a number >= 0; not used as a feature",
               .group = group},
              data.weight_column);
}

namespace {

void add_training_only_options(Command& command, DataOptions& data) {
  command.add({.name = "--target", .type = "NAME", .group = ""}, data.target);
  command.add({.name = "--numeric", .type = "A,B", .group = ""}, data.numeric);
  command.add({.name = "--categorical", .type = "A,B", .group = ""}, data.categorical);
  command.add({.name = "--ignore", .type = "A,B", .group = ""}, data.ignore);
}

}  // namespace

void add_model_data_options(Command& command, DataOptions& data) {
  add_form_options(command, data);
  command.add({.name = "--weight-column", .type = "NAME", .group = ""}, data.weight_column);
  add_training_only_options(command, data);
}

void add_optional_data_options(Command& command, DataOptions& data) {
  add_form_options(command, data, false);
  command.add({.name = "--weight-column", .type = "NAME", .group = ""}, data.weight_column);
  add_training_only_options(command, data);
}

void add_evaluation_data_options(Command& command, DataOptions& data) {
  add_form_options(command, data);
  command.add({.name = "--weight-column",
               .type = "NAME",
               .help = "Column with the weight of each row, a number >= 0 [default: all rows have "
                       "the same weight]",
               .group = group},
              data.weight_column);
  add_training_only_options(command, data);
}

CsvOptions training_table_options(const DataOptions& data, Terminal& terminal) {
  CsvOptions options = form_of(data, terminal);
  options.numeric = split_names(data.numeric);
  options.categorical = split_names(data.categorical);
  options.ignore = split_names(data.ignore);
  options.target = data.target;
  if (data.weight_column.empty()) return options;
  if (data.weight_column == data.target) {
    fail_usage("--weight-column and --target name the same column '" + data.target + "'");
  }
  const auto also_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), data.weight_column) != names.end();
  };
  if (also_in(options.ignore) || also_in(options.categorical)) {
    fail_usage("--weight-column " + data.weight_column +
               ": the column is also given as --ignore or --categorical");
  }
  return options;
}

void check_last_column(const DataOptions& data, const std::vector<std::string>& names) {
  if (!data.target.empty() || names.empty() || names.back() != data.weight_column) return;
  fail_usage("--weight-column " + data.weight_column +
             ": this is the last column, which is the target by default; name another target with "
             "--target");
}

TrainingTable read_training_table(const DataOptions& data, Terminal& terminal) {
  TrainingTable result;
  result.table = read(data.path, training_table_options(data, terminal), terminal);
  if (data.weight_column.empty()) return result;
  Table& table = result.table;
  if (!table.columns.empty()) check_last_column(data, {table.columns.back().name});
  check_weights(table, data.weight_column);
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [&](const Column& c) { return c.name == data.weight_column; });
  result.weights = std::move(column->values);
  table.columns.erase(column);
  return result;
}

std::vector<std::pair<std::string, std::string>> recorded_options(const DataOptions& data) {
  std::vector<std::pair<std::string, std::string>> recorded;
  const auto add = [&](const char* name, const std::vector<std::string>& lists) {
    std::string all;
    for (const std::string& list : lists) all += (all.empty() ? "" : ",") + list;
    if (!all.empty()) recorded.emplace_back(name, all);
  };
  add("delimiter", {data.delimiter});
  add("numeric", data.numeric);
  add("categorical", data.categorical);
  add("ignore", data.ignore);
  add("weight-column", {data.weight_column});
  return recorded;
}

namespace {

// Warns of values in categorical columns for which the model has no label, such as misspellings.
void warn_of_unknown(const Table& table, const RuleBase& base, Terminal& terminal) {
  constexpr std::size_t most = 3;
  for (const Feature& feature : base.partition.features) {
    const Column* column = table.find(feature.name);
    if (column == nullptr || feature.type != ColumnType::categorical) continue;
    std::string unknown;
    std::size_t count = 0;
    for (const std::string& category : column->categories) {
      const bool known =
          std::any_of(feature.labels.begin(), feature.labels.end(), [&](const Label& label) {
            return label.kind == LabelKind::category && label.name == category;
          });
      if (known) continue;
      if (++count <= most) unknown += (unknown.empty() ? "'" : ", '") + category + "'";
    }
    if (count == 0) continue;
    terminal.warn("column '" + feature.name + "' contains " + unknown +
                  (count > most ? " and " + std::to_string(count - most) + " more values" : "") +
                  ", for which the model has no label: conditions on this column are false there");
  }
}

// The format of the file, with the model's codes for missing values.
CsvOptions form_for(const RuleBase& base, const DataOptions& data, Terminal& terminal) {
  CsvOptions options = form_of(data, terminal);
  options.missing.insert(options.missing.end(), base.missing.begin(), base.missing.end());
  return options;
}

CsvOptions model_options(const DataOptions& data, const RuleBase& base, Terminal& terminal) {
  CsvOptions options = form_for(base, data, terminal);
  const std::vector<bool> used = base.used_features();
  std::vector<std::string> needed;
  for (std::size_t j = 0; j < used.size(); ++j) {
    const Feature& feature = base.partition.features[j];
    if (!used[j]) continue;
    needed.push_back(feature.name);
    auto& list = feature.type == ColumnType::numeric ? options.numeric : options.categorical;
    list.push_back(feature.name);
  }
  options.only = std::move(needed);  // empty for a model without rules: only the rows are counted
  return options;
}

}  // namespace

Table read_model_table(const DataOptions& data, const RuleBase& base, Terminal& terminal) {
  Table table = read(data.path, model_options(data, base, terminal), terminal);
  warn_of_unknown(table, base, terminal);
  return table;
}

Table read_report_table(const DataOptions& data, const RuleBase& base,
                        const std::vector<std::string>& more, Terminal& terminal) {
  CsvOptions options = model_options(data, base, terminal);
  std::vector<std::string> wanted = *options.only;
  wanted.insert(wanted.end(), more.begin(), more.end());
  wanted.push_back(base.target);
  options.categorical_if_present.push_back(base.target);
  options.only = std::move(wanted);
  Table table = read(data.path, std::move(options), terminal);
  warn_of_unknown(table, base, terminal);
  return table;
}

Table read_retraining_table(const DataOptions& data, const RuleBase& base, Terminal& terminal) {
  CsvOptions options = form_for(base, data, terminal);
  options.target = base.target;
  options.only = {base.target};
  for (const Feature& feature : base.partition.features) {
    options.only->push_back(feature.name);
    (feature.type == ColumnType::numeric ? options.numeric : options.categorical)
        .push_back(feature.name);
  }
  Table table = read_csv_file(data.path, std::move(options));
  terminal.clear();
  return table;
}

Table read_decision_table(const DataOptions& data, const RuleBase& base, Terminal& terminal) {
  CsvOptions options = model_options(data, base, terminal);
  const std::vector<std::string> present = column_names(data, terminal);
  const std::vector<bool> used = base.used_features();
  for (std::size_t j = 0; j < used.size(); ++j) {
    const Feature& feature = base.partition.features[j];
    if (used[j]) continue;
    options.only->push_back(feature.name);
    const bool known = std::ranges::find(present, feature.name) != present.end();
    if (known && feature.type == ColumnType::numeric) options.numeric.push_back(feature.name);
    if (feature.type == ColumnType::categorical) {
      options.categorical_if_present.push_back(feature.name);
    }
  }
  for (const auto& [name, value] : base.summary.settings) {
    if (name == "weight-column") options.only->push_back(value);
  }
  options.categorical_if_present.push_back(base.target);
  options.only->push_back(base.target);
  Table table = read(data.path, std::move(options), terminal);
  warn_of_unknown(table, base, terminal);
  return table;
}

std::vector<std::string> column_names(const DataOptions& data, Terminal& terminal) {
  if (data.path == "-") return {};
  return CsvPieces(data.path, form_of(data, terminal), 1).names();
}

void read_model_parts(const DataOptions& data, const RuleBase& base, Terminal& terminal,
                      const std::function<void(const Table& part)>& body) {
  constexpr std::size_t rows = 4096;
  const Table table =
      read_csv_file_parts(data.path, model_options(data, base, terminal), rows, body);
  show_warnings(table, terminal);
  warn_of_unknown(table, base, terminal);
}

std::vector<std::string> split_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    std::vector<std::string> more = split_list(list);
    std::move(more.begin(), more.end(), std::back_inserter(names));
  }
  return names;
}

std::string dataset_name(const std::string& path) {
  return path == "-" ? "stdin" : std::filesystem::path(path).stem().string();
}

}  // namespace frr::cli
