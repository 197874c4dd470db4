// Many cases in C: columns in, the numbers of the rules out.
#pragma once

#include "c_source.hpp"

namespace frr::internal {

// The struct of the columns and the function that decides them: block by block in loops of which
// compilers make vector code, or, for additive semantics, one by one.
void write_many(CSource& c);

}  // namespace frr::internal
