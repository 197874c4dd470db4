#include "rows/refit_on_all_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "search/search.hpp"

namespace frr::internal {
namespace {

double total(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// ---- Changes ------------------------------------------------------------------------------------

struct Change {
  enum class Kind { replaced, dropped, moved } kind = Kind::replaced;
  std::size_t rule = 0;
  Rule to = {};             // replaced: the new rule
  BorderTrial border = {};  // moved: the new place
  double gain = 0;
};

int step_of(double weight) {
  return std::clamp(static_cast<int>(std::lround(-steps_of_weight(weight))), 0, weight_steps - 1);
}

// A change must gain more than rounding can, and the move of a border, which costs another pass
// over all rows, at least this share of them.
constexpr double least = 1e-3;
constexpr double least_share = 5e-5;

class Refit {
 public:
  Refit(RuleBase& base, const RefitInput& input, const Settings& settings, Control& control)
      : base_(base), input_(input), settings_(settings), control_(control) {}

  void run() {
    constexpr int most_passes = 5;
    std::vector<Change> tried;
    RuleBase best;
    double most = -HUGE_VAL;
    for (int pass = 0; pass < most_passes; ++pass) {
      control_.report(Progress::Stage::polish, 0.95);
      if (pass > 0 && control_.out_of_time()) break;
      const bool last = pass + 1 == most_passes;  // only checks the last changes
      trials_.clear();
      if (settings_.tune && !last) trials_ = border_trials(base_, input_.values);
      const RuleScoreLayout places(base_, settings_.margin, trials_.size());
      read(places);
      const double value = objective(places);
      if (value > most + (pass == 0 ? 0 : least)) {
        most = value;
        best = base_;
        tried = changes(places);
        const int otherwise = best_otherwise(places);
        if (tried.empty() && otherwise == base_.otherwise) return;
        base_.otherwise = otherwise;
      } else {
        if (tried.size() < 2) break;
        tried.resize(tried.size() / 2);
        base_ = best;
      }
      apply(tried);
    }
    base_ = best;
  }

 private:
  // Scales the sums so that the mean weight of a row is 1.
  void read(const RuleScoreLayout& places) {
    const std::vector<std::int64_t> sums = input_.rule_scores(base_, trials_);
    const std::size_t classes = base_.classes.size();
    double weighted = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      weighted += input_.class_weights[c] * static_cast<double>(sums[places.all() + c]);
    }
    const double unit = total(input_.class_rows) / weighted;
    weights_.assign(classes, 0);
    for (std::size_t c = 0; c < classes; ++c) weights_[c] = unit * input_.class_weights[c];
    if (settings_.class_weight == ClassWeight::balanced) balance(sums, places);
    sums_.resize(sums.size());
    const std::size_t bins = places.scale().bins();
    for (std::size_t i = 0; i < places.all(); ++i) {
      sums_[i] = static_cast<double>(sums[i]) * weights_[i / (2 * bins) % classes];
    }
    for (std::size_t i = places.all(); i < sums.size(); ++i) {
      sums_[i] = static_cast<double>(sums[i]) * weights_[(i - places.all()) % classes];
    }
    rows_ = total(by_class(places.all()));
  }

  void balance(const std::vector<std::int64_t>& sums, const RuleScoreLayout& places) {
    std::vector<double> by_class;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      by_class.push_back(weights_[c] * static_cast<double>(sums[places.all() + c]));
    }
    const ClassBalance classes(by_class);
    for (std::size_t c = 0; c < weights_.size(); ++c)
      weights_[c] = classes.balanced(weights_[c], c);
  }

  [[nodiscard]] std::span<const double> by_class(std::size_t first) const {
    return std::span(sums_).subspan(first, base_.classes.size());
  }

  [[nodiscard]] double price() const { return condition_price(settings_, rows_); }

  [[nodiscard]] double objective(const RuleScoreLayout& places) const {
    return total(by_class(places.right())) / degree_units -
           price() * static_cast<double>(base_.size());
  }

  [[nodiscard]] int best_otherwise(const RuleScoreLayout& places) const {
    return choose_otherwise_class(by_class(places.uncovered()), input_.class_rows);
  }

  [[nodiscard]] std::vector<Change> changes(const RuleScoreLayout& places) const {
    std::vector<Change> found;
    for (std::size_t r = 0; settings_.polish && r < base_.rules.size(); ++r) {
      const Change change = best_change(places, r);
      if (change.gain > least) found.push_back(change);
    }
    for (std::size_t t = 0; t < trials_.size();) {
      const Change change = best_move(places, t);
      if (change.gain > least_share * rows_) found.push_back(change);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Change& x, const Change& y) { return x.gain > y.gain; });
    return found;
  }

  [[nodiscard]] Change best_change(const RuleScoreLayout& places, std::size_t r) const {
    const Rule& rule = base_.rules[r];
    const std::size_t length = rule.conditions.size();
    const GainScale& scale = places.scale();
    std::vector<float> counts(scale.size());
    Change best{.kind = Change::Kind::replaced, .rule = r, .to = rule};
    double now = 0;
    for (std::size_t p = length + 1; p-- > 0;) {
      const std::size_t left = p == length ? length : length - 1;
      if (left == 0) break;
      std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(places.histogram(r, p)),
                  counts.size(), counts.begin());
      const double cost = price() * static_cast<double>(left);
      if (p == length) now = scale.gain(counts.data(), rule.then, step_of(rule.weight)) - cost;
      const Valuation value = scale.best(counts.data());
      const double gain = value.gain - cost - now;
      if (gain <= best.gain + least) continue;
      Rule changed = rule;
      changed.then = value.then;
      changed.weight = score_of_steps(-value.step);
      if (p < length)
        changed.conditions.erase(changed.conditions.begin() + static_cast<std::ptrdiff_t>(p));
      best = {.kind = Change::Kind::replaced, .rule = r, .to = std::move(changed), .gain = gain};
    }
    if (-now > best.gain + least || (now <= 0 && best.gain + now <= 0))
      best = {Change::Kind::dropped, r, {}, {}, std::max(-now, 2 * least)};
    return best;
  }

  // The best move of the border whose trials begin at `t`; moves `t` to the next border's trials.
  [[nodiscard]] Change best_move(const RuleScoreLayout& places, std::size_t& t) const {
    const BorderTrial& first = trials_[t];
    std::size_t best = t;
    double most = 0;
    for (; t < trials_.size() && trials_[t].feature == first.feature &&
           trials_[t].border == first.border;
         ++t) {
      const double gain =
          total(by_class(places.borders() + t * base_.classes.size())) / degree_units;
      if (gain > most) most = gain, best = t;
    }
    return {.kind = Change::Kind::moved, .border = trials_[best], .gain = most};
  }

  void apply(std::vector<Change> changes) {
    std::vector<std::size_t> dropped;
    for (Change& change : changes) {
      if (change.kind == Change::Kind::moved) move_border(base_, change.border);
      if (change.kind == Change::Kind::dropped) dropped.push_back(change.rule);
      if (change.kind == Change::Kind::replaced) base_.rules[change.rule] = std::move(change.to);
    }
    // From the last one on, so that the indices of the others stay valid.
    std::sort(dropped.rbegin(), dropped.rend());
    for (const std::size_t rule : dropped) {
      base_.rules.erase(base_.rules.begin() + static_cast<std::ptrdiff_t>(rule));
    }
  }

  RuleBase& base_;
  const RefitInput& input_;
  const Settings& settings_;
  Control& control_;
  std::vector<BorderTrial> trials_;
  std::vector<double> sums_, weights_;
  double rows_ = 0;  // weighted
};

}  // namespace

void refit_on_all_rows(RuleBase& base, const RefitInput& input, const Settings& settings,
                       Control& control) {
  Refit(base, input, settings, control).run();
}

}  // namespace frr::internal
