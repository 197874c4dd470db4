// Additive semantics in C: the scores of the classes, their probabilities and the decision.
#pragma once

#include "c_source.hpp"

namespace frr::internal {

// Adds the function that decides one case, and the one that also gives all probabilities.
void write_sums(CSource& c);

}  // namespace frr::internal
