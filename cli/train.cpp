// frr train: learns a model from a table.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "csv/csv_reader.hpp"
#include "data_options.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "policy_json.hpp"
#include "rows/csv_source.hpp"
#include "rows/large_training.hpp"
#include "rows/memory_plan.hpp"
#include "terminal.hpp"
#include "text/decision_text.hpp"
#include "train/training_summary.hpp"
#include "training_command.hpp"
#include "training_options.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr train patients.csv -o model.json                     predict the last column\n"
    "  frr train patients.csv --target diagnosis --rules 6 --conditions 2 -o model.json\n"
    "  frr train patients.csv --categorical ward,code --ignore id -o model.json\n"
    "  frr train export.csv --delimiter semicolon --missing unknown -o model.json\n"
    "  zcat patients.csv.gz | frr train - -o model.json\n"
    "  frr train large.csv --memory 1GB -o model.json           read a file larger than memory\n";

struct Train {
  DataOptions data;
  TrainingOptions training;
  std::string output, log, memory;
  bool json = false, quiet = false;

  void check_log(const Settings& settings) const;
  RuleBase learn(TrainRequest request, Terminal& terminal, double& seconds) const;
  RuleBase learn_in_pieces(TrainRequest request, Terminal& terminal) const;
  void explain_no_rules(const RuleBase& base, Terminal& terminal) const;
  void run() const;
};

nlohmann::ordered_json summary_json(const RuleBase& base, double seconds,
                                    const std::string& output) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (const auto& [name, value] : base.summary.settings) settings[name] = value;
  return {{"model", output},
          {"target", base.target},
          {"classes", base.classes},
          {"rows", base.summary.rows},
          {"features", base.partition.features.size()},
          {"rules", base.rules.size()},
          {"conditions", base.size()},
          {"unique_conditions", base.unique_conditions()},
          {"train_accuracy", base.summary.train_accuracy},
          {"seconds", seconds},
          {"stopped_early", base.summary.stopped_early},
          {"notes", base.summary.notes},
          {"settings", settings},
          {"policy", policy_json(base)}};
}

// Wraps `progress` so that it also appends a line "epoch,loss" to `lines` after every epoch.
ProgressCallback logged(ProgressCallback progress, std::string& lines) {
  return [progress = std::move(progress), &lines, last = 0](const Progress& now) mutable {
    if (now.stage == Progress::Stage::gradient && now.epoch > last) {
      last = now.epoch;
      lines += std::to_string(now.epoch) + ',' + shortest(now.loss) + '\n';
    }
    return progress(now);
  };
}

// Whether both paths name the same file, which need not exist.
bool same_place(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(one, ignored), ignored) ==
         fs::weakly_canonical(fs::absolute(other, ignored), ignored);
}

void Train::check_log(const Settings& settings) const {
  if (log.empty()) return;
  if (log == "-") fail_usage("--log needs a file: standard output is for the model");
  if (settings.restarts > 1) {
    fail_usage("--log records a single training; omit --restarts or set it to 1");
  }
  if (!output.empty() && same_place(log, output)) {
    fail_usage("--log and -o name the same file " + log + "; give two different files");
  }
  check_output(log, "--log");
  keep_inputs(log, {data.path, training.partition_file, training.decisions.costs_file}, "--log");
}

RuleBase Train::learn(TrainRequest request, Terminal& terminal, double& seconds) const {
  auto start = std::chrono::steady_clock::now();
  RuleBase base;
  if (!memory.empty()) {
    base = learn_in_pieces(std::move(request), terminal);
  } else {
    TrainingTable input = read_training_table(data, terminal);
    request.row_weights = std::move(input.weights);
    start = std::chrono::steady_clock::now();
    base = train(input.table, request);
  }
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return base;
}

// "pass 3 of about 10, 1.25 million rows/s"
bool show_pass(const CsvSource& source, std::size_t bytes, std::size_t size,
               std::chrono::steady_clock::time_point start, Terminal& terminal) {
  constexpr int usual_passes = 10;
  const int passes = std::max(usual_passes, source.readings());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double share =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::size_t>(size, 1));
  terminal.progress(
      "pass " + std::to_string(source.readings()) + " of about " + std::to_string(passes) + ", " +
          fixed(1e-6 * static_cast<double>(source.rows_read()) / seconds, 2) + " million rows/s",
      (source.readings() - 1 + std::min(share, 1.0)) / passes);
  return !interrupted();
}

// Reads the file once for each request of the training.
RuleBase Train::learn_in_pieces(TrainRequest request, Terminal& terminal) const {
  const std::size_t bytes = parse_memory(memory, "--memory");
  if (data.path == "-") {
    fail_usage(
        "--memory reads the data several times, which is impossible with standard input; save the "
        "data in a file");
  }
  CsvOptions options = training_table_options(data, terminal);
  const CsvPieces head(data.path, options, 1);
  check_last_column(data, head.names());
  Settings& settings = request.settings;
  // One thread reads while the others count.
  const int readers = std::max(1, thread_count(settings.threads) - 1);
  constexpr std::uint64_t unknown_rows = std::numeric_limits<std::uint64_t>::max();
  const MemoryPlan plan = plan_memory(static_cast<double>(bytes), csv_costs(head.names().size()),
                                      unknown_rows, settings.search_rows, readers);
  if (plan.search_rows < settings.search_rows) {
    terminal.warn("because of --memory " + memory +
                  ", labels and conditions are chosen on a sample of " +
                  std::to_string(plan.search_rows) + " rows instead of " +
                  std::to_string(settings.search_rows));
    settings.search_rows = plan.search_rows;
    settings.gradient_rows = std::min(settings.gradient_rows, plan.search_rows);
  }
  request.target = head.target();
  std::error_code unknown;
  const std::size_t size = std::filesystem::file_size(data.path, unknown);
  const CsvSource* reading = nullptr;
  options.progress = [&, start = std::chrono::steady_clock::now()](std::size_t read) {
    return show_pass(*reading, read, size, start, terminal);
  };
  CsvSource::Check check;
  if (!data.weight_column.empty()) {
    check = [&](const Table& piece) { check_weights(piece, data.weight_column); };
  }
  CsvSource source(data.path, options, {request.target, data.weight_column}, plan, settings.threads,
                   check);
  reading = &source;
  RuleBase base = internal::train(source, request, data.path);
  terminal.warn(source.warnings());
  return base;
}

// "Positive class: ill (4.9 % of the rows). ...", with the threshold or the costs; may be empty.
std::string decisions_text(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  std::string text;
  if (policy.positive >= 0) {
    const auto positive = static_cast<std::size_t>(policy.positive);
    text = "Positive class: " + base.classes[positive] + " (" +
           percent_text(base_rates(base)[positive]) + " of the rows). ";
  }
  for (const std::string& sentence : policy_sentences(base)) text += sentence + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

// Complete commands for the first and the last option that may give rules.
void Train::explain_no_rules(const RuleBase& base, Terminal& terminal) const {
  if (!base.rules.empty()) return;
  const std::vector<std::string> options = options_for_rules(base);
  if (options.empty()) return;
  const auto command = [&](const std::string& option) {
    std::vector<std::string> without = {"price", "price-rate"};
    if (!option.starts_with("--price")) without.insert(without.end(), {"objective", "semantics"});
    return training_command("frr", data, training, without) + " " + option + " -o " +
           shell_word(output.empty() ? "model.json" : output);
  };
  terminal.warn("for example: " + command(options.front()) +
                (options.size() > 1 ? ", or " + command(options.back()) : "") +
                ". If that gives no rules either, the columns do not distinguish the classes");
}

void Train::run() const {
  Terminal terminal(quiet);
  const bool to_stdout = output.empty() || output == "-";
  if (json && to_stdout) {
    fail_usage("--json prints a summary to standard output; give a file for the model with -o");
  }
  TrainRequest request = make_request(training, terminal);
  check_output(output);
  keep_inputs(output, {data.path, training.partition_file, training.decisions.costs_file});
  check_log(request.settings);
  std::string lines = "epoch,loss\n";
  if (!log.empty()) request.progress = logged(std::move(request.progress), lines);
  request.target = data.target;
  request.missing = missing_codes(data);
  request.recorded = recorded_options(data);
  if (!training.partition_file.empty()) {
    request.recorded.emplace_back("partition-file", training.partition_file);
  }
  double seconds = 0;
  const RuleBase base = learn(request, terminal, seconds);
  terminal.clear();
  stop_if_interrupted();
  terminal.warn(base.summary.notes);
  explain_no_rules(base, terminal);
  if (training.decisions.given()) {
    terminal.say(decisions_text(base));
  } else {
    terminal.note(decisions_text(base));
  }
  if (base.summary.stopped_early) {
    terminal.warn("training stopped at the time limit of " + shortest(request.settings.time_limit) +
                  " s; the model contains the best rules found so far");
  }

  // On a terminal, show the rules instead of the JSON of the model.
  const bool show_rules = stdout_is_terminal() && !quiet && !json && output != "-";
  Outputs outputs;
  if (!to_stdout || !show_rules) outputs.add(output, to_json(base));
  if (!log.empty()) outputs.add(log, lines);
  if (show_rules) outputs.add_text("", to_text(base));
  if (json) outputs.add("", dump(summary_json(base, seconds, output)));
  outputs.publish();
  terminal.note(counted(static_cast<double>(base.rules.size()), "rule") + ", " +
                counted(static_cast<double>(base.size()), "condition") + ", training accuracy " +
                fixed(base.summary.train_accuracy, 2) + " %, " + fixed(seconds, 1) + " s" +
                (to_stdout ? "" : "; saved in " + output));
  if (to_stdout && show_rules) terminal.note("The model is not saved; use -o FILE to save it.");
}

}  // namespace

Command train_command() {
  Command command("train", "Learns rules from a CSV file", examples);
  auto train = std::make_shared<Train>();
  add_table_options(command, train->data);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the model; - is standard output [default: standard output; on a "
                       "terminal, the rules are shown and the model is not saved]"},
              train->output);
  command.add({.name = "--log",
               .type = "FILE",
               .help = "CSV file for the mean loss of each epoch, with the columns epoch and loss"},
              train->log);
  command.add({.name = "--memory",
               .type = "SIZE",
               .help = "Limit the memory to about SIZE, such as 500MB or 1GB, by reading the file "
                       "several times in pieces [default: keep the table in memory]"},
              train->memory);
  command.add({.name = "--json", .help = "Print a summary of the training as JSON"}, train->json);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, train->quiet);
  add_training_options(command, train->training);
  command.action = [train] { train->run(); };
  return command;
}

}  // namespace frr::cli
