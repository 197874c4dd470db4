#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "kernels/tnorm.hpp"

namespace frr::internal {
namespace {

// By how much a predicted class is raised above the next, relative to it: far more than the
// rounding of the division that follows, far less than anyone will notice.
constexpr double lead = 1e-9;
// A raised class also keeps this fraction of its former share, so that rules keep their order.
constexpr double order = 1e-3;

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

// Index of the largest sum, the first of equals; -1 if none is positive.
int largest(std::span<const double> sums) {
  int best = -1;
  double top = 0;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (sums[c] <= top) continue;
    top = sums[c];
    best = static_cast<int>(c);
  }
  return best;
}

struct ClassScores {
  std::vector<double> sums;         // of the scores, one per class
  std::vector<Decision> strongest;  // the strongest rule of each class
};

template <typename ValueOf>
ClassScores class_scores(const RuleBase& base, const ValueOf& value_of) {
  ClassScores result{std::vector<double>(base.classes.size(), 0.0),
                     std::vector<Decision>(base.classes.size())};
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const auto then = static_cast<std::size_t>(base.rules[r].then);
    const double score = base.rules[r].weight * truth_of(base, base.rules[r], value_of);
    result.sums[then] += score;
    if (score > result.strongest[then].score)
      result.strongest[then] = {base.rules[r].then, static_cast<int>(r), score};
  }
  return result;
}

template <typename ValueOf>
Decision decide_with(const RuleBase& base, const ValueOf& value_of) {
  const FloatMode mode(Denormals::keep);
  if (base.semantics == Semantics::sufficient) return decide_sufficient(base, value_of);
  const ClassScores scores = class_scores(base, value_of);
  const int winner = largest(scores.sums);
  if (winner < 0) return Decision{.predicted = base.otherwise};
  return scores.strongest[static_cast<std::size_t>(winner)];
}

// Shares that sum to 1, with that of `predicted` strictly the largest. `shares` sum to about 1.
void favour(std::vector<double>& shares, int predicted) {
  const auto chosen = static_cast<std::size_t>(predicted);
  double other = 0;
  for (std::size_t c = 0; c < shares.size(); ++c)
    if (c != chosen) other = std::max(other, shares[c]);
  shares[chosen] = std::max(shares[chosen], other * (1 + lead + order * shares[chosen]));
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
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

std::vector<double> probabilities(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  const FloatMode mode(Denormals::keep);
  if (base.semantics == Semantics::sufficient)
    return probabilities(base, decide(base, map, row).rule);
  std::vector<double> shares = class_scores(base, [&](int f) { return map.value(row, f); }).sums;
  const int winner = largest(shares);
  if (winner < 0) return probabilities(base, Decision::otherwise);
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  favour(shares, winner);
  return shares;
}

}  // namespace frr::internal

namespace frr {

std::vector<double> probabilities(const RuleBase& base, int rule) {
  const internal::FloatMode mode(internal::Denormals::keep);
  const bool otherwise = rule == Decision::otherwise;
  const Statistics& statistics =
      otherwise ? base.otherwise_statistics : base.rules[static_cast<std::size_t>(rule)].statistics;
  const int predicted =
      otherwise ? base.otherwise : base.rules[static_cast<std::size_t>(rule)].then;
  // Laplace's correction; a model written by hand may come without statistics.
  std::vector<double> shares(base.classes.size(), 1);
  const auto count = [&](const Statistics& decided) {
    for (std::size_t c = 0; c < decided.class_rows.size(); ++c) shares[c] += decided.class_rows[c];
  };
  count(statistics);
  // If ELSE decided no training row, the classes are as likely as among all rows.
  if (otherwise && statistics.rows() == 0)
    for (const Rule& other : base.rules) count(other.statistics);
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  internal::favour(shares, predicted);
  return shares;
}

}  // namespace frr
