// frr predict: predicts the class of each row, with its probability and the deciding rule, and says
// whether to refer it to a person.
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "commands.hpp"
#include "csv/csv_output.hpp"
#include "data_options.hpp"
#include "interrupt.hpp"
#include "model/decider.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"
#include "no_rules.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "train/options.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* examples =
    "  frr predict model.json new.csv                      prediction,probability,rule\n"
    "  frr predict model.json new.csv --proba -o out.csv   add the probability of every class\n"
    "  frr predict model.json new.csv --spreadsheet -o out.csv   for a spreadsheet\n"
    "  cat new.csv | frr predict model.json - | sort | uniq -c\n";

struct Predict {
  std::string model, output;
  DataOptions data;
  bool json = false, proba = false, spreadsheet = false, quiet = false;
  Settings settings;  // only the number of threads is used

  void run() const;

 private:
  void write_csv(const RuleBase& base) const;
  [[nodiscard]] std::string csv_line(const RuleBase& base, const Decision& decision,
                                     const RowProbabilities& shares) const;
  [[nodiscard]] std::string as_json(const RuleBase& base) const;
  template <typename Body>
  void for_each_row(const RuleBase& base, const Body& body) const;
};

// Users see rules numbered from 1; 0 is ELSE.
int rule_number(int rule) { return rule == Decision::otherwise ? 0 : rule + 1; }

// The output for each row. With sufficient semantics, it depends only on the deciding rule: `make`
// is called once for each rule.
template <typename Entry>
class Entries {
 public:
  using Make = std::function<Entry(const Decision& decision, const RowProbabilities& shares)>;

  Entries(const RuleBase& base, Make make) : base_(base), make_(std::move(make)) {
    if (base.semantics == Semantics::additive) return;
    const auto rules = static_cast<int>(base.rules.size());
    for (int rule = Decision::otherwise; rule < rules; ++rule) {
      const int predicted = rule == Decision::otherwise
                                ? base.otherwise
                                : base.rules[static_cast<std::size_t>(rule)].then;
      by_rule_.push_back(
          make_({predicted, rule, 0}, {probabilities(base, rule), rule != Decision::otherwise}));
    }
  }
  const Entry& operator()(const ColumnMap& map, std::size_t row, const Decision& decision) {
    if (!by_rule_.empty()) {
      return by_rule_[static_cast<std::size_t>(decision.rule - Decision::otherwise)];
    }
    return last_ = make_(decision, row_probabilities(base_, map, row));
  }

 private:
  const RuleBase& base_;
  Make make_;
  std::vector<Entry> by_rule_;  // ELSE first
  Entry last_;
};

// No column name can be a formula, because class names follow "p(". Only a model that refers cases
// has the column `referred`.
std::string csv_head(const RuleBase& base, bool proba) {
  std::string text = "prediction,probability,rule";
  if (base.policy.refer > 0) text += ",referred";
  if (proba) {
    for (const std::string& name : base.classes) text += "," + csv_field("p(" + name + ")");
  }
  return text + '\n';
}

std::string Predict::csv_line(const RuleBase& base, const Decision& decision,
                              const RowProbabilities& shares) const {
  const auto predicted = static_cast<std::size_t>(decision.predicted);
  const std::string& name = base.classes[predicted];
  std::string text = (spreadsheet ? spreadsheet_field(name) : csv_field(name)) + ',' +
                     shortest(shares.of_class[predicted]) + ',' +
                     shortest(rule_number(decision.rule));
  if (base.policy.refer > 0) {
    text += refers(base.policy, shares.of_class, shares.covered) ? ",yes" : ",no";
  }
  if (proba) {
    for (const double share : shares.of_class) text += ',' + shortest(share);
  }
  return text + '\n';
}

nlohmann::ordered_json json_entry(const RuleBase& base, bool proba, const Decision& decision,
                                  const RowProbabilities& shares) {
  const auto predicted = static_cast<std::size_t>(decision.predicted);
  nlohmann::ordered_json entry = {{"prediction", base.classes[predicted]},
                                  {"probability", shares.of_class[predicted]},
                                  {"rule", rule_number(decision.rule)}};
  if (base.policy.refer > 0) {
    entry["referred"] = refers(base.policy, shares.of_class, shares.covered);
  }
  if (proba) {
    for (std::size_t c = 0; c < shares.of_class.size(); ++c) {
      entry["probabilities"][base.classes[c]] = shares.of_class[c];
    }
  }
  return entry;
}

// Reads the data in parts and calls body(map, row, decision) for each row.
template <typename Body>
void Predict::for_each_row(const RuleBase& base, const Body& body) const {
  Terminal terminal(quiet);
  std::optional<ColumnMap> map;
  std::vector<Decision> decisions;
  read_model_parts(data, base, terminal, [&](const Table& part) {
    map ? map->refresh(part) : void(map.emplace(base, part));
    decisions.resize(part.rows);
    decide_all(base, *map, decisions, settings.threads);
    for (std::size_t row = 0; row < decisions.size(); ++row) body(*map, row, decisions[row]);
    stop_if_interrupted();
  });
}

void Predict::write_csv(const RuleBase& base) const {
  Entries<std::string> line(base, [&](const Decision& decision, const auto& shares) {
    return csv_line(base, decision, shares);
  });
  Output result(output);
  result.write(csv_head(base, proba));
  for_each_row(base, [&](const ColumnMap& map, std::size_t row, const Decision& decision) {
    result.write(line(map, row, decision));
  });
  result.finish();
}

std::string Predict::as_json(const RuleBase& base) const {
  Entries<nlohmann::ordered_json> entry(base, [&](const Decision& decision, const auto& shares) {
    return json_entry(base, proba, decision, shares);
  });
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for_each_row(base, [&](const ColumnMap& map, std::size_t row, const Decision& decision) {
    rows.push_back(entry(map, row, decision));
  });
  return dump({{"target", base.target}, {"classes", base.classes}, {"rows", std::move(rows)}});
}

// Writes nothing until all input is read, so that an error in the last line leaves no partial
// output. Only JSON keeps all rows in memory.
void Predict::run() const {
  check_standard_input(model, data.path);
  if (json && spreadsheet) {
    fail_usage("--spreadsheet applies to CSV, not to --json; omit one of them");
  }
  check_output(output);
  keep_inputs(output, {model, data.path});
  const RuleBase base = load(model);
  Terminal terminal(quiet);
  warn_of_no_rules(base, terminal);
  if (!json) return write_csv(base);
  const std::string text = as_json(base);
  stop_if_interrupted();
  write_output(output, text);
}

}  // namespace

Command predict_command() {
  Command command(
      "predict",
      "Predicts the class of each row, with its probability and the rule that decides (0: ELSE)",
      examples);
  auto predict = std::make_shared<Predict>();
  command.add(
      {.name = "MODEL", .help = "Model file of frr train; - is standard input", .required = true},
      predict->model);
  add_model_data_options(command, predict->data);
  command.add({.name = "--proba", .help = "Add the probability of every class"}, predict->proba);
  command.add(
      {.name = "--spreadsheet",
       .help =
           "Put an apostrophe before class names that a spreadsheet would evaluate as formulas: "
           "those that begin with = + - @, a tab or a line end and are not numbers. The class "
           "names in the CSV then differ from those in the data"},
      predict->spreadsheet);
  command.add({.name = "--json", .help = "Print JSON"}, predict->json);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              predict->output);
  const Option& threads = find_option("threads");
  command.add(
      {.name = "--threads",
       .type = "N",
       .help = "Number of threads; 0 uses all cores [" + range_text(threads) + "; default 0]"},
      [&threads, settings = &predict->settings](const std::string& text) {
        set_option(*settings, threads, text);
      });
  command.add({.name = "--quiet", .help = "Print only results and errors"}, predict->quiet);
  command.action = [predict] { predict->run(); };
  return command;
}

}  // namespace frr::cli
