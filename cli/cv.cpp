// frr cv: estimates the accuracy and other metrics on new rows by cross-validation.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "data_options.hpp"
#include "folds.hpp"
#include "interrupt.hpp"
#include "metrics_table.hpp"
#include "output.hpp"
#include "report_table.hpp"
#include "terminal.hpp"
#include "training_options.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr cv patients.csv                          5 folds\n"
    "  frr cv patients.csv --folds 10 --rules 8     10 folds, at most 8 rules\n"
    "  frr cv patients.csv --folds folds.txt --json given folds: one number per row\n";

struct Cv {
  DataOptions data;
  TrainingOptions training;
  std::string folds = "5", output;
  bool json = false, quiet = false;

  void run() const;
};

nlohmann::ordered_json cv_json(const CrossValidation& result) {
  nlohmann::ordered_json folds = nlohmann::ordered_json::array();
  for (const FoldResult& fold : result.folds) folds.push_back(fold_json(fold));
  return {{"dataset", result.dataset},
          {"rows", result.rows},
          {"features", result.features},
          {"classes", result.classes},
          {"folds", folds},
          {"mean", fold_json(result.mean)},
          {"deviation", fold_json(result.deviation)},
          {"class_names", result.class_names},
          {"confusion", result.confusion},
          {"metrics", metrics_json(result.metrics, result.dataset)},
          {"notes", result.notes}};
}

void Cv::run() const {
  Terminal terminal(quiet);
  TrainRequest request = make_request(training, terminal);
  check_output(output);
  keep_inputs(output, {data.path, training.partition_file, training.decisions.costs_file, folds});
  TrainingTable input = read_training_table(data, terminal);
  request.target = data.target;
  request.row_weights = std::move(input.weights);
  CrossValidation result = std::visit(
      [&](const auto& given) { return cross_validate(input.table, request, given, std::nullopt); },
      read_fold_option(folds, input.table.rows));
  result.dataset = dataset_name(data.path);
  terminal.clear();
  stop_if_interrupted();
  terminal.warn(result.notes);
  if (json) return write_output(output, dump(cv_json(result)));
  write_text(output, fold_table(result) +
                         "\nAll rows, each predicted by the rules of the other folds:\n" +
                         summary_table(result.metrics) + confusion_table(result));
}

}  // namespace

Command cv_command() {
  Command command("cv", "Estimates the accuracy on new rows by cross-validation", examples);
  auto cv = std::make_shared<Cv>();
  add_table_options(command, cv->data);
  add_fold_option(command, cv->folds);
  command.add({.name = "--json", .help = "Print JSON"}, cv->json);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              cv->output);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, cv->quiet);
  add_training_options(command, cv->training);
  command.action = [cv] { cv->run(); };
  return command;
}

}  // namespace frr::cli
