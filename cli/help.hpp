// Help texts: examples first, then what the command takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace frr::cli {

// Adds a command. `summary` is one sentence without a full stop; `examples` are whole lines.
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples);

// Gives `app` and the commands added to it later the program's way to lay out help.
void set_help_format(CLI::App& app);

// "; did you mean --rules?" for an argument that no option has, else "".
std::string suggestion(const CLI::App& app, const std::string& argument);

}  // namespace frr::cli
