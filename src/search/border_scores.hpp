// Scores of borders at other places, for rows that may be in several shards (frr/shards.hpp).
// tune.hpp does the same for rows in one table.
//
// A trial moves one border and leaves all rules and other borders unchanged. Its score for a class
// is the sum over the rows of that class of the change in the degree to which they are right
// (objective.hpp), in whole units of 1 / degree_units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/column_map.hpp"
#include "search/rule_block.hpp"

namespace frr::internal {

inline constexpr double degree_units = 256;

// Another place for the border between the ranges `border` and `border` + 1 of a feature.
struct BorderTrial {
  std::uint32_t feature = 0, border = 0;
  double start = 0, end = 0;
};

class BorderCounter {
 public:
  // Trials of the same border must be adjacent, and rules must read its feature.
  BorderCounter(const RuleBase& base, const ColumnMap& map, const RuleBlock& block,
                std::span<const BorderTrial> trials, double margin);

  // Adds the rows of the block, which start at `from`, to sums[trial * classes + class]. `classes`
  // is -1 for a row to ignore; `units` has the weight of each row (weight_units) or is empty if all
  // are 1.
  void add(std::size_t from, std::span<const int> classes, std::span<const std::int64_t> units,
           std::span<std::int64_t> sums);

 private:
  // A rule that reads one of the border's labels.
  struct MovingRule {
    std::size_t rule, condition;
    bool rising;  // it reads the rising label
  };
  struct Place {
    Trapezoid falling, rising;
  };
  struct Group {
    int feature;
    std::size_t first_trial;
    std::vector<Place> places;  // the present place, then the trials
    double low, high;           // no trial changes rows beyond them
    std::vector<MovingRule> moving;
    std::vector<std::size_t> fixed;  // the other rules
  };

  [[nodiscard]] Group group_of(const BorderTrial& trial, std::size_t first) const;
  void select(const Group& group, std::size_t from, std::span<const int> classes);
  void score_fixed_rules(const Group& group);
  void score_moving_rules(const Group& group);
  void fill_degrees(const Group& group, const Place& place, std::span<std::int32_t> degrees);
  void join_moving(const Group& group);

  const RuleBase& base_;
  const ColumnMap& map_;
  const RuleBlock& block_;
  float margin_;
  std::vector<Group> groups_;
  std::vector<double> numbers_;  // the block's values of loaded_feature_
  int loaded_feature_ = -1;
  // The rows that a trial may change, padded to whole vectors.
  std::vector<std::uint32_t> picked_;
  std::size_t count_ = 0;
  std::vector<double> x_;
  std::vector<int> class_;
  std::vector<RuleBlock::Costs> others_;  // per moving rule: cost of its other conditions
  RuleBlock::Costs falling_, rising_;     // cost of the two labels
  // The best scores of rules of right and of wrong classes: of the fixed rules and of all; if costs
  // are steps that add up, also of the rules that read the rising (up) or falling (down) label,
  // without the cost of that label.
  struct Sides {
    RuleBlock::Costs right, wrong;
  };
  Sides fixed_, best_, up_, down_;
  std::vector<std::int32_t> present_, moved_;  // degrees
};

}  // namespace frr::internal
