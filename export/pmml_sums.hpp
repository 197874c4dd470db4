// Additive semantics in PMML: derived fields from the strengths of the rules to the class.
#pragma once

#include <string>
#include <vector>

#include "distinct.hpp"
#include "plan.hpp"
#include "pmml_expressions.hpp"

namespace frr::internal {

class PmmlSums {
 public:
  // `strengths`: the fields with the strengths of the rules. Chooses names among `fields`.
  PmmlSums(const Plan& plan, const std::vector<std::string>& strengths, Distinct& fields);

  // Adds the derived fields.
  void add(Tag& all) const;

  [[nodiscard]] const std::vector<std::string>& shares() const { return shares_; }
  // The class, counted from 0.
  [[nodiscard]] const std::string& choice_field() const { return choice_; }
  // The strengths of the rules of this class; 0 for the others.
  [[nodiscard]] const std::vector<std::string>& own() const { return own_; }
  // The probability of this class.
  [[nodiscard]] Expression probability() const;

 private:
  void add_probabilities(Tag& all) const;
  [[nodiscard]] Expression compared(std::size_t c) const;
  [[nodiscard]] Expression chosen() const;

  const Plan& plan_;
  const std::vector<std::string>& strengths_;
  std::vector<std::string> scores_, powers_, shares_, compared_, own_;
  std::string choice_;
};

}  // namespace frr::internal
