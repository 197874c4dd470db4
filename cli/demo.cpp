// frr demo: learns from the built-in data and shows the rules.
#include <chrono>
#include <filesystem>
#include <memory>
#include <sstream>

#include "commands.hpp"
#include "dates.hpp"
#include "demo_data.hpp"
#include "frr/frr.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "training_options.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr demo                        learn to distinguish malignant from benign tumours\n"
    "  frr demo --rules 4              at most 4 rules\n"
    "  frr demo --report tumours.html  write the report page to tumours.html\n"
    "  frr demo --data > tumours.csv   save the built-in data\n";

struct Demo {
  std::string program, report = "frr-demo.html";
  TrainingOptions training;
  bool data = false, quiet = false;

  void run() const;

 private:
  std::string add_report(const RuleBase& base, const Table& table, const CrossValidation& cv,
                         Outputs& outputs, Terminal& terminal) const;
};

Table demo_table() {
  std::istringstream input{std::string(demo_csv())};
  CsvOptions options;
  options.target = "diagnosis";
  options.source = "breast_cancer.csv";
  return read_csv(input, options);
}

std::string next_steps(const std::string& program) {
  std::string text;
  for (const char* step : {"demo --data > tumours.csv                    # the data as a file",
                           "train tumours.csv -o model.json --rules 6    # at most 6 rules",
                           "rules model.json                             # read them",
                           "predict model.json tumours.csv               # predict with them",
                           "explain model.json tumours.csv --row 1       # see why",
                           "report model.json tumours.csv -o page.html   # explain them to others",
                           "cv your-table.csv --target your-column       # try your data"}) {
    text += "  " + program + " " + step + "\n";
  }
  return text;
}

// The path of the page; "" if it cannot be written. The demo then shows the rules without it.
std::string Demo::add_report(const RuleBase& base, const Table& table, const CrossValidation& cv,
                             Outputs& outputs, Terminal& terminal) const {
  ReportRequest request;
  request.made = date_of_page();
  for (const FoldResult& fold : cv.folds) request.fold_accuracies.push_back(fold.accuracy);
  try {
    check_output(report, "--report");
    outputs.add(report, report_page(base, table, request));
  } catch (const Error& error) {
    terminal.warn(error.what());
    return "";
  }
  return std::filesystem::absolute(report).string();
}

void Demo::run() const {
  if (data) return write_output("", std::string(demo_csv()));
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return fixed(std::chrono::duration<double>(Clock::now() - start).count(), 2) + " s";
  };
  constexpr int fold_count = 5;
  Terminal terminal(quiet);
  TrainRequest request = make_request(training, terminal);
  const Table table = demo_table();
  request.target = "diagnosis";
  const auto train_start = Clock::now();
  const RuleBase base = train(table, request);
  const std::string train_time = seconds_since(train_start);
  terminal.warn(base.summary.notes);
  const auto cv_start = Clock::now();
  const CrossValidation cv = cross_validate(table, request, fold_count);
  const std::string cv_time = seconds_since(cv_start);
  terminal.clear();
  stop_if_interrupted();

  const auto heading = [](std::string_view text) { return bold(text) + "\n"; };
  std::string text = heading("Breast cancer (Wisconsin diagnostic): is a tumour malignant?");
  text += counted(static_cast<double>(table.rows), "row") + ", " +
          counted(static_cast<double>(cv.features), "feature") + "\n\n";
  text += heading("The rules. What you read is what predicts:") + to_text(base) + "\n";
  text += heading("Accuracy and size:");
  text += "  training accuracy  " + fixed(base.summary.train_accuracy, 2) + " %\n";
  text += "  5-fold accuracy    " + fixed(cv.mean.accuracy, 2) + " % (+- " +
          fixed(cv.deviation.accuracy, 2) + ")\n";
  text += "  size               " + counted(static_cast<double>(base.rules.size()), "rule") + ", " +
          counted(static_cast<double>(base.size()), "condition") + "\n";
  text += "  time               " + train_time + " to train, " + cv_time + " to cross-validate\n\n";
  Outputs outputs;
  if (const std::string page = add_report(base, table, cv, outputs, terminal); !page.empty()) {
    text += heading("The report page; open it in a browser:");
    text += "  " + page + "\n\n";
  }
  text += heading("What to try next:") + next_steps(program);
  outputs.add_text("", text);
  outputs.publish();
}

}  // namespace

Command demo_command(const std::string& program) {
  Command command("demo", "Learns from built-in data and shows the rules and their accuracy",
                  examples);
  auto demo = std::make_shared<Demo>();
  demo->program = program;
  command.add({.name = "--data", .help = "Print the built-in data as CSV and exit"}, demo->data);
  command.add({.name = "--report",
               .type = "FILE",
               .help = "File for the report page [default: frr-demo.html]"},
              demo->report);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, demo->quiet);
  add_training_options(command, demo->training);
  command.action = [demo] { demo->run(); };
  return command;
}

}  // namespace frr::cli
