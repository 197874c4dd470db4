#include "model/scorecard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "model/inference.hpp"
#include "model/policy.hpp"

namespace frr::internal {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Limits that only models with unusually many conditions or points exceed.
constexpr std::size_t most_cases = 4096, most_sums = 65536;

using Sums = std::set<int>;

// The sums of one element of each set. If there are more than most_sums, every second is left out.
Sums added(const Sums& one, const Sums& other) {
  Sums result;
  for (const int a : one)
    for (const int b : other) result.insert(a + b);
  if (result.size() <= most_sums) return result;
  Sums thinned = {*result.rbegin()};
  std::size_t at = 0;
  for (const int sum : result)
    if (at++ % 2 == 0) thinned.insert(sum);
  return thinned;
}

// Rules that are connected by the features that they read, and the values of these features.
class Connected {
 public:
  Connected(const RuleBase& base, std::vector<const Rule*> rules)
      : base_(base), rules_(std::move(rules)) {
    for (const Rule* rule : rules_)
      for (const Condition& c : rule->conditions) labels_[c.feature].insert(c.label);
  }

  [[nodiscard]] Sums sums() const {
    std::vector<std::vector<std::set<int>>> values;  // per feature: the labels that hold together
    std::size_t cases = 1;
    for (const auto& [feature, labels] : labels_) {
      values.push_back(held_together(feature, labels));
      cases = std::min(cases * values.back().size(), most_cases + 1);
    }
    return cases <= most_cases ? sums_of_cases(values, cases) : sums_of_subsets();
  }

 private:
  // A value in each interval between corners, or each category; another one; and a missing one.
  [[nodiscard]] std::vector<std::set<int>> held_together(int feature,
                                                         const std::set<int>& labels) const {
    const Feature& column = base_.partition.features[index(feature)];
    std::vector<FeatureValue> values = {{.number = -std::numeric_limits<double>::infinity()},
                                        {.number = std::nan(""), .missing = true}};
    for (const int label : labels) {
      const Label& read = column.labels[index(label)];
      if (read.kind == LabelKind::category) values.push_back({.category = label});
      if (read.kind != LabelKind::range) continue;
      for (const double corner : {read.shape.a, read.shape.d}) values.push_back({.number = corner});
    }
    std::set<std::set<int>> found;
    for (const FeatureValue& value : values) {
      std::set<int> held;
      for (const int label : labels)
        if (membership(column.labels[index(label)], label, value) > 0) held.insert(label);
      found.insert(held);
    }
    return {found.begin(), found.end()};
  }

  [[nodiscard]] Sums sums_of_cases(const std::vector<std::vector<std::set<int>>>& values,
                                   std::size_t cases) const {
    Sums result;
    for (std::size_t i = 0; i < cases; ++i) {
      std::map<int, const std::set<int>*> held;  // per feature
      std::size_t left = i, at = 0;
      for (const auto& [feature, labels] : labels_) {
        held[feature] = &values[at][left % values[at].size()];
        left /= values[at++].size();
      }
      int sum = 0;
      for (const Rule* rule : rules_) {
        const bool applies = std::ranges::all_of(rule->conditions, [&](const Condition& c) {
          return held[c.feature]->contains(c.label);
        });
        if (applies) sum += rule->points;
      }
      result.insert(sum);
    }
    return result;
  }

  [[nodiscard]] Sums sums_of_subsets() const {
    Sums result = {0};
    for (const Rule* rule : rules_) result = added(result, {0, rule->points});
    return result;
  }

  const RuleBase& base_;
  std::vector<const Rule*> rules_;
  std::map<int, std::set<int>> labels_;  // that they read, per feature
};

// The rules in groups that read no feature in common.
std::vector<std::vector<const Rule*>> connected_rules(const RuleBase& base) {
  std::vector<std::size_t> group(base.rules.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::map<int, std::size_t> first;  // per feature: a rule that reads it
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    for (const Condition& c : base.rules[r].conditions) {
      const std::size_t other = group[first.emplace(c.feature, r).first->second];
      std::ranges::replace(group, other, group[r]);
    }
  }
  std::map<std::size_t, std::vector<const Rule*>> rules;
  for (std::size_t r = 0; r < base.rules.size(); ++r) rules[group[r]].push_back(&base.rules[r]);
  std::vector<std::vector<const Rule*>> result;
  result.reserve(rules.size());
  for (auto& [number, members] : rules) result.push_back(std::move(members));
  return result;
}

// S of both classes.
std::vector<double> scores_at(const RuleBase& base, int points) {
  std::vector<double> scores = base.biases;
  scores.resize(base.classes.size(), 0);
  scores[index(base.policy.positive)] += *base.nats_per_point * points;
  return scores;
}

int divided_down(int points, int width) { return points / width - (points % width < 0 ? 1 : 0); }

std::vector<PointsRange> grouped(const RuleBase& base, const Sums& sums, int width) {
  std::vector<PointsRange> result;
  for (const int sum : sums) {
    const double probability = points_probability(base, sum);
    const int predicted = points_class(base, sum);
    const bool joins = !result.empty() && result.back().predicted == predicted &&
                       divided_down(result.back().least, width) == divided_down(sum, width);
    if (!joins) result.push_back({sum, sum, probability, probability, predicted});
    result.back().most = sum;
    result.back().high = probability;
  }
  return result;
}

}  // namespace

double points_probability(const RuleBase& base, int points) {
  return softmax(scores_at(base, points))[index(base.policy.positive)];
}

int points_class(const RuleBase& base, int points) {
  return ScorePolicy(base.policy, base.classes.size()).predict(scores_at(base, points));
}

std::vector<PointsRange> points_table(const RuleBase& base, std::size_t max_lines) {
  if (!base.nats_per_point) return {};
  Sums sums = {0};
  for (std::vector<const Rule*>& rules : connected_rules(base))
    sums = added(sums, Connected(base, std::move(rules)).sums());
  std::vector<PointsRange> result = grouped(base, sums, 1);
  constexpr int widest = 1'000'000'000;
  for (int ten = 1; ten < widest && result.size() > max_lines; ten *= 10) {
    for (const int factor : {2, 5, 10}) {
      if (result.size() > max_lines) result = grouped(base, sums, factor * ten);
    }
  }
  return result;
}

}  // namespace frr::internal
