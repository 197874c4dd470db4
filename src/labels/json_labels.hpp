// The labels of one numeric feature in JSON: {"low": [null, null, 99, 117], "high": [...]}, each a
// trapezoid [a, b, c, d]; null is an open end. Used by model files and label files.
#pragma once

#include <vector>

#include "frr/rulebase.hpp"
#include "io/json_reader.hpp"

namespace frr::internal {

// Throws Error{data} unless every name is non-empty, every trapezoid is ordered, has open ends only
// in pairs (a and b, c and d) and slopes of finite width, and each of a, b, c, d is at least that
// of the previous label.
std::vector<Label> read_labels(const JsonPlace& place);

nlohmann::ordered_json write_shape(const Trapezoid& shape);

}  // namespace frr::internal
