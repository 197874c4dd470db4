// Labels and rules in C: a small function each.
#pragma once

#include <cstddef>
#include <string>

#include "c_source.hpp"

namespace frr::internal {

// The functions of all labels that rules read: for one case where a label is no quotient and, for
// sufficient semantics, for a loop over many, which takes the bounds `zero` and `one` besides x.
void write_degrees(CSource& c);
std::string degree_name(const CSource& c, std::size_t index, bool many);

// The functions of all rules, of their degrees; and a call of one for degrees in d1, d2, ...
void write_strengths(CSource& c);
std::string strength_call(const CSource& c, std::size_t rule);

}  // namespace frr::internal
