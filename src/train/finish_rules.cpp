#include "train/finish_rules.hpp"

#include <algorithm>
#include <charconv>

namespace frr::internal {
namespace {

// Rules that decide no training row are useless to a reader. Returns whether there were any.
bool drop_idle_rules(RuleBase& base) {
  return std::erase_if(base.rules, [](const Rule& rule) { return rule.statistics.rows() == 0; }) >
         0;
}

// By class, then by the rows they decide: the order in which people read them. Returns whether the
// order changed.
bool order_rules(RuleBase& base) {
  const auto before = [](const Rule& x, const Rule& y) {
    if (x.then != y.then) return x.then < y.then;
    return x.statistics.rows() > y.statistics.rows();
  };
  if (std::is_sorted(base.rules.begin(), base.rules.end(), before)) return false;
  std::stable_sort(base.rules.begin(), base.rules.end(), before);
  return true;
}

// Only the ratios of weights count, and a rule of weight 0.03 looks weak, so the largest becomes 1.
// Ten digits distinguish any two rules and are short to read. Returns whether a weight changed.
bool scale_weights(RuleBase& base) {
  bool changed = false;
  double most = 0;
  for (const Rule& rule : base.rules) most = std::max(most, rule.weight);
  for (Rule& rule : base.rules) {
    char text[32];
    const auto written =
        std::to_chars(text, text + sizeof text, rule.weight / most, std::chars_format::general, 10);
    const double old = rule.weight;
    std::from_chars(text, written.ptr, rule.weight);
    changed = changed || rule.weight != old;
  }
  return changed;
}

}  // namespace

void finish_rules(RuleBase& base, const std::function<void(RuleBase&)>& count,
                  const Settings& settings, Control& control) {
  if (settings.polish && settings.semantics == Semantics::sufficient) {
    scale_weights(base);
    // Among equal scores the first rule decides, so a new order may leave some rules idle.
    do {
      count(base);
      if (order_rules(base)) count(base);
    } while (drop_idle_rules(base));
    if (scale_weights(base)) count(base);  // the heaviest may have been idle
  } else {
    count(base);
  }
  double right = base.otherwise_statistics.class_rows[static_cast<std::size_t>(base.otherwise)];
  for (const Rule& rule : base.rules) {
    right += rule.statistics.class_rows[static_cast<std::size_t>(rule.then)];
  }
  base.summary.train_accuracy = 100 * right / static_cast<double>(base.summary.rows);
  if (base.rules.empty()) {
    base.summary.notes.push_back(
        "no rule was worth its conditions: the model always gives '" +
        base.classes[static_cast<std::size_t>(base.otherwise)] +
        "'. Try --class-weight balanced if a class is rare, or a lower --price");
  }
  control.report(Progress::Stage::done, 1);
}

}  // namespace frr::internal
