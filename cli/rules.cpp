// frr rules: shows the rules as text, Markdown or JSON.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frr/frr.hpp"
#include "model/policy.hpp"
#include "model/scorecard.hpp"
#include "no_rules.hpp"
#include "output.hpp"
#include "policy_json.hpp"
#include "text/decision_text.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr rules model.json                         print the rules as text\n"
    "  frr rules model.json --markdown -o rules.md  write a table for a document\n"
    "  frr rules model.json --json | jq '.rules[].text'\n";

struct Rules {
  std::string model, output;
  bool json = false, markdown = false;

  void run() const;
};

// The key of the number of rows in Statistics.
const char* rows_key(const RuleBase& base) {
  return base.semantics == Semantics::sufficient ? "decides" : "true_for";
}

// The probabilities of a rule (Decision::otherwise: ELSE), the lift of its class, and why that
// class is not the most probable one. A model written by hand may have no counts to compute them
// from.
void add_probabilities(const RuleBase& base, int rule, int then, nlohmann::ordered_json& object) {
  const bool additive = base.semantics == Semantics::additive;
  const bool counted = has_counts(base);
  object["probability"] = nullptr;
  object["lift"] = nullptr;
  object["reason"] = nullptr;
  if (!counted && !(additive && rule == Decision::otherwise)) return;
  const std::vector<double> shares =
      additive && rule == Decision::otherwise ? softmax(base.biases) : probabilities(base, rule);
  const auto c = static_cast<std::size_t>(then);
  object["probability"] = shares[c];
  const double rate = base_rates(base)[c];
  if (counted && rate > 0) object["lift"] = shares[c] / rate;
  const std::string reason = additive ? "" : why_then(base, rule);
  if (!reason.empty()) object["reason"] = reason;
}

nlohmann::ordered_json rule_json(const RuleBase& base, std::size_t index) {
  const Rule& rule = base.rules[index];
  nlohmann::ordered_json conditions = nlohmann::ordered_json::array();
  for (const Condition& condition : rule.conditions) {
    const auto& feature = base.partition.features[static_cast<std::size_t>(condition.feature)];
    conditions.push_back(
        {{"feature", feature.name},
         {"label", feature.labels[static_cast<std::size_t>(condition.label)].name}});
  }
  nlohmann::ordered_json result = {{"text", base.rule_text(rule)},
                                   {"if", conditions},
                                   {"then", base.classes[static_cast<std::size_t>(rule.then)]},
                                   {"weight", rule.weight}};
  if (base.nats_per_point) result["points"] = rule.points;
  result[rows_key(base)] = rule.statistics.rows();
  result["confidence"] = rule.confidence();
  add_probabilities(base, static_cast<int>(index), rule.then, result);
  result["covers"] = rule.statistics.coverage;
  result["class_rows"] = by_class(base, rule.statistics.class_rows);
  return result;
}

nlohmann::ordered_json else_json(const RuleBase& base) {
  const Statistics& rest = base.otherwise_statistics;
  nlohmann::ordered_json result = {{"then", base.classes[static_cast<std::size_t>(base.otherwise)]},
                                   {rows_key(base), rest.rows()}};
  add_probabilities(base, Decision::otherwise, base.otherwise, result);
  result["class_rows"] = by_class(base, rest.class_rows);
  return result;
}

// Without a scorecard, none.
nlohmann::ordered_json risk_json(const RuleBase& base) {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const PointsRange& range : points_table(base)) {
    table.push_back({{"least", range.least},
                     {"most", range.most},
                     {"low", range.low},
                     {"high", range.high},
                     {"prediction", base.classes[static_cast<std::size_t>(range.predicted)]}});
  }
  return table;
}

nlohmann::ordered_json base_json(const RuleBase& base) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (std::size_t r = 0; r < base.rules.size(); ++r) rules.push_back(rule_json(base, r));
  nlohmann::ordered_json result = {{"target", base.target},
                                   {"classes", base.classes},
                                   {"semantics", to_string(base.semantics)},
                                   {"tnorm", to_string(base.tnorm)},
                                   {"conditions", base.size()},
                                   {"unique_conditions", base.unique_conditions()},
                                   {"train_accuracy", base.summary.train_accuracy},
                                   {"rules", rules},
                                   {"else", else_json(base)},
                                   {"base_rates", by_class(base, base_rates(base))},
                                   {"policy", policy_json(base)}};
  if (base.semantics == Semantics::additive) result["biases"] = by_class(base, base.biases);
  if (base.nats_per_point) {
    result["nats_per_point"] = *base.nats_per_point;
    result["risk"] = risk_json(base);
  }
  return result;
}

void Rules::run() const {
  if (json && markdown) fail_usage("give --json or --markdown, not both");
  check_output(output);
  keep_inputs(output, {model});
  const RuleBase base = load(model);
  Terminal terminal(false);
  warn_of_no_rules(base, terminal);
  if (json) return write_output(output, dump(base_json(base)));
  write_text(output, markdown ? to_markdown(base) : to_text(base));
}

}  // namespace

Command rules_command() {
  Command command("rules", "Shows the rules of a model and what their labels mean", examples);
  auto rules = std::make_shared<Rules>();
  command.add({.name = "MODEL", .help = "Model file; - is standard input", .required = true},
              rules->model);
  command.add({.name = "--json", .help = "Print JSON"}, rules->json);
  command.add({.name = "--markdown", .help = "Print Markdown"}, rules->markdown);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              rules->output);
  command.action = [rules] { rules->run(); };
  return command;
}

}  // namespace frr::cli
