// The commands of the program. Each function adds one to the command line; when the user asks for
// it, it sets `action`, which does the work after parsing.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace frr::cli {

using Action = std::function<void()>;

// `program`: how the user called us, for the commands it suggests.
void add_demo(CLI::App& app, Action& action, const std::string& program);
void add_train(CLI::App& app, Action& action);
void add_rules(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_cv(CLI::App& app, Action& action);
void add_path(CLI::App& app, Action& action, const std::string& program);
void add_options(CLI::App& app, Action& action);  // hidden: prints docs/options.md

}  // namespace frr::cli
