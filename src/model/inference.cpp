#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "kernels/tnorm.hpp"
#include "model/policy.hpp"

namespace frr::internal {
namespace {

// truth() and decide() for any access to the values of features: value_of(feature).
template <typename ValueOf>
double truth_of(const RuleBase& base, const Rule& rule, const ValueOf& value_of) {
  const auto degree = [&](const Condition& c) {
    const Label& label = base.partition.features[static_cast<std::size_t>(c.feature)]
                             .labels[static_cast<std::size_t>(c.label)];
    return membership(label, c.label, value_of(c.feature));
  };
  double result = 1.0;
  if (base.tnorm.kind == TNormKind::product) {
    for (const Condition& c : rule.conditions) {
      result *= degree(c);
      if (result == 0) return 0;
    }
  } else {
    // Rules are short: the degrees of all but absurd ones fit on the stack.
    constexpr std::size_t few = 16;
    double buffer[few];
    std::vector<double> many;
    std::span<double> degrees(buffer, std::min(few, rule.conditions.size()));
    if (rule.conditions.size() > few) {
      many.resize(rule.conditions.size());
      degrees = many;
    }
    std::transform(rule.conditions.begin(), rule.conditions.end(), degrees.begin(), degree);
    result = conjunction(base.tnorm, degrees);
  }
  return base.root == 1 ? result : std::pow(result, 1 / base.root);
}

template <typename ValueOf>
Decision decide_sufficient(const RuleBase& base, const ValueOf& value_of) {
  Decision best{.predicted = base.otherwise};
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const double score = base.rules[r].weight * truth_of(base, base.rules[r], value_of);
    if (score > best.score) best = {base.rules[r].then, static_cast<int>(r), score};
  }
  return best;
}

struct ClassScores {
  std::vector<double> sums;         // of the bias and the scores, one per class
  std::vector<Decision> strongest;  // the strongest rule of each class
  bool covered = false;             // some rule applies
};

template <typename ValueOf>
ClassScores class_scores(const RuleBase& base, const ValueOf& value_of) {
  ClassScores result{base.biases, std::vector<Decision>(base.classes.size())};
  result.sums.resize(base.classes.size(), 0);
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const auto then = static_cast<std::size_t>(base.rules[r].then);
    const double score = base.rules[r].weight * truth_of(base, base.rules[r], value_of);
    result.sums[then] += score;
    result.covered = result.covered || score > 0;
    if (score > result.strongest[then].score)
      result.strongest[then] = {base.rules[r].then, static_cast<int>(r), score};
  }
  return result;
}

template <typename ValueOf>
Decision decide_additive(const RuleBase& base, const ScorePolicy& policy, const ValueOf& value_of) {
  const ClassScores scores = class_scores(base, value_of);
  const int predicted = policy.predict(scores.sums);
  const Decision& strongest = scores.strongest[static_cast<std::size_t>(predicted)];
  return {predicted, strongest.rule, strongest.score};
}

template <typename ValueOf>
Decision decide_with(const RuleBase& base, const ValueOf& value_of) {
  const FloatMode mode(Denormals::keep);
  if (base.semantics == Semantics::sufficient) return decide_sufficient(base, value_of);
  return decide_additive(base, ScorePolicy(base.policy, base.classes.size()), value_of);
}

}  // namespace

double membership(const Label& label, int label_index, const FeatureValue& value) {
  switch (label.kind) {
    case LabelKind::range:
      return value.missing ? 0.0 : label.shape(value.number);
    case LabelKind::category:
      return value.category == label_index ? 1.0 : 0.0;
    case LabelKind::missing:
      return value.missing ? 1.0 : 0.0;
  }
  return 0.0;
}

double conjunction(const TNorm& tnorm, std::span<const double> degrees) {
  return tnorm_value<double>(tnorm, degrees);
}

double truth(const RuleBase& base, const Rule& rule, std::span<const FeatureValue> row) {
  return truth_of(base, rule, [&](int f) { return row[static_cast<std::size_t>(f)]; });
}

Decision decide(const RuleBase& base, std::span<const FeatureValue> row) {
  return decide_with(base, [&](int f) { return row[static_cast<std::size_t>(f)]; });
}

Decision decide(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  return decide_with(base, [&](int f) { return map.value(row, f); });
}

std::vector<double> score_sums(const RuleBase& base, std::span<const FeatureValue> row) {
  return class_scores(base, [&](int f) { return row[static_cast<std::size_t>(f)]; }).sums;
}

RowProbabilities row_probabilities(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  const FloatMode mode(Denormals::keep);
  if (base.semantics == Semantics::sufficient) {
    const int rule = decide(base, map, row).rule;
    return {probabilities(base, rule), rule != Decision::otherwise};
  }
  const ClassScores scores = class_scores(base, [&](int f) { return map.value(row, f); });
  return {softmax(scores.sums), scores.covered};
}

}  // namespace frr::internal
