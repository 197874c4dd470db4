#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "model/policy.hpp"
#include "text/decision_text.hpp"
#include "text/label_text.hpp"
#include "text/number_format.hpp"
#include "text/rule_table.hpp"
#include "text/scorecard_text.hpp"
#include "text/text_columns.hpp"

namespace frr {
using namespace internal;
namespace {

// ---- Small texts --------------------------------------------------------------------------------

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : visible_text(text)) {
    if (std::string_view("\\|`*_<>[]&~$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// A weight in (0, 1]: two significant digits.
std::string share_text(double value) {
  const int decimals = value > 0 ? 1 - static_cast<int>(std::floor(std::log10(value))) : 2;
  return decimals > 12 ? plain_number(value) : fixed_number(value, std::max(decimals, 2));
}

// Whole percent; 0% and 100% only if exact.
std::string percent(double part, double whole) {
  double result = std::round(100 * part / whole);
  if (part > 0) result = std::max(result, 1.0);
  if (part < whole) result = std::min(result, 99.0);
  return plain_number(result) + "%";
}

bool is_additive(const RuleBase& base) { return base.semantics == Semantics::additive; }

// ---- How the rules decide -----------------------------------------------------------------------

std::string truth_text(const RuleBase& base) {
  std::string result;
  if (base.tnorm.kind == TNormKind::product)
    result = "the product of the degrees of its conditions";
  else if (base.tnorm.kind == TNormKind::minimum)
    result = "the smallest degree of its conditions";
  else
    result = "the degrees of its conditions combined by the t-norm " + to_string(base.tnorm);
  if (base.root != 1) result += ", to the power 1/" + plain_number(base.root);
  return result;
}

// With two classes, the probability of the class that the text is about; otherwise those of all.
std::string softmax_text(const RuleBase& base) {
  if (base.classes.size() == 2) {
    const int event = base.policy.positive >= 0 ? base.policy.positive : 1;
    const double bias = base.biases[static_cast<std::size_t>(event)] -
                        base.biases[static_cast<std::size_t>(1 - event)];
    const std::string name = class_text(base, event);
    return "Start with " + signed_text(bias) + ", add the scores of all rules for " + name +
           " and subtract those of all rules for " + class_text(base, 1 - event) +
           ": the sum S gives the probability of " + name +
           ", 1 / (1 + exp(-S)). Each +0.69 doubles the odds of " + name + ".";
  }
  std::string biases;
  for (std::size_t c = 0; c < base.classes.size(); ++c)
    biases += (biases.empty() ? "" : ", ") + class_text(base, static_cast<int>(c)) + " " +
              signed_text(base.biases[c]);
  return "Each class starts with its bias (" + biases +
         ") and adds the scores of all rules for it. The probability of a class is exp(its sum), "
         "divided by the total of exp(sum) over all classes (softmax). Each +0.69 doubles the odds "
         "of a class against every other class.";
}

std::string method_text(const RuleBase& base) {
  if (is_additive(base) && base.rules.empty())
    return "There is no rule: every row gets the same probabilities.";
  if (base.rules.empty()) return "There is no rule: ELSE decides every row.";
  if (is_additive(base))
    return "Score of a rule: weight x truth (truth: " + truth_text(base) + "). " +
           softmax_text(base);
  return "The rule with the largest weight x truth decides (truth: " + truth_text(base) +
         "). Where no rule applies, ELSE does.";
}

// What the percentages are, and the averages that they are compared with.
std::string counts_text(const RuleBase& base) {
  double rows = 0;
  for (const double count : base.class_rows) rows += count;
  const std::string all =
      rows > 0 ? "all " + fixed_number(rows, 1) + " training rows" : "all training rows";
  return std::string("Percentages: probability of the class after THEN among the training rows ") +
         (is_additive(base) ? "on which the rule is at least half true" : "that the rule decides") +
         ", with one average row added. Average of " + all + ": " +
         distribution_text(base, base_rates(base)) + ".";
}

std::string joined(const std::vector<std::string>& sentences, const char* between) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : between) + sentence;
  return text;
}

// ---- The cells of a rule ------------------------------------------------------------------------

std::string rows_text(const Statistics& statistics, int then) {
  const double rows = statistics.rows();
  if (rows == 0) return "no rows";
  return fixed_number(statistics.class_rows[static_cast<std::size_t>(then)], 1) + " of " +
         fixed_number(rows, 1) + (rows == 1 ? " row" : " rows");
}

std::string weight_text(const RuleBase& base, const Rule& rule) {
  return is_additive(base) ? signed_text(rule.weight) + " for " +
                                 base.classes[static_cast<std::size_t>(rule.then)]
                           : "weight " + share_text(rule.weight);
}

// A rule, the columns behind it, and why another class than the most probable one is predicted.
struct Line {
  std::vector<TextCell> cells;
  std::string reason = {};
};

// Rows, probability and lift.
void add_statistics(const RuleBase& base, int rule, Line& line) {
  const bool otherwise = rule == Decision::otherwise;
  const auto r = static_cast<std::size_t>(std::max(rule, 0));
  const Statistics& statistics = otherwise ? base.otherwise_statistics : base.rules[r].statistics;
  const int then = otherwise ? base.otherwise : base.rules[r].then;
  const auto c = static_cast<std::size_t>(then);
  const double share = probabilities(base, rule)[c];
  line.cells.push_back({rows_text(statistics, then), true});
  line.cells.push_back({percent_text(share), true});
  line.cells.push_back({lift_text(share, base_rates(base)[c]), true});
  if (!is_additive(base)) line.reason = why_then(base, rule);
}

Line rule_line(const RuleBase& base, int index, bool counted) {
  const Rule& rule = base.rules[static_cast<std::size_t>(index)];
  Line line{.cells = {{base.rule_text(rule)}}};
  if (is_additive(base)) line.cells.push_back({weight_text(base, rule)});
  if (counted) add_statistics(base, index, line);
  if (!is_additive(base)) line.cells.push_back({weight_text(base, rule)});
  return line;
}

Line else_line(const RuleBase& base, bool counted) {
  Line line{.cells = {{"ELSE " + base.classes[static_cast<std::size_t>(base.otherwise)]}}};
  if (counted && !is_additive(base)) add_statistics(base, Decision::otherwise, line);
  return line;
}

std::string lines_text(const std::vector<Line>& lines) {
  std::vector<std::vector<TextCell>> cells;
  cells.reserve(lines.size());
  for (const Line& line : lines) cells.push_back(line.cells);
  const std::vector<std::string> texts = align_columns(cells);
  std::string result;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    result += texts[k] + "\n";
    if (!lines[k].reason.empty()) result += "   " + visible_text(lines[k].reason) + "\n";
  }
  return result;
}

std::string meanings_text(const RuleBase& base) {
  const std::vector<const Feature*> features = explained_features(base);
  std::string result = features.empty() ? "" : "\nWhat the labels mean:\n";
  for (const Feature* feature : features) {
    const std::string range = training_range(*feature);
    result += "  " + visible_text(feature->name) + (range.empty() ? "" : " (" + range + ")") + "\n";
    std::vector<LabelMeaning> labels = label_meanings(*feature);
    std::size_t longest = 0;
    for (LabelMeaning& m : labels) {
      m.label = visible_text(m.label);
      longest = std::max(longest, text_width(m.label));
    }
    for (const LabelMeaning& m : labels)
      result += "    " + padded(m.label, longest) + "  " + m.text + "\n";
  }
  return result;
}

}  // namespace

std::string to_text(const RuleBase& base) {
  if (base.nats_per_point) return scorecard_text(base) + meanings_text(base);
  const bool counted = has_counts(base);
  std::vector<Line> lines;
  for (std::size_t r = 0; r < base.rules.size(); ++r)
    lines.push_back(rule_line(base, static_cast<int>(r), counted));
  lines.push_back(else_line(base, counted));
  std::string result = lines_text(lines) + "\n" + visible_text(method_text(base)) + "\n";
  if (is_additive(base))
    result += visible_text(
                  "Where no rule applies: " + distribution_text(base, softmax(base.biases)) + ".") +
              "\n";
  if (counted) result += visible_text(counts_text(base)) + "\n";
  for (const std::string& sentence : policy_sentences(base))
    result += visible_text(sentence) + "\n";
  return result + meanings_text(base);
}

RuleTable internal::make_rule_table(const RuleBase& base) {
  RuleTable table;
  const bool counted = has_counts(base);
  const std::vector<double> rates = base_rates(base);
  const auto add = [&](RuleTable::Row row, int rule, const Statistics& statistics, int then) {
    const auto c = static_cast<std::size_t>(then);
    const double rows = statistics.rows();
    row.then = base.classes[c];
    if (counted) {
      const double share = is_additive(base) && rule == Decision::otherwise
                               ? softmax(base.biases)[c]
                               : probabilities(base, rule)[c];
      row.decides = fixed_number(rows, 1);
      row.probability = percent_text(share);
      if (rates[c] > 0) row.lift = lift_number(share, rates[c]);
      if (!is_additive(base)) row.reason = why_then(base, rule);
    }
    if (counted && rows > 0) row.right = percent(statistics.class_rows[c], rows);
    table.rows.push_back(std::move(row));
  };
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const Rule& rule = base.rules[r];
    RuleTable::Row row;
    row.number = std::to_string(r + 1);
    row.weight = base.nats_per_point ? points_text(rule.points)
                 : is_additive(base) ? signed_text(rule.weight)
                                     : share_text(rule.weight);
    for (const Condition& c : rule.conditions) row.conditions.push_back(base.condition_text(c));
    add(std::move(row), static_cast<int>(r), rule.statistics, rule.then);
  }
  RuleTable::Row otherwise;
  otherwise.number = "0";
  add(std::move(otherwise), Decision::otherwise, base.otherwise_statistics, base.otherwise);
  table.method = base.nats_per_point ? scorecard_method(base) : method_text(base);
  const std::vector<std::string> sentences = policy_sentences(base);
  if (!sentences.empty()) table.method += " " + joined(sentences, " ");
  for (const Feature* feature : explained_features(base))
    for (const LabelMeaning& m : label_meanings(*feature))
      table.meanings.push_back({feature->name, m.label, m.text});
  return table;
}

std::string to_markdown(const RuleBase& base) {
  const RuleTable table = make_rule_table(base);
  const auto cell = [](const std::string& text) { return text.empty() ? " |" : " " + text + " |"; };
  const char* weight = base.nats_per_point ? "Points" : is_additive(base) ? "Score" : "Weight";
  const char* rows = is_additive(base) ? "True for rows" : "Decides rows";
  std::string result = std::string("| Rule | IF | THEN | ") + weight + " | " + rows +
                       " | Probability | Times the average |\n"
                       "|---:|:---|:---|---:|---:|---:|---:|\n";
  std::vector<std::string> reasons;
  for (const RuleTable::Row& row : table.rows) {
    result += "|" + cell(row.number) +
              cell(row.conditions.empty() ? "ELSE" : escaped(joined(row.conditions, " AND "))) +
              cell(escaped(row.then)) + cell(row.weight) + cell(row.decides) +
              cell(row.probability) + cell(row.lift) + "\n";
    if (!row.reason.empty()) reasons.push_back("Rule " + row.number + ", " + row.reason + ".");
  }
  result += "\n" + escaped(table.method) + "\n";
  if (!reasons.empty()) result += "\n" + escaped(joined(reasons, " ")) + "\n";
  if (base.nats_per_point) {
    const std::string event = class_text(base, base.policy.positive);
    result += "\n| Total points | Probability of " + escaped(event) +
              " | Prediction |\n|---:|---:|:---|\n";
    for (const RiskLine& line : risk_lines(base))
      result += "|" + cell(line.points) + cell(line.risk) + cell(escaped(line.predicted)) + "\n";
  }
  if (!table.meanings.empty()) result += "\n| Feature | Label | Meaning |\n|:---|:---|:---|\n";
  for (const RuleTable::Meaning& m : table.meanings)
    result += "|" + cell(escaped(m.feature)) + cell(escaped(m.label)) + cell(m.text) + "\n";
  return result;
}

}  // namespace frr
