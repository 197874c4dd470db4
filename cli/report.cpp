// frr report: writes an HTML page that explains a model and its decisions on a table.
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "data_options.hpp"
#include "dates.hpp"
#include "evaluate/same_training.hpp"
#include "folds.hpp"
#include "interrupt.hpp"
#include "no_rules.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr report model.json patients.csv -o report.html    open it with a double click\n"
    "  frr report model.json patients.csv -o report.html --show name,ward\n"
    "  frr report model.json patients.csv -o report.html --folds 10\n";

struct Report {
  std::string model, output, folds, partition_file;
  DataOptions data;
  std::vector<std::string> show;
  bool quiet = false;

  void run() const;

 private:
  [[nodiscard]] std::string why_not(const RuleBase& base, const Table& table) const;
  void cross_validate_model(const RuleBase& base, const Table& table, Terminal& terminal,
                            ReportRequest& request) const;
};

std::string base_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

// Why the model is not cross-validated; "" if it is.
std::string Report::why_not(const RuleBase& base, const Table& table) const {
  if (folds == "0") return "Not cross-validated because of --folds 0.";
  if (table.find(base.target) == nullptr) return "Not cross-validated: the classes are not known.";
  if (data.path == "-") return "Not cross-validated: standard input can be read only once.";
  if (!recorded_setting(base, "weight-column").empty()) {
    return "Not cross-validated: the model was trained with row weights. Use frr cv instead.";
  }
  if (!recorded_setting(base, "partition-file").empty() && partition_file.empty()) {
    const std::string reason =
        "the model was trained with labels from a file; give that file with --partition-file";
    if (!folds.empty()) fail_usage("--folds " + folds + ": " + reason);
    return "Not cross-validated: " + reason + ".";
  }
  const double cost =
      checked_cost(base, table.rows, "Use frr cv with the settings of your choice.");
  if (!folds.empty()) return "";
  if (!is_training_data(base, table)) {
    return "Not cross-validated: according to the counts of its rules, the model was not trained "
           "on this table.";
  }
  const double cells =
      static_cast<double>(table.rows) * static_cast<double>(base.partition.features.size());
  if (cells * cost > most_validated_cells) {
    return "Not cross-validated, because the table is large or the training takes long. Use "
           "--folds 5 to cross-validate it.";
  }
  return "";
}

void Report::cross_validate_model(const RuleBase& base, const Table& table, Terminal& terminal,
                                  ReportRequest& request) const {
  try {
    request.why_not = why_not(base, table);
    if (!request.why_not.empty()) return;
    TrainRequest training = same_training(base);
    if (!partition_file.empty()) training.given = read_partition(partition_file);
    training.progress = [&terminal](const Progress& progress) {
      terminal.progress("cross-validating", progress.fraction);
      return !interrupted();
    };
    const Table rows = read_retraining_table(data, base, terminal);
    const CrossValidation result = std::visit(
        [&](const auto& given) { return cross_validate(rows, training, given); },
        read_fold_option(folds.empty() ? std::to_string(usual_folds) : folds, table.rows));
    for (const FoldResult& fold : result.folds) request.fold_accuracies.push_back(fold.accuracy);
  } catch (const Error& error) {
    // With --folds, a failure is an error; without, the page gives the reason.
    if (!folds.empty() || error.kind() == ErrorKind::interrupted) throw;
    request.why_not = std::string("Not cross-validated: ") + error.what();
  }
  terminal.clear();
}

void Report::run() const {
  check_standard_input(model, data.path);
  Terminal terminal(quiet);
  check_output(output);
  keep_inputs(output, {model, data.path, folds, partition_file});
  const RuleBase base = load(model);
  warn_of_no_rules(base, terminal);
  ReportRequest request;
  request.show = split_names(show);
  const Table table = read_report_table(data, base, request.show, terminal);
  if (table.find(base.target) == nullptr) {
    terminal.warn(table.source + " has no column '" + base.target +
                  "': the page shows no accuracy");
  }
  for (const auto& [name, rows] : unknown_targets(base, table)) {
    terminal.warn(counted(static_cast<double>(rows), "row") + " of " + table.source +
                  (rows == 1 ? " has" : " have") + " the class '" + name +
                  "', which the model does not know: not counted as right or wrong");
  }
  request.data = base_name(data.path);
  request.model = base_name(model);
  request.model_date = model == "-" ? "" : date_of_file(model);
  request.made = date_of_page();
  cross_validate_model(base, table, terminal, request);
  const std::string page = report_page(base, table, request);
  stop_if_interrupted();
  write_output(output, page);
  if (output.empty() || output == "-") return;
  terminal.note(counted(static_cast<double>(table.rows), "row") + ", " +
                fixed(static_cast<double>(page.size()) / 1000, 0) + " kB; open " + output +
                " in a browser");
}

}  // namespace

Command report_command() {
  Command command("report",
                  "Writes an HTML page with the rules, their labels, a what-if form and the rows",
                  examples);
  auto report = std::make_shared<Report>();
  command.add(
      {.name = "MODEL", .help = "Model file of frr train; - is standard input", .required = true},
      report->model);
  add_model_data_options(command, report->data);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the page, such as report.html [default: standard output]"},
              report->output);
  command.add({.name = "--show",
               .type = "A,B",
               .help = "Columns to show with the rows, in addition to those that the rules read"},
              report->show);
  command.add({.name = "--folds",
               .type = "K|FILE",
               .help = "Number of folds of the cross-validation, or a file with the fold number of "
                       "each row; 0: no cross-validation [default: 5 if the model was trained on "
                       "DATA and DATA has at most 1,000,000 cells, otherwise 0]"},
              report->folds);
  command.add({.name = "--partition-file",
               .type = "FILE",
               .help = "File with the labels that the model was trained with, for the "
                       "cross-validation; the file that the model names is not opened"},
              report->partition_file);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, report->quiet);
  command.action = [report] { report->run(); };
  return command;
}

}  // namespace frr::cli
