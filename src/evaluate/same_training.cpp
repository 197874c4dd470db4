#include "evaluate/same_training.hpp"

#include <cmath>

#include "base/text.hpp"
#include "frr/error.hpp"
#include "train/options.hpp"
#include "train/training_cost.hpp"

namespace frr::internal {
namespace {

std::string whole(double value) { return shortest(std::round(value)); }

PolicyRequest same_policy(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  const std::size_t classes = base.classes.size();
  PolicyRequest request;
  if (policy.positive >= 0) {
    request.positive = base.classes[static_cast<std::size_t>(policy.positive)];
  }
  for (std::size_t i = 0; i < policy.costs.size(); ++i) {
    const std::size_t c = i / classes, d = i % classes;
    if (c != d) request.costs.push_back({base.classes[c], base.classes[d], policy.costs[i]});
  }
  request.threshold = policy.threshold;
  request.refer = policy.refer;
  return request;
}

}  // namespace

std::string recorded_setting(const RuleBase& base, std::string_view name) {
  for (const auto& [key, value] : base.summary.settings)
    if (key == name) return value;
  return "";
}

TrainRequest same_training(const RuleBase& base) {
  TrainRequest request;
  request.target = base.target;
  if (const std::string name = recorded_setting(base, "preset"); !name.empty())
    request.settings = preset(name);
  for (const Option& option : option_table()) {
    const std::string value = recorded_setting(base, option.name);
    if (option.shapes_result && !value.empty()) set_option(request.settings, option, value);
  }
  request.policy = same_policy(base);
  return request;
}

double checked_cost(const RuleBase& base, std::size_t rows, const std::string& instead) {
  const double cost =
      training_cost(same_training(base).settings, rows, base.partition.features.size());
  if (cost <= max_recorded_cost) return cost;
  fail_data("training with the settings that the model records may take " + whole(cost) +
            " times as long as with the defaults; the limit for a model file is " +
            whole(max_recorded_cost) + " times. " + instead);
}

}  // namespace frr::internal
