#include "model/explain.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "base/number.hpp"
#include "frr/error.hpp"
#include "model/counterfactual.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"

namespace frr {
using namespace internal;
namespace {

using Row = std::vector<FeatureValue>;

// Limit on evaluations of a condition in the search for changes: about a second. A model that a
// person can read needs a thousandth of it.
constexpr std::size_t work = std::size_t{1} << 27;

std::vector<int> features_in_rules(const RuleBase& base) {
  std::vector<int> result;
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions) result.push_back(c.feature);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

RuleTruth rule_truth(const RuleBase& base, const ColumnMap& map, std::size_t row, const Row& values,
                     int index) {
  const Rule& rule = base.rules[static_cast<std::size_t>(index)];
  RuleTruth result;
  result.rule = index;
  result.truth = truth(base, rule, values);
  result.score = rule.weight * result.truth;
  for (const Condition& c : rule.conditions) {
    const Label& label = base.partition.features[static_cast<std::size_t>(c.feature)]
                             .labels[static_cast<std::size_t>(c.label)];
    result.conditions.push_back(
        {c, membership(label, c.label, values[static_cast<std::size_t>(c.feature)]),
         map.text(row, c.feature)});
  }
  return result;
}

struct Scores {
  int runner_up = Decision::otherwise;  // strongest rule of another class than the predicted one
  double runner_up_score = 0;
};

Scores score_rules(const RuleBase& base, const Row& values, int predicted) {
  Scores result;
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const Rule& rule = base.rules[r];
    const double score = rule.weight * truth(base, rule, values);
    if (rule.then == predicted || score <= result.runner_up_score) continue;
    result.runner_up = static_cast<int>(r);
    result.runner_up_score = score;
  }
  return result;
}

// By how much the score of the predicted class exceeds the next.
double margin(const Explanation& explanation, int predicted) {
  double other = -HUGE_VAL;
  for (std::size_t c = 0; c < explanation.scores.size(); ++c)
    if (static_cast<int>(c) != predicted) other = std::max(other, explanation.scores[c]);
  return explanation.scores[static_cast<std::size_t>(predicted)] - other;
}

// All other categories are equally distant: the first that changes the class is returned. Like
// number_change, leaves `from` to the caller.
std::optional<Change> category_change(WhatIf& what_if) {
  const std::vector<Label>& labels =
      what_if.base().partition.features[static_cast<std::size_t>(what_if.feature())].labels;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (labels[v].kind != LabelKind::category) continue;
    FeatureValue value = what_if.value();
    value.category = static_cast<int>(v);
    const std::optional<Decision> decision = what_if.decide(value);
    if (!decision) break;
    if (decision->predicted == what_if.decision().predicted) continue;
    return Change{.feature = what_if.feature(),
                  .from = "",
                  .to = labels[v].name,
                  .distance = 1,
                  .predicted = decision->predicted,
                  .rule = decision->rule};
  }
  return std::nullopt;
}

std::optional<Change> number_change(WhatIf& what_if) {
  const std::optional<NumericChange> found = nearest_change(what_if);
  if (!found) return std::nullopt;
  return Change{.feature = what_if.feature(),
                .from = "",
                .to = plain_number(found->to),
                .distance = found->distance,
                .predicted = found->decision.predicted,
                .rule = found->decision.rule};
}

// Sets `changes` and `changes_complete`. `features` are those that rules read.
void add_changes(const RuleBase& base, const ColumnMap& map, std::size_t row, const Row& values,
                 std::span<const int> features, Explanation& result) {
  WhatIf what_if(base, values, work);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const int f = features[i];
    // A missing value has no distance to another.
    if (values[static_cast<std::size_t>(f)].missing) continue;
    what_if.vary(f, features.size() - i - 1);
    const bool numeric =
        base.partition.features[static_cast<std::size_t>(f)].type == ColumnType::numeric;
    std::optional<Change> change = numeric ? number_change(what_if) : category_change(what_if);
    if (!change) continue;
    change->from = map.text(row, f);
    result.changes.push_back(*std::move(change));
  }
  result.changes_complete = what_if.complete();
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const Change& a, const Change& b) { return a.distance < b.distance; });
}

}  // namespace

Explanation internal::explain(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  const FloatMode mode(Denormals::keep);
  const std::vector<int> features = features_in_rules(base);
  Row values(base.partition.features.size());
  for (const int f : features) values[static_cast<std::size_t>(f)] = map.value(row, f);

  Explanation result;
  result.decision = decide(base, values);
  const auto [shares, covered] = row_probabilities(base, map, row);
  result.probabilities = shares;
  result.referred = refers(base.policy, shares, covered);
  const Scores scores = score_rules(base, values, result.decision.predicted);
  for (std::size_t r = 0; r < base.rules.size(); ++r)
    result.rules.push_back(rule_truth(base, map, row, values, static_cast<int>(r)));
  if (result.decision.rule != Decision::otherwise)
    result.winner = result.rules[static_cast<std::size_t>(result.decision.rule)];
  if (scores.runner_up != Decision::otherwise)
    result.runner_up = result.rules[static_cast<std::size_t>(scores.runner_up)];
  if (base.semantics == Semantics::additive) {
    result.scores = score_sums(base, values);
    result.margin = margin(result, result.decision.predicted);
  } else {
    result.margin = result.decision.score - scores.runner_up_score;
  }

  add_changes(base, map, row, values, features, result);
  return result;
}

Explanation explain(const RuleBase& base, const Table& table, std::size_t row) {
  if (row >= table.rows) {
    fail_usage("row " + std::to_string(row) + " was asked for, but the table has " +
               std::to_string(table.rows) + " rows");
  }
  return internal::explain(base, ColumnMap(base, table), row);
}

}  // namespace frr
