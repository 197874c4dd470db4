// Targets for the search by log-loss on random tables, and a slow evaluation of its rules.
#pragma once

#include <cmath>
#include <vector>

#include "kernels/tnorm.hpp"
#include "risk/risk_search.hpp"
#include "support/random_table.hpp"

namespace frr::internal::risk_problem {

// `of_class` of each target is the row's class, the rest a random distribution.
inline RiskTargets make_targets(Random& random, const random_table::Problem& problem,
                                double of_class, double price) {
  const std::size_t classes = problem.data.classes.size();
  RiskTargets targets{.shares = {}, .base_rates = std::vector<double>(classes, 0), .price = price};
  double all = 0;
  for (std::size_t i = 0; i < problem.classes.size(); ++i) {
    std::vector<double> noise;
    double total = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      noise.push_back(random.uniform());
      total += noise.back();
    }
    for (std::size_t c = 0; c < classes; ++c) {
      const double truth = problem.classes[i] == static_cast<int>(c) ? 1 : 0;
      const double share = of_class * truth + (1 - of_class) * noise[c] / total;
      targets.shares.push_back(static_cast<float>(problem.weights[i] * share));
    }
    const auto weight = static_cast<double>(problem.weights[i]);
    targets.base_rates[static_cast<std::size_t>(problem.classes[i])] += weight;
    all += weight;
  }
  for (double& rate : targets.base_rates) rate /= all;
  return targets;
}

// The objective by its definition, in double, from memberships alone: each row goes to the rule
// with the largest weight times truth, the first of equals, or to ELSE.
inline double plain_objective(const random_table::Problem& problem, const Memberships& memberships,
                              const RiskTargets& targets, const std::vector<LabelRule>& rules) {
  const std::size_t classes = targets.base_rates.size();
  // At the edge of its support, lukasiewicz is 0 or slightly above 0 by rounding.
  const double least = problem.settings.tnorm.kind == TNormKind::lukasiewicz ? 1e-6 : 0;
  std::vector<std::vector<double>> sums(rules.size() + 1, std::vector<double>(classes, 0));
  for (std::size_t i = 0; i < problem.classes.size(); ++i) {
    std::size_t decider = 0;
    double best = 0;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      std::vector<double> degrees;
      for (const std::size_t d : rules[r].labels) {
        degrees.push_back(static_cast<double>(memberships.column(d)[i]));
      }
      const double score =
          rules[r].weight *
          std::pow(tnorm_value<double>(problem.settings.tnorm, degrees), 1 / problem.settings.root);
      // Scores that differ only by rounding are equal.
      if (score > best * (1 + 1e-5) && score > least) best = score, decider = r + 1;
    }
    for (std::size_t c = 0; c < classes; ++c) {
      sums[decider][c] += static_cast<double>(targets.shares[i * classes + c]);
    }
  }
  double loss = 0;
  for (const std::vector<double>& of_outcome : sums) {
    double rows = 1;
    for (const double n : of_outcome) rows += n;
    for (std::size_t c = 0; c < classes; ++c) {
      if (of_outcome[c] == 0) continue;
      loss -= of_outcome[c] * std::log((of_outcome[c] + targets.base_rates[c]) / rows);
    }
  }
  for (const LabelRule& rule : rules)
    loss += targets.price * static_cast<double>(rule.labels.size());
  return -loss;
}

}  // namespace frr::internal::risk_problem
