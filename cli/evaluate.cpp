// frr evaluate: how well a model predicts rows whose class is known.
#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "commands.hpp"
#include "data_options.hpp"
#include "interrupt.hpp"
#include "metrics_table.hpp"
#include "output.hpp"
#include "report_table.hpp"
#include "roc_plot.hpp"
#include "terminal.hpp"
#include "train/options.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr evaluate model.json new.csv                       figures with 95 % intervals\n"
    "  frr evaluate model.json new.csv --positive ill        sensitivity is that of 'ill'\n"
    "  frr evaluate model.json new.csv --by sex,ward         and the differences between groups\n"
    "  frr evaluate model.json new.csv --json | jq .auc,.intervals.auc\n";

struct Evaluate {
  std::string model, output, positive;
  DataOptions data;
  std::vector<std::string> by;
  bool json = false, quiet = false;
  Settings settings;  // only the seed and the number of threads matter

  void run() const;

 private:
  [[nodiscard]] Table read(const RuleBase& base, Terminal& terminal) const;
  [[nodiscard]] std::vector<double> row_weights(const Table& table) const;
  [[nodiscard]] std::string text(const MetricsReport& report) const;
};

void check_groups(const std::vector<std::string>& names, const RuleBase& base,
                  const std::string& weight_column) {
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) fail_usage("--by names the column '" + *twice + "' twice");
  for (const std::string& name : names) {
    if (name == base.target) fail_usage("--by " + name + ": this is the target of the model");
    if (name == weight_column) fail_usage("--by " + name + ": this is the weight column");
  }
}

// Error{data} for a column that the file does not have, with the nearest of those it has.
void require(const Table& table, const std::string& name, const std::string& role,
             const std::vector<std::string>& known) {
  if (table.find(name) != nullptr) return;
  fail_data(table.source + " has no column '" + name + "' (" + role + ")" +
            did_you_mean(name, known));
}

Table Evaluate::read(const RuleBase& base, Terminal& terminal) const {
  std::vector<std::string> more = split_names(by);
  check_groups(more, base, data.weight_column);
  const std::vector<std::string> groups = more;
  if (!data.weight_column.empty()) more.push_back(data.weight_column);
  Table table = read_report_table(data, base, more, terminal);
  const bool complete =
      table.find(base.target) != nullptr && std::ranges::all_of(more, [&](const std::string& name) {
        return table.find(name) != nullptr;
      });
  if (complete) return table;
  const std::vector<std::string> known = column_names(data, terminal);
  require(table, base.target, "the target of the model, whose true values are needed", known);
  for (const std::string& name : groups) require(table, name, "groups", known);
  require(table, data.weight_column, "column of row weights", known);
  return table;
}

std::vector<double> Evaluate::row_weights(const Table& table) const {
  if (data.weight_column.empty()) return {};
  check_weights(table, data.weight_column);
  const Column& column = *table.find(data.weight_column);
  if (column.type == ColumnType::numeric) return column.values;
  fail_usage("--weight-column " + data.weight_column +
             ": the rules of the model read this column as categories, not as numbers");
}

// Rows that are left out, and why.
std::vector<std::string> left_out(const RuleBase& base, const Table& table) {
  std::vector<std::string> notes;
  const Column& target = *table.find(base.target);
  std::size_t missing = 0;
  for (std::size_t row = 0; row < table.rows; ++row) missing += target.is_missing(row) ? 1 : 0;
  if (missing > 0) {
    notes.push_back(counted(static_cast<double>(missing), "row") + " of " + table.source +
                    (missing == 1 ? " has" : " have") + " no value in the target '" + base.target +
                    "': left out");
  }
  for (const auto& [name, rows] : unknown_targets(base, table)) {
    notes.push_back(counted(static_cast<double>(rows), "row") + " of " + table.source +
                    (rows == 1 ? " has" : " have") + " the class '" + name +
                    "', which the model does not know: left out" +
                    did_you_mean(name, base.classes));
  }
  return notes;
}

std::string recorded_weights(const RuleBase& base) {
  for (const auto& [name, value] : base.summary.settings)
    if (name == "weight-column") return value;
  return "";
}

std::string Evaluate::text(const MetricsReport& report) const {
  std::string result =
      dataset_name(data.path) + ": " + counted(static_cast<double>(report.rows), "row");
  if (report.weighted) result += " of total weight " + fixed(report.weight, 1);
  result += ", " + std::to_string(report.classes.size()) + " classes of " + report.target + "\n\n" +
            overall_table(report) + class_table(report, width(1)) + confusion_table(report) +
            roc_plot(report);
  for (const Grouping& grouping : report.groupings) result += group_table(report, grouping);
  if (!report.groupings.empty()) {
    if (report.positive) {
      const std::string& name = report.classes[*report.positive];
      result += "\npositive: fraction of the rows of class " + name +
                "\npredicted: fraction of the rows predicted as " + name +
                "\nTPR, FPR, PPV: true and false positive rate, positive predictive value of " +
                name;
    }
    result += "\ncal.err: calibration error   gap: highest minus lowest value\n";
  }
  return result;
}

void Evaluate::run() const {
  check_standard_input(model, data.path);
  Terminal terminal(quiet);
  check_output(output);
  keep_inputs(output, {model, data.path});
  const RuleBase base = load(model);
  if (!positive.empty() && std::ranges::find(base.classes, positive) == base.classes.end()) {
    fail_usage("--positive " + positive + ": the model has no such class" +
               did_you_mean(positive, base.classes));
  }
  const Table table = read(base, terminal);
  MetricsRequest request;
  request.positive = positive;
  request.by = split_names(by);
  request.row_weights = row_weights(table);
  request.seed = settings.seed;
  request.threads = settings.threads;
  request.progress = [&terminal](double fraction) {
    terminal.progress("resampling", fraction);
    return !interrupted();
  };
  const std::vector<std::string> notes = left_out(base, table);
  terminal.warn(notes);
  if (const std::string name = recorded_weights(base);
      !name.empty() && data.weight_column.empty()) {
    terminal.warn("the model was learned with the row weights of column '" + name +
                  "', but here all rows have the same weight; --weight-column " + shell_word(name) +
                  " applies them");
  }
  MetricsReport report = measure(base, table, request);
  terminal.clear();
  terminal.warn(report.notes);
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  stop_if_interrupted();
  if (json) return write_output(output, to_json(report, dataset_name(data.path)));
  write_text(output, text(report));
}

}  // namespace

Command evaluate_command() {
  Command command("evaluate",
                  "Measures how well a model predicts rows whose class is known, with intervals",
                  examples);
  auto evaluate = std::make_shared<Evaluate>();
  command.add(
      {.name = "MODEL", .help = "Model file of frr train; - is standard input", .required = true},
      evaluate->model);
  add_evaluation_data_options(command, evaluate->data);
  command.add({.name = "--positive",
               .type = "CLASS",
               .help = "Class that is the event to detect [default: that of the model; for a model "
                       "without one, of two classes the one with fewer training rows]"},
              evaluate->positive);
  command.add({.name = "--by",
               .type = "A,B",
               .help = "Columns of at most 50 values each; measures every group of rows with the "
                       "same value, and the gaps between the groups"},
              evaluate->by);
  command.add({.name = "--json", .help = "Print JSON"}, evaluate->json);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              evaluate->output);
  const auto add_setting = [&](const char* name, const std::string& help) {
    const Option& option = find_option(name);
    command.add({.name = "--" + std::string(name),
                 .type = "N",
                 .help = help + " [" + range_text(option) + "; default 0]"},
                [&option, settings = &evaluate->settings](const std::string& text) {
                  set_option(*settings, option, text);
                });
  };
  add_setting("seed", "Seed of the random numbers for the intervals");
  add_setting("threads", "Number of threads; 0 uses all cores. Never changes the result");
  command.add({.name = "--quiet", .help = "Print only results and errors"}, evaluate->quiet);
  command.action = [evaluate] { evaluate->run(); };
  return command;
}

}  // namespace frr::cli
