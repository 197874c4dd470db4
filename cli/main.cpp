// The program frr: parses the command line, runs one command, and turns every failure into a
// sentence and an exit status: 1 bad data or model, 2 bad usage, 3 internal error, 130 interrupted.
#include <CLI/CLI.hpp>
#include <exception>
#include <new>

#include "commands.hpp"
#include "frr/frr.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace frr::cli {
namespace {

enum Status { ok = 0, bad_data = 1, bad_usage = 2, internal_error = 3, broken_pipe = 141 };

constexpr const char* examples =
    "  frr demo                                   see it work on built-in data\n"
    "  frr train patients.csv -o model.json       learn rules; the last column is predicted\n"
    "  frr rules model.json                       read them\n"
    "  frr predict model.json new.csv             decide with them\n"
    "  frr explain model.json new.csv --row 3     why row 3 got its class\n"
    "  frr cv patients.csv --folds 10             how good are they on unseen rows?\n"
    "  frr path patients.csv                      how many rules are enough?\n";

const CLI::App& chosen_command(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string help_hint(const CLI::App& app) {
  const CLI::App& command = chosen_command(app);
  return " See frr " + (&command == &app ? "" : command.get_name() + " ") + "--help.";
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  std::string message = error.what();
  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) {
    const bool wants_command = &command == &app && extras.front().front() != '-';
    message = std::string("there is no ") + (wants_command ? "command" : "option or argument") +
              " '" + extras.front() + "'" +
              (&command == &app ? "" : " of frr " + command.get_name()) +
              suggestion(command, extras.front());
  } else if (&command == &app) {
    message = "give a command: demo, train, rules, predict, explain, cv or path";
  }
  while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
  print_error(message + (message.back() == '?' ? "" : ".") + help_hint(app));
  return bad_usage;
}

int status_of(const Error& error, const CLI::App& app) {
  switch (error.kind()) {
    case ErrorKind::data:
      print_error(error.what());
      return bad_data;
    case ErrorKind::usage: {
      const std::string message = error.what();
      const bool ended = message.ends_with('.') || message.ends_with('?');
      print_error(message + (ended ? "" : ".") + help_hint(app));
      return bad_usage;
    }
    case ErrorKind::interrupted:
      print_error("interrupted");
      return interrupt_status();
    case ErrorKind::internal:
      break;
  }
  print_error(std::string(error.what()) + " This is a bug in frr; please report it.");
  return internal_error;
}

int run(CLI::App& app, int argc, char** argv) {
  Action action;
  const std::string program = argc > 0 ? argv[0] : "frr";
  add_demo(app, action, program);
  add_train(app, action);
  add_rules(app, action);
  add_predict(app, action);
  add_explain(app, action);
  add_cv(app, action);
  add_path(app, action, program);
  add_options(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const CLI::App& command = chosen_command(app);
    write_output("", command.help(&command == &app ? "" : "frr"));
    return ok;
  } catch (const CLI::CallForVersion& version) {
    write_output("", std::string(version.what()) + "\n");
    return ok;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
  action();
  return ok;
}

int guarded_run(int argc, char** argv) {
  CLI::App app{"Learns rules that a person can read, and decides with them", "frr"};
  app.footer(examples);
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("--version", "frr " + std::string(version()), "Show the version");
  app.require_subcommand(1);
  set_help_format(app);
  try {
    return run(app, argc, argv);
  } catch (const Error& error) {
    return status_of(error, app);
  } catch (const BrokenPipe&) {
    return broken_pipe;
  } catch (const std::bad_alloc&) {
    print_error("not enough memory for this table and these settings");
  } catch (const std::exception& error) {
    print_error("unexpected failure: " + std::string(error.what()) +
                ". This is a bug in frr; please report it.");
  }
  return internal_error;
}

}  // namespace
}  // namespace frr::cli

int main(int argc, char** argv) {
  frr::cli::catch_interrupts();
  return frr::cli::guarded_run(argc, argv);
}
