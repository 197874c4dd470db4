#include "search/rule_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "kernels/kernel.hpp"
#include "model/column_map.hpp"
#include "model/statistics.hpp"
#include "search/search.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t block = RuleBlock::rows;
using Block = RuleBlock::Costs;

// ---- A block of rows ----------------------------------------------------------------------------
//
// Loops of fixed length without branches, so that they are vectorised. Results do not depend on the
// processor, because there are no products.

// Updates, for each row, the best rule (the first of equals), the best of the others, and the best
// scores of right and of wrong rules.
FRR_MULTIVERSION void rank_rule(const float* __restrict scores, const int* __restrict classes,
                                int number, int then, int* __restrict leader,
                                int* __restrict best_class, int* __restrict second_class,
                                float* __restrict best, float* __restrict second,
                                float* __restrict right, float* __restrict wrong) {
  for (std::size_t i = 0; i < block; ++i) {
    const float score = scores[i], old = best[i], next = second[i];
    const bool is_right = then == classes[i], leads = score > old, follows = score > next;
    const float for_right = is_right ? score : -never, for_wrong = is_right ? -never : score;
    right[i] = right[i] < for_right ? for_right : right[i];
    wrong[i] = wrong[i] < for_wrong ? for_wrong : wrong[i];
    second_class[i] = leads ? best_class[i] : follows ? then : second_class[i];
    second[i] = leads ? old : follows ? score : next;
    best_class[i] = leads ? then : best_class[i];
    best[i] = leads ? score : old;
    leader[i] = leads ? number : leader[i];
  }
}

// For each row: the score that rule `number` must exceed, negated, and the start of its histogram,
// given by its class and whether the other rules are right.
FRR_MULTIVERSION void without_rule(const int* __restrict classes, int number, int bins,
                                   const int* __restrict leader, const int* __restrict best_class,
                                   const int* __restrict second_class, const float* __restrict best,
                                   const float* __restrict second, float* __restrict against,
                                   int* __restrict start) {
  for (std::size_t i = 0; i < block; ++i) {
    const bool leads = leader[i] == number;
    const float others = leads ? second[i] : best[i];
    const int other_class = leads ? second_class[i] : best_class[i];
    const float limited = -others < 1e6F ? -others : 1e6F;
    against[i] = classes[i] < 0 ? -never : limited;
    start[i] = (2 * classes[i] + (other_class == classes[i] ? 1 : 0)) * bins;
  }
}

FRR_MULTIVERSION void leads_of(const float* __restrict against, const float* __restrict cost,
                               float offset, float last, float* __restrict lead) {
  for (std::size_t i = 0; i < block; ++i) {
    const float bin = against[i] - cost[i] + offset;
    lead[i] = bin < last ? bin : last;
  }
}

// ---- Sums over rows -----------------------------------------------------------------------------

// Adds blocks of rows to the sums.
class RuleScoreCounter {
 public:
  RuleScoreCounter(const RuleBase& base, std::span<const BorderTrial> trials,
                   const RuleScoreLayout& layout, double margin, const ColumnMap& map)
      : base_(base),
        layout_(layout),
        margin_(margin),
        rules_(base, map),
        borders_(base, map, rules_, trials, margin) {
    for (Block* numbers : {&best_, &second_, &right_, &wrong_, &cost_, &against_, &lead_}) {
      numbers->resize(block);
    }
    for (auto* indices : {&class_, &leader_, &best_class_, &second_class_, &start_}) {
      indices->resize(block);
    }
    reached_.resize(block + 1);
  }

  void add(std::size_t from, std::span<const int> classes, std::span<const std::int64_t> units,
           std::span<std::int64_t> sums) {
    rules_.fill(from, classes.size());
    rank_rules(classes);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] < 0) continue;
      const auto y = static_cast<std::size_t>(classes[i]);
      const std::int64_t unit = units.empty() ? 1 : units[i];
      sums[layout_.all() + y] += unit;
      if (best_[i] == -never) sums[layout_.uncovered() + y] += unit;
      const double degree =
          degree_right(right_[i], wrong_[i], base_.otherwise == classes[i], margin_);
      sums[layout_.right() + y] += unit * std::llrint(degree * degree_units);
    }
    for (std::size_t r = 0; r < base_.rules.size(); ++r) count_leads(r, units, sums);
    borders_.add(from, classes, units, sums.subspan(layout_.borders()));
  }

 private:
  void rank_rules(std::span<const int> classes) {
    for (Block* scores : {&best_, &second_, &right_, &wrong_}) {
      std::fill(scores->begin(), scores->end(), -never);
    }
    std::fill(leader_.begin(), leader_.end(), -1);
    std::fill(best_class_.begin(), best_class_.end(), base_.otherwise);
    std::fill(second_class_.begin(), second_class_.end(), base_.otherwise);
    std::copy(classes.begin(), classes.end(), class_.begin());
    std::fill(class_.begin() + static_cast<std::ptrdiff_t>(classes.size()), class_.end(), -1);
    for (std::size_t r = 0; r < base_.rules.size(); ++r) {
      rank_rule(rules_.score(r).data(), class_.data(), static_cast<int>(r), base_.rules[r].then,
                leader_.data(), best_class_.data(), second_class_.data(), best_.data(),
                second_.data(), right_.data(), wrong_.data());
    }
  }

  // Adds the rows to the histograms of rule r.
  void count_leads(std::size_t r, std::span<const std::int64_t> units,
                   std::span<std::int64_t> sums) {
    const GainScale& gains = layout_.scale();
    without_rule(class_.data(), static_cast<int>(r), static_cast<int>(gains.bins()), leader_.data(),
                 best_class_.data(), second_class_.data(), best_.data(), second_.data(),
                 against_.data(), start_.data());
    const std::size_t length = base_.rules[r].conditions.size();
    for (std::size_t p = 0; p <= length; ++p) {
      if (p < length && length == 1) continue;  // no condition would be left
      rules_.join_steps(r, p, cost_);
      leads_of(against_.data(), cost_.data(), gains.offset(), static_cast<float>(gains.bins() - 1),
               lead_.data());
      std::size_t reached = 0;
      for (std::size_t i = 0; i < block; ++i) {
        reached_[reached] = static_cast<std::uint32_t>(i);
        reached += lead_[i] >= 1 ? 1 : 0;
      }
      std::int64_t* const histogram = sums.data() + layout_.histogram(r, p);
      for (std::size_t k = 0; k < reached; ++k) {
        const std::size_t i = reached_[k];
        histogram[static_cast<std::size_t>(start_[i]) + static_cast<std::size_t>(lead_[i])] +=
            units.empty() ? 1 : units[i];
      }
    }
  }

  const RuleBase& base_;
  const RuleScoreLayout& layout_;
  double margin_;
  RuleBlock rules_;
  BorderCounter borders_;
  // Per row of the block; reached_: the rows that some weight reaches.
  Block best_, second_, right_, wrong_, cost_, against_, lead_;
  std::vector<int> class_, leader_, best_class_, second_class_, start_;
  std::vector<std::uint32_t> reached_;
};

}  // namespace

RuleScoreLayout::RuleScoreLayout(const RuleBase& base, double margin, std::size_t trials)
    : scale_(base.classes.size(), margin), classes_(base.classes.size()), trials_(trials) {
  for (const Rule& rule : base.rules) {
    first_.push_back(histograms_);
    histograms_ += rule.conditions.size() + 1;
  }
}

std::vector<std::int64_t> rule_score_sums(const RuleBase& base, std::span<const BorderTrial> trials,
                                          double margin, const ColumnMap& map,
                                          std::span<const int> classes,
                                          std::span<const std::int64_t> units, int threads) {
  const RuleScoreLayout layout(base, margin, trials.size());
  // Each task has separate sums, so there are few tasks of many rows.
  const std::size_t tasks =
      std::clamp<std::size_t>(classes.size() / (32 * block), 1, thread_count(threads));
  const std::size_t blocks = (classes.size() + block - 1) / block;
  std::vector<std::vector<std::int64_t>> sums(tasks);
  parallel_for(threads, tasks, [&](std::size_t task) {
    RuleScoreCounter counter(base, trials, layout, margin, map);
    sums[task].assign(layout.size(), 0);
    for (std::size_t b = task * blocks / tasks; b < (task + 1) * blocks / tasks; ++b) {
      const std::size_t from = b * block, count = std::min(block, classes.size() - from);
      counter.add(from, classes.subspan(from, count),
                  units.empty() ? units : units.subspan(from, count), sums[task]);
    }
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t i = 0; i < layout.size(); ++i) sums[0][i] += sums[task][i];
  }
  return std::move(sums[0]);
}

}  // namespace frr::internal
