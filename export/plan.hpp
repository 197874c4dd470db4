// What a rule base computes, step by step, in the form that every exporter walks:
//
//   inputs -> degrees of the labels that rules read -> strengths of the rules -> the winner.
//
// Sufficient semantics: the rule of the largest strength above 0 decides, the first of equals; ELSE
// (outcome 0) where there is none. Additive: the class of the largest sum of strengths.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct Plan {
  // A column that a rule reads. A missing value is true of no label but one for missing values.
  struct Input {
    std::string name;
    ColumnType type = ColumnType::numeric;
    std::vector<std::string> categories;  // that rules ask for, each once
    // The categories that spell false and true ("no" and "yes", say) where all categories of the
    // column do, since an engine may hold such a column as booleans. Else empty.
    std::array<std::string, 2> booleans;
    // Categories of the column whose text would otherwise mean a missing value, such as "NA" in a
    // model that was trained in memory. This very text is not missing here.
    std::vector<std::string> kept;
    bool asks_missing = false;  // a rule reads the label for missing values
  };

  // What means a missing value besides built_in. Texts are compared without the spaces and tabs
  // around them; in a column of numbers a number that equals one of `numbers` is missing, too.
  struct Missing {
    // In any case of their letters.
    static constexpr std::array<std::string_view, 6> built_in = {"",    "?",   "na",
                                                                 "n/a", "nan", "null"};
    std::vector<std::string> codes;  // of the model, each once, without those that are built in
    std::vector<double> numbers;     // the codes that are numbers, each once

    // For formats that compare a text as it is: the built-in texts in their usual spellings (na,
    // NA, Na), and the codes, without what is a category of the column.
    [[nodiscard]] std::vector<std::string> texts(const Input& input) const;
  };

  // A side of a trapezoid. The rise gives clamp((x - corner) / width), the fall clamp((corner - x)
  // / width), clamp(t) being 0 below 0 and 1 above 1; with width 0 the rise is 1 for x >= corner
  // and the fall 1 for x < corner, else 0. A trapezoid is the smaller one of the two, and 0 for a
  // missing number. In doubles this is the same as Trapezoid::operator(), to the last bit.
  struct Edge {
    bool there = false;  // else it is 1 everywhere
    double corner = 0, width = 0;
  };
  struct Degree {
    std::size_t input = 0;
    LabelKind kind = LabelKind::range;
    Edge rise, fall;       // of a range
    std::string category;  // of a category: true where the value is this text
    std::size_t code = 0;  // and its place among the categories of the input
    std::string text;      // "glucose IS high"
  };

  // weight * T(degrees), the degrees taken in this order.
  struct Strength {
    std::vector<std::size_t> degrees;  // at least one
    double weight = 1;
    std::size_t then = 0;
    std::string text;  // "IF ... THEN ..."
  };

  // What is given where ELSE (the first) or a rule decides.
  struct Outcome {
    std::size_t then = 0;
    std::vector<double> probabilities;  // one a class; sufficient semantics
  };

  std::string target;
  std::vector<std::string> classes;
  Missing missing;
  std::vector<Input> inputs;
  std::vector<Degree> degrees;
  std::vector<Strength> strengths;  // one a rule
  std::vector<Outcome> outcomes;    // one more: ELSE comes first
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1;
};

Plan make_plan(const RuleBase& base);

}  // namespace frr::internal
