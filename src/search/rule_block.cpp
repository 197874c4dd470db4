#include "search/rule_block.hpp"

#include <algorithm>
#include <unordered_map>

#include "kernels/range_kernel.hpp"
#include "kernels/search_kernel.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

RuleBlock::RuleBlock(const RuleBase& base, const ColumnMap& map)
    : base_(base), map_(map), scale_(base.tnorm, base.root), numbers_(rows) {
  std::unordered_map<std::size_t, std::size_t> known;
  for (const Rule& rule : base.rules) {
    std::vector<std::size_t> indices;
    for (const Condition& condition : rule.conditions) {
      const std::size_t key = static_cast<std::size_t>(condition.feature) * 100000 +
                              static_cast<std::size_t>(condition.label);
      const auto [place, is_new] = known.emplace(key, labels_.size());
      if (is_new) labels_.push_back(condition);
      indices.push_back(place->second);
    }
    rule_labels_.push_back(std::move(indices));
    weights_.push_back(steps_of_weight(rule.weight));
  }
  costs_.assign(labels_.size(), Costs(rows));
  scores_.assign(base.rules.size(), Costs(rows));
}

void RuleBlock::fill(std::size_t from, std::size_t count) {
  for (std::size_t d = 0; d < labels_.size(); ++d) fill_costs(labels_[d], from, count, costs_[d]);
  for (std::size_t r = 0; r < scores_.size(); ++r) {
    join_steps(r, rule_labels_[r].size(), scores_[r]);
    for (float& x : scores_[r]) x = weights_[r] - x;
  }
}

void RuleBlock::fill_costs(const Condition& condition, std::size_t from, std::size_t count,
                           Costs& costs) {
  const auto feature = static_cast<std::size_t>(condition.feature);
  const Label& label =
      base_.partition.features[feature].labels[static_cast<std::size_t>(condition.label)];
  const ColumnView& column = map_.column(condition.feature);
  std::fill(costs.begin(), costs.end(), 1.0F);
  if (label.kind == LabelKind::missing) {
    for (std::size_t i = 0; i < count; ++i) costs[i] = column.is_missing(from + i) ? 1.0F : 0.0F;
  } else if (column.type == ColumnType::categorical) {
    const std::span<const int> labels = map_.category_labels(condition.feature);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t code = column.codes[from + i];
      const bool is =
          code != Column::missing_code && labels[static_cast<std::size_t>(code)] == condition.label;
      costs[i] = is ? 1.0F : 0.0F;
    }
  } else {
    column.numbers.copy_block(from, count, numbers_.data());
    if (label.kind == LabelKind::range) {
      fill_range(label.shape, numbers_.data(), count, costs.data());
    } else {
      std::fill_n(costs.begin(), count, 0.0F);
    }
  }
  to_costs(costs);
}

void RuleBlock::to_costs(std::span<float> memberships) const {
  if (scale_.linear()) {
    costs_of(memberships, scale_.factor());
  } else {
    for (float& x : memberships) x = scale_.cost(x);
  }
}

void RuleBlock::join(std::size_t rule, std::size_t without, Costs& cost) const {
  std::fill(cost.begin(), cost.end(), 0.0F);
  const std::vector<std::size_t>& labels = rule_labels_[rule];
  for (std::size_t p = 0; p < labels.size(); ++p) {
    if (p == without) continue;
    const Costs& label = costs_[labels[p]];
    if (scale_.additive()) {
      for (std::size_t i = 0; i < rows; ++i) cost[i] += label[i];
    } else {
      for (std::size_t i = 0; i < rows; ++i) cost[i] = std::max(cost[i], label[i]);
    }
  }
}

void RuleBlock::join(std::size_t rule, std::size_t without, std::span<const std::uint32_t> picked,
                     Costs& cost) const {
  std::fill_n(cost.begin(), picked.size(), 0.0F);
  const std::vector<std::size_t>& labels = rule_labels_[rule];
  for (std::size_t p = 0; p < labels.size(); ++p) {
    if (p == without) continue;
    const Costs& label = costs_[labels[p]];
    for (std::size_t k = 0; k < picked.size(); ++k) {
      cost[k] = scale_.join(cost[k], label[picked[k]]);
    }
  }
}

void RuleBlock::join_steps(std::size_t rule, std::size_t without, Costs& cost) const {
  join(rule, without, cost);
  if (scale_.linear()) return;
  for (float& x : cost) x = scale_.steps(x);
}

}  // namespace frr::internal
