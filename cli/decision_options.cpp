#include "decision_options.hpp"

#include <optional>

#include "base/number.hpp"
#include "cost_file.hpp"
#include "frr/error.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr const char* group = "Decisions";

// A number between 0 and 1, both excluded.
std::optional<double> fraction(const std::string& option, const std::string& text) {
  if (text.empty()) return {};
  const std::string remedy = "give a number above 0 and below 1, such as 0.95";
  const ParsedNumber number = parse_number(text);
  if (number.kind != NumberKind::finite || !(number.value > 0 && number.value < 1)) {
    fail_usage(option + " " + text + ": " + remedy);
  }
  return number.value;
}

// "miss:20" or "CLASS:20"; the name of a class may contain colons.
void add_cost(const std::string& text, PolicyRequest& request) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    fail_usage("--cost " + text +
               ": write miss:20 if missing the positive class costs as much as 20 false alarms, or "
               "CLASS:20 if every error on this class costs 20");
  }
  const std::string name = text.substr(0, colon);
  const ParsedNumber cost = parse_number(text.substr(colon + 1));
  constexpr double most = 1e9;
  if (cost.kind != NumberKind::finite || !(cost.value > 0 && cost.value <= most)) {
    fail_usage("--cost " + text + ": after the colon, give a cost above 0 and up to 1e9");
  }
  if (name != "miss") {
    for (const PolicyRequest::Cost& other : request.costs)
      if (other.truth == name) fail_usage("--cost " + text + ": this class already has a cost");
    request.costs.push_back({name, "", cost.value, "--cost " + text});
  } else if (request.miss) {
    fail_usage("--cost " + text + ": the cost of a miss is given twice");
  } else {
    request.miss = cost.value;
  }
}

}  // namespace

bool DecisionOptions::choose() const {
  return !costs.empty() || !costs_file.empty() || !threshold.empty() || !sensitivity.empty() ||
         !specificity.empty();
}

PolicyRequest DecisionOptions::request() const {
  std::vector<std::string> choices;
  if (!costs.empty()) choices.emplace_back("--cost");
  if (!costs_file.empty()) choices.emplace_back("--costs");
  if (!threshold.empty()) choices.emplace_back("--threshold");
  if (!sensitivity.empty()) choices.emplace_back("--sensitivity");
  if (!specificity.empty()) choices.emplace_back("--specificity");
  if (choices.size() > 1) {
    fail_usage(choices[0] + " and " + choices[1] +
               " both say when to predict a class; give only one of them");
  }
  PolicyRequest result;
  result.positive = positive;
  for (const std::string& cost : costs) add_cost(cost, result);
  if (result.miss && !result.costs.empty()) {
    fail_usage(
        "--cost miss:... and --cost " + result.costs[0].truth +
        ":... contradict each other; give the cost of the errors on every class by its name");
  }
  if (!costs_file.empty()) {
    result.costs = read_costs(costs_file);
    result.costs_file = costs_file;
  }
  result.threshold = fraction("--threshold", threshold);
  result.sensitivity = fraction("--sensitivity", sensitivity);
  result.specificity = fraction("--specificity", specificity);
  if (refer.empty()) return result;
  const ParsedNumber limit = parse_number(refer);
  if (limit.kind != NumberKind::finite || !(limit.value >= 0 && limit.value < 1)) {
    fail_usage("--refer " + refer + ": give a number from 0 to below 1, such as 0.7");
  }
  result.refer = limit.value;
  return result;
}

void add_decision_options(Command& command, DecisionOptions& options) {
  const auto add = [&](const char* name, const char* type, const char* help, auto& to) {
    command.add({.name = name, .type = type, .help = help, .group = group}, to);
  };
  add("--positive", "CLASS",
      "Positive class: the one of interest, such as ill [default: of two classes, the rarer one]",
      options.positive);
  add("--cost", "NAME:X",
      "miss:20 if missing the positive class costs as much as 20 false alarms; CLASS:20 if every "
      "error on this class costs 20. Other errors cost 1",
      options.costs);
  add("--costs", "FILE",
      "Matrix of the costs of errors: CSV with the predicted classes in the header and the true "
      "classes in the first column, or JSON {\"true\": {\"predicted\": cost}}",
      options.costs_file);
  add("--threshold", "P",
      "Predict the positive class where its probability is at least P [default: predict the class "
      "that is most probable, or whose expected cost is lowest]",
      options.threshold);
  add("--sensitivity", "P",
      "Choose the threshold that detects this fraction of the positive class, such as 0.95",
      options.sensitivity);
  add("--specificity", "P",
      "Choose the threshold that gives no alarm for this fraction of the other classes",
      options.specificity);
  add("--refer", "P",
      "Refer a case to a person if its most probable class has a probability below P, or if no "
      "rule applies [default: 0, never]",
      options.refer);
}

}  // namespace frr::cli
