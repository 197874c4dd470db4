// frr predict: the class of every row, its probability and the rule that decided.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data_options.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr predict model.json new.csv                      prediction,probability,rule\n"
    "  frr predict model.json new.csv --proba -o out.csv   and the probability of every class\n"
    "  cat new.csv | frr predict model.json - | sort | uniq -c\n";

struct Predict {
  std::string model, output;
  DataOptions data;
  bool json = false, proba = false, quiet = false;
  int threads = 0;

  void run() const;
};

// With sufficient semantics the deciding rule settles the probabilities: computed once a rule.
class Probabilities {
 public:
  Probabilities(const RuleBase& base, const Binding& binding) : base_(base), binding_(binding) {
    if (base.semantics == Semantics::additive) return;
    const auto rules = static_cast<int>(base.rules.size());
    for (int rule = Decision::otherwise; rule < rules; ++rule) {
      by_rule_.push_back(probabilities(base, rule));
    }
  }
  std::vector<double> operator()(std::size_t row, const Decision& decision) const {
    if (by_rule_.empty()) return probabilities(base_, binding_, row);
    return by_rule_[static_cast<std::size_t>(decision.rule - Decision::otherwise)];
  }

 private:
  const RuleBase& base_;
  const Binding& binding_;
  std::vector<std::vector<double>> by_rule_;  // ELSE first
};

// Rules are numbered from 1 as people see them; 0 is ELSE.
int rule_number(const Decision& decision) {
  return decision.rule == Decision::otherwise ? 0 : decision.rule + 1;
}

std::string as_csv(const RuleBase& base, const std::vector<Decision>& decisions,
                   const Probabilities& probabilities, bool proba) {
  std::vector<std::string> names;
  for (const std::string& name : base.classes) names.push_back(csv_field(name));
  std::string text = "prediction,probability,rule";
  if (proba) {
    for (const std::string& name : base.classes) text += "," + csv_field("p(" + name + ")");
  }
  text += '\n';
  for (std::size_t row = 0; row < decisions.size(); ++row) {
    if (row % 65536 == 0) stop_if_interrupted();
    const Decision& decision = decisions[row];
    const auto predicted = static_cast<std::size_t>(decision.predicted);
    const std::vector<double> shares = probabilities(row, decision);
    text += names[predicted];
    text += ',';
    text += shortest(shares[predicted]);
    text += ',';
    text += shortest(rule_number(decision));
    if (proba) {
      for (const double share : shares) text += "," + shortest(share);
    }
    text += '\n';
  }
  return text;
}

std::string as_json(const RuleBase& base, const std::vector<Decision>& decisions,
                    const Probabilities& probabilities, bool proba) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t row = 0; row < decisions.size(); ++row) {
    if (row % 65536 == 0) stop_if_interrupted();
    const Decision& decision = decisions[row];
    const auto predicted = static_cast<std::size_t>(decision.predicted);
    const std::vector<double> shares = probabilities(row, decision);
    nlohmann::ordered_json entry = {{"prediction", base.classes[predicted]},
                                    {"probability", shares[predicted]},
                                    {"rule", rule_number(decision)}};
    if (proba) {
      for (std::size_t c = 0; c < shares.size(); ++c) {
        entry["probabilities"][base.classes[c]] = shares[c];
      }
    }
    rows.push_back(std::move(entry));
  }
  return dump({{"target", base.target}, {"classes", base.classes}, {"rows", std::move(rows)}});
}

void Predict::run() const {
  if (model == "-" && data.path == "-") {
    fail_usage("the model and the data cannot both be standard input");
  }
  Terminal terminal(quiet);
  check_output(output);
  keep_inputs(output, {model, data.path});
  const RuleBase base = load(model);
  const Table table = read_model_table(data, base, terminal);
  const Binding binding(base, table);
  const std::vector<Decision> decisions = decide_all(base, binding, threads);
  const Probabilities probabilities(base, binding);
  const std::string text = json ? as_json(base, decisions, probabilities, proba)
                                : as_csv(base, decisions, probabilities, proba);
  stop_if_interrupted();
  write_output(output, text);
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App& command = add_command(
      app, "predict",
      "Gives the class of every row, its probability and the rule that decides (0: ELSE)",
      examples);
  auto predict = std::make_shared<Predict>();
  command.add_option("MODEL", predict->model, "Model file of frr train; - is standard input")
      ->required();
  add_model_data_options(command, predict->data);
  command.add_flag("--proba", predict->proba, "Add the probability of every class");
  command.add_flag("--json", predict->json, "Print JSON");
  command
      .add_option("-o,--output", predict->output, "File for the result [default: standard output]")
      ->type_name("FILE");
  command.add_option("--threads", predict->threads, "Threads to use; 0: all cores [default 0]")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command.add_flag("--quiet", predict->quiet, "Print nothing but results and errors");
  command.callback([&action, predict] { action = [predict] { predict->run(); }; });
}

}  // namespace frr::cli
