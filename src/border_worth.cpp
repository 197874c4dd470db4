#include "border_worth.hpp"

#include <algorithm>
#include <cmath>

#include "partition.hpp"

namespace frr {
namespace {

constexpr std::size_t vector_rows = 16;

}  // namespace

BorderCounter::BorderCounter(const RuleBase& base, const Binding& binding, const RuleBlock& block,
                             std::span<const BorderTrial> trials, double margin)
    : base_(base),
      binding_(binding),
      block_(block),
      margin_(static_cast<float>(margin)),
      numbers_(RuleBlock::rows),
      picked_(RuleBlock::rows + vector_rows) {
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const BorderTrial& trial = trials[t];
    const bool same =
        t > 0 && trials[t - 1].feature == trial.feature && trials[t - 1].border == trial.border;
    const Feature& feature = base.partition.features[trial.feature];
    const auto left = static_cast<int>(trial.border);
    if (!same) {
      const Place now{feature.labels[trial.border].shape, feature.labels[trial.border + 1].shape};
      groups_.push_back(
          {static_cast<int>(trial.feature), t, {now}, now.rising.a, now.rising.b, {}, {}});
      Group& group = groups_.back();
      for (std::size_t r = 0; r < base.rules.size(); ++r) {
        const auto& conditions = base.rules[r].conditions;
        const auto found =
            std::find_if(conditions.begin(), conditions.end(), [&](const Condition& own) {
              return own.feature == group.feature && (own.label == left || own.label == left + 1);
            });
        if (found == conditions.end()) {
          group.still.push_back(r);
        } else {
          group.moving.push_back(
              {r, static_cast<std::size_t>(found - conditions.begin()), found->label == left + 1});
        }
      }
    }
    Group& group = groups_.back();
    Place place = group.places.front();
    place.falling.c = place.rising.a = trial.start;
    place.falling.d = place.rising.b = trial.end;
    group.places.push_back(place);
    group.low = std::min(group.low, trial.start);
    group.high = std::max(group.high, trial.end);
    others_.resize(std::max(others_.size(), group.moving.size()));
  }
  for (auto& own : others_) own.resize(RuleBlock::rows);
}

// The rows between all places of the border that some moving rule covers by its other conditions.
void BorderCounter::select(const Group& group, std::size_t from, std::span<const int> classes) {
  binding_.column(group.feature).numbers.copy_block(from, classes.size(), numbers_.data());
  for (std::size_t m = 0; m < group.moving.size(); ++m) {
    block_.join(group.moving[m].rule, group.moving[m].condition, others_[m]);
  }
  count_ = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const bool between = numbers_[i] >= group.low && numbers_[i] < group.high;
    picked_[count_] = static_cast<std::uint32_t>(i);
    count_ += between && classes[i] >= 0 ? 1 : 0;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count_; ++k) {
    const std::uint32_t i = picked_[k];
    float least = never;
    for (std::size_t m = 0; m < group.moving.size(); ++m) least = std::min(least, others_[m][i]);
    picked_[kept] = i;
    kept += least < never ? 1 : 0;
  }
  count_ = kept;
}

// What does not depend on the border: the best scores of the rules that stay. Where none covers a
// row, two numbers below every score stand in, ordered as ELSE is right or wrong.
void BorderCounter::stand(const Group& group) {
  const std::size_t filled = (count_ + vector_rows - 1) / vector_rows * vector_rows;
  for (std::size_t k = count_; k < filled; ++k) picked_[k] = picked_[0];
  for (auto* own : {&right_, &wrong_, &best_right_, &best_wrong_, &falling_, &rising_}) {
    own->resize(filled);
  }
  now_.resize(filled);
  then_.resize(filled);
  x_.resize(filled);
  for (std::size_t k = 0; k < filled; ++k) {
    const bool otherwise_right = base_.otherwise == class_[picked_[k]];
    x_[k] = numbers_[picked_[k]];
    right_[k] = otherwise_right ? -1e9F : -2e9F;
    wrong_[k] = otherwise_right ? -2e9F : -1e9F;
  }
  for (const std::size_t r : group.still) {
    const RuleBlock::Costs& score = block_.score(r);
    const int then = base_.rules[r].then;
    for (std::size_t k = 0; k < filled; ++k) {
      const std::uint32_t i = picked_[k];
      const bool own = then == class_[i];
      right_[k] = std::max(right_[k], own ? score[i] : -never);
      wrong_[k] = std::max(wrong_[k], own ? -never : score[i]);
    }
  }
}

void BorderCounter::value(const Group& group, const Place& place, std::span<std::int32_t> degrees) {
  const std::size_t filled = degrees.size();
  for (const bool rises : {false, true}) {
    const bool read = std::any_of(group.moving.begin(), group.moving.end(),
                                  [&](const Moving& own) { return own.rising == rises; });
    if (!read) continue;
    RuleBlock::Costs& costs = rises ? rising_ : falling_;
    const Trapezoid& shape = rises ? place.rising : place.falling;
    for (std::size_t k = 0; k < filled; ++k) costs[k] = static_cast<float>(shape(x_[k]));
    block_.to_costs(costs);
  }
  best_right_ = right_;
  best_wrong_ = wrong_;
  const CostScale& scale = block_.scale();
  for (std::size_t m = 0; m < group.moving.size(); ++m) {
    const Moving& moving = group.moving[m];
    const RuleBlock::Costs& label = moving.rising ? rising_ : falling_;
    const int then = base_.rules[moving.rule].then;
    const float weight = block_.weight(moving.rule);
    for (std::size_t k = 0; k < filled; ++k) {
      const std::uint32_t i = picked_[k];
      const float cost = scale.join(others_[m][i], label[k]);
      const float score = weight - (scale.linear() ? cost : scale.steps(cost));
      const bool own = then == class_[i];
      best_right_[k] = std::max(best_right_[k], own ? score : -never);
      best_wrong_[k] = std::max(best_wrong_[k], own ? -never : score);
    }
  }
  const auto units = static_cast<float>(degree_units);
  const float slope = margin_ > 0 ? units / (2 * margin_) : 0;
  for (std::size_t k = 0; k < filled; ++k) {
    const float lead = best_right_[k] - best_wrong_[k];
    const float bare = lead > 0 ? units : 0.0F;
    const float ramp = std::min(std::max((lead + margin_) * slope, 0.0F), units);
    degrees[k] = static_cast<std::int32_t>((slope > 0 ? ramp : bare) + 0.5F);
  }
}

void BorderCounter::add(std::size_t from, std::span<const int> classes,
                        std::span<const std::int64_t> units, std::span<std::int64_t> sums) {
  const std::size_t class_count = base_.classes.size();
  class_.assign(classes.begin(), classes.end());
  for (const Group& group : groups_) {
    select(group, from, classes);
    if (count_ == 0) continue;
    stand(group);
    value(group, group.places.front(), now_);
    for (std::size_t t = 1; t < group.places.size(); ++t) {
      value(group, group.places[t], then_);
      std::int64_t* const own = sums.data() + (group.first_trial + t - 1) * class_count;
      for (std::size_t k = 0; k < count_; ++k) {
        const std::uint32_t i = picked_[k];
        own[class_[i]] += (units.empty() ? 1 : units[i]) * (then_[k] - now_[k]);
      }
    }
  }
}

}  // namespace frr
