// The computation of a rule base, step by step, in the form that every exporter walks:
//
//   inputs -> degrees of the labels that rules read -> strengths of the rules -> the winner.
//
// The strength of a rule is its score.
//
// Sufficient semantics: the rule with the largest positive strength decides (the first of equals),
// or ELSE (outcome 0) if there is none.
//
// Additive semantics: S_c = bias_c + the strengths of the rules of class c, added in their order;
// p = softmax(S), where the largest S is subtracted first. The class follows by Choice. The rule is
// the strongest of this class (the first of equals), or 0 if none of them applies.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::internal {

struct Plan {
  // A column that a rule reads. A missing value belongs to no label except one for missing values.
  struct Input {
    std::string name;
    ColumnType type = ColumnType::numeric;
    std::vector<std::string> categories;  // that rules test, each once
    // The categories that spell false and true (such as "no" and "yes") if these are all categories
    // of the column: an engine may store such a column as booleans. Otherwise empty.
    std::array<std::string, 2> booleans;
    // Categories of the column whose text would otherwise mean a missing value, such as "NA" in a
    // model trained on data in memory. These exact texts are not missing in this column.
    std::vector<std::string> kept;
    bool asks_missing = false;  // a rule reads the label for missing values
  };

  // Missing values in addition to built_in. Texts are compared without surrounding spaces and tabs.
  // In a numeric column, numbers that equal one of `numbers` are missing as well.
  struct Missing {
    // In any case.
    static constexpr std::array<std::string_view, 6> built_in = {"",    "?",   "na",
                                                                 "n/a", "nan", "null"};
    std::vector<std::string> codes;  // of the model, each once, without the built-in ones
    std::vector<double> numbers;     // the codes that are numbers, each once

    // For formats that compare texts exactly: the built-in texts in their usual spellings (na, NA,
    // Na) and the codes, except those that are categories of the column.
    [[nodiscard]] std::vector<std::string> texts(const Input& input) const;
  };

  // One side of a trapezoid. The rise is clamp((x - corner) / width) and the fall is clamp((corner
  // - x) / width), where clamp limits to [0, 1]. With width 0, the rise is 1 for x >= corner and
  // the fall is 1 for x < corner; otherwise they are 0. The membership is the minimum of both, and
  // 0 for a missing number. In double arithmetic, this equals Trapezoid::operator() to the last
  // bit.
  struct Edge {
    bool there = false;  // otherwise 1 everywhere
    double corner = 0, width = 0;
  };
  struct Degree {
    std::size_t input = 0;
    LabelKind kind = LabelKind::range;
    Edge rise, fall;       // of a range
    std::string category;  // of a category: true where the value is this text
    std::size_t code = 0;  // its index among the categories of the input
    std::string text;      // "glucose IS high"
  };

  // weight * T(degrees), with the degrees in this order.
  struct Strength {
    std::vector<std::size_t> degrees;  // at least one
    double weight = 1;
    std::size_t then = 0;
    int points = 0;    // of a scorecard
    std::string text;  // "IF ... THEN ..."
  };

  // The result if ELSE or a rule decides; with additive semantics, if no rule applies.
  struct Outcome {
    std::size_t then = 0;
    std::vector<double> probabilities;  // one per class
    bool referred = false;              // to a person
  };

  // Additive semantics: how the class follows. The classes are compared in `order`, and of equals
  // the first wins.
  struct Choice {
    std::vector<std::size_t> order;
    // Not empty: the class with the largest S_c + offset_c.
    std::vector<double> offsets;
    // Otherwise the class d with the smallest sum_c p_c costs[c][d], one row after another. Terms
    // of cost 0 can be left out.
    std::vector<double> costs;
    // Is predicted instead where p of it is at least the threshold; it is not in `order`.
    std::optional<std::size_t> preferred;
    double threshold = 0;
  };

  std::string target;
  std::vector<std::string> classes;
  Missing missing;
  std::vector<Input> inputs;
  std::vector<Degree> degrees;
  std::vector<Strength> strengths;  // one per rule
  std::vector<Outcome> outcomes;    // ELSE; with sufficient semantics, then one per rule
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1;
  std::vector<double> biases;  // additive semantics: one per class
  Choice choice;               // additive semantics
  // A case is referred to a person if its largest probability is below this number, or if no
  // strength is above 0. 0: none is, and exports have no such output.
  double refer = 0;
  bool scorecard = false;          // the sum of the points of the rules that apply is an output
  std::vector<std::string> notes;  // sentences: how costs, a threshold, ... act on the decisions

  [[nodiscard]] bool additive() const { return semantics == Semantics::additive; }
  [[nodiscard]] bool by_offsets() const { return !choice.offsets.empty(); }
};

Plan make_plan(const RuleBase& base);

}  // namespace frr::internal
