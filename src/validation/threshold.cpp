#include "validation/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

// What a threshold between the probability and the next lower one predicts as positive.
struct Cut {
  double probability;
  double right, wrong;  // weight of the rows of the positive class, and of the others
};

// The first cut, above all probabilities, predicts no row as positive; the last one all.
std::vector<Cut> cuts(const PositiveProbabilities& rows) {
  const auto weight = [&](std::size_t i) { return rows.weights.empty() ? 1 : rows.weights[i]; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.probabilities.size(); ++i) {
    if (weight(i) > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t x, std::size_t y) {
    return rows.probabilities[x] > rows.probabilities[y];
  });
  std::vector<Cut> result = {{1, 0, 0}};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double probability = rows.probabilities[order[k]];
    if (k == 0 || probability != result.back().probability) {
      result.push_back({probability, result.back().right, result.back().wrong});
    }
    Cut& cut = result.back();
    (rows.positive[order[k]] != 0 ? cut.right : cut.wrong) += weight(order[k]);
  }
  return result;
}

// The number with the fewest digits in the middle half of the interval.
double middle(double low, double high) {
  const double center = low + (high - low) / 2, quarter = (high - low) / 4;
  double unit = 1;
  for (int digits = 1; digits <= 15; ++digits) {
    unit *= 10;
    const double rounded = std::round(center * unit) / unit;
    if (rounded > center - quarter && rounded < center + quarter) return rounded;
  }
  return center > low ? center : high;
}

std::string percent(double fraction) { return shortest(std::round(fraction * 1e4) / 100) + " %"; }

[[noreturn]] void fail_unreachable(TargetMeasure measure, double wanted, double best) {
  const std::string name = measure == TargetMeasure::sensitivity ? "sensitivity" : "specificity";
  fail_data("no threshold reaches a " + name + " of " + percent(wanted) + ": the best is " +
            percent(best) + ". Ask for less, or give a --threshold");
}

// Sums of weights that should be equal may differ by rounding errors.
constexpr double rounding = 1e-12;

// The cuts of some rows, and the rates that they give.
class Cuts {
 public:
  explicit Cuts(const PositiveProbabilities& rows) : cuts_(cuts(rows)) {
    const double positives = cuts_.back().right, negatives = cuts_.back().wrong;
    if (positives > 0 && negatives > 0) return;
    fail_data(
        std::string("a threshold is chosen on rows of the positive class and of others, but ") +
        (positives > 0 ? "all rows are" : "no row is") +
        " of the positive class. Give more data, or a --threshold");
  }

  [[nodiscard]] std::size_t size() const { return cuts_.size(); }
  [[nodiscard]] double sensitivity(std::size_t cut) const {
    return cuts_[cut].right / cuts_.back().right;
  }
  [[nodiscard]] double specificity(std::size_t cut) const {
    return (cuts_.back().wrong - cuts_[cut].wrong) / cuts_.back().wrong;
  }
  [[nodiscard]] double rate(std::size_t cut, TargetMeasure measure) const {
    return measure == TargetMeasure::sensitivity ? sensitivity(cut) : specificity(cut);
  }

  // The best cut that reaches `wanted`: it predicts a row of the one kind as it is, and otherwise
  // as few rows as possible of the other kind wrongly.
  [[nodiscard]] std::size_t reaching(TargetMeasure measure, double wanted) const {
    const std::size_t last = size() - 1;
    if (measure == TargetMeasure::sensitivity) {
      std::size_t cut = 1;
      while (cut < last && sensitivity(cut) < wanted - rounding) ++cut;
      return cut;
    }
    std::size_t cut = last - 1;
    while (cut > 0 && specificity(cut) < wanted - rounding) --cut;
    return cut;
  }
  [[nodiscard]] double threshold(std::size_t cut) const {
    return middle(cut + 1 < size() ? cuts_[cut + 1].probability : 0, cuts_[cut].probability);
  }

 private:
  std::vector<Cut> cuts_;
};

// Weight of the rows that the measure is about, and of those of them that are predicted correctly.
struct Correct {
  double all = 0, right = 0;
};

void count(const PositiveProbabilities& rows, TargetMeasure measure, double threshold,
           Correct& correct) {
  const bool sensitivity = measure == TargetMeasure::sensitivity;
  for (std::size_t i = 0; i < rows.probabilities.size(); ++i) {
    if ((rows.positive[i] != 0) != sensitivity) continue;
    const double weight = rows.weights.empty() ? 1 : rows.weights[i];
    correct.all += weight;
    if ((rows.probabilities[i] >= threshold) == sensitivity) correct.right += weight;
  }
}

}  // namespace

ChosenThreshold choose_threshold(const PositiveProbabilities& rows, TargetMeasure measure,
                                 double wanted) {
  const Cuts all(rows);
  const bool for_sensitivity = measure == TargetMeasure::sensitivity;
  const std::size_t chosen = all.reaching(measure, wanted);
  const double threshold = all.threshold(chosen);
  // Only if a row has a probability of exactly 0 or 1.
  if (!(threshold > 0 && threshold < 1)) {
    fail_unreachable(measure, wanted, all.rate(for_sensitivity ? chosen - 1 : chosen + 1, measure));
  }
  return {.threshold = threshold,
          .sensitivity = all.sensitivity(chosen),
          .specificity = all.specificity(chosen)};
}

TargetLevel choose_level(std::span<const FoldProbabilities> folds, TargetMeasure measure,
                         double wanted) {
  std::vector<Cuts> seen;
  std::vector<double> levels;
  for (const FoldProbabilities& fold : folds) {
    const Cuts& cuts = seen.emplace_back(fold.seen);
    for (std::size_t cut = 0; cut < cuts.size(); ++cut) levels.push_back(cuts.rate(cut, measure));
  }
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  levels.push_back(2);
  const auto reached = [&](double level) {
    Correct correct;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      count(folds[f].unseen, measure, seen[f].threshold(seen[f].reaching(measure, level)), correct);
    }
    return correct.all > 0 ? correct.right / correct.all : 1;
  };
  const auto chosen = std::ranges::partition_point(
      levels, [&](double level) { return reached(level) < wanted - rounding; });
  const double level = chosen == levels.end() ? levels.back() : *chosen;
  return {.level = level, .reached = reached(level)};
}

}  // namespace frr::internal
