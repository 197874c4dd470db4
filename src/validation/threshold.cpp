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

}  // namespace

ChosenThreshold choose_threshold(const PositiveProbabilities& rows, TargetMeasure measure,
                                 double wanted) {
  const std::vector<Cut> all = cuts(rows);
  const double positives = all.back().right, negatives = all.back().wrong;
  if (!(positives > 0) || !(negatives > 0)) {
    fail_data(
        std::string("a threshold is chosen on rows of the positive class and of others, but ") +
        (positives > 0 ? "all rows are" : "no row is") +
        " of the positive class. Give more data, or a --threshold");
  }
  // Sums of weights that should be equal may differ by rounding errors.
  constexpr double rounding = 1e-12;
  const auto sensitivity = [&](const Cut& cut) { return cut.right / positives; };
  const auto specificity = [&](const Cut& cut) { return (negatives - cut.wrong) / negatives; };
  const bool for_sensitivity = measure == TargetMeasure::sensitivity;
  std::size_t chosen = for_sensitivity ? 1 : 0;
  if (for_sensitivity) {
    while (sensitivity(all[chosen]) < wanted - rounding) ++chosen;
  } else {
    while (chosen + 2 < all.size() && specificity(all[chosen + 1]) >= wanted - rounding) ++chosen;
  }
  const bool last = chosen + 1 == all.size();
  const double threshold = middle(last ? 0 : all[chosen + 1].probability, all[chosen].probability);
  // Only if rows on one side have a probability of exactly 0 or 1.
  if (!(threshold > 0 && threshold < 1)) {
    fail_unreachable(measure, wanted,
                     for_sensitivity ? sensitivity(all[chosen - 1]) : specificity(all[1]));
  }
  return {.threshold = threshold,
          .sensitivity = sensitivity(all[chosen]),
          .specificity = specificity(all[chosen]),
          .all = last,
          .none = chosen == 0};
}

}  // namespace frr::internal
