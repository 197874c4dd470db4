// The command line: the arguments of the program and its commands, and their parser.
//
//   frr COMMAND ARGUMENT ... [OPTIONS]
//
// --name VALUE, --name=VALUE, -n VALUE and -nVALUE give a value; --name alone is a flag. Options
// may precede, follow or separate positionals. After "--", all words are positionals; "-" and words
// that begin like a negative number always are. The word after an option that needs a value is that
// value, even if it begins with a dash. If it is an option of the command, the value is missing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace frr::cli {

// An option if the name begins with dashes, otherwise a positional.
struct Argument {
  enum class Kind {
    value,     // takes a value, may be given once
    list,      // takes a value, may be repeated
    flag,      // takes no value
    help,      // a flag: print the help instead of running the command
    help_all,  // a flag: print the help with advanced options instead
    version,   // a flag: print the version instead of running the command
  };

  std::string name;               // "--output", "DATA"
  char letter = '\0';             // 'o' for -o
  std::string type{};             // placeholder for the value in help and messages: "FILE"
  std::string help{};             // one or more sentences, without the final full stop
  std::string group = "Options";  // heading in the help; "" hides the option
  bool advanced = false;          // shown by --help-all, not by --help
  bool required = false;
  Kind kind = Kind::value;
  // Called with each value; with "true" for a flag. Throws Error{usage} for an invalid value.
  std::function<void(const std::string& value)> take{};

  [[nodiscard]] bool is_option() const { return name.starts_with('-'); }
};

// A command, or the program itself, which has commands instead of an action.
struct Command {
  // `summary` is one sentence without a full stop; `examples` are whole lines. Adds -h, --help.
  Command(std::string name, std::string summary, std::string examples);

  // The type of the variable determines what the argument takes: a string, several strings (the
  // option may be repeated), a flag or a whole number. `take` handles anything else. The variable
  // must outlive the parsing.
  void add(Argument argument, std::string& text);
  void add(Argument argument, std::vector<std::string>& texts);
  void add(Argument argument, bool& flag);
  void add(Argument argument, std::int64_t& number);
  void add(Argument argument, std::function<void(const std::string& value)> take);

  std::string name, summary, examples;
  bool hidden = false;  // omitted from help and messages
  std::vector<Argument> arguments;
  std::vector<Command> commands;
  std::function<void()> action;
};

class CommandLine {
 public:
  enum class Mode { run, help, help_all, version };

  // `program` must outlive this.
  explicit CommandLine(const Command& program);

  // Parses `words`, which do not include the name of the program. May be called once. If help or
  // the version was requested, errors are ignored. Otherwise each argument takes its values, in the
  // order in which the command declares them. Throws Error{usage} that names the first error and
  // how to correct it.
  Mode read(std::span<const std::string> words);

  // The command that the user named, or the program if there is none yet.
  [[nodiscard]] const Command& command() const { return *command_; }

 private:
  void choose(const Command& command);
  void read_word(const std::string& word);
  // Returns how many words of `rest` belong to the option `word`: 0 or 1.
  std::size_t read_option(const std::string& word, std::span<const std::string> rest);
  void record_error(const std::string& error);
  void take_values() const;

  const Command* command_ = nullptr;
  std::vector<std::vector<std::string>> given_;  // values of each argument of the command
  Mode mode_ = Mode::run;
  std::string first_error_;
};

}  // namespace frr::cli
