// The decision policy of a model and what else several commands write as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "frr/rulebase.hpp"

namespace frr::cli {

// {"well": 0.95, "ill": 0.05}
nlohmann::ordered_json by_class(const RuleBase& base, std::span<const double> numbers);

// positive, costs, threshold, target (measure, wanted, reached), refer; null where there is none.
nlohmann::ordered_json policy_json(const RuleBase& base);

}  // namespace frr::cli
