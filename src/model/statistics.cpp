#include "model/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "model/decider.hpp"

namespace frr::internal {
namespace {

// Counts some of the rows.
class Counter {
 public:
  Counter(const RuleBase& base, const ColumnMap& map, std::span<const int> classes,
          std::span<const std::int64_t> units)
      : base_(base),
        classes_(classes),
        units_(units),
        layout_(base),
        sums_(layout_.size(), 0),
        decider_(base, map),
        covered_(Decider::block_rows) {
    decider_.observe(
        [this](std::size_t rule, std::span<const double> truths) { count_truths(rule, truths); });
  }

  // At most Decider::block_rows rows, of known classes.
  void add(std::span<const std::uint32_t> rows) {
    rows_ = rows;
    std::fill(covered_.begin(), covered_.end(), false);
    Decision decisions[Decider::block_rows];
    decider_.decide(rows, {decisions, rows.size()});
    for (std::size_t i = 0; i < rows.size(); ++i) count_decision(i, decisions[i]);
  }

  std::vector<std::int64_t> take() { return std::move(sums_); }

 private:
  [[nodiscard]] bool sufficient() const { return base_.semantics == Semantics::sufficient; }
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    return static_cast<std::size_t>(classes_[rows_[i]]);
  }
  [[nodiscard]] std::int64_t weight_of(std::size_t i) const {
    return units_.empty() ? 1 : units_[rows_[i]];
  }

  void count_truths(std::size_t rule, std::span<const double> truths) {
    for (std::size_t i = 0; i < truths.size(); ++i) {
      if (!(truths[i] > 0)) continue;
      covered_[i] = true;
      sums_[layout_.coverage(rule + 1)] += weight_of(i);
      const bool counts = !sufficient() && truths[i] >= 0.5;
      if (counts) sums_[layout_.rows(rule + 1) + class_of(i)] += weight_of(i);
    }
  }

  void count_decision(std::size_t i, const Decision& decision) {
    const std::size_t c = class_of(i);
    const std::int64_t weight = weight_of(i);
    sums_[layout_.all() + c] += weight;
    if (decision.predicted == classes_[rows_[i]]) sums_[layout_.right()] += weight;
    const bool otherwise = sufficient() ? decision.rule == Decision::otherwise : !covered_[i];
    if (otherwise) {
      sums_[layout_.rows(0) + c] += weight;
      sums_[layout_.coverage(0)] += weight;
    } else if (sufficient()) {
      sums_[layout_.rows(static_cast<std::size_t>(decision.rule) + 1) + c] += weight;
    }
  }

  const RuleBase& base_;
  std::span<const int> classes_;
  std::span<const std::int64_t> units_;
  CountLayout layout_;
  std::vector<std::int64_t> sums_;
  Decider decider_;
  std::span<const std::uint32_t> rows_;  // of the current block
  std::vector<bool> covered_;            // by some rule
};

}  // namespace

std::int64_t weight_units(double weight, double largest) {
  if (!(weight > 0)) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::max<std::int64_t>(1, std::llround(std::ldexp(weight, 16 - exponent)));
}

std::vector<std::int64_t> decision_counts(const RuleBase& base, const ColumnMap& map,
                                          std::span<const int> classes,
                                          std::span<const std::uint32_t> rows,
                                          std::span<const std::int64_t> units, int threads) {
  const std::size_t all = rows.empty() ? classes.size() : rows.size();
  // Each task has separate sums: few tasks, many rows each.
  const std::size_t tasks =
      std::clamp<std::size_t>(all / 16384, 1, static_cast<std::size_t>(thread_count(threads)));
  std::vector<std::vector<std::int64_t>> sums(tasks);
  parallel_for(threads, tasks, [&](std::size_t task) {
    Counter counter(base, map, classes, units);
    for_each_known_block(classes, rows, task * all / tasks, (task + 1) * all / tasks,
                         [&](std::span<const std::uint32_t> block) { counter.add(block); });
    sums[task] = counter.take();
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t i = 0; i < sums[0].size(); ++i) sums[0][i] += sums[task][i];
  }
  return std::move(sums[0]);
}

double set_statistics(RuleBase& base, std::span<const std::int64_t> counts, double rows) {
  const CountLayout layout(base);
  const std::size_t classes = base.classes.size();
  std::int64_t all = 0;
  for (std::size_t c = 0; c < classes; ++c) all += counts[layout.all() + c];
  const double scale = all > 0 ? rows / static_cast<double>(all) : 1;
  // More digits than this have no meaning, because weights are rounded to units.
  constexpr double digits = 1e6;
  const auto scaled = [&](std::size_t i) {
    const double count = scale * static_cast<double>(counts[i]);
    return scale == 1 ? count : std::round(count * digits) / digits;
  };
  const auto by_class = [&](std::size_t first) {
    std::vector<double> result;
    for (std::size_t c = 0; c < classes; ++c) result.push_back(scaled(first + c));
    return result;
  };
  base.class_rows = by_class(layout.all());
  base.otherwise_statistics = {by_class(layout.rows(0)), scaled(layout.coverage(0))};
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    base.rules[r].statistics = {by_class(layout.rows(r + 1)), scaled(layout.coverage(r + 1))};
  }
  return scaled(layout.right());
}

}  // namespace frr::internal
