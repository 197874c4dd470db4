// The commands of the program. Each holds what it takes from the command line and the action that
// does the work.
#pragma once

#include <string>

#include "arguments.hpp"

namespace frr::cli {

// `program`: how the user called us, for the commands it suggests.
Command demo_command(const std::string& program);
Command train_command();
Command rules_command();
Command predict_command();
Command explain_command();
Command evaluate_command();
Command report_command();
Command export_command();
Command cv_command();
Command path_command(const std::string& program);
Command options_command();  // hidden: prints docs/reference/options.md

}  // namespace frr::cli
