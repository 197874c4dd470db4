#include "arguments.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frr/error.hpp"

namespace frr::cli {
namespace {

using Mode = CommandLine::Mode;
using Words = std::vector<std::string>;

// A program of two commands and a hidden one, and what it was given.
struct Program {
  std::string data, target, output;
  Words missing, taken;
  bool json = false;
  std::int64_t row = 0;
  Command program{"frr", "Learns", ""};
  CommandLine line = make_line();

  CommandLine make_line() {
    program.arguments.push_back({.name = "--version", .kind = Argument::Kind::version});
    Command train("train", "Learns", "");
    train.add({.name = "DATA", .required = true}, data);
    train.add({.name = "--target", .type = "NAME"}, target);
    train.add({.name = "--output", .letter = 'o', .type = "FILE"}, output);
    train.add({.name = "--missing", .type = "TEXT"}, missing);
    train.add({.name = "--json"}, json);
    for (const char* name : {"--rules", "--slope"}) {
      train.add({.name = name, .type = "N"},
                [this, name](const std::string& value) { taken.push_back(name + (" " + value)); });
    }
    Command explain("explain", "Explains", "");
    explain.add({.name = "--row", .type = "N", .required = true}, row);
    Command secret("secret", "", "");
    secret.hidden = true;
    program.commands = {train, explain, secret};
    return CommandLine(program);
  }

  Mode read(const Words& words) { return line.read(words); }
};

std::string refusal(const Words& words) {
  Program program;
  try {
    program.read(words);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

std::string target_of(const Words& words) {
  Program program;
  program.read(words);
  EXPECT_EQ(program.data, "x.csv");
  return program.target;
}

TEST(Arguments, OptionsMayPrecedeAndFollowPositionals) {
  for (const Words& words : {Words{"train", "x.csv", "--target", "y", "--json"},
                             Words{"train", "--json", "--target", "y", "x.csv"},
                             Words{"train", "--target=y", "x.csv", "--json"}}) {
    Program program;
    EXPECT_EQ(program.read(words), Mode::run);
    EXPECT_EQ(program.line.command().name, "train");
    EXPECT_EQ(program.data, "x.csv");
    EXPECT_EQ(program.target, "y");
    EXPECT_TRUE(program.json);
  }
}

TEST(Arguments, AValueMayBeJoinedToItsOption) {
  for (const Words& words :
       {Words{"-o", "m.json"}, {"-om.json"}, {"--output", "m.json"}, {"--output=m.json"}}) {
    Program program;
    Words all{"train", "x.csv"};
    all.insert(all.end(), words.begin(), words.end());
    program.read(all);
    EXPECT_EQ(program.output, "m.json");
  }
  EXPECT_EQ(target_of({"train", "x.csv", "--target=a=b"}), "a=b");
}

TEST(Arguments, AValueMayBeginWithADash) {
  for (const char* value : {"-", "--", "-3", "-x", "-old", "--unknown", "train", ""}) {
    EXPECT_EQ(target_of({"train", "x.csv", "--target", value}), value);
  }
  EXPECT_EQ(target_of({"train", "x.csv", "--target=--rules"}), "--rules");
  EXPECT_EQ(target_of({"train", "x.csv", "--target=-o"}), "-o");
}

TEST(Arguments, AnotherOptionIsNoValue) {
  EXPECT_EQ(refusal({"train", "x.csv", "--target", "--rules", "3"}),
            "--target needs a value (NAME), but the option --rules follows; write "
            "--target=--rules if that is the value");
  for (const char* next : {"--rules=3", "-o", "--json", "--target"}) {
    EXPECT_EQ(refusal({"train", "x.csv", "--target", next}).find("--target needs a value (NAME), "),
              0U)
        << next;
  }
}

TEST(Arguments, AMissingValueIsAnError) {
  EXPECT_EQ(refusal({"train", "x.csv", "--target"}), "--target needs a value (NAME)");
  EXPECT_EQ(refusal({"train", "x.csv", "--target="}), "--target needs a value (NAME)");
  EXPECT_EQ(refusal({"train", "x.csv", "-o"}), "-o needs a value (FILE)");
}

TEST(Arguments, TwoDashesEndTheOptions) {
  Program program;
  program.read({"train", "--json", "--", "--target"});
  EXPECT_EQ(program.data, "--target");
  EXPECT_EQ(refusal({"train", "--", "x.csv", "--json"}),
            "there is no option or argument '--json' of frr train");
}

TEST(Arguments, ADashAndANegativeNumberArePositionals) {
  for (const char* word : {"-", "-1", "-2.5"}) {
    Program program;
    program.read({"train", word});
    EXPECT_EQ(program.data, word);
  }
}

TEST(Arguments, ListsMayBeRepeatedAndOtherValuesMayNot) {
  Program program;
  program.read({"train", "x.csv", "--missing", "-", "--missing=none", "--json", "--json"});
  EXPECT_EQ(program.missing, (Words{"-", "none"}));
  EXPECT_EQ(refusal({"train", "x.csv", "-o", "a", "--output", "b"}),
            "--output is given more than once; give it once");
}

TEST(Arguments, FlagsMayBeGivenAsTrueOrFalse) {
  Program program;
  program.read({"train", "x.csv", "--json", "--json=false"});
  EXPECT_FALSE(program.json);
  Program other;
  other.read({"train", "x.csv", "--json=true"});
  EXPECT_TRUE(other.json);
  EXPECT_EQ(refusal({"train", "x.csv", "--json=maybe"}),
            "--json=maybe: give true or false, or --json alone");
}

TEST(Arguments, FunctionsAreCalledInTheOrderOfDeclaration) {
  Program program;
  program.read({"train", "--slope", "0.1", "--rules", "-3", "x.csv"});
  EXPECT_EQ(program.taken, (Words{"--rules -3", "--slope 0.1"}));
}

TEST(Arguments, NumbersAreWhole) {
  for (const auto& [text, row] : {std::pair{"3", 3}, {"-1", -1}, {"007", 7}}) {
    Program program;
    program.read({"explain", "--row", text});
    EXPECT_EQ(program.row, row);
  }
  for (const char* text : {"x", "1.5", "", "3 ", "1e3"}) {
    EXPECT_EQ(refusal({"explain", "--row", text}),
              "--row " + std::string(text) + ": give a whole number");
  }
  EXPECT_EQ(refusal({"explain", "--row", "9223372036854775808"}),
            "--row 9223372036854775808: the number is too large");
}

TEST(Arguments, RequiredArgumentsAreNamed) {
  EXPECT_EQ(refusal({"train"}), "DATA is required");
  EXPECT_EQ(refusal({"explain"}), "--row is required");
  EXPECT_EQ(refusal({}), "give a command: train or explain");
}

TEST(Arguments, UnknownNamesGiveASuggestion) {
  EXPECT_EQ(refusal({"trian"}), "there is no command 'trian'; did you mean 'train'?");
  EXPECT_EQ(refusal({"train", "x.csv", "--rulse", "3"}),
            "there is no option or argument '--rulse' of frr train; did you mean '--rules'?");
  EXPECT_EQ(refusal({"train", "x.csv", "-rules=3"}),
            "there is no option or argument '-rules=3' of frr train; did you mean '--rules'?");
  EXPECT_EQ(refusal({"train", "x.csv", "y.csv"}),
            "there is no option or argument 'y.csv' of frr train");
}

TEST(Arguments, AFaultBeforeTheCommandIsOneOfTheProgram) {
  Program program;
  EXPECT_THROW(program.read({"--json", "train", "x.csv"}), Error);
  EXPECT_EQ(program.line.command().name, "frr");
  EXPECT_EQ(refusal({"--json", "train", "x.csv"}),
            "there is no option or argument '--json' (available: --help, --version)");
}

TEST(Arguments, HelpAndVersionAreGrantedWhateverElseIsWrong) {
  for (const Words& words : {Words{"train", "--help"}, Words{"train", "-h"},
                             Words{"train", "a", "b", "--rulse", "--help"}, Words{"-h", "train"},
                             Words{"train", "--target", "--help"}}) {
    Program program;
    EXPECT_EQ(program.read(words), Mode::help);
    EXPECT_EQ(program.line.command().name, "train");
  }
  EXPECT_EQ(Program().read({"--help"}), Mode::help);
  EXPECT_EQ(Program().read({"--version"}), Mode::version);
  EXPECT_EQ(refusal({"train", "--version"}).find("there is no option"), 0U);
}

TEST(Arguments, AHiddenCommandRunsAndIsNotNamed) {
  Program program;
  EXPECT_EQ(program.read({"secret"}), Mode::run);
  EXPECT_EQ(refusal({"secre"}), "there is no command 'secre' (available: train, explain)");
}

}  // namespace
}  // namespace frr::cli
