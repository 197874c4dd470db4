// Labels and rules in C: one small function each.
#pragma once

#include <cstddef>
#include <string>

#include "c_source.hpp"

namespace frr::internal {

// Adds the functions of all labels that rules read. They decide one case, if a label is not a
// quotient, and with sufficient semantics also a loop over many cases, which passes the bounds
// `zero` and `one` in addition to x.
void write_degrees(CSource& c);
std::string degree_name(const CSource& c, std::size_t index, bool many);

// Adds the functions of all rules, with their degrees as arguments. The second returns a call with
// the degrees in d1, d2, ...
void write_strengths(CSource& c);
std::string strength_call(const CSource& c, std::size_t rule);

}  // namespace frr::internal
