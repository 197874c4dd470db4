#include "help.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace frr::cli {
namespace {

constexpr std::size_t left_column = 28;
constexpr std::size_t page = 100;

// "  left      right", the right part wrapped to the page.
void write_entry(std::ostream& out, const std::string& left, const std::string& right) {
  out << "  " << left;
  std::size_t column = 2 + left.size();
  if (column + 2 > left_column) {
    out << '\n';
    column = 0;
  }
  out << std::string(left_column - column, ' ');
  column = left_column;
  std::istringstream words(right);
  words.exceptions(std::ios::badbit);
  for (std::string word; words >> word;) {
    if (column > left_column && column + 1 + word.size() > page) {
      out << '\n' << std::string(left_column, ' ');
      column = left_column;
    }
    if (column > left_column) {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
  }
  out << '\n';
}

void write_usage(std::ostream& out, const Command& command) {
  if (!command.commands.empty()) {
    out << "Usage: frr COMMAND ...\n";
    return;
  }
  out << "Usage: frr " << command.name;
  for (const Argument& argument : command.arguments) {
    if (!argument.is_option()) out << ' ' << argument.name;
  }
  out << " [OPTIONS]\n";
}

void write_positionals(std::ostream& out, const Command& command) {
  for (const Argument& argument : command.arguments) {
    if (!argument.is_option()) write_entry(out, argument.name, argument.help);
  }
}

void write_commands(std::ostream& out, const Command& program) {
  if (program.commands.empty()) return;
  out << "\nCommands (see frr COMMAND --help):\n";
  for (const Command& command : program.commands) {
    if (!command.hidden) write_entry(out, command.name, command.summary);
  }
}

bool is_shown(const Argument& argument, HelpScope scope) {
  return argument.is_option() && !argument.group.empty() &&
         (scope == HelpScope::all || !argument.advanced);
}

// In the order of their first options.
std::vector<std::string> groups(const Command& command, HelpScope scope) {
  std::vector<std::string> found;
  for (const Argument& argument : command.arguments) {
    if (!is_shown(argument, scope)) continue;
    if (std::find(found.begin(), found.end(), argument.group) == found.end()) {
      found.push_back(argument.group);
    }
  }
  return found;
}

void write_options(std::ostream& out, const Command& command, HelpScope scope) {
  for (const std::string& group : groups(command, scope)) {
    out << '\n' << group << ":\n";
    for (const Argument& argument : command.arguments) {
      if (!is_shown(argument, scope) || argument.group != group) continue;
      std::string left = argument.letter == '\0' ? "" : std::string{'-', argument.letter} + ", ";
      left += argument.name;
      if (!argument.type.empty()) left += " " + argument.type;
      write_entry(out, left, argument.help);
    }
  }
}

// How to see what --help leaves out.
void write_advanced_hint(std::ostream& out, const Command& command) {
  const auto count = std::count_if(command.arguments.begin(), command.arguments.end(),
                                   [](const Argument& argument) { return argument.advanced; });
  if (count == 0) return;
  out << "\nfrr " << command.name << " --help-all shows " << count << " advanced options.\n";
}

}  // namespace

std::string help_text(const Command& command, HelpScope scope) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // otherwise a failed allocation would truncate the text
  out << "Examples:\n" << command.examples << '\n' << command.summary << ".\n\n";
  write_usage(out, command);
  write_positionals(out, command);
  write_commands(out, command);
  write_options(out, command, scope);
  if (scope == HelpScope::basic) write_advanced_hint(out, command);
  return out.str();
}

}  // namespace frr::cli
