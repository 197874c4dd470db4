// Deciding many cases in C: columns in, numbers of rules out.
#pragma once

#include "c_source.hpp"

namespace frr::internal {

// Adds the struct of the columns and the function that decides them: block by block, in loops that
// compilers vectorise, or one by one for additive semantics.
void write_many(CSource& c);

}  // namespace frr::internal
