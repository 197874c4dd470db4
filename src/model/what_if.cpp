#include "model/what_if.hpp"
#include "model/inference.hpp"

#include <algorithm>
#include <iterator>

namespace frr::internal {

WhatIf::WhatIf(const RuleBase& base, std::span<const FeatureValue> row, std::size_t work)
    : base_(base),
      row_(row.begin(), row.end()),
      policy_(base.policy, base.classes.size()),
      readers_(base.partition.features.size()),
      decision_(internal::decide(base, row)),
      work_(work) {
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const Rule& rule = base.rules[r];
    for (const Condition& c : rule.conditions)
      readers_[static_cast<std::size_t>(c.feature)].push_back({static_cast<int>(r), c.label});
    scores_.push_back(rule.weight * truth(base, rule, row_));
    if (scores_.back() > 0) ranked_.push_back(static_cast<int>(r));
  }
  row_scores_ = scores_;
  if (base.semantics == Semantics::sufficient)
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [&](int a, int b) { return score(a) > score(b); });
}

void WhatIf::vary(int feature, std::size_t others) {
  if (feature_ >= 0) {
    row_[static_cast<std::size_t>(feature_)] = value_;
    for (const Reader& reader : readers())
      score(reader.rule) = row_scores_[static_cast<std::size_t>(reader.rule)];
  }
  feature_ = feature;
  value_ = row_[static_cast<std::size_t>(feature)];
  cost_ = 1;
  for (const Reader& reader : readers()) cost_ += rule(reader.rule).conditions.size();
  if (base_.semantics == Semantics::sufficient) {
    others_ = best_of_others();
  } else {
    std::vector<int> reading;
    for (const Reader& reader : readers()) reading.push_back(reader.rule);
    counted_.clear();
    std::ranges::set_union(ranked_, reading, std::back_inserter(counted_));
    cost_ += counted_.size() + base_.classes.size();
  }
  limit_ = spent_ + (work_ - spent_) / (others + 1);
}

bool WhatIf::afford(std::size_t work) {
  if (work > limit_ - spent_) {
    complete_ = false;
    return false;
  }
  spent_ += work;
  return true;
}

std::size_t WhatIf::affordable_decisions(std::size_t wanted) {
  const std::size_t possible = (limit_ - spent_) / cost_;
  if (possible < wanted) complete_ = false;
  return std::min(possible, wanted);
}

std::optional<Decision> WhatIf::decide(const FeatureValue& value) {
  if (!afford(cost_)) return std::nullopt;
  score_readers(value);
  if (base_.semantics == Semantics::sufficient) return strongest_reader();
  return decide_by(class_sums());
}

std::size_t WhatIf::line_count() const {
  return base_.semantics == Semantics::sufficient ? readers().size() + 1 : base_.classes.size();
}

std::vector<double> WhatIf::lines(const FeatureValue& value) {
  score_readers(value);
  if (base_.semantics == Semantics::additive) {
    std::vector<double> sums = class_sums();
    for (std::size_t c = 0; c < sums.size() && policy_.by_offsets(); ++c) {
      sums[c] += policy_.offset(c);
    }
    return sums;
  }
  std::vector<double> result = {others_.score};
  for (const Reader& reader : readers()) result.push_back(score(reader.rule));
  return result;
}

void WhatIf::score_readers(const FeatureValue& value) {
  row_[static_cast<std::size_t>(feature_)] = value;
  for (const Reader& reader : readers())
    score(reader.rule) = rule(reader.rule).weight * truth(base_, rule(reader.rule), row_);
}

Decision WhatIf::best_of_others() const {
  for (const int r : ranked_) {
    const auto reads = std::ranges::binary_search(readers(), r, {}, &Reader::rule);
    if (!reads) return {rule(r).then, r, scores_[static_cast<std::size_t>(r)]};
  }
  return Decision{.predicted = base_.otherwise};
}

// The first of equals decides, so a reader must come before the best of the others or have a larger
// score.
Decision WhatIf::strongest_reader() const {
  Decision best = others_;
  for (const Reader& reader : readers()) {
    const double value = scores_[static_cast<std::size_t>(reader.rule)];
    const bool earlier = value == best.score && value > 0 && reader.rule < best.rule;
    if (value > best.score || earlier) best = {rule(reader.rule).then, reader.rule, value};
  }
  return best;
}

// In the order of internal::decide(), because the rounding of a sum depends on it; rules without a
// score do not change a sum.
std::vector<double> WhatIf::class_sums() const {
  std::vector<double> sums = base_.biases;
  sums.resize(base_.classes.size(), 0);
  for (const int r : counted_)
    sums[static_cast<std::size_t>(rule(r).then)] += scores_[static_cast<std::size_t>(r)];
  return sums;
}

Decision WhatIf::decide_by(std::span<const double> sums) const {
  Decision strongest{.predicted = policy_.predict(sums)};
  for (const int r : counted_) {
    const double value = scores_[static_cast<std::size_t>(r)];
    if (rule(r).then == strongest.predicted && value > strongest.score)
      strongest = {rule(r).then, r, value};
  }
  return strongest;
}

}  // namespace frr::internal
