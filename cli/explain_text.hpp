// Why a row got its class, as text.
#pragma once

#include <string>

#include "frr/explain.hpp"

namespace frr::cli {

// `place` names the row: "Row 3 of patients.csv". May contain bold() parts.
std::string explanation_text(const RuleBase& base, const Explanation& why,
                             const std::string& place);

}  // namespace frr::cli
