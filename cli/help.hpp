// Help texts: examples first, then what the command takes.
#pragma once

#include <string>

#include "arguments.hpp"

namespace frr::cli {

// What `frr COMMAND --help` shows; for the program itself, `frr --help`.
std::string help_text(const Command& command);

}  // namespace frr::cli
