#include "policy_json.hpp"

namespace frr::cli {

nlohmann::ordered_json by_class(const RuleBase& base, std::span<const double> numbers) {
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  for (std::size_t c = 0; c < base.classes.size() && c < numbers.size(); ++c) {
    result[base.classes[c]] = numbers[c];
  }
  return result;
}

nlohmann::ordered_json policy_json(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  const std::size_t classes = base.classes.size();
  nlohmann::ordered_json result = {{"positive", nullptr},
                                   {"costs", nullptr},
                                   {"threshold", nullptr},
                                   {"target", nullptr},
                                   {"refer", policy.refer}};
  if (policy.positive >= 0) {
    result["positive"] = base.classes[static_cast<std::size_t>(policy.positive)];
  }
  for (std::size_t c = 0; c < classes && !policy.costs.empty(); ++c) {
    result["costs"][base.classes[c]] =
        by_class(base, std::span(policy.costs).subspan(c * classes, classes));
  }
  if (policy.threshold) result["threshold"] = *policy.threshold;
  if (policy.target) {
    result["target"] = {{"measure", policy.target->measure},
                        {"wanted", policy.target->wanted},
                        {"reached", policy.target->reached}};
  }
  return result;
}

}  // namespace frr::cli
