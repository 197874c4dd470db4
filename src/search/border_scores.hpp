// What other places of borders between labels would be worth: the tuning scores of rows that may be
// anywhere (frr/shards.hpp). tune.hpp does the same where all rows are at hand.
//
// A trial moves one border, all rules and other borders being as they are. Its score is the sum
// over rows, one a class, of the degree to which they are right (search.hpp) with the border there
// less that with the border where it is, in whole units of `degree_units`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/column_map.hpp"
#include "search/rule_block.hpp"

namespace frr::internal {

inline constexpr double degree_units = 256;

// The border between ranges `border` and `border` + 1 of a feature, at another place.
struct BorderTrial {
  std::uint32_t feature = 0, border = 0;
  double start = 0, end = 0;
};

class BorderCounter {
 public:
  // Trials of one border must stand together; of features that rules read.
  BorderCounter(const RuleBase& base, const ColumnMap& map, const RuleBlock& block,
                std::span<const BorderTrial> trials, double margin);

  // Adds the block's rows, `from` being the first, to sums[trial * classes + class]. classes: -1
  // for a row that does not count; units: one a row, or none where each counts 1.
  void add(std::size_t from, std::span<const int> classes, std::span<const std::int64_t> units,
           std::span<std::int64_t> sums);

 private:
  // A rule that reads one of the two labels.
  struct Moving {
    std::size_t rule, condition;
    bool rising;  // it reads the label that rises over the border
  };
  struct Place {
    Trapezoid falling, rising;
  };
  struct Group {
    int feature;
    std::size_t first_trial;
    std::vector<Place> places;  // as it is, then the trials
    double low, high;           // beyond them no trial changes anything
    std::vector<Moving> moving;
    std::vector<std::size_t> still;
  };

  [[nodiscard]] Group group_of(const BorderTrial& trial, std::size_t first) const;
  void select(const Group& group, std::size_t from, std::span<const int> classes);
  void stand(const Group& group);
  void value(const Group& group, const Place& place, std::span<std::int32_t> degrees);
  void join_moving(const Group& group);

  const RuleBase& base_;
  const ColumnMap& map_;
  const RuleBlock& block_;
  float margin_;
  std::vector<Group> groups_;
  std::vector<double> numbers_;  // the block's values of feature held_
  int held_ = -1;
  // Of the rows that a trial may change, and some more that make up whole vectors.
  std::vector<std::uint32_t> picked_;
  std::size_t count_ = 0;
  std::vector<double> x_;
  std::vector<int> class_;
  std::vector<RuleBlock::Costs> others_;  // of a moving rule each: cost of its other conditions
  RuleBlock::Costs falling_, rising_;     // cost of the two labels
  // The best scores of right and of wrong rules: of those that stay, and of all. Where costs add up
  // to steps also of those that read the rising and the falling label, but for its cost.
  struct Sides {
    RuleBlock::Costs right, wrong;
  };
  Sides still_, best_, up_, down_;
  std::vector<std::int32_t> now_, then_;
};

}  // namespace frr::internal
