// Pairs of doubles in C, which decide one case: SSE2 if the processor has it.
#pragma once

#include "c_source.hpp"

namespace frr::internal {

// Adds the type and its operations.
void write_pairs(CSource& c);

// Whether a side of a label is a slope, not a step.
bool slants(const Plan::Edge& edge);

// Whether a label is one quotient, clamped to [0, 1]. Such labels are computed in pairs.
bool is_quotient(const Plan::Degree& degree);

// Adds statements that compute the degrees of *row: d1, d2, ...
void write_row_degrees(CSource& c);

// Adds statements that compute the degrees of *row and return the strongest rule.
void write_winner(CSource& c);

}  // namespace frr::internal
