// Rules on a block of rows: the costs (search.hpp) of the labels that they read, and scores in
// steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"
#include "search/search.hpp"

namespace frr::internal {

class RuleBlock {
 public:
  // Rows of a block. Buffers are always filled completely, so that the same vector code computes
  // every row, and its costs do not depend on where its block starts.
  static constexpr std::size_t rows = 1024;
  using Costs = std::vector<float>;

  RuleBlock(const RuleBase& base, const ColumnMap& map);

  // Computes `count` <= `rows` rows, starting at `from`.
  void fill(std::size_t from, std::size_t count);

  [[nodiscard]] const CostScale& scale() const { return scale_; }
  [[nodiscard]] float weight(std::size_t rule) const { return weights_[rule]; }  // in steps
  [[nodiscard]] const Costs& score(std::size_t rule) const { return scores_[rule]; }
  // The joined cost of a rule without condition `without`, as a cost and in steps.
  void join(std::size_t rule, std::size_t without, Costs& cost) const;
  void join_steps(std::size_t rule, std::size_t without, Costs& cost) const;
  // The cost for some rows of the block.
  void join(std::size_t rule, std::size_t without, std::span<const std::uint32_t> picked,
            Costs& cost) const;
  // Replaces memberships by costs.
  void to_costs(std::span<float> memberships) const;

 private:
  void fill_costs(const Condition& condition, std::size_t from, std::size_t count, Costs& costs);

  const RuleBase& base_;
  const ColumnMap& map_;
  CostScale scale_;
  std::vector<Condition> labels_;
  std::vector<std::vector<std::size_t>> rule_labels_;  // per rule: indices into labels_
  std::vector<float> weights_;
  std::vector<Costs> costs_, scores_;
  std::vector<double> numbers_;
};

}  // namespace frr::internal
