// frr path: shows how a metric depends on the number of rules and recommends a number.
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "data_options.hpp"
#include "folds.hpp"
#include "interrupt.hpp"
#include "metrics_table.hpp"
#include "output.hpp"
#include "path_plot.hpp"
#include "report_table.hpp"
#include "terminal.hpp"
#include "training_command.hpp"
#include "training_options.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr path patients.csv                          1, 2, ..., 15 rules, 5 folds each\n"
    "  frr path patients.csv --rules 8 --folds 10     up to 8 rules, 10 folds\n"
    "  frr path patients.csv --by auc                 the number of rules that the AUC needs\n"
    "  frr path patients.csv --json | jq .recommended\n";

struct Path {
  std::string program;
  DataOptions data;
  TrainingOptions training;
  std::string folds = "5", output, by;
  bool json = false, quiet = false;

  void run() const;
  [[nodiscard]] std::string next_training(int rules) const;
};

nlohmann::ordered_json point_json(const PathPoint& point, const AccuracyPath& path) {
  nlohmann::ordered_json folds = nlohmann::ordered_json::array();
  for (const FoldResult& fold : point.folds) folds.push_back(fold_json(fold));
  return {{"budget", point.budget},
          {"accuracy", point.mean.accuracy},
          {"accuracy_deviation", point.deviation.accuracy},
          {"accuracy_error", point.error.accuracy},
          {"train_accuracy", point.mean.train_accuracy},
          {"rules", point.mean.rules},
          {"conditions", point.mean.conditions},
          {"unique_conditions", point.mean.unique_conditions},
          {"fit_seconds", point.mean.fit_seconds},
          {"balanced_accuracy", point.mean.balanced_accuracy},
          {"auc", point.mean.auc},
          {"log_loss", point.mean.log_loss},
          {"error", figure_of(point.error, path.by)},
          {"metrics", metrics_json(point.metrics, path.dataset)},
          {"folds", folds}};
}

nlohmann::ordered_json path_json(const AccuracyPath& path) {
  nlohmann::ordered_json budgets = nlohmann::ordered_json::array();
  for (const PathPoint& point : path.points) budgets.push_back(point_json(point, path));
  return {{"dataset", path.dataset},
          {"rows", path.rows},
          {"features", path.features},
          {"classes", path.classes},
          {"budgets", budgets},
          {"selected_by", to_string(path.by)},
          {"best", path.points[path.best].budget},
          {"recommended", path.points[path.recommended].budget},
          {"notes", path.notes}};
}

std::string rules_are(int count) { return counted(count, "rule") + (count == 1 ? " is" : " are"); }

std::string no_rules_needed(const PathPoint& chosen, PathMetric by) {
  if (by == PathMetric::accuracy) {
    return "No rules are needed: always predicting the most frequent class is right in " +
           path_figure(chosen.mean, by) + " of the rows.";
  }
  return "No rules are needed: they do not improve the " + path_title(by) + ", which is " +
         path_figure(chosen.mean, by) + " without them.";
}

std::string verdict(const AccuracyPath& path) {
  const PathPoint& best = path.points[path.best];
  const PathPoint& chosen = path.points[path.recommended];
  if (chosen.mean.rules == 0) return no_rules_needed(chosen, path.by);
  const bool accuracy = path.by == PathMetric::accuracy;
  const std::string better = accuracy ? "more accurate" : "better";
  const std::string figure =
      (accuracy ? "" : path_title(path.by) + " ") + path_figure(chosen.mean, path.by);
  const std::string error = "one standard error (" + path_figure(best.error, path.by, false) + ")";
  if (path.recommended != path.best) {
    return rules_are(chosen.budget) + " enough: " + figure + ", within " + error +
           " of the best, " + path_figure(best.mean, path.by) + " with " +
           counted(best.budget, "rule") + ".";
  }
  if (path.points.size() == 1) return "1 rule gives " + figure + ". To try more, increase --rules.";
  if (path.best == 0) return "1 rule is enough: " + figure + "; more rules are not " + better + ".";
  const bool last = path.best + 1 == path.points.size();
  return rules_are(best.budget) + " best: " + figure + "; no smaller number is within " + error +
         " of that. " +
         (last ? "A larger --rules may give a " +
                     (accuracy ? "higher accuracy" : "better " + path_title(path.by)) + "."
               : "More rules are not " + better + ".");
}

// The command that trains with the recommended number of rules and otherwise the given options.
std::string Path::next_training(int rules) const {
  return training_command(program, data, training, {"rules"}) + " --rules " +
         std::to_string(rules) + " -o model.json";
}

PathMetric parse_by(const std::string& text) {
  try {
    return parse_path_metric(text);
  } catch (const Error& error) {
    fail_usage(std::string("--by: ") + error.what());
  }
}

void Path::run() const {
  Terminal terminal(quiet);
  TrainRequest request = make_request(training, terminal);
  const std::string stage =
      request.settings.rules == 1
          ? "trying 1 rule"
          : "trying 1 to " + std::to_string(request.settings.rules) + " rules";
  request.progress = [&terminal, &stage](const Progress& progress) {
    terminal.progress(stage, progress.fraction);
    return !interrupted();
  };
  std::optional<PathMetric> metric;
  if (!by.empty()) metric = parse_by(by);
  check_output(output);
  keep_inputs(output, {data.path, training.partition_file, training.decisions.costs_file, folds});
  TrainingTable input = read_training_table(data, terminal);
  request.target = data.target;
  request.row_weights = std::move(input.weights);
  AccuracyPath path = std::visit(
      [&](const auto& given) {
        return accuracy_path(input.table, request, given, metric, std::nullopt);
      },
      read_fold_option(folds, input.table.rows));
  path.dataset = dataset_name(data.path);
  terminal.clear();
  stop_if_interrupted();
  terminal.warn(path.notes);
  if (json) return write_output(output, dump(path_json(path)));

  const bool to_stdout = output.empty() || output == "-";
  const std::size_t columns = to_stdout ? width(STDOUT_FILENO) : 80;
  write_text(output, data_line(path.dataset, path.rows, path.features, path.classes) + ", " +
                         std::to_string(path.points.front().folds.size()) + " folds\n\n" +
                         path_table(path, columns) + "\n" + verdict(path) +
                         "\n\nOut of fold with at most " +
                         counted(path.points[path.recommended].budget, "rule") + ":\n" +
                         summary_table(path.points[path.recommended].metrics) +
                         "\nTrain with:\n  " + next_training(path.points[path.recommended].budget) +
                         "\n");
}

}  // namespace

Command path_command(const std::string& program) {
  Command command(
      "path", "Cross-validates with 1, 2, ... rules up to --rules and recommends a number of rules",
      examples);
  auto path = std::make_shared<Path>();
  path->program = program;
  add_table_options(command, path->data);
  add_fold_option(command, path->folds);
  command.add({.name = "--by",
               .type = "METRIC",
               .help = "Metric that selects the number of rules: accuracy, balanced, auc or "
                       "log-loss [default: log-loss for additive rules and for --objective risk, "
                       "otherwise accuracy]"},
              path->by);
  command.add({.name = "--json", .help = "Print JSON"}, path->json);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              path->output);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, path->quiet);
  add_training_options(command, path->training);
  command.action = [path] { path->run(); };
  return command;
}

}  // namespace frr::cli
