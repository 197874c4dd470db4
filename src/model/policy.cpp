#include "model/policy.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "frr/error.hpp"
#include "io/json_reader.hpp"
#include "model/inference.hpp"

namespace frr::internal {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double cost_of(const DecisionPolicy& policy, std::size_t truth, std::size_t decided,
               std::size_t classes) {
  return policy.costs[truth * classes + decided];
}

// Whether an error costs the same whatever is predicted instead of the true class.
bool costs_by_true_class(const DecisionPolicy& policy, std::size_t classes) {
  for (std::size_t c = 0; c < classes; ++c) {
    const double cost = cost_of(policy, c, c == 0 ? 1 : 0, classes);
    for (std::size_t d = 0; d < classes; ++d) {
      if (d != c && cost_of(policy, c, d, classes) != cost) return false;
    }
  }
  return true;
}

class PolicyMaker {
 public:
  PolicyMaker(const PolicyRequest& request, const std::vector<std::string>& classes)
      : request_(request), classes_(classes) {}

  // `class_rows`: none if only the request is checked.
  [[nodiscard]] DecisionPolicy make(std::span<const double> class_rows) const {
    DecisionPolicy policy;
    policy.positive = positive(class_rows);
    check_choice(policy.positive);
    policy.costs = costs(policy.positive);
    policy.threshold = request_.threshold;
    check_fraction(request_.threshold, "threshold");
    check_fraction(request_.sensitivity, "sensitivity");
    check_fraction(request_.specificity, "specificity");
    if (!(request_.refer >= 0 && request_.refer < 1)) {
      fail_usage("--refer " + shortest(request_.refer) + ": give a number from 0 to below 1");
    }
    policy.refer = request_.refer;
    return policy;
  }

 private:
  [[nodiscard]] int class_index(const std::string& name, const char* option) const {
    const auto found = std::ranges::find(classes_, name);
    if (found == classes_.end()) {
      fail_usage(std::string(option) + ": there is no class '" + name + "'" +
                 did_you_mean(name, classes_) + " (classes: " + list_text(classes_) + ")");
    }
    return static_cast<int>(found - classes_.begin());
  }

  [[nodiscard]] int positive(std::span<const double> class_rows) const {
    if (!request_.positive.empty()) return class_index(request_.positive, "--positive");
    if (classes_.size() != 2) return -1;
    return class_rows.size() == 2 && class_rows[0] < class_rows[1] ? 0 : 1;
  }

  // At most one of the options that choose between the classes.
  void check_choice(int positive) const {
    std::vector<std::string> given;
    if (request_.miss) given.emplace_back("--cost");
    if (!request_.costs.empty()) given.emplace_back("--costs");
    if (request_.threshold) given.emplace_back("--threshold");
    if (request_.sensitivity) given.emplace_back("--sensitivity");
    if (request_.specificity) given.emplace_back("--specificity");
    if (given.size() > 1) {
      fail_usage(given[0] + " and " + given[1] + " both say when to predict a class: give one");
    }
    if (positive < 0 && !given.empty() && given[0] != "--costs") {
      fail_usage(given[0] + " needs the class of interest, because there are " +
                 std::to_string(classes_.size()) + " classes: name it with --positive");
    }
  }

  [[nodiscard]] std::vector<double> costs(int positive) const {
    if (!request_.miss && request_.costs.empty()) return {};
    const std::size_t classes = classes_.size();
    std::vector<double> result(classes * classes, 1.0);
    for (std::size_t c = 0; c < classes; ++c) result[c * classes + c] = 0;
    const auto set = [&](std::size_t truth, std::size_t predicted, double cost) {
      if (!(cost > 0 && cost <= most_cost)) {
        fail_usage("the cost of predicting '" + classes_[predicted] + "' where '" +
                   classes_[truth] + "' is true is " + shortest(cost) +
                   ": give a number above 0 and up to 1e9");
      }
      result[truth * classes + predicted] = cost;
    };
    for (std::size_t d = 0; request_.miss && d < classes; ++d) {
      if (d != index(positive)) set(index(positive), d, *request_.miss);
    }
    for (const PolicyRequest::Cost& cost : request_.costs) {
      const int truth = class_index(cost.truth, "--costs");
      const int predicted = class_index(cost.predicted, "--costs");
      if (truth != predicted) set(index(truth), index(predicted), cost.cost);
    }
    return result;
  }

  static void check_fraction(const std::optional<double>& value, const char* option) {
    if (!value || (*value > 0 && *value < 1)) return;
    fail_usage("--" + std::string(option) + " " + shortest(*value) +
               ": give a number above 0 and below 1");
  }

  static constexpr double most_cost = 1e9;
  const PolicyRequest& request_;
  const std::vector<std::string>& classes_;
};

}  // namespace

std::optional<ScoreOffsets> score_offsets(const DecisionPolicy& policy, std::size_t classes) {
  ScoreOffsets result{std::vector<double>(classes, 0.0)};
  if (policy.threshold) {
    if (classes != 2) return std::nullopt;
    const double t = *policy.threshold;
    result.first = index(policy.positive);
    result.offsets[result.first] = std::log((1 - t) / t);
    return result;
  }
  if (policy.costs.empty()) return result;
  if (!costs_by_true_class(policy, classes)) return std::nullopt;
  for (std::size_t c = 0; c < classes; ++c) {
    result.offsets[c] = std::log(cost_of(policy, c, c == 0 ? 1 : 0, classes));
  }
  return result;
}

int ScorePolicy::predict(const double* scores, std::size_t stride) const {
  if (!offsets_) {
    std::vector<double> row(classes_);
    for (std::size_t c = 0; c < classes_; ++c) row[c] = scores[c * stride];
    return decide(policy_, softmax(row));
  }
  std::size_t best = offsets_->first;
  double most = scores[best * stride] + offset(best);
  for (std::size_t c = 0; c < classes_; ++c) {
    const double sum = scores[c * stride] + offset(c);
    if (sum > most) most = sum, best = c;
  }
  return static_cast<int>(best);
}

std::vector<double> softmax(std::span<const double> scores) {
  const double most = *std::ranges::max_element(scores);
  std::vector<double> result;
  double total = 0;
  for (const double score : scores) {
    result.push_back(std::exp(score - most));
    total += result.back();
  }
  for (double& share : result) share /= total;
  return result;
}

bool refers(const DecisionPolicy& policy, std::span<const double> probabilities, bool covered) {
  if (!(policy.refer > 0)) return false;
  return !covered || *std::ranges::max_element(probabilities) < policy.refer;
}

bool has_counts(const RuleBase& base) {
  const auto any = [](double count) { return count > 0; };
  return std::ranges::any_of(base.class_rows, any) || base.otherwise_statistics.rows() > 0 ||
         std::ranges::any_of(base.rules,
                             [](const Rule& rule) { return rule.statistics.rows() > 0; });
}

void check_policy(const PolicyRequest& request, const std::vector<std::string>& classes) {
  static_cast<void>(PolicyMaker(request, classes).make({}));
}

std::vector<double> costs_of_weights(std::span<const double> class_weights) {
  const std::size_t classes = class_weights.size();
  const double least = *std::ranges::min_element(class_weights);
  std::vector<double> costs;
  if (least == *std::ranges::max_element(class_weights)) return costs;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t d = 0; d < classes; ++d) {
      costs.push_back(c == d ? 0 : class_weights[c] / least);
    }
  }
  return costs;
}

}  // namespace frr::internal

namespace frr {
using namespace internal;

std::vector<double> base_rates(const RuleBase& base) {
  std::vector<double> rates(base.classes.size(), 0.0);
  const auto add = [&](std::span<const double> rows) {
    for (std::size_t c = 0; c < rows.size(); ++c) rates[c] += rows[c];
  };
  add(base.class_rows);
  // A sufficient model of an earlier version: each row is decided once.
  if (base.class_rows.empty() && base.semantics == Semantics::sufficient) {
    add(base.otherwise_statistics.class_rows);
    for (const Rule& rule : base.rules) add(rule.statistics.class_rows);
  }
  double total = 0;
  for (const double rate : rates) total += rate;
  for (double& rate : rates) {
    rate = total > 0 ? rate / total : 1 / static_cast<double>(rates.size());
  }
  return rates;
}

std::vector<double> probabilities(const RuleBase& base, int rule) {
  const FloatMode mode(Denormals::keep);
  const Statistics& statistics =
      rule == Decision::otherwise ? base.otherwise_statistics : base.rules[index(rule)].statistics;
  std::vector<double> result = base_rates(base);
  const double rows = statistics.rows();
  for (std::size_t c = 0; c < result.size(); ++c) {
    const double count = c < statistics.class_rows.size() ? statistics.class_rows[c] : 0;
    result[c] = (count + prior_rows * result[c]) / (rows + prior_rows);
  }
  return result;
}

DecisionPolicy make_policy(const RuleBase& base, const PolicyRequest& request) {
  return PolicyMaker(request, base.classes).make(base.class_rows);
}

int decide(const DecisionPolicy& policy, std::span<const double> probabilities) {
  const std::size_t classes = probabilities.size();
  const bool limited = policy.threshold.has_value();
  if (limited && probabilities[index(policy.positive)] >= *policy.threshold) return policy.positive;
  int best = -1;
  double least = 0;
  for (std::size_t d = 0; d < classes; ++d) {
    if (limited && d == index(policy.positive)) continue;
    double cost = -probabilities[d];
    if (!policy.costs.empty()) {
      cost = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        cost += probabilities[c] * cost_of(policy, c, d, classes);
      }
    }
    if (best < 0 || cost < least) {
      best = static_cast<int>(d);
      least = cost;
    }
  }
  return best;
}

void apply_policy(RuleBase& base) {
  if (base.semantics == Semantics::additive) {
    std::vector<double> biases = base.biases;
    biases.resize(base.classes.size(), 0);
    base.otherwise = ScorePolicy(base.policy, base.classes.size()).predict(biases);
    return;
  }
  if (!has_counts(base)) return;
  base.otherwise = decide(base.policy, probabilities(base, Decision::otherwise));
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    base.rules[r].then = decide(base.policy, probabilities(base, static_cast<int>(r)));
  }
}

}  // namespace frr
