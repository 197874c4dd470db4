// frr options: prints the table of training options for the documentation.
#include "commands.hpp"
#include "output.hpp"
#include "training_options.hpp"

namespace frr::cli {

Command options_command() {
  Command command("options", "Prints the training options",
                  "  frr options --markdown > docs/reference/options.md\n");
  command.hidden = true;
  command.add({.name = "--markdown",
               .help = "Print Markdown (the only form)",
               .kind = Argument::Kind::flag},
              [](const std::string&) {});
  command.action = [] { write_output("", options_markdown()); };
  return command;
}

}  // namespace frr::cli
