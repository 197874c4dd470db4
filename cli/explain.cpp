// frr explain: explains the prediction for one row, as text or JSON.
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/visible_text.hpp"
#include "commands.hpp"
#include "data_options.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr explain model.json patients.csv --row 1    the first row below the header\n"
    "  frr explain model.json patients.csv --row 12 --json\n";

struct Explain {
  std::string model, output;
  DataOptions data;
  std::int64_t row = 0;
  bool json = false, quiet = false;

  void run() const;
};

const std::string& class_name(const RuleBase& base, int index) {
  return base.classes[static_cast<std::size_t>(index)];
}

const std::string& feature_name(const RuleBase& base, int index) {
  return base.partition.features[static_cast<std::size_t>(index)].name;
}

const std::string& label_name(const RuleBase& base, const Condition& condition) {
  const auto& feature = base.partition.features[static_cast<std::size_t>(condition.feature)];
  return feature.labels[static_cast<std::size_t>(condition.label)].name;
}

std::string rule_name(int rule) {
  return rule == Decision::otherwise ? "ELSE" : "rule " + std::to_string(rule + 1);
}

std::string rule_text(const RuleBase& base, const RuleTruth& truth) {
  return base.rule_text(base.rules[static_cast<std::size_t>(truth.rule)]);
}

std::string shown(const std::string& value) { return value.empty() ? "missing" : value; }

// Three decimals, or two significant digits below 0.01.
std::string figure(double value) {
  if (value == 0 || std::fabs(value) >= 0.01) return fixed(value, 3);
  return fixed(value, 1 - static_cast<int>(std::floor(std::log10(std::fabs(value)))));
}

// The rule's conditions with the values of the row, then the computation of its score.
std::string truth_text(const RuleBase& base, const RuleTruth& truth) {
  std::vector<std::string> left;
  std::size_t width = 0;
  for (const ConditionTruth& part : truth.conditions) {
    left.push_back(
        visible_text(feature_name(base, part.condition.feature) + " = " + shown(part.value)));
    width = std::max(width, left.back().size());
  }
  std::string text;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const ConditionTruth& part = truth.conditions[k];
    text += "    " + left[k] + std::string(width - left[k].size(), ' ') + "   is " +
            label_name(base, part.condition) + " to " + fixed(100 * part.membership, 0) + " %\n";
  }
  const double weight = base.rules[static_cast<std::size_t>(truth.rule)].weight;
  return text + "    truth " + fixed(100 * truth.truth, 0) + " %, times weight " + figure(weight) +
         " = score " + figure(truth.score) + "\n";
}

// With additive semantics: the sum of the scores of each class, which decides.
std::string sums_text(const RuleBase& base, const Explanation& why) {
  std::vector<double> sums(base.classes.size(), 0.0);
  for (const RuleTruth& truth : why.rules) {
    sums[static_cast<std::size_t>(base.rules[static_cast<std::size_t>(truth.rule)].then)] +=
        truth.score;
  }
  std::string text = bold("Scores of all rules, added by class:") + "\n";
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (sums[c] > 0) text += "    " + base.classes[c] + "  " + figure(sums[c]) + "\n";
  }
  return text + "\n";
}

// The rules with a positive score, except the winner and the runner-up.
std::string others_text(const RuleBase& base, const Explanation& why) {
  std::string text;
  for (const RuleTruth& truth : why.rules) {
    const bool shown_above = (why.winner && truth.rule == why.winner->rule) ||
                             (why.runner_up && truth.rule == why.runner_up->rule);
    if (shown_above || truth.score <= 0) continue;
    const Rule& rule = base.rules[static_cast<std::size_t>(truth.rule)];
    text += "    " + rule_name(truth.rule) + " for " + class_name(base, rule.then) + ": truth " +
            fixed(100 * truth.truth, 0) + " %, times weight " + figure(rule.weight) + " = score " +
            figure(truth.score) + "\n";
  }
  if (text.empty()) return "";
  return bold("Other rules that apply:") + "\n" + text + "\n";
}

// "a, b are missing; supplying them might change the class.", or "" if no value is missing.
std::string missing_text(const RuleBase& base, const Explanation& why) {
  std::set<int> missing;
  for (const RuleTruth& truth : why.rules) {
    for (const ConditionTruth& part : truth.conditions) {
      if (part.value.empty()) missing.insert(part.condition.feature);
    }
  }
  std::string names;
  for (const int feature : missing) {
    names += (names.empty() ? "" : ", ") + feature_name(base, feature);
  }
  if (missing.empty()) return "";
  return "    " + names + (missing.size() == 1 ? " is" : " are") + " missing; supplying " +
         (missing.size() == 1 ? "it" : "them") + " might change the class.\n";
}

std::string changes_text(const RuleBase& base, const Explanation& why) {
  const std::string incomplete =
      why.changes_complete
          ? ""
          : "The model is too large to search all changes; some may be missing here.\n";
  if (why.changes.empty() && !why.changes_complete) return incomplete + missing_text(base, why);
  if (why.changes.empty()) {
    return "No change of a single known value would change the class.\n" + missing_text(base, why);
  }
  std::string text =
      bold("Changes of a single column that would change the class, nearest first:") + "\n";
  for (const Change& change : why.changes) {
    text += "    " + feature_name(base, change.feature) + " from " + shown(change.from) + " to " +
            shown(change.to) + ": " + class_name(base, change.predicted) + " (by " +
            rule_name(change.rule) + ")\n";
  }
  return text + incomplete + missing_text(base, why);
}

std::string as_text(const RuleBase& base, const Explanation& why, const std::string& place) {
  const auto predicted = static_cast<std::size_t>(why.decision.predicted);
  std::string text = bold(place + ": " + base.target + " is " + base.classes[predicted]) +
                     " (probability " + fixed(why.probabilities[predicted], 3) + ")\n\n";
  const bool additive = base.semantics == Semantics::additive;
  if (why.winner && additive) text += sums_text(base, why);
  if (why.winner) {
    const std::string verb = additive ? "Strongest rule for it: " : "Decided by ";
    text += bold(verb + rule_name(why.winner->rule)) + ": " + rule_text(base, *why.winner) + "\n" +
            truth_text(base, *why.winner) + "\n";
  } else {
    text += bold("Decided by ELSE") + ": no rule applies to this row.\n\n";
  }
  if (why.runner_up) {
    text += bold((additive ? "Strongest against it, " : "Runner-up, ") +
                 rule_name(why.runner_up->rule)) +
            ": " + rule_text(base, *why.runner_up) + "\n" + truth_text(base, *why.runner_up) +
            "    margin of the decision: " + figure(why.margin) + "\n\n";
  } else if (why.winner) {
    text += "No rule of another class applies to this row.\n\n";
  }
  text += others_text(base, why) + changes_text(base, why) + "\n" + bold("Probabilities:") + "\n";
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    text += "    " + base.classes[c] + "  " + fixed(why.probabilities[c], 3) + "\n";
  }
  return text;
}

nlohmann::ordered_json truth_json(const RuleBase& base, const RuleTruth& truth) {
  nlohmann::ordered_json conditions = nlohmann::ordered_json::array();
  for (const ConditionTruth& part : truth.conditions) {
    nlohmann::ordered_json value = nullptr;
    if (!part.value.empty()) value = part.value;
    conditions.push_back({{"feature", feature_name(base, part.condition.feature)},
                          {"label", label_name(base, part.condition)},
                          {"value", value},
                          {"membership", part.membership}});
  }
  const Rule& rule = base.rules[static_cast<std::size_t>(truth.rule)];
  return {{"rule", truth.rule + 1},
          {"text", rule_text(base, truth)},
          {"then", class_name(base, rule.then)},
          {"weight", rule.weight},
          {"truth", truth.truth},
          {"score", truth.score},
          {"conditions", conditions}};
}

nlohmann::ordered_json as_json(const RuleBase& base, const Explanation& why, std::int64_t row) {
  nlohmann::ordered_json shares = nlohmann::ordered_json::object();
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    shares[base.classes[c]] = why.probabilities[c];
  }
  nlohmann::ordered_json changes = nlohmann::ordered_json::array();
  for (const Change& change : why.changes) {
    nlohmann::ordered_json from = nullptr;
    if (!change.from.empty()) from = change.from;
    changes.push_back({{"feature", feature_name(base, change.feature)},
                       {"from", from},
                       {"to", change.to},
                       {"distance", change.distance},
                       {"prediction", class_name(base, change.predicted)},
                       {"rule", change.rule == Decision::otherwise ? 0 : change.rule + 1}});
  }
  nlohmann::ordered_json result = {
      {"row", row},
      {"target", base.target},
      {"prediction", class_name(base, why.decision.predicted)},
      {"rule", why.decision.rule == Decision::otherwise ? 0 : why.decision.rule + 1},
      {"score", why.decision.score},
      {"probabilities", shares},
      {"margin", why.margin}};
  result["winner"] = nullptr;
  result["runner_up"] = nullptr;
  if (why.winner) result["winner"] = truth_json(base, *why.winner);
  if (why.runner_up) result["runner_up"] = truth_json(base, *why.runner_up);
  result["rules"] = nlohmann::ordered_json::array();
  for (const RuleTruth& truth : why.rules) result["rules"].push_back(truth_json(base, truth));
  result["changes"] = changes;
  result["changes_complete"] = why.changes_complete;
  return result;
}

void Explain::run() const {
  check_standard_input(model, data.path);
  Terminal terminal(quiet);
  check_output(output);
  keep_inputs(output, {model, data.path});
  const RuleBase base = load(model);
  const Table table = read_model_table(data, base, terminal);
  const auto rows = static_cast<std::int64_t>(table.rows);
  if (row < 1 || row > rows) {
    fail_data("--row " + std::to_string(row) + ": " + table.source + " has " +
              counted(static_cast<double>(table.rows), "row") +
              "; rows are counted from 1, the first one below the header");
  }
  const Explanation why = explain(base, table, static_cast<std::size_t>(row - 1));
  std::string place = "Row " + std::to_string(row) + " of " + table.source;
  if (row <= static_cast<std::int64_t>(table.lines.size())) {
    place += " (line " + std::to_string(table.lines[static_cast<std::size_t>(row - 1)]) + ")";
  }
  if (json) return write_output(output, dump(as_json(base, why, row)));
  write_text(output, as_text(base, why, place));
}

}  // namespace

Command explain_command() {
  Command command("explain",
                  "Explains the prediction for a row and lists changes that would alter it",
                  examples);
  auto explain = std::make_shared<Explain>();
  command.add(
      {.name = "MODEL", .help = "Model file of frr train; - is standard input", .required = true},
      explain->model);
  add_model_data_options(command, explain->data);
  command.add({.name = "--row",
               .type = "N",
               .help = "Row to explain; 1 is the first row below the header",
               .required = true},
              explain->row);
  command.add({.name = "--json", .help = "Print JSON"}, explain->json);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              explain->output);
  command.add({.name = "--quiet", .help = "Print only results and errors"}, explain->quiet);
  command.action = [explain] { explain->run(); };
  return command;
}

}  // namespace frr::cli
