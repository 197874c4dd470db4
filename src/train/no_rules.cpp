#include "train/no_rules.hpp"

#include "frr/error.hpp"
#include "train/options.hpp"
#include "train/training_rows.hpp"

namespace frr::internal {

std::vector<std::string> options_for_rules(const Settings& settings, Objective objective) {
  std::vector<std::string> options;
  const bool sufficient = settings.semantics == Semantics::sufficient;
  const bool accuracy = sufficient && objective == Objective::accuracy;
  if (accuracy) options.emplace_back("--objective risk");
  if (sufficient) options.emplace_back("--semantics additive");
  // Only the search for accuracy reads the rate.
  if (accuracy && settings.price_rate > 0) {
    options.emplace_back("--price 0 --price-rate 0");
  } else if (settings.price > 0) {
    options.emplace_back("--price 0");
  }
  return options;
}

std::vector<std::string> options_for_rules(const RuleBase& base) {
  Settings settings;
  for (const auto& [name, value] : base.summary.settings) {
    if (name != "objective" && name != "price" && name != "price-rate") continue;
    try {
      set_option(settings, find_option(name), value);
    } catch (const Error&) {
      continue;  // a model file may record anything; this is only advice
    }
  }
  settings.semantics = base.semantics;
  return options_for_rules(settings, resolve_objective(settings, base.class_rows));
}

std::string to_try(const std::vector<std::string>& options) {
  if (options.empty()) return "more columns or more rows";
  std::string text;
  for (std::size_t k = 0; k < options.size(); ++k) {
    if (k > 0) text += k + 1 == options.size() ? " or " : ", ";
    text += options[k];
  }
  return text;
}

}  // namespace frr::internal
