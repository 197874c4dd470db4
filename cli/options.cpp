// frr options: the table of training options, for the documentation.
#include <memory>

#include "commands.hpp"
#include "help.hpp"
#include "output.hpp"
#include "training_options.hpp"

namespace frr::cli {

void add_options(CLI::App& app, Action& action) {
  CLI::App& command = add_command(app, "options", "Prints the options of training",
                                  "  frr options --markdown > docs/options.md\n");
  command.group("");
  command.add_flag("--markdown")->description("Print Markdown (the only form)");
  command.callback([&action] { action = [] { write_output("", options_markdown()); }; });
}

}  // namespace frr::cli
