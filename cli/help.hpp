// Help texts: examples first, then what the command takes.
#pragma once

#include <string>

#include "arguments.hpp"

namespace frr::cli {

enum class HelpScope { basic, all };  // --help, --help-all

// What `frr COMMAND --help` shows; for the program itself, `frr --help`.
std::string help_text(const Command& command, HelpScope scope);

}  // namespace frr::cli
