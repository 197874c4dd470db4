// Decides one row with other values of one feature. Only the rules that read the feature are
// evaluated again, and the work is bounded, so that even a huge model gives an answer soon.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"

namespace frr::internal {

class WhatIf {
 public:
  struct Reader {
    int rule;
    int label;
  };

  // `row` holds the values of all features that rules read. All features together may use `work`
  // evaluations of a condition.
  WhatIf(const RuleBase& base, std::span<const FeatureValue> row, std::size_t work);

  // Selects the feature whose values are tried next. It may use an equal share of the remaining
  // work, divided among it and the `others` that follow.
  void vary(int feature, std::size_t others);

  // As internal::decide() for the row with this value; nullopt if no work is left for it.
  std::optional<Decision> decide(const FeatureValue& value);
  // The decision for the row as it is.
  [[nodiscard]] const Decision& decision() const { return decision_; }

  // The numbers whose order decides: the score of each rule that reads the feature and the best
  // score of the others, or (additive) the sum of each class and its offset (policy.hpp).
  std::vector<double> lines(const FeatureValue& value);
  [[nodiscard]] std::size_t line_count() const;
  // Whether the class follows from this order.
  [[nodiscard]] bool decided_by_lines() const {
    return base_.semantics == Semantics::sufficient || policy_.by_offsets();
  }

  // Conditions on the feature, ascending by rule.
  [[nodiscard]] std::span<const Reader> readers() const { return readers_of(feature_); }
  [[nodiscard]] const RuleBase& base() const { return base_; }
  [[nodiscard]] int feature() const { return feature_; }
  [[nodiscard]] const FeatureValue& value() const { return value_; }

  // Uses this amount of work if it is left; returns whether it was.
  bool afford(std::size_t work);
  // As many decisions as the remaining work allows, but at most `wanted`.
  std::size_t affordable_decisions(std::size_t wanted);
  // Whether all requested work could be done.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  [[nodiscard]] std::span<const Reader> readers_of(int feature) const {
    return readers_[static_cast<std::size_t>(feature)];
  }
  [[nodiscard]] const Rule& rule(int r) const { return base_.rules[static_cast<std::size_t>(r)]; }
  double& score(int r) { return scores_[static_cast<std::size_t>(r)]; }
  void score_readers(const FeatureValue& value);
  [[nodiscard]] Decision best_of_others() const;
  [[nodiscard]] Decision strongest_reader() const;
  [[nodiscard]] std::vector<double> class_sums() const;
  [[nodiscard]] Decision decide_by(std::span<const double> sums) const;

  const RuleBase& base_;
  std::vector<FeatureValue> row_;
  ScorePolicy policy_;
  std::vector<std::vector<Reader>> readers_;  // by feature
  std::vector<double> scores_;                // by rule
  std::vector<double> row_scores_;            // of the row as it is
  std::vector<int> ranked_;  // rules of positive score, the best first (additive: by index)
  Decision decision_;
  // For the current feature:
  int feature_ = -1;
  FeatureValue value_;        // in the row
  Decision others_;           // the best rule that does not read it
  std::vector<int> counted_;  // additive: rules that can have a score, ascending
  std::size_t cost_ = 1;      // of one decision
  std::size_t work_ = 0, limit_ = 0, spent_ = 0;
  bool complete_ = true;
};

}  // namespace frr::internal
