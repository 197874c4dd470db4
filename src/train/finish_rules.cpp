#include "train/finish_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "model/policy.hpp"
#include "search/objective.hpp"
#include "train/training_summary.hpp"

namespace frr::internal {
namespace {

// Rules that decide no training row are useless to a reader.
void drop_idle_rules(RuleBase& base) {
  std::erase_if(base.rules, [](const Rule& rule) { return rule.statistics.rows() == 0; });
}

// By class, then by the rows they decide or, if scores are added, by weight: the order in which
// people read them. Returns whether the order changed.
bool order_rules(RuleBase& base) {
  const bool additive = base.semantics == Semantics::additive;
  const auto before = [&](const Rule& x, const Rule& y) {
    if (x.then != y.then) return x.then < y.then;
    return additive ? x.weight > y.weight : x.statistics.rows() > y.statistics.rows();
  };
  if (std::is_sorted(base.rules.begin(), base.rules.end(), before)) return false;
  std::stable_sort(base.rules.begin(), base.rules.end(), before);
  return true;
}

// Only the ratios of weights count, and a rule of weight 0.03 looks weak, so the largest becomes 1.
// Ten digits distinguish any two rules and are short to read. Returns whether a weight changed.
bool scale_weights(RuleBase& base) {
  bool changed = false;
  double most = 0;
  for (const Rule& rule : base.rules) most = std::max(most, rule.weight);
  for (Rule& rule : base.rules) {
    char text[32];
    const auto written =
        std::to_chars(text, text + sizeof text, rule.weight / most, std::chars_format::general, 10);
    const double old = rule.weight;
    std::from_chars(text, written.ptr, rule.weight);
    changed = changed || rule.weight != old;
  }
  return changed;
}

// The costs that the class weights of the training stand for, unless the user chose when to predict
// a class.
DecisionPolicy training_policy(const RuleBase& base, const TrainRequest& request,
                               std::span<const double> class_weights) {
  DecisionPolicy policy = make_policy(base, request.policy);
  const PolicyRequest& asked = request.policy;
  if (!policy.costs.empty() || policy.threshold || asked.sensitivity || asked.specificity) {
    return policy;
  }
  std::vector<double> weights(class_weights.begin(), class_weights.end());
  if (request.settings.class_weight == ClassWeight::balanced) {
    std::vector<double> by_class;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      by_class.push_back(weights[c] * base.class_rows[c]);
    }
    const ClassBalance classes(by_class);
    for (std::size_t c = 0; c < weights.size(); ++c) {
      weights[c] = classes.balanced(weights[c], c);
    }
  }
  policy.costs = costs_of_weights(weights);
  return policy;
}

// Puts the rules in order and drops idle ones. Among equal scores the first rule decides, so a new
// order changes the counts, which may change the classes and with them the order.
void arrange(RuleBase& base, const std::function<double(RuleBase&)>& count) {
  constexpr int most_orders = 5;
  const auto recount = [&] {
    count(base);
    apply_policy(base);
  };
  for (int i = 0; i < most_orders && order_rules(base); ++i) recount();
  drop_idle_rules(base);
  if (scale_weights(base)) recount();  // the heaviest was idle
}

// The signs of points depend on the positive class.
void set_points(RuleBase& base) {
  if (!base.nats_per_point) return;
  for (Rule& rule : base.rules) {
    const auto points = static_cast<int>(std::lround(rule.weight / *base.nats_per_point));
    rule.points = rule.then == base.policy.positive ? points : -points;
  }
}

double right_rows(const RuleBase& base) {
  const auto right = [](const Statistics& statistics, int then) {
    return statistics.class_rows[static_cast<std::size_t>(then)];
  };
  double sum = right(base.otherwise_statistics, base.otherwise);
  for (const Rule& rule : base.rules) sum += right(rule.statistics, rule.then);
  return sum;
}

void note_empty(RuleBase& base) {
  base.summary.notes.push_back("no rule was worth its conditions: the model always predicts '" +
                               base.classes[static_cast<std::size_t>(base.otherwise)] + "'. Try " +
                               to_try(options_for_rules(base)));
}

}  // namespace

void finish_rules(RuleBase& base, const std::function<double(RuleBase&)>& count,
                  const TrainRequest& request, std::span<const double> class_weights,
                  Control& control) {
  const bool additive = base.semantics == Semantics::additive;
  const bool scaled = !additive && request.settings.polish;
  if (scaled) scale_weights(base);
  double right = count(base);
  base.policy = training_policy(base, request, class_weights);
  set_points(base);
  apply_policy(base);
  if (additive) {
    const bool ordered = order_rules(base);
    if (ordered || !base.policy.costs.empty() || base.policy.threshold) right = count(base);
  } else {
    if (scaled) arrange(base, count);
    right = right_rows(base);
  }
  base.summary.train_accuracy = 100 * right / static_cast<double>(base.summary.rows);
  if (base.rules.empty()) note_empty(base);
  control.report(Progress::Stage::done, 1);
}

}  // namespace frr::internal
