// frr cv: how good the rules are on rows they have not seen.
#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data_options.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report_table.hpp"
#include "terminal.hpp"
#include "training_options.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr cv patients.csv                          5 folds\n"
    "  frr cv patients.csv --folds 10 --rules 8     10 folds, at most 8 rules\n"
    "  frr cv patients.csv --folds folds.txt --json given folds: one number a row\n";

struct Cv {
  DataOptions data;
  TrainingOptions training;
  std::string folds = "5", output;
  bool json = false, quiet = false;

  void run() const;
};

nlohmann::ordered_json fold_json(const FoldResult& fold) {
  return {{"accuracy", fold.accuracy},
          {"train_accuracy", fold.train_accuracy},
          {"rules", fold.rules},
          {"conditions", fold.conditions},
          {"unique_conditions", fold.unique_conditions},
          {"fit_seconds", fold.fit_seconds},
          {"balanced_accuracy", fold.balanced_accuracy}};
}

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
          {"confusion", result.confusion}};
}

// A whole number is a number of folds; anything else names a file.
CrossValidation cross_validate_as_asked(const Table& table, const TrainRequest& request,
                                        const std::string& folds) {
  int count = 0;
  const char* const end = folds.data() + folds.size();
  const auto [stop, status] = std::from_chars(folds.data(), end, count);
  if (stop != end || folds.empty()) {
    if (status == std::errc{} && stop != folds.data() && folds.find('.') == std::string::npos) {
      fail_usage("--folds " + folds + ": give a whole number from 2 up, or a file");
    }
    return cross_validate(table, request, read_folds(folds, table.rows));
  }
  if (status != std::errc{} || count < 2) {
    fail_usage("--folds " + folds + ": give a whole number from 2 up, or a file");
  }
  return cross_validate(table, request, count);
}

void Cv::run() const {
  Terminal terminal(quiet);
  TrainRequest request = make_request(training, terminal);
  check_output(output);
  keep_inputs(output, {data.path, training.partition_file, folds});
  TrainingTable input = read_training_table(data, terminal);
  request.target = data.target;
  request.row_weights = std::move(input.weights);
  CrossValidation result = cross_validate_as_asked(input.table, request, folds);
  result.dataset = dataset_name(data.path);
  terminal.clear();
  stop_if_interrupted();
  terminal.warn(result.notes);
  write_output(output, json ? dump(cv_json(result)) : fold_table(result) + confusion_table(result));
}

}  // namespace

void add_cv(CLI::App& app, Action& action) {
  CLI::App& command =
      add_command(app, "cv", "Cross-validates: trains and tests on different rows", examples);
  auto cv = std::make_shared<Cv>();
  add_table_options(command, cv->data);
  command
      .add_option("--folds", cv->folds,
                  "Number of folds, or a file with one fold number a row [default 5]")
      ->type_name("K|FILE");
  command.add_flag("--json", cv->json, "Print JSON");
  command.add_option("-o,--output", cv->output, "File for the result [default: standard output]")
      ->type_name("FILE");
  command.add_flag("--quiet", cv->quiet, "Print nothing but results and errors");
  add_training_options(command, cv->training);
  command.callback([&action, cv] { action = [cv] { cv->run(); }; });
}

}  // namespace frr::cli
