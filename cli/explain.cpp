// frr explain: explains the prediction for one row, as text or JSON.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data_options.hpp"
#include "explain_text.hpp"
#include "model/policy.hpp"
#include "output.hpp"
#include "policy_json.hpp"
#include "terminal.hpp"
#include "text/decision_text.hpp"

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

std::string rule_text(const RuleBase& base, const RuleTruth& truth) {
  return base.rule_text(base.rules[static_cast<std::size_t>(truth.rule)]);
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
  nlohmann::ordered_json result = {{"rule", truth.rule + 1},
                                   {"text", rule_text(base, truth)},
                                   {"then", class_name(base, rule.then)},
                                   {"weight", rule.weight}};
  if (base.nats_per_point) result["points"] = rule.points;
  result["truth"] = truth.truth;
  result["score"] = truth.score;
  result["conditions"] = conditions;
  return result;
}

nlohmann::ordered_json as_json(const RuleBase& base, const Explanation& why, std::int64_t row) {
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
      {"probability", why.probabilities[static_cast<std::size_t>(why.decision.predicted)]},
      {"probabilities", by_class(base, why.probabilities)},
      {"referred", why.referred},
      {"margin", why.margin}};
  result["reason"] = nullptr;
  if (const std::string reason =
          why_not_most_probable(base, why.probabilities, why.decision.predicted);
      !reason.empty() && has_counts(base)) {
    result["reason"] = reason;
  }
  if (base.semantics == Semantics::additive) {
    result["biases"] = by_class(base, base.biases);
    result["scores"] = by_class(base, why.scores);
  }
  result["winner"] = nullptr;
  result["runner_up"] = nullptr;
  if (why.winner) result["winner"] = truth_json(base, *why.winner);
  if (why.runner_up) result["runner_up"] = truth_json(base, *why.runner_up);
  result["rules"] = nlohmann::ordered_json::array();
  for (const RuleTruth& truth : why.rules) result["rules"].push_back(truth_json(base, truth));
  result["changes"] = changes;
  result["changes_complete"] = why.changes_complete;
  result["policy"] = policy_json(base);
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
  write_text(output, explanation_text(base, why, place));
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
