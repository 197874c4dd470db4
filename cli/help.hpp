// Help texts: examples first, then arguments and options.
#pragma once

#include <string>

#include "arguments.hpp"

namespace frr::cli {

enum class HelpScope { basic, all };  // --help, --help-all

// The text of `frr COMMAND --help`, or of `frr --help` for the program itself.
std::string help_text(const Command& command, HelpScope scope);

}  // namespace frr::cli
