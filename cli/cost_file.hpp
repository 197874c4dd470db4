// Reads a file with the costs of errors (--costs).
#pragma once

#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::cli {

// A CSV matrix, in which the header has the predicted classes and the first column the true ones,
// or JSON {"true class": {"predicted class": cost}}. Correct predictions may be empty, absent or 0.
// Throws Error{data} that names file, line and column (in JSON, the key) if a cost is absent or not
// above 0. Whether the classes are those of the data is checked later, by make_policy.
std::vector<PolicyRequest::Cost> read_costs(const std::string& path);

}  // namespace frr::cli
