// Memberships, truths and the decision of one row, by the formulas of frr/rulebase.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

double membership(const Label& label, int label_index, const FeatureValue& value);
// T(degrees); 1 for none.
double conjunction(const TNorm& tnorm, std::span<const double> degrees);

// Truth T(...)^(1/root) of a rule, given the value of every feature (indexed by feature).
double truth(const RuleBase& base, const Rule& rule, std::span<const FeatureValue> row);
Decision decide(const RuleBase& base, std::span<const FeatureValue> row);
Decision decide(const RuleBase& base, const ColumnMap& map, std::size_t row);

// Additive semantics: bias_c + the scores of the rules of class c, for each class.
std::vector<double> score_sums(const RuleBase& base, std::span<const FeatureValue> row);

struct RowProbabilities {
  std::vector<double> of_class;
  bool covered = false;  // some rule applies to the row
};
RowProbabilities row_probabilities(const RuleBase& base, const ColumnMap& map, std::size_t row);

}  // namespace frr::internal
