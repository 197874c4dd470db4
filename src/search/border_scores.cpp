#include "search/border_scores.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/fastmath.hpp"
#include "kernels/kernel.hpp"
#include "kernels/range_kernel.hpp"
#include "model/column_map.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t vector_rows = 16;
std::size_t whole_vectors(std::size_t rows) {
  return (rows + vector_rows - 1) / vector_rows * vector_rows;
}

FRR_MULTIVERSION void join_labels(std::size_t count, const float* __restrict fixed,
                                  const float* __restrict up, const float* __restrict down,
                                  const float* __restrict rising, const float* __restrict falling,
                                  float* __restrict best) {
  for (std::size_t k = 0; k < count; ++k) {
    const float high = larger(up[k] - rising[k], down[k] - falling[k]);
    best[k] = larger(high, fixed[k]);
  }
}

// Results do not depend on the processor: no addition directly follows a product, so none is fused.
FRR_MULTIVERSION void degrees_of(std::size_t count, const float* __restrict right,
                                 const float* __restrict wrong, float margin,
                                 std::int32_t* __restrict degrees) {
  const auto units = static_cast<float>(degree_units);
  const float slope = margin > 0 ? units / (2 * margin) : 0;
  for (std::size_t k = 0; k < count; ++k) {
    const float lead = right[k] - wrong[k];
    const float without_margin = lead > 0 ? units : 0.0F;
    const float ramp = smaller(larger((lead + margin) * slope, 0.0F), units);
    // Truncation rounds it, because it is never negative.
    const float rounded = (slope > 0 ? ramp : without_margin) + 0.5F;
    degrees[k] = static_cast<std::int32_t>(rounded);
  }
}

}  // namespace

BorderCounter::BorderCounter(const RuleBase& base, const ColumnMap& map, const RuleBlock& block,
                             std::span<const BorderTrial> trials, double margin)
    : base_(base),
      map_(map),
      block_(block),
      margin_(static_cast<float>(margin)),
      numbers_(RuleBlock::rows),
      picked_(RuleBlock::rows + vector_rows),
      x_(picked_.size()),
      falling_(picked_.size()),
      rising_(picked_.size()),
      present_(picked_.size()),
      moved_(picked_.size()) {
  for (Sides* sides : {&fixed_, &best_, &up_, &down_}) {
    sides->right.resize(picked_.size());
    sides->wrong.resize(picked_.size());
  }
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const BorderTrial& trial = trials[t];
    const bool same =
        t > 0 && trials[t - 1].feature == trial.feature && trials[t - 1].border == trial.border;
    if (!same) groups_.push_back(group_of(trial, t));
    Group& group = groups_.back();
    Place place = group.places.front();
    place.falling.c = place.rising.a = trial.start;
    place.falling.d = place.rising.b = trial.end;
    group.places.push_back(place);
    group.low = std::min(group.low, trial.start);
    group.high = std::max(group.high, trial.end);
    others_.resize(std::max(others_.size(), group.moving.size()));
  }
  for (RuleBlock::Costs& costs : others_) costs.resize(picked_.size());
}

// The present place of a trial's border, and the rules that read it.
BorderCounter::Group BorderCounter::group_of(const BorderTrial& trial, std::size_t first) const {
  const std::vector<Label>& labels = base_.partition.features[trial.feature].labels;
  const Place now{labels[trial.border].shape, labels[trial.border + 1].shape};
  Group group{.feature = static_cast<int>(trial.feature),
              .first_trial = first,
              .places = {now},
              .low = now.rising.a,
              .high = now.rising.b,
              .moving = {},
              .fixed = {}};
  const auto left = static_cast<int>(trial.border);
  for (std::size_t r = 0; r < base_.rules.size(); ++r) {
    const auto& conditions = base_.rules[r].conditions;
    const auto found = std::find_if(conditions.begin(), conditions.end(), [&](const Condition& c) {
      return c.feature == group.feature && (c.label == left || c.label == left + 1);
    });
    if (found == conditions.end()) {
      group.fixed.push_back(r);
    } else {
      group.moving.push_back(
          {r, static_cast<std::size_t>(found - conditions.begin()), found->label == left + 1});
    }
  }
  return group;
}

// Picks the rows between the outermost places that some moving rule covers by its other conditions.
void BorderCounter::select(const Group& group, std::size_t from, std::span<const int> classes) {
  if (loaded_feature_ != group.feature) {
    map_.column(group.feature).numbers.copy_block(from, classes.size(), numbers_.data());
    loaded_feature_ = group.feature;
  }
  count_ = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const bool between = numbers_[i] >= group.low && numbers_[i] < group.high;
    picked_[count_] = static_cast<std::uint32_t>(i);
    count_ += between && classes[i] >= 0 ? 1 : 0;
  }
  for (std::size_t m = 0; m < group.moving.size(); ++m) {
    block_.join(group.moving[m].rule, group.moving[m].condition, std::span(picked_).first(count_),
                others_[m]);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count_; ++k) {
    float least = never;
    for (std::size_t m = 0; m < group.moving.size(); ++m) least = std::min(least, others_[m][k]);
    picked_[kept] = picked_[k];
    for (std::size_t m = 0; m < group.moving.size(); ++m) others_[m][kept] = others_[m][k];
    kept += least < never ? 1 : 0;
  }
  count_ = kept;
}

// The best scores of the fixed rules, which do not depend on the border. Rows that none covers get
// two numbers below every score, ordered as ELSE is right or wrong.
void BorderCounter::score_fixed_rules(const Group& group) {
  const std::size_t filled = whole_vectors(count_);
  for (std::size_t k = count_; k < filled; ++k) {
    picked_[k] = picked_[0];
    for (std::size_t m = 0; m < group.moving.size(); ++m) others_[m][k] = others_[m][0];
  }
  for (std::size_t k = 0; k < filled; ++k) {
    const bool otherwise_right = base_.otherwise == class_[picked_[k]];
    x_[k] = numbers_[picked_[k]];
    fixed_.right[k] = otherwise_right ? -1e9F : -2e9F;
    fixed_.wrong[k] = otherwise_right ? -2e9F : -1e9F;
  }
  for (const std::size_t r : group.fixed) {
    const RuleBlock::Costs& score = block_.score(r);
    const int then = base_.rules[r].then;
    for (std::size_t k = 0; k < filled; ++k) {
      const std::uint32_t i = picked_[k];
      float& side = then == class_[i] ? fixed_.right[k] : fixed_.wrong[k];
      side = std::max(side, score[i]);
    }
  }
}

// The best scores of the moving rules without the cost of the border's label; only if costs are
// steps that add up.
void BorderCounter::score_moving_rules(const Group& group) {
  if (!block_.scale().linear()) return;
  const std::size_t filled = whole_vectors(count_);
  for (Sides* sides : {&up_, &down_}) {
    std::fill_n(sides->right.begin(), filled, -never);
    std::fill_n(sides->wrong.begin(), filled, -never);
  }
  std::fill_n(rising_.begin(), filled, 0.0F);
  std::fill_n(falling_.begin(), filled, 0.0F);
  for (std::size_t m = 0; m < group.moving.size(); ++m) {
    const MovingRule& moving = group.moving[m];
    Sides& sides = moving.rising ? up_ : down_;
    const int then = base_.rules[moving.rule].then;
    for (std::size_t k = 0; k < filled; ++k) {
      float& side = then == class_[picked_[k]] ? sides.right[k] : sides.wrong[k];
      side = std::max(side, block_.weight(moving.rule) - others_[m][k]);
    }
  }
}

// For t-norms whose costs are not steps that add up.
void BorderCounter::join_moving(const Group& group) {
  const std::size_t filled = whole_vectors(count_);
  std::copy_n(fixed_.right.begin(), filled, best_.right.begin());
  std::copy_n(fixed_.wrong.begin(), filled, best_.wrong.begin());
  const CostScale& scale = block_.scale();
  for (std::size_t m = 0; m < group.moving.size(); ++m) {
    const MovingRule& moving = group.moving[m];
    const RuleBlock::Costs& label = moving.rising ? rising_ : falling_;
    const int then = base_.rules[moving.rule].then;
    for (std::size_t k = 0; k < filled; ++k) {
      const float cost = scale.steps(scale.join(others_[m][k], label[k]));
      float& side = then == class_[picked_[k]] ? best_.right[k] : best_.wrong[k];
      side = std::max(side, block_.weight(moving.rule) - cost);
    }
  }
}

void BorderCounter::fill_degrees(const Group& group, const Place& place,
                                 std::span<std::int32_t> degrees) {
  const std::size_t filled = whole_vectors(count_);
  for (const bool rises : {false, true}) {
    const bool read = std::any_of(group.moving.begin(), group.moving.end(),
                                  [&](const MovingRule& rule) { return rule.rising == rises; });
    if (!read) continue;
    RuleBlock::Costs& costs = rises ? rising_ : falling_;
    fill_range(rises ? place.rising : place.falling, x_.data(), filled, costs.data());
    block_.to_costs(std::span(costs).first(filled));
  }
  if (block_.scale().linear()) {
    join_labels(filled, fixed_.right.data(), up_.right.data(), down_.right.data(), rising_.data(),
                falling_.data(), best_.right.data());
    join_labels(filled, fixed_.wrong.data(), up_.wrong.data(), down_.wrong.data(), rising_.data(),
                falling_.data(), best_.wrong.data());
  } else {
    join_moving(group);
  }
  degrees_of(filled, best_.right.data(), best_.wrong.data(), margin_, degrees.data());
}

void BorderCounter::add(std::size_t from, std::span<const int> classes,
                        std::span<const std::int64_t> units, std::span<std::int64_t> sums) {
  const std::size_t class_count = base_.classes.size();
  class_.assign(classes.begin(), classes.end());
  loaded_feature_ = -1;
  for (const Group& group : groups_) {
    select(group, from, classes);
    if (count_ == 0) continue;
    score_fixed_rules(group);
    score_moving_rules(group);
    fill_degrees(group, group.places.front(), present_);
    for (std::size_t t = 1; t < group.places.size(); ++t) {
      fill_degrees(group, group.places[t], moved_);
      std::int64_t* const sums_of_trial = sums.data() + (group.first_trial + t - 1) * class_count;
      for (std::size_t k = 0; k < count_; ++k) {
        const std::uint32_t i = picked_[k];
        sums_of_trial[class_[i]] += (units.empty() ? 1 : units[i]) * (moved_[k] - present_[k]);
      }
    }
  }
}

}  // namespace frr::internal
