#include "explain_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/visible_text.hpp"
#include "model/policy.hpp"
#include "terminal.hpp"
#include "text/decision_text.hpp"
#include "text/number_format.hpp"
#include "text/text_columns.hpp"

namespace frr::cli {
using namespace internal;
namespace {

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

// "age IS high AND sex IS f"
std::string conditions_text(const RuleBase& base, const RuleTruth& truth) {
  std::string text;
  for (const ConditionTruth& part : truth.conditions) {
    text += (text.empty() ? "" : " AND ") + base.condition_text(part.condition);
  }
  return text;
}

// The values of the row that a rule reads: "age = 71, sex = f"
std::string values_text(const RuleBase& base, const RuleTruth& truth) {
  std::string text;
  for (const ConditionTruth& part : truth.conditions) {
    text += (text.empty() ? "" : ", ") + feature_name(base, part.condition.feature) + " = " +
            shown(part.value);
  }
  return text;
}

// With additive semantics: the bias, the score of each rule that applies, and the sums. With two
// classes, all are scores for the positive class, or for the second one if there is none.
class Sums {
 public:
  Sums(const RuleBase& base, const Explanation& why) : base_(base), why_(why) {}

  [[nodiscard]] std::string text() const {
    std::vector<std::vector<TextCell>> cells;
    add_biases(cells);
    for (const RuleTruth& truth : why_.rules) {
      if (truth.score > 0) cells.push_back(rule_cells(truth));
    }
    add_sums(cells);
    std::string text = bold(base_.nats_per_point ? "Points and scores:" : "Scores:") + "\n";
    for (const std::string& line : align_columns(std::move(cells))) text += "    " + line + "\n";
    if (base_.nats_per_point) text += "    " + points_line() + "\n";
    return text + "\n";
  }

 private:
  [[nodiscard]] bool binary() const { return base_.classes.size() == 2; }
  [[nodiscard]] std::size_t event() const {
    return base_.policy.positive >= 0 ? static_cast<std::size_t>(base_.policy.positive) : 1;
  }
  [[nodiscard]] std::string signed_for(const std::vector<double>& scores, std::size_t c) const {
    return signed_text(binary() ? scores[c] - scores[1 - c] : scores[c]);
  }

  void add_biases(std::vector<std::vector<TextCell>>& cells) const {
    const std::vector<double> shares = softmax(base_.biases);
    for (std::size_t c = binary() ? event() : 0; c < base_.classes.size(); ++c) {
      cells.push_back({{"bias" + (binary() ? "" : " of " + base_.classes[c]) + ": " +
                        percent_text(shares[c]) + " if no rule applies"},
                       {""},
                       {signed_for(base_.biases, c) + " for " + base_.classes[c]}});
      if (binary()) return;
    }
  }

  [[nodiscard]] std::vector<TextCell> rule_cells(const RuleTruth& truth) const {
    const Rule& rule = base_.rules[static_cast<std::size_t>(truth.rule)];
    const bool against = binary() && static_cast<std::size_t>(rule.then) != event();
    const double score = against ? -truth.score : truth.score;
    const std::size_t c = binary() ? event() : static_cast<std::size_t>(rule.then);
    std::string values = values_text(base_, truth);
    if (truth.truth < 1) {
      values +=
          "; truth " + fixed(100 * truth.truth, 0) + " %, times weight " + figure(rule.weight);
    }
    return {{rule_name(truth.rule) + ": " + conditions_text(base_, truth)},
            {values},
            {signed_text(score) + " for " + base_.classes[c]}};
  }

  void add_sums(std::vector<std::vector<TextCell>>& cells) const {
    for (std::size_t c = binary() ? event() : 0; c < base_.classes.size(); ++c) {
      cells.push_back({{"sum" + (binary() ? "" : " of " + base_.classes[c])},
                       {""},
                       {signed_for(why_.scores, c) + " for " + base_.classes[c] + " = " +
                        percent_text(why_.probabilities[c])}});
      if (binary()) return;
    }
  }

  [[nodiscard]] std::string points_line() const {
    int points = 0;
    for (const RuleTruth& truth : why_.rules) {
      if (truth.truth > 0) points += base_.rules[static_cast<std::size_t>(truth.rule)].points;
    }
    return counted(points, "point") + " in total";
  }

  const RuleBase& base_;
  const Explanation& why_;
};

// The probability of the class for the rows of the rule that decides, in numbers of rows.
std::string share_text(const RuleBase& base, const Explanation& why) {
  if (!has_counts(base)) return "";
  const int index = why.decision.rule;
  const Statistics& statistics = index == Decision::otherwise
                                     ? base.otherwise_statistics
                                     : base.rules[static_cast<std::size_t>(index)].statistics;
  const auto c = static_cast<std::size_t>(why.decision.predicted);
  if (statistics.rows() == 0) return "";
  const std::string lift = lift_text(why.probabilities[c], base_rates(base)[c]);
  return "    " + fixed_number(statistics.class_rows[c], 1) + " of the " +
         fixed_number(statistics.rows(), 1) + " training rows that it decides are " +
         class_text(base, why.decision.predicted) + ": " + percent_text(why.probabilities[c]) +
         (lift.empty() ? "" : ", " + lift) + "\n";
}

// Why the class is not the most probable one, and whether a person should decide.
std::string policy_text(const RuleBase& base, const Explanation& why) {
  std::string text;
  const auto c = static_cast<std::size_t>(why.decision.predicted);
  const std::string name = class_text(base, why.decision.predicted);
  if (const std::string reason =
          why_not_most_probable(base, why.probabilities, why.decision.predicted);
      !reason.empty() && has_counts(base)) {
    text += "Predicted " + name + " although its probability is only " +
            percent_text(why.probabilities[c]) + ": " + reason + ".\n";
  }
  if (why.referred) {
    const bool covered =
        std::ranges::any_of(why.rules, [](const RuleTruth& truth) { return truth.score > 0; });
    const double most = *std::ranges::max_element(why.probabilities);
    text += bold("Referred to a person: ") +
            (covered ? "the most probable class has a probability of " + percent_text(most) +
                           ", below the limit of " + percent_text(base.policy.refer)
                     : "no rule applies to this row") +
            ".\n";
  }
  return text.empty() ? "" : text + "\n";
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

// The rule that decides, its rival, and the others, with sufficient semantics.
std::string rules_text(const RuleBase& base, const Explanation& why) {
  std::string text;
  if (why.winner) {
    text += bold("Decided by " + rule_name(why.winner->rule)) + ": " +
            rule_text(base, *why.winner) + "\n" + truth_text(base, *why.winner) +
            share_text(base, why) + "\n";
  } else {
    text +=
        bold("Decided by ELSE") + ": no rule applies to this row.\n" + share_text(base, why) + "\n";
  }
  if (why.runner_up) {
    text += bold("Runner-up, " + rule_name(why.runner_up->rule)) + ": " +
            rule_text(base, *why.runner_up) + "\n" + truth_text(base, *why.runner_up) +
            "    margin of the decision: " + figure(why.margin) + "\n\n";
  } else if (why.winner) {
    text += "No rule of another class applies to this row.\n\n";
  }
  return text + others_text(base, why);
}

}  // namespace

std::string explanation_text(const RuleBase& base, const Explanation& why,
                             const std::string& place) {
  const auto predicted = static_cast<std::size_t>(why.decision.predicted);
  std::string text = bold(place + ": " + base.target + " is " + base.classes[predicted]) +
                     " (probability " + fixed(why.probabilities[predicted], 3) + ")\n\n";
  text += base.semantics == Semantics::additive ? Sums(base, why).text() : rules_text(base, why);
  text += policy_text(base, why) + changes_text(base, why) + "\n" + bold("Probabilities:") + "\n";
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    text += "    " + base.classes[c] + "  " + fixed(why.probabilities[c], 3) + "\n";
  }
  return text;
}

}  // namespace frr::cli
