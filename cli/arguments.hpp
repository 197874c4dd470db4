// The command line: what the program and its commands take, and how it is read.
//
//   frr COMMAND ARGUMENT ... [OPTIONS]
//
// --name VALUE, --name=VALUE, -n VALUE and -nVALUE give a value; --name is a flag. Options may
// stand before, between and after positionals. After "--" all words are positionals; "-" and what
// begins like a negative number always are. The word after an option that needs a value is that
// value, even if it begins with a dash, unless it is an option of the command: then the value was
// forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace frr::cli {

// An option, whose name begins with dashes, or else a positional.
struct Argument {
  enum class Kind {
    value,     // one value, given once
    list,      // one value each time it is given
    flag,      // no value
    help,      // a flag, after which nothing is run and nothing else is asked for
    help_all,  // the same
    version,   // the same
  };

  std::string name;               // "--output", "DATA"
  char letter = '\0';             // 'o' for -o
  std::string type{};             // what its value is, in help and messages: "FILE"
  std::string help{};             // sentences without the last full stop
  std::string group = "Options";  // heading in the help; "" hides the option
  bool advanced = false;          // shown by --help-all, not by --help
  bool required = false;
  Kind kind = Kind::value;
  // Gets each value; "true" for a flag. Throws Error{usage} for one that it cannot use.
  std::function<void(const std::string& value)> take{};

  [[nodiscard]] bool is_option() const { return name.starts_with('-'); }
};

// A command, or the program itself, which has commands instead of an action.
struct Command {
  // `summary` is one sentence without a full stop; `examples` are whole lines. Takes -h, --help.
  Command(std::string name, std::string summary, std::string examples);

  // The variable, which must outlive the reading, says what the argument takes: a text, texts (the
  // option may be repeated), a flag, a whole number, or anything else by a function.
  void add(Argument argument, std::string& text);
  void add(Argument argument, std::vector<std::string>& texts);
  void add(Argument argument, bool& flag);
  void add(Argument argument, std::int64_t& number);
  void add(Argument argument, std::function<void(const std::string& value)> take);

  std::string name, summary, examples;
  bool hidden = false;  // not named in help and messages
  std::vector<Argument> arguments;
  std::vector<Command> commands;
  std::function<void()> action;
};

class CommandLine {
 public:
  enum class Wish { run, help, help_all, version };

  // `program` must outlive this.
  explicit CommandLine(const Command& program);

  // Reads `words`, once; they do not include the program's own name. Help and version are granted
  // whatever else is wrong; otherwise each argument takes its values, in the order in which the
  // command declares them. Throws Error{usage}, naming the first fault and its remedy.
  Wish read(std::span<const std::string> words);

  // The one that the user named; until then, the program.
  [[nodiscard]] const Command& command() const { return *command_; }

 private:
  void choose(const Command& command);
  void read_word(const std::string& word);
  // How many words of `rest` belong to the option `word`: 0 or 1.
  std::size_t read_option(const std::string& word, std::span<const std::string> rest);
  void note(const std::string& fault);
  void hand_over() const;

  const Command* command_ = nullptr;
  std::vector<std::vector<std::string>> given_;  // values of each argument of the command
  Wish wish_ = Wish::run;
  std::string fault_;  // the first one
};

}  // namespace frr::cli
