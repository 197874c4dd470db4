#include "text/scorecard_text.hpp"

#include <cmath>

#include "base/visible_text.hpp"
#include "model/policy.hpp"
#include "model/scorecard.hpp"
#include "text/decision_text.hpp"
#include "text/label_text.hpp"
#include "text/number_format.hpp"
#include "text/text_columns.hpp"

namespace frr::internal {
namespace {

std::string event_text(const RuleBase& base) { return class_text(base, base.policy.positive); }

// "age from 50", so that the card needs no other text; "sex IS f" for a category.
std::string condition_text(const RuleBase& base, const Condition& condition) {
  const Feature& feature = base.partition.features[static_cast<std::size_t>(condition.feature)];
  const Label& label = feature.labels[static_cast<std::size_t>(condition.label)];
  if (label.kind == LabelKind::range)
    for (const LabelMeaning& meaning : label_meanings(feature))
      if (meaning.label == label.name) return feature.name + " " + meaning.text;
  return base.condition_text(condition);
}

std::string conditions_text(const RuleBase& base, const Rule& rule) {
  std::string text;
  for (const Condition& c : rule.conditions)
    text += (text.empty() ? "" : " and ") + condition_text(base, c);
  return text;
}

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

}  // namespace

std::string points_text(int points) { return (points > 0 ? "+" : "") + std::to_string(points); }

std::vector<RiskLine> risk_lines(const RuleBase& base) {
  std::vector<RiskLine> lines;
  for (const PointsRange& range : points_table(base)) {
    RiskLine line{.points = std::to_string(range.least),
                  .risk = percent_text(range.low),
                  .predicted = base.classes[static_cast<std::size_t>(range.predicted)]};
    if (range.most != range.least) {
      line.points += " to " + std::to_string(range.most);
      line.risk += " to " + percent_text(range.high);
    }
    lines.push_back(line);
  }
  return lines;
}

std::string scorecard_method(const RuleBase& base) {
  const auto event = static_cast<std::size_t>(base.policy.positive);
  const double bias = base.biases[event] - base.biases[1 - event];
  const int decimals = 4;
  return "Add the points of all rules that apply. The probability of " + event_text(base) +
         " is 1 / (1 + exp(-S)) with S = " + fixed_number(bias, decimals) + " + " +
         fixed_number(*base.nats_per_point, decimals) + " x points.";
}

std::string scorecard_text(const RuleBase& base) {
  std::vector<std::vector<TextCell>> rules;
  for (const Rule& rule : base.rules)
    rules.push_back({{"[ ] " + conditions_text(base, rule)}, {points_text(rule.points), true}});
  rules.push_back({{"Total points"}, {"____", true}});
  const std::string title =
      "Scorecard: probability that " + base.target + " is " + event_text(base);
  std::string text =
      visible_text(title) + "\n\n" +
      "Tick each line whose conditions all hold, and add the points of these lines:\n" +
      indented(align_columns(rules)) + "\n";

  std::vector<std::vector<TextCell>> table = {
      {{"Total points", true}, {"Probability of " + event_text(base), true}, {"Prediction"}}};
  for (const RiskLine& line : risk_lines(base))
    table.push_back({{line.points, true}, {line.risk, true}, {line.predicted}});
  text += indented(align_columns(table)) + "\n";
  if (has_counts(base)) {
    double rows = 0;
    for (const double count : base.class_rows) rows += count;
    text += visible_text("Average of the " + fixed_number(rows, 1) +
                         " training rows: " + distribution_text(base, base_rates(base)) + ".") +
            "\n";
  }
  text += visible_text(scorecard_method(base)) + "\n";
  for (const std::string& sentence : policy_sentences(base)) text += visible_text(sentence) + "\n";
  return text;
}

}  // namespace frr::internal
