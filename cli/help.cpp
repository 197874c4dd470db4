#include "help.hpp"

#include <memory>
#include <sstream>
#include <vector>

#include "text.hpp"

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

// CLI11 asks for help through this class. The footer of a command holds its examples.
class HelpFormat : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::ostringstream out;
    out << "Examples:\n" << app->get_footer() << '\n' << app->get_description() << ".\n\n";
    write_usage(out, *app, name);
    write_arguments(out, *app);
    write_commands(out, *app);
    write_options(out, *app);
    return out.str();
  }

 private:
  static void write_usage(std::ostream& out, const CLI::App& app, const std::string& name) {
    out << "Usage: " << name;
    if (app.get_parent() == nullptr) {
      out << " COMMAND ...\n";
      return;
    }
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) out << ' ' << option->get_name(true);
    }
    out << " [OPTIONS]\n";
  }

  static void write_arguments(std::ostream& out, const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) {
        write_entry(out, option->get_name(true), option->get_description());
      }
    }
  }

  static void write_commands(std::ostream& out, const CLI::App& app) {
    bool first = true;
    for (const CLI::App* command : app.get_subcommands({})) {
      if (command->get_group().empty()) continue;
      if (first) out << "\nCommands (frr COMMAND --help tells more):\n";
      first = false;
      write_entry(out, command->get_name(), command->get_description());
    }
  }

  static void write_options(std::ostream& out, const CLI::App& app) {
    for (const std::string& group : app.get_groups()) {
      if (group.empty()) continue;
      out << '\n' << group << ":\n";
      for (const CLI::Option* option : app.get_options()) {
        if (option->get_group() != group || !option->nonpositional()) continue;
        std::string left = option->get_name(false, true);
        const auto comma = left.find(',');
        if (comma != std::string::npos) left.insert(comma + 1, " ");
        if (option->get_type_size() != 0) left += " " + option->get_type_name();
        write_entry(out, left, option->get_description());
      }
    }
  }
};

}  // namespace

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples) {
  CLI::App& command = *app.add_subcommand(name, summary);
  command.footer(examples);
  command.set_help_flag("-h,--help", "Show this help");
  return command;
}

void set_help_format(CLI::App& app) { app.formatter(std::make_shared<HelpFormat>()); }

std::string suggestion(const CLI::App& app, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> known;
  if (name.starts_with("--")) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& option_name : option->get_lnames()) {
        known.push_back("--" + option_name);
      }
    }
  } else if (app.get_parent() == nullptr) {
    for (const CLI::App* command : app.get_subcommands({})) {
      if (!command->get_group().empty()) known.push_back(command->get_name());
    }
  }
  return did_you_mean(name, known);
}

}  // namespace frr::cli
