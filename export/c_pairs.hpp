// Doubles by twos in C, with which one case is decided: of SSE2 where the processor has it.
#pragma once

#include "c_source.hpp"

namespace frr::internal {

// The type and what it can do.
void write_pairs(CSource& c);

// Whether a side of a label is no step.
bool slants(const Plan::Edge& edge);

// Whether a label is one quotient, cut at 0 and 1: those are computed by twos.
bool is_quotient(const Plan::Degree& degree);

// Statements that leave the degrees of *row in d1, d2, ...
void write_row_degrees(CSource& c);

// Statements that return what is decided of *row: the degrees and the strongest rule.
void write_winner(CSource& c);

}  // namespace frr::internal
