#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "frr/error.hpp"

namespace frr::cli {
using namespace internal;
namespace {

using Kind = Argument::Kind;

bool looks_like_option(const std::string& word) {
  const bool number = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
  return word.size() > 1 && word[0] == '-' && !number;
}

struct Spelling {
  std::size_t index;  // of the argument in its command
  std::string name;   // as the user wrote it: "-o"
  std::optional<std::string> value;
};

// The option that `word` names, with its value if they are joined.
std::optional<Spelling> find_option(const Command& command, const std::string& word) {
  for (std::size_t k = 0; k < command.arguments.size(); ++k) {
    const Argument& argument = command.arguments[k];
    if (!argument.is_option()) continue;
    if (word == argument.name) return Spelling{k, word, {}};
    if (word.starts_with(argument.name + "=")) {
      return Spelling{k, argument.name, word.substr(argument.name.size() + 1)};
    }
    if (argument.letter == '\0' || !word.starts_with(std::string{'-', argument.letter})) continue;
    if (word.size() == 2) return Spelling{k, word, {}};
    return Spelling{k, word.substr(0, 2), word.substr(2)};
  }
  return {};
}

CommandLine::Mode mode_for(Kind kind) {
  switch (kind) {
    case Kind::help:
      return CommandLine::Mode::help;
    case Kind::help_all:
      return CommandLine::Mode::help_all;
    case Kind::version:
      return CommandLine::Mode::version;
    default:
      return CommandLine::Mode::run;
  }
}

// Whether `word` can only be an option: "-old" is read as a value, not as "-o ld".
bool is_plainly_option(const Command& command, const std::string& word) {
  return (word.size() == 2 || word.starts_with("--")) && find_option(command, word).has_value();
}

std::vector<std::string> visible_commands(const Command& program) {
  std::vector<std::string> names;
  for (const Command& command : program.commands) {
    if (!command.hidden) names.push_back(command.name);
  }
  return names;
}

std::string unknown_command(const Command& program, const std::string& word) {
  return "there is no command '" + word + "'" + did_you_mean(word, visible_commands(program));
}

std::string unknown_argument(const Command& command, const std::string& word) {
  const bool is_program = !command.commands.empty();
  return "there is no option or argument '" + word + "'" +
         (is_program ? "" : " of frr " + command.name);
}

std::string unknown_option(const Command& command, const std::string& word) {
  std::vector<std::string> names;
  for (const Argument& argument : command.arguments) {
    if (argument.is_option()) names.push_back(argument.name);
  }
  return unknown_argument(command, word) + did_you_mean(word.substr(0, word.find('=')), names);
}

// "demo, train or path"
std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 == names.size() ? " or " : ", ";
    text += names[k];
  }
  return text;
}

}  // namespace

Command::Command(std::string its_name, std::string its_summary, std::string its_examples)
    : name(std::move(its_name)),
      summary(std::move(its_summary)),
      examples(std::move(its_examples)) {
  arguments.push_back(
      {.name = "--help", .letter = 'h', .help = "Show this help", .kind = Kind::help});
}

void Command::add(Argument argument, std::string& text) {
  add(std::move(argument), [&text](const std::string& value) { text = value; });
}

void Command::add(Argument argument, std::vector<std::string>& texts) {
  argument.kind = Kind::list;
  add(std::move(argument), [&texts](const std::string& value) { texts.push_back(value); });
}

void Command::add(Argument argument, bool& flag) {
  argument.kind = Kind::flag;
  const std::string option = argument.name;
  add(std::move(argument), [&flag, option](const std::string& value) {
    if (value != "true" && value != "false") {
      fail_usage(option + "=" + value + ": give true or false, or " + option + " alone");
    }
    flag = value == "true";
  });
}

void Command::add(Argument argument, std::int64_t& number) {
  const std::string option = argument.name;
  add(std::move(argument), [&number, option](const std::string& value) {
    const char* const end = value.data() + value.size();
    const auto [stop, status] = std::from_chars(value.data(), end, number);
    const bool too_large = status == std::errc::result_out_of_range;
    if (status == std::errc{} && stop == end) return;
    fail_usage(option + " " + value + ": " +
               (too_large ? "the number is too large" : "give a whole number"));
  });
}

void Command::add(Argument argument, std::function<void(const std::string&)> take) {
  argument.take = std::move(take);
  arguments.push_back(std::move(argument));
}

CommandLine::CommandLine(const Command& program) { choose(program); }

void CommandLine::choose(const Command& command) {
  command_ = &command;
  given_.assign(command.arguments.size(), {});
}

CommandLine::Mode CommandLine::read(std::span<const std::string> words) {
  bool options_ended = false;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (options_ended || !looks_like_option(word)) {
      read_word(word);
    } else if (word == "--" && command_->commands.empty()) {
      options_ended = true;
    } else {
      at += read_option(word, words.subspan(at + 1));
    }
  }
  if (mode_ != Mode::run) return mode_;
  if (!first_error_.empty()) fail_usage(first_error_);
  if (!command_->commands.empty()) {
    fail_usage("give a command: " + alternatives(visible_commands(*command_)));
  }
  take_values();
  return mode_;
}

void CommandLine::read_word(const std::string& word) {
  if (!command_->commands.empty()) {
    for (const Command& command : command_->commands) {
      // After an invalid option of the program, its message must refer to the program's help.
      if (command.name == word && first_error_.empty()) return choose(command);
    }
    return record_error(unknown_command(*command_, word));
  }
  for (std::size_t k = 0; k < given_.size(); ++k) {
    if (command_->arguments[k].is_option() || !given_[k].empty()) continue;
    given_[k].push_back(word);
    return;
  }
  record_error(unknown_argument(*command_, word));
}

std::size_t CommandLine::read_option(const std::string& word, std::span<const std::string> rest) {
  const auto spelled = find_option(*command_, word);
  if (!spelled) {
    record_error(unknown_option(*command_, word));
    return 0;
  }
  const Argument& argument = command_->arguments[spelled->index];
  auto& values = given_[spelled->index];
  if (const Mode requested = mode_for(argument.kind); requested != Mode::run) {
    if (mode_ == Mode::run) mode_ = requested;
    return 0;
  }
  if (argument.kind == Kind::flag) {
    values.push_back(spelled->value.value_or("true"));
    return 0;
  }
  const std::string needs = spelled->name + " needs a value (" + argument.type + ")";
  if (spelled->value ? spelled->value->empty() : rest.empty()) {
    record_error(needs);
    return 0;
  }
  if (spelled->value) {
    values.push_back(*spelled->value);
    return 0;
  }
  const std::string& next = rest.front();
  if (is_plainly_option(*command_, next)) {
    record_error(needs + ", but the option " + next + " follows; write " + argument.name + "=" +
                 next + " if that is the value");
    return 0;
  }
  values.push_back(next);
  return 1;
}

void CommandLine::record_error(const std::string& error) {
  if (first_error_.empty()) first_error_ = error;
}

void CommandLine::take_values() const {
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const Argument& argument = command_->arguments[k];
    if (argument.required && given_[k].empty()) fail_usage(argument.name + " is required");
    if (argument.kind == Kind::value && given_[k].size() > 1) {
      fail_usage(argument.name + " is given more than once; give it once");
    }
    for (const std::string& value : given_[k]) argument.take(value);
  }
}

}  // namespace frr::cli
