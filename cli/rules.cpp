// frr rules: shows the rules as text, Markdown or JSON.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frr/frr.hpp"
#include "output.hpp"

namespace frr::cli {
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

nlohmann::ordered_json statistics_json(const RuleBase& base, const Statistics& statistics) {
  nlohmann::ordered_json by_class = nlohmann::ordered_json::object();
  for (std::size_t c = 0; c < base.classes.size() && c < statistics.class_rows.size(); ++c) {
    by_class[base.classes[c]] = statistics.class_rows[c];
  }
  return by_class;
}

nlohmann::ordered_json rule_json(const RuleBase& base, const Rule& rule) {
  nlohmann::ordered_json conditions = nlohmann::ordered_json::array();
  for (const Condition& condition : rule.conditions) {
    const auto& feature = base.partition.features[static_cast<std::size_t>(condition.feature)];
    conditions.push_back(
        {{"feature", feature.name},
         {"label", feature.labels[static_cast<std::size_t>(condition.label)].name}});
  }
  return {{"text", base.rule_text(rule)},
          {"if", conditions},
          {"then", base.classes[static_cast<std::size_t>(rule.then)]},
          {"weight", rule.weight},
          {"decides", rule.statistics.rows()},
          {"confidence", rule.confidence()},
          {"covers", rule.statistics.coverage},
          {"class_rows", statistics_json(base, rule.statistics)}};
}

nlohmann::ordered_json base_json(const RuleBase& base) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const Rule& rule : base.rules) rules.push_back(rule_json(base, rule));
  const Statistics& rest = base.otherwise_statistics;
  return {{"target", base.target},
          {"classes", base.classes},
          {"semantics", to_string(base.semantics)},
          {"tnorm", to_string(base.tnorm)},
          {"conditions", base.size()},
          {"unique_conditions", base.unique_conditions()},
          {"train_accuracy", base.summary.train_accuracy},
          {"rules", rules},
          {"else",
           {{"then", base.classes[static_cast<std::size_t>(base.otherwise)]},
            {"decides", rest.rows()},
            {"class_rows", statistics_json(base, rest)}}}};
}

void Rules::run() const {
  if (json && markdown) fail_usage("give --json or --markdown, not both");
  check_output(output);
  keep_inputs(output, {model});
  const RuleBase base = load(model);
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
