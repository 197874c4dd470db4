// The program frr: parses the command line, runs one command, and turns every failure into a
// message and an exit status (see exit_statuses below).
#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "frr/frr.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "out_of_memory.hpp"
#include "output.hpp"
#include "standard_streams.hpp"
#include "terminal.hpp"

namespace frr::cli {
namespace {

enum Status { ok = 0, bad_data = 1, bad_usage = 2, internal_error = 3, broken_pipe = 141 };

constexpr const char* examples =
    "  frr demo                                   try it on built-in data\n"
    "  frr train patients.csv -o model.json       learn rules that predict the last column\n"
    "  frr rules model.json                       read the rules\n"
    "  frr predict model.json new.csv             predict the class of each row\n"
    "  frr explain model.json new.csv --row 3     see why row 3 got its class\n"
    "  frr evaluate model.json new.csv            measure how good its predictions are\n"
    "  frr decide model.json --cost miss:20 -o new.json   change which class is predicted when\n"
    "  frr report model.json new.csv -o page.html write a page that explains the model\n"
    "  frr cv patients.csv --folds 10             estimate the accuracy on new rows\n"
    "  frr path patients.csv                      find out how many rules are enough\n";

constexpr const char* exit_statuses =
    "\nExit status:\n"
    "  0    success\n"
    "  1    bad data or model, or a file that cannot be read or written\n"
    "  2    bad usage\n"
    "  3    a bug in FRR\n"
    "  4    out of memory\n"
    "  130  interrupted (Ctrl-C)\n"
    "  141  the reader of standard output closed it\n"
    "  143  terminated (SIGTERM)\n";

std::string help_hint(const Command& command) {
  const bool is_program = !command.commands.empty();
  return " See frr " + (is_program ? "" : command.name + " ") + "--help.";
}

int report_error(const Error& error, const Command& command) {
  switch (error.kind()) {
    case ErrorKind::data:
      print_error(error.what());
      return bad_data;
    case ErrorKind::usage: {
      const std::string message = error.what();
      const bool ended = message.ends_with('.') || message.ends_with('?');
      print_error(message + (ended ? "" : ".") + help_hint(command));
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

Command whole_program(const std::string& called) {
  Command program("frr", "Learns classifiers that you can read: IF-THEN rules", examples);
  program.arguments.push_back(
      {.name = "--version", .help = "Show the version", .kind = Argument::Kind::version});
  program.commands = {demo_command(called), train_command(),      rules_command(),
                      predict_command(),    explain_command(),    evaluate_command(),
                      decide_command(),     report_command(),     export_command(),
                      cv_command(),         path_command(called), options_command()};
  return program;
}

void show_help(const Command& command, HelpScope scope) {
  const bool is_program = !command.commands.empty();
  write_text("", help_text(command, scope) + (is_program ? exit_statuses : ""));
}

void run(CommandLine& line, std::span<const std::string> words) {
  switch (line.read(words)) {
    case CommandLine::Mode::help:
      return show_help(line.command(), HelpScope::basic);
    case CommandLine::Mode::help_all:
      return show_help(line.command(), HelpScope::all);
    case CommandLine::Mode::version:
      return write_output("", "frr " + std::string(version()) + "\n");
    case CommandLine::Mode::run:
      return line.command().action();
  }
}

int report_unexpected(const std::exception& error) {
  print_error("unexpected failure: " + std::string(error.what()) +
              ". This is a bug in frr; please report it.");
  return internal_error;
}

int run_command(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const Command program = whole_program(argc > 0 ? argv[0] : "frr");
  CommandLine line(program);
  try {
    run(line, words);
    return ok;
  } catch (const Error& error) {
    return report_error(error, line.command());
  } catch (const BrokenPipe&) {
    return broken_pipe;
  }
}

int guarded_run(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    return report_out_of_memory();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::not_enough_memory) return report_out_of_memory();
    return report_unexpected(error);
  } catch (const std::exception& error) {
    return report_unexpected(error);
  }
}

}  // namespace
}  // namespace frr::cli

int main(int argc, char** argv) {
  if (!frr::cli::reserve_standard_streams()) return frr::cli::bad_data;
  frr::cli::catch_out_of_memory();
  frr::cli::catch_interrupts();
  return frr::cli::guarded_run(argc, argv);
}
