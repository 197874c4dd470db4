// Exports to languages with dynamic types (Python, JavaScript).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "frr/export.hpp"
#include "plan.hpp"

namespace frr::internal {

// Everything that differs between the languages.
struct Script {
  // A list of column names: numeric columns, categorical columns, or all.
  struct InputList {
    std::string_view name;
    bool numeric = true, categorical = true;
  };

  // Keywords, and the names that the fixed texts below use.
  std::unordered_set<std::string> (*reserved_names)();

  // Expressions: 1 or 0 for a condition, a string literal, operators and literals, functions.
  std::string (*truth)(const std::string& condition);
  std::string (*quoted)(std::string_view utf8);
  std::string_view same, different, no_text;  // " == ", " != ", " is None"
  std::string_view infinity, one;             // "math.inf", "1.0"
  std::string_view smaller, conjunction, clamp, power;

  // Statements: the mark of a comment line, and of a comment after code; the indentation in a
  // function, the declaration of a variable, the end of a statement; lists with one item per line.
  std::string_view comment, remark;
  std::string_view indent, declare, end;
  std::string_view open, close, empty;
  std::string (*set)(const std::vector<std::string>& items);
  std::string (*outcome)(const std::string& then, const std::string& shares);
  // Arguments for the texts that spell false and true, and for those that are never missing.
  std::string (*text_arguments)(const Plan::Input& input);

  // Names of the constants, and the comments above them.
  std::string_view target, classes;
  std::string_view inputs_remark;
  std::span<const InputList> inputs;
  std::string_view missing, codes, code_numbers;
  std::string_view outcomes_remark, outcomes;

  // Fixed texts, in the order of the file. NAME is replaced by the name of the function.
  std::string_view head, helpers;
  std::string_view lukasiewicz, hamacher, aczel_alsina;  // the conjunction; LAMBDA is a number
  std::string_view function, read_number, read_text;     // its first line; functions it calls
  std::string_view decide_sufficient, decide_additive;   // the rest of it; LEAD, ORDER are numbers
  std::string_view program;                              // after it
};

// The whole file.
std::string write_script(const Script& script, const Plan& plan, const ExportRequest& request);

}  // namespace frr::internal
