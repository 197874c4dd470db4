// How scores become probabilities and a class, for additive rules (see DecisionPolicy).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

// The predicted class has the largest S_c + offset_c. Of equals, class `first` wins, then the one
// with the lowest index.
struct ScoreOffsets {
  std::vector<double> offsets;  // one per class
  std::size_t first = 0;
};

// The offsets that are equivalent to the policy: log-costs if the cost of an error depends only on
// the true class, and minus the log-odds of the threshold of two classes. None for other policies.
std::optional<ScoreOffsets> score_offsets(const DecisionPolicy& policy, std::size_t classes);

// The class for given scores S.
class ScorePolicy {
 public:
  ScorePolicy(const DecisionPolicy& policy, std::size_t classes)
      : policy_(policy), classes_(classes), offsets_(score_offsets(policy, classes)) {}

  // scores[c * stride] is S_c.
  [[nodiscard]] int predict(const double* scores, std::size_t stride = 1) const;
  [[nodiscard]] int predict(std::span<const double> scores) const { return predict(scores.data()); }
  // Whether the class follows from the order of S_c + offset(c).
  [[nodiscard]] bool by_offsets() const { return offsets_.has_value(); }
  [[nodiscard]] double offset(std::size_t c) const { return offsets_->offsets[c]; }

 private:
  DecisionPolicy policy_;
  std::size_t classes_;
  std::optional<ScoreOffsets> offsets_;
};

// exp(x_c - max) / sum_k exp(x_k - max)
std::vector<double> softmax(std::span<const double> scores);

// Whether a case with these probabilities is referred. `covered`: some rule applies to it.
bool refers(const DecisionPolicy& policy, std::span<const double> probabilities, bool covered);

// Whether the model has counts of training rows; one written by hand may have none.
bool has_counts(const RuleBase& base);

// Throws Error{usage} if make_policy would, whatever the counts are.
void check_policy(const PolicyRequest& request, const std::vector<std::string>& classes);

// The costs that class weights stand for: an error costs the weight of its true class relative to
// the smallest weight. None if all are equal.
std::vector<double> costs_of_weights(std::span<const double> class_weights);

}  // namespace frr::internal
