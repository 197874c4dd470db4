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
  std::string (*truth_value)(bool value);
  std::string (*quoted)(std::string_view utf8);
  std::string_view same, different, no_text;  // " == ", " != ", " is None"
  std::string_view infinity, one;             // "math.inf", "1.0"
  std::string_view smaller, conjunction, clamp, power;

  // Statements: the mark of a comment line, and of a comment after code; the indentation in a
  // function, the declaration of a variable, the end of a statement; lists with one item per line.
  std::string_view comment, remark;
  std::string_view indent, declare, end;
  std::string_view strengths;  // the variable
  std::string_view open, close, empty;
  std::string (*list)(const std::vector<std::string>& items);  // on one line
  std::string (*set)(const std::vector<std::string>& items);
  std::string (*outcome)(const std::string& then, const std::string& shares);
  // Arguments for the texts that spell false and true, and for those that are never missing.
  std::string (*text_arguments)(const Plan::Input& input);

  // Names of the constants, and the comments above them.
  std::string_view target, classes;
  std::string_view inputs_remark;
  std::span<const InputList> inputs;
  std::string_view missing, codes, code_numbers;
  std::string_view outcomes_remark, outcomes, referrals;
  std::string_view biases, thens, points, order, offsets, costs;  // additive semantics

  // Fixed texts, in the order of the file. NAME is replaced by the name of the function.
  std::string_view head;
  std::string (*helpers)(const Plan& plan);
  std::string_view lukasiewicz, hamacher, aczel_alsina;  // the conjunction; LAMBDA is a number
  std::string_view function, read_number, read_text;     // its first line; functions it calls
  // The rest of it. MORE is replaced by `more`, the outputs that only some models have.
  std::string_view decide_sufficient;
  // With additive semantics: the probabilities; the class, by offsets or by costs; the class
  // PREFERRED if it has the probability THRESHOLD; the sum of points; whether a probability below
  // REFER refers the case; the result.
  std::string_view sums, by_offsets, by_costs, preferred, add_points, refer, decide_additive;
  std::string (*more)(const Plan& plan);
  std::string (*program)(const Plan& plan);  // after it
};

// The whole file.
std::string write_script(const Script& script, const Plan& plan, const ExportRequest& request);

}  // namespace frr::internal
