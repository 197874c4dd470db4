// What labels mean, in words.
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct LabelMeaning {
  std::string label, text;  // "high", "fading in from 99, fully from 117"
};

// Of ranges and of the label for missing values; categories need no explanation.
std::vector<LabelMeaning> label_meanings(const Feature& feature);

// Features that rules read and whose labels need an explanation, in the order of the model.
std::vector<const Feature*> explained_features(const RuleBase& base);

// "training values from 44 to 199"; "" if it is not known.
std::string training_range(const Feature& feature);

}  // namespace frr::internal
