#include "text/decision_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "model/policy.hpp"
#include "text/number_format.hpp"

namespace frr::internal {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double cost_of(const RuleBase& base, std::size_t truth, std::size_t predicted) {
  return base.policy.costs[truth * base.classes.size() + predicted];
}

// Decimals that show `digits` significant digits of a value above 0.
int decimals_for(double value, int digits) {
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(value))), 0, 12);
}

// "95.4 %": three significant digits.
std::string figure_text(double probability) { return ratio_text(100 * probability) + " %"; }

bool all_costs_equal(const DecisionPolicy& policy) {
  double first = 0;
  for (const double cost : policy.costs) {
    if (cost == 0) continue;  // the diagonal
    if (first == 0) first = cost;
    if (cost != first) return false;
  }
  return true;
}

// With two classes, the class whose errors are called misses.
std::size_t event_class(const RuleBase& base) {
  return base.policy.positive >= 0 ? index(base.policy.positive) : 1;
}

// How much more an error costs if the event is missed than if it is predicted wrongly.
double miss_ratio(const RuleBase& base) {
  const std::size_t event = event_class(base);
  return cost_of(base, event, 1 - event) / cost_of(base, 1 - event, event);
}

// "a miss counts as 20 false alarms" for a ratio above 1.
std::string miss_text(double ratio) {
  return ratio >= 1 ? "a miss counts as " + ratio_text(ratio) + " false alarms"
                    : "a false alarm counts as " + ratio_text(1 / ratio) + " misses";
}

// The cost of every error on a class, or none if it depends on the predicted class.
std::vector<double> costs_by_true_class(const RuleBase& base) {
  std::vector<double> costs;
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    costs.push_back(cost_of(base, c, c == 0 ? 1 : 0));
    for (std::size_t d = 0; d < base.classes.size(); ++d)
      if (d != c && cost_of(base, c, d) != costs.back()) return {};
  }
  return costs;
}

double expected_cost(const RuleBase& base, std::span<const double> probabilities,
                     std::size_t predicted) {
  double cost = 0;
  for (std::size_t c = 0; c < probabilities.size(); ++c)
    cost += probabilities[c] * cost_of(base, c, predicted);
  return cost;
}

std::string cost_reason(const RuleBase& base, std::span<const double> probabilities,
                        std::size_t predicted, std::size_t likeliest) {
  if (base.classes.size() == 2) return miss_text(miss_ratio(base));
  const std::string name = class_text(base, static_cast<int>(predicted));
  const std::string other = class_text(base, static_cast<int>(likeliest));
  if (const std::vector<double> costs = costs_by_true_class(base); !costs.empty()) {
    return "an error costs " + ratio_text(costs[predicted]) + " where " + name + " is true and " +
           ratio_text(costs[likeliest]) + " where " + other + " is true";
  }
  return "the expected cost of predicting " + name + " is " +
         ratio_text(expected_cost(base, probabilities, predicted)) + ", that of " + other + " " +
         ratio_text(expected_cost(base, probabilities, likeliest));
}

std::string threshold_reason(const RuleBase& base, bool positive) {
  const DecisionPolicy& policy = base.policy;
  const std::string name = class_text(base, policy.positive);
  std::string text = name + " is predicted " + (positive ? "from " : "only from ") +
                     figure_text(*policy.threshold) + " on";
  if (policy.target) {
    text += ", which reaches a " + policy.target->measure + " of " +
            figure_text(policy.target->reached);
  }
  return text;
}

// "1 where a or b is true, 20 where c is true"
std::string costs_by_true_class_text(const RuleBase& base, const std::vector<double>& costs) {
  std::map<double, std::vector<std::string>> classes;
  for (std::size_t c = 0; c < costs.size(); ++c)
    classes[costs[c]].push_back(class_text(base, static_cast<int>(c)));
  std::string text;
  for (const auto& [cost, names] : classes) {
    text += (text.empty() ? "" : ", ") + ratio_text(cost) + " where ";
    constexpr std::size_t most = 6;
    for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
      text += (k == 0 ? "" : " or ") + names[k];
    if (names.size() > most) text += " or another class";
    text += " is true";
  }
  return text;
}

std::string cost_list_text(const RuleBase& base) {
  constexpr std::size_t most = 12;
  std::string text;
  std::size_t listed = 0, left_out = 0;
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    for (std::size_t d = 0; d < base.classes.size(); ++d) {
      if (c == d || cost_of(base, c, d) == 1) continue;
      if (++listed > most) {
        ++left_out;
        continue;
      }
      text += (text.empty() ? "" : ", ") + ratio_text(cost_of(base, c, d)) + " for predicting " +
              class_text(base, static_cast<int>(d)) + " where " +
              class_text(base, static_cast<int>(c)) + " is true";
    }
  }
  if (left_out > 0) text += ", and " + std::to_string(left_out) + " more";
  return text + "; other errors cost 1";
}

std::string costs_sentence(const RuleBase& base) {
  if (base.classes.size() == 2) {
    const std::size_t event = event_class(base);
    const double miss = cost_of(base, event, 1 - event), alarm = cost_of(base, 1 - event, event);
    const std::string name = class_text(base, static_cast<int>(event));
    const std::string other = class_text(base, static_cast<int>(1 - event));
    return "Decisions: " + miss_text(miss_ratio(base)) + " (a miss is to predict " + other +
           " where " + name + " is true), so " + name + " is predicted from a probability of " +
           figure_text(alarm / (alarm + miss)) + " on.";
  }
  const std::vector<double> costs = costs_by_true_class(base);
  return "Decisions: the class with the lowest expected cost is predicted. An error costs " +
         (costs.empty() ? cost_list_text(base) : costs_by_true_class_text(base, costs)) + ".";
}

std::string threshold_sentence(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  std::string text = "Decisions: " + class_text(base, policy.positive) +
                     " is predicted where its probability is at least " +
                     figure_text(*policy.threshold);
  if (base.classes.size() > 2) text += ", otherwise the most probable of the other classes";
  if (!policy.target) return text + ".";
  return text + ". The threshold was chosen for a " + policy.target->measure + " of " +
         figure_text(policy.target->wanted) + " and reached " +
         figure_text(policy.target->reached) + ".";
}

}  // namespace

std::string percent_text(double probability) {
  const double percent = 100 * probability;
  if (percent <= 0) return "0 %";
  if (percent >= 100) return "100 %";
  int decimals = 0;
  if (percent < 9.95) decimals = decimals_for(percent, 2);
  if (percent > 99) decimals = decimals_for(100 - percent, 2);
  return fixed_number(percent, decimals) + " %";
}

std::string ratio_text(double value) {
  return value > 0 ? fixed_number(value, decimals_for(value, 3)) : "0";
}

std::string signed_text(double nats) {
  const double size = std::fabs(nats);
  const int decimals = size == 0 ? 2 : std::max(2, decimals_for(size, 2));
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, size, std::chars_format::fixed, decimals).ptr;
  return (nats < 0 ? "-" : "+") + std::string(buffer, end);
}

std::string lift_number(double probability, double base_rate) {
  if (!(base_rate > 0)) return "";
  const double lift = probability / base_rate;
  int decimals = lift >= 9.95 ? 0 : 1;
  if (lift > 0 && lift < 0.095) decimals = decimals_for(lift, 1);
  return fixed_number(lift, decimals);
}

std::string lift_text(double probability, double base_rate) {
  const std::string number = lift_number(probability, base_rate);
  if (number == "1") return "as on average";
  return number.empty() ? "" : number + " times the average";
}

std::string class_text(const RuleBase& base, int index_of_class) {
  const std::string& name = base.classes[index(index_of_class)];
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  return std::ranges::all_of(name, is_letter) && !name.empty() ? name : "'" + name + "'";
}

std::string distribution_text(const RuleBase& base, std::span<const double> probabilities,
                              std::size_t limit) {
  std::vector<int> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int one, int other) {
    return probabilities[index(one)] > probabilities[index(other)];
  });
  std::string text;
  for (std::size_t k = 0; k < std::min(limit, order.size()); ++k) {
    text += (k == 0 ? "" : ", ") + class_text(base, order[k]) + " " +
            percent_text(probabilities[index(order[k])]);
  }
  return text + (order.size() > limit ? ", ..." : "");
}

std::string why_not_most_probable(const RuleBase& base, std::span<const double> probabilities,
                                  int predicted) {
  const auto likeliest =
      static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
  constexpr double rounding = 1e-12;
  if (!(probabilities[index(predicted)] < probabilities[likeliest] - rounding)) return "";
  const DecisionPolicy& policy = base.policy;
  if (policy.threshold &&
      (predicted == policy.positive || static_cast<int>(likeliest) == policy.positive)) {
    return threshold_reason(base, predicted == policy.positive);
  }
  if (!policy.costs.empty()) return cost_reason(base, probabilities, index(predicted), likeliest);
  return "the model file gives this class";
}

std::string why_then(const RuleBase& base, int rule) {
  const bool otherwise = rule == Decision::otherwise;
  const Statistics& statistics =
      otherwise ? base.otherwise_statistics : base.rules[index(rule)].statistics;
  if (statistics.rows() == 0) return "";
  const int then = otherwise ? base.otherwise : base.rules[index(rule)].then;
  const std::vector<double> shares = probabilities(base, rule);
  const std::string reason = why_not_most_probable(base, shares, then);
  if (reason.empty()) return "";
  const std::string name = class_text(base, then);
  const std::string lift = lift_text(shares[index(then)], base_rates(base)[index(then)]);
  return (otherwise ? "ELSE " : "THEN ") + name + ": " + percent_text(shares[index(then)]) +
         " of these rows are " + name + (lift.empty() ? "" : ", " + lift) + "; " + reason;
}

std::vector<std::string> policy_sentences(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  std::vector<std::string> sentences;
  if (policy.threshold) {
    sentences.push_back(threshold_sentence(base));
  } else if (!policy.costs.empty() && !all_costs_equal(policy)) {
    sentences.push_back(costs_sentence(base));
  }
  if (policy.refer > 0) {
    sentences.push_back(
        "A case is referred to a person if its most probable class has a probability "
        "below " +
        figure_text(policy.refer) + ", or if no rule applies to it.");
  }
  return sentences;
}

}  // namespace frr::internal
