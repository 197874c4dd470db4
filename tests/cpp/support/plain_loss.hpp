// The log-loss of additive rules and its derivatives by plain loops over rows, with the truth of
// rules as prediction computes it: a slow reference.
#pragma once

#include <cmath>
#include <vector>

#include "additive/additive_fit.hpp"
#include "frr/frr.hpp"
#include "model/inference.hpp"

namespace frr::internal::plain_loss {

inline std::vector<double> truths_of(const RuleBase& base, const ColumnMap& map, std::size_t row) {
  std::vector<FeatureValue> values(base.partition.features.size());
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      values[static_cast<std::size_t>(condition.feature)] = map.value(row, condition.feature);
    }
  }
  std::vector<double> truths;
  for (const Rule& rule : base.rules) truths.push_back(truth(base, rule, values));
  return truths;
}

// p_c from the biases and weights of the rules.
inline std::vector<double> probabilities_of(const RuleBase& base,
                                            const std::vector<double>& truths) {
  std::vector<double> p = base.biases;
  for (std::size_t r = 0; r < truths.size(); ++r) {
    p[static_cast<std::size_t>(base.rules[r].then)] += base.rules[r].weight * truths[r];
  }
  double sum = 0;
  for (double& x : p) sum += x = std::exp(x);
  for (double& x : p) x /= sum;
  return p;
}

struct Rows {
  const Table& table;
  const std::vector<int>& classes;
  std::vector<double> weights;  // one per row
};

// With the ridge; the weights are scaled to a mean of 1 over rows of a known class.
struct Loss {
  double loss = 0;
  std::vector<double> by_class;  // derivatives by the biases
  std::vector<double> by_rule;   // and by the weights
};

inline Loss loss_of(const RuleBase& base, const Rows& rows) {
  const ColumnMap map(base, rows.table);
  Loss result{0, std::vector<double>(base.classes.size(), 0), {}};
  result.by_rule.assign(base.rules.size(), 0);
  double all = 0, count = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    if (rows.classes[i] >= 0) all += rows.weights[i], count += rows.weights[i] > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    if (rows.classes[i] < 0 || rows.weights[i] == 0) continue;
    const double weight = rows.weights[i] * count / all;
    const std::vector<double> truths = truths_of(base, map, i);
    std::vector<double> p = probabilities_of(base, truths);
    result.loss -= weight * std::log(p[static_cast<std::size_t>(rows.classes[i])]);
    p[static_cast<std::size_t>(rows.classes[i])] -= 1;
    for (std::size_t c = 0; c < p.size(); ++c) result.by_class[c] += weight * p[c];
    for (std::size_t r = 0; r < truths.size(); ++r) {
      result.by_rule[r] += weight * truths[r] * p[static_cast<std::size_t>(base.rules[r].then)];
    }
  }
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const double weight = base.rules[r].weight;
    result.loss += additive_ridge / 2 * weight * weight;
    result.by_rule[r] += additive_ridge * weight;
  }
  return result;
}

}  // namespace frr::internal::plain_loss
