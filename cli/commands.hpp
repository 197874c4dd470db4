// The commands of the program: their arguments and actions.
#pragma once

#include <string>

#include "arguments.hpp"

namespace frr::cli {

// `program`: the name by which the user called the program, for the commands that it suggests.
Command demo_command(const std::string& program);
Command train_command();
Command rules_command();
Command predict_command();
Command decide_command();
Command explain_command();
Command evaluate_command();
Command report_command();
Command export_command();
Command cv_command();
Command path_command(const std::string& program);
Command options_command();  // hidden: prints docs/reference/options.md

}  // namespace frr::cli
