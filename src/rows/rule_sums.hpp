// Requests about rules, answered by sums over all rows (search/rule_scores.hpp,
// model/statistics.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"
#include "frr/view.hpp"
#include "rows/column_roles.hpp"
#include "search/border_scores.hpp"

namespace frr::internal {

// Asks how well the rules do, with changes and with borders at other places: the sums of
// rule_score_sums.
struct ScoreRequest {
  const RuleBase& rules;
  double most_weight = 1;  // of all rows
  double margin = 0;
  std::span<const BorderTrial> trials = {};
};

// Asks for the log-loss of additive rules and its derivatives at a point: the sums of loss_sums.
struct LossRequest {
  const RuleBase& rules;
  std::span<const double> point;
  double most_weight = 1;  // of all rows
  int fraction_bits = 0;
};

// The columns that requests about these rules read.
std::vector<std::string> columns_read(const RuleBase& rules, const ColumnRoles& roles);

// The sums over the rows of one shard, which may have no rows. Throw Error{data} where a column
// does not fit the rules.
std::vector<std::int64_t> score_rules(const TableView& view, const ColumnRoles& roles,
                                      const ScoreRequest& request, std::size_t shard, int threads);
// The rows that each rule decides and covers: the sums of decision_counts. `most_weight`: of all
// rows.
std::vector<std::int64_t> count_decisions(const TableView& view, const ColumnRoles& roles,
                                          const RuleBase& rules, double most_weight,
                                          std::size_t shard, int threads);

std::vector<std::int64_t> sum_losses(const TableView& view, const ColumnRoles& roles,
                                     const LossRequest& request, std::size_t shard, int threads);

}  // namespace frr::internal
