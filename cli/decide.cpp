// frr decide: changes which class a model predicts at which probabilities, without training.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data_options.hpp"
#include "decision_options.hpp"
#include "interrupt.hpp"
#include "model/policy.hpp"
#include "output.hpp"
#include "policy_json.hpp"
#include "terminal.hpp"
#include "text/decision_text.hpp"
#include "train/options.hpp"
#include "validation/choose_policy.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr decide model.json --cost miss:20 -o model2.json       a miss costs 20 false alarms\n"
    "  frr decide model.json --sensitivity 0.95 --data patients.csv -o model2.json\n"
    "  frr decide model.json --refer 0.7 -o model2.json          leave doubtful cases to a person\n"
    "  frr decide model.json --reset -o model2.json              the most probable class again\n";

struct Decide {
  std::string model, output;
  DataOptions data;  // `path` is empty without --data
  DecisionOptions decisions;
  bool reset = false, json = false, quiet = false;
  Settings settings;  // only the number of threads is used

  void run() const;

 private:
  void check() const;
  [[nodiscard]] DecisionPolicy policy(const RuleBase& base, const Table& table,
                                      Terminal& terminal) const;
};

void Decide::check() const {
  if (!decisions.given() && !reset) {
    fail_usage(
        "say how to decide: --cost, --costs, --threshold, --sensitivity, --specificity, --refer, "
        "--positive or --reset");
  }
  static_cast<void>(decisions.request());  // reports faults before any file is read
  if (output.empty() || output == "-") {
    if (json) fail_usage("--json prints a summary to standard output; give a file with -o");
  }
  const std::string& target =
      decisions.sensitivity.empty() ? decisions.specificity : decisions.sensitivity;
  if (!target.empty() && data.path.empty()) {
    fail_usage(std::string(decisions.sensitivity.empty() ? "--specificity " : "--sensitivity ") +
               target + " needs rows whose class is known: give the training data with --data");
  }
  if (!data.path.empty()) check_standard_input(model, data.path);
}

std::string class_name(const RuleBase& base, int index) {
  return base.classes[static_cast<std::size_t>(index)];
}

// A threshold or a scorecard needs a positive class that goes with it.
void check_positive(const RuleBase& base, const DecisionPolicy& changed) {
  const DecisionPolicy& old = base.policy;
  if (!old.threshold || changed.positive == old.positive) return;
  fail_usage("--positive " + class_name(base, changed.positive) + ": the threshold of the model, " +
             percent_text(*old.threshold) + ", is for '" + class_name(base, old.positive) +
             "'; give a new one with --threshold, --sensitivity or --specificity, or --reset");
}

// What is not given stays as it is in the model.
DecisionPolicy Decide::policy(const RuleBase& base, const Table& table, Terminal& terminal) const {
  PolicyRequest request = decisions.request();
  if (request.positive.empty() && base.policy.positive >= 0) {
    request.positive = class_name(base, base.policy.positive);
  }
  PolicyChoice choice =
      choose_policy(base, table, request, settings.threads, [&](const Progress& progress) {
        terminal.progress("cross-validating", progress.fraction);
        return !interrupted();
      });
  terminal.clear();
  terminal.warn(choice.notes);
  DecisionPolicy result = std::move(choice.policy);
  if (reset) return result;
  if (!decisions.choose()) {
    check_positive(base, result);
    result.costs = base.policy.costs;
    result.threshold = base.policy.threshold;
    result.target = base.policy.target;
  }
  if (decisions.refer.empty()) result.refer = base.policy.refer;
  return result;
}

// "predict the most probable class", or the sentences of the policy.
std::string policy_text(const RuleBase& base) {
  std::string text;
  for (const std::string& sentence : policy_sentences(base)) {
    text += (text.empty() ? "" : " ") + sentence;
  }
  const bool chosen = base.policy.threshold || !base.policy.costs.empty();
  if (!chosen) text = "The most probable class is predicted." + (text.empty() ? "" : " " + text);
  if (base.policy.positive >= 0) {
    text = "Positive class: " + class_name(base, base.policy.positive) + ". " + text;
  }
  return text;
}

struct Changes {
  std::size_t rules = 0;  // with another class, ELSE included
  std::size_t rows = 0, predicted = 0, referred_before = 0, referred_after = 0;
  // The number of rows by old and new class.
  std::vector<std::vector<std::size_t>> from_to;
};

Changes compare(const RuleBase& before, const RuleBase& after, const Table& table, int threads) {
  Changes changes;
  changes.rules = before.otherwise == after.otherwise ? 0 : 1;
  for (std::size_t r = 0; r < before.rules.size(); ++r) {
    if (before.rules[r].then != after.rules[r].then) ++changes.rules;
  }
  changes.rows = table.rows;
  changes.from_to.assign(before.classes.size(), std::vector<std::size_t>(before.classes.size()));
  if (table.rows == 0) return changes;
  const std::vector<Decision> old = predict(before, table, threads);
  const std::vector<Decision> now = predict(after, table, threads);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (old[row].predicted == now[row].predicted) continue;
    ++changes.predicted;
    ++changes.from_to[static_cast<std::size_t>(old[row].predicted)]
                     [static_cast<std::size_t>(now[row].predicted)];
  }
  const auto count = [](const std::vector<bool>& rows) {
    return static_cast<std::size_t>(std::ranges::count(rows, true));
  };
  changes.referred_before = count(referred(before, table, threads));
  changes.referred_after = count(referred(after, table, threads));
  return changes;
}

std::string as_text(const RuleBase& before, const RuleBase& after, const Changes& changes,
                    const std::string& source) {
  std::string text = "Before: " + policy_text(before) + "\nNow: " + policy_text(after) + "\n";
  if (after.semantics == Semantics::sufficient) {
    text += counted(static_cast<double>(changes.rules), "rule") + " of " +
            std::to_string(after.rules.size() + 1) + ", ELSE included, now " +
            (changes.rules == 1 ? "predicts" : "predict") + " another class.\n";
  }
  if (source.empty()) return text;
  text += counted(static_cast<double>(changes.predicted), "row") + " of " +
          std::to_string(changes.rows) + " in " + source + " now " +
          (changes.predicted == 1 ? "gets" : "get") + " another class";
  std::string moves;
  for (std::size_t c = 0; c < after.classes.size(); ++c) {
    for (std::size_t d = 0; d < after.classes.size(); ++d) {
      if (changes.from_to[c][d] == 0) continue;
      moves += (moves.empty() ? ": " : ", ") + std::to_string(changes.from_to[c][d]) + " " +
               after.classes[d] + " instead of " + after.classes[c];
    }
  }
  text += moves + ".\n";
  if (before.policy.refer > 0 || after.policy.refer > 0) {
    text += counted(static_cast<double>(changes.referred_after), "row") +
            " referred to a person, " + std::to_string(changes.referred_before) + " before.\n";
  }
  return text;
}

nlohmann::ordered_json as_json(const RuleBase& before, const RuleBase& after,
                               const Changes& changes, const Decide& decide) {
  nlohmann::ordered_json result = {{"model", decide.output},
                                   {"before", policy_json(before)},
                                   {"policy", policy_json(after)},
                                   {"changed_rules", changes.rules}};
  if (decide.data.path.empty()) return result;
  result["rows"] = changes.rows;
  result["changed_rows"] = changes.predicted;
  result["referred_before"] = changes.referred_before;
  result["referred"] = changes.referred_after;
  return result;
}

void check_counts(const RuleBase& base, const std::string& path) {
  if (base.semantics == Semantics::additive || has_counts(base)) return;
  fail_data(path +
            ": the model has no counts of training rows, so its probabilities are not known and "
            "its classes cannot follow from costs or a threshold. Train it again, or change the "
            "classes after THEN in the file");
}

void Decide::run() const {
  check();
  Terminal terminal(quiet);
  check_output(output);
  keep_inputs(output, {data.path, decisions.costs_file});
  const RuleBase before = load(model);
  check_counts(before, model);
  const bool with_rows = !data.path.empty();
  const Table table = with_rows ? read_decision_table(data, before, terminal) : Table{};
  RuleBase after = before;
  after.policy = policy(before, table, terminal);
  apply_policy(after);
  const Changes changes = compare(before, after, table, settings.threads);
  terminal.clear();
  stop_if_interrupted();
  Outputs outputs;
  outputs.add(output, to_json(after));
  const bool to_stdout = output.empty() || output == "-";
  const std::string text = as_text(before, after, changes, table.source);
  if (json) outputs.add("", dump(as_json(before, after, changes, *this)));
  if (!json && !to_stdout && !quiet) outputs.add_text("", text);
  outputs.publish();
}

}  // namespace

Command decide_command() {
  Command command("decide",
                  "Changes which class a model predicts at which probabilities, without training",
                  examples);
  auto decide = std::make_shared<Decide>();
  command.add(
      {.name = "MODEL", .help = "Model file of frr train; - is standard input", .required = true},
      decide->model);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the new model; - is standard output [default: standard output]"},
              decide->output);
  command.add(
      {.name = "--reset",
       .help = "Predict the most probable class and refer no case, unless the other options say "
               "otherwise [default: keep what the model has and the other options do not change]"},
      decide->reset);
  command.add({.name = "--json", .help = "Print what changes as JSON"}, decide->json);
  const Option& threads = find_option("threads");
  command.add(
      {.name = "--threads",
       .type = "N",
       .help = "Number of threads; 0 uses all cores [" + range_text(threads) + "; default 0]"},
      [&threads, settings = &decide->settings](const std::string& text) {
        set_option(*settings, threads, text);
      });
  command.add({.name = "--quiet", .help = "Print only results and errors"}, decide->quiet);
  add_decision_options(command, decide->decisions);
  add_optional_data_options(command, decide->data);
  command.action = [decide] { decide->run(); };
  return command;
}

}  // namespace frr::cli
