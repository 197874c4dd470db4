#include "settle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "kernel.hpp"
#include "parallel.hpp"
#include "search.hpp"
#include "search_kernel.hpp"

namespace frr {
namespace {

// Rows that are looked at together. Buffers are always filled up to it, so that every row goes
// through the same vector code and its costs do not depend on where its block begins.
constexpr std::size_t block = 1024;
using Block = std::vector<float>;

double total(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// ---- A block of rows ----------------------------------------------------------------------------
//
// Without branches and of a fixed length, for vector code. Nothing here is rounded in another way
// by another processor: there is no product.

// Of each row the best rule (the first of equals), the best of the others, and the best of those
// that are right and of those that are wrong.
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

// What the cost of rule `number` is compared with, and the place of the histogram that the row
// belongs to: by its class and by whether the other rules are right.
FRR_MULTIVERSION void without_rule(const int* __restrict classes, int number, int bins,
                                   const int* __restrict leader, const int* __restrict best_class,
                                   const int* __restrict second_class, const float* __restrict best,
                                   const float* __restrict second, float* __restrict against,
                                   int* __restrict start) {
  for (std::size_t i = 0; i < block; ++i) {
    const bool own = leader[i] == number;
    const float others = own ? second[i] : best[i];
    const int other_class = own ? second_class[i] : best_class[i];
    const float most = -others < 1e6F ? -others : 1e6F;
    against[i] = classes[i] < 0 ? -never : most;
    start[i] = (2 * classes[i] + (other_class == classes[i] ? 1 : 0)) * bins;
  }
}

FRR_MULTIVERSION void leads_of(const float* __restrict against, const float* __restrict cost,
                               float offset, float last, float* __restrict lead) {
  for (std::size_t i = 0; i < block; ++i) {
    const float own = against[i] - cost[i] + offset;
    lead[i] = own < last ? own : last;
  }
}

// ---- Sums over rows -----------------------------------------------------------------------------

// Costs of the labels that rules read, scores of the rules, and from them the sums.
class WorthCounter {
 public:
  WorthCounter(const RuleBase& base, const WorthSums& places, double margin, const Binding& binding)
      : base_(base),
        places_(places),
        margin_(margin),
        binding_(binding),
        scale_(base.tnorm, base.root),
        numbers_(block) {
    std::unordered_map<std::size_t, std::size_t> known;
    for (const Rule& rule : base.rules) {
      std::vector<std::size_t> own;
      for (const Condition& condition : rule.conditions) {
        const std::size_t key = static_cast<std::size_t>(condition.feature) * 100000 +
                                static_cast<std::size_t>(condition.label);
        const auto [place, is_new] = known.emplace(key, labels_.size());
        if (is_new) labels_.push_back(condition);
        own.push_back(place->second);
      }
      rule_labels_.push_back(std::move(own));
      weights_.push_back(steps_of_weight(rule.weight));
    }
    costs_.assign(labels_.size(), Block(block));
    scores_.assign(base.rules.size(), Block(block));
    for (Block* own : {&best_, &second_, &right_, &wrong_, &cost_, &against_, &lead_}) {
      own->resize(block);
    }
    for (auto* own : {&class_, &leader_, &best_class_, &second_class_, &start_}) own->resize(block);
    reached_.resize(block + 1);
  }

  void add(std::size_t from, std::size_t count, std::span<const int> classes,
           std::span<const std::int64_t> units, std::span<std::int64_t> sums) {
    for (std::size_t d = 0; d < labels_.size(); ++d) fill_costs(labels_[d], from, count, costs_[d]);
    for (std::size_t r = 0; r < scores_.size(); ++r) fill_score(r);
    rank_rules(classes);
    for (std::size_t i = 0; i < count; ++i) {
      if (classes[i] < 0) continue;
      const auto y = static_cast<std::size_t>(classes[i]);
      const std::int64_t unit = units.empty() ? 1 : units[i];
      sums[places_.all() + y] += unit;
      if (best_[i] == -never) sums[places_.uncovered() + y] += unit;
      const double degree =
          degree_right(right_[i], wrong_[i], base_.otherwise == classes[i], margin_);
      sums[places_.right() + y] += unit * std::llrint(degree * degree_units);
    }
    for (std::size_t r = 0; r < scores_.size(); ++r) count_leads(r, units, sums);
  }

 private:
  void fill_costs(const Condition& condition, std::size_t from, std::size_t count, Block& costs) {
    const auto feature = static_cast<std::size_t>(condition.feature);
    const Label& label =
        base_.partition.features[feature].labels[static_cast<std::size_t>(condition.label)];
    const ColumnView& column = binding_.column(condition.feature);
    std::fill(costs.begin(), costs.end(), 1.0F);
    if (label.kind == LabelKind::missing) {
      for (std::size_t i = 0; i < count; ++i) costs[i] = column.is_missing(from + i) ? 1.0F : 0.0F;
    } else if (column.type == ColumnType::categorical) {
      const std::span<const int> labels = binding_.category_labels(condition.feature);
      for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t code = column.codes[from + i];
        const bool is = code != Column::missing_code &&
                        labels[static_cast<std::size_t>(code)] == condition.label;
        costs[i] = is ? 1.0F : 0.0F;
      }
    } else {
      column.numbers.copy_block(from, count, numbers_.data());
      for (std::size_t i = 0; i < count; ++i) {
        costs[i] =
            label.kind == LabelKind::range ? static_cast<float>(label.shape(numbers_[i])) : 0;
      }
    }
    if (scale_.linear()) {
      costs_of(costs, scale_.factor());
    } else {
      for (float& x : costs) x = scale_.cost(x);
    }
  }

  // The joined cost of a rule without the condition at p.
  void join(std::size_t rule, std::size_t without, Block& cost) const {
    std::fill(cost.begin(), cost.end(), 0.0F);
    const std::vector<std::size_t>& labels = rule_labels_[rule];
    for (std::size_t p = 0; p < labels.size(); ++p) {
      if (p == without) continue;
      const Block& own = costs_[labels[p]];
      if (scale_.additive()) {
        for (std::size_t i = 0; i < block; ++i) cost[i] += own[i];
      } else {
        for (std::size_t i = 0; i < block; ++i) cost[i] = std::max(cost[i], own[i]);
      }
    }
    if (!scale_.linear()) {
      for (float& x : cost) x = scale_.steps(x);
    }
  }

  void fill_score(std::size_t r) {
    Block& score = scores_[r];
    join(r, rule_labels_[r].size(), score);
    for (float& x : score) x = weights_[r] - x;
  }

  void rank_rules(std::span<const int> classes) {
    for (Block* own : {&best_, &second_, &right_, &wrong_}) {
      std::fill(own->begin(), own->end(), -never);
    }
    std::fill(leader_.begin(), leader_.end(), -1);
    std::fill(best_class_.begin(), best_class_.end(), base_.otherwise);
    std::fill(second_class_.begin(), second_class_.end(), base_.otherwise);
    std::copy(classes.begin(), classes.end(), class_.begin());
    std::fill(class_.begin() + static_cast<std::ptrdiff_t>(classes.size()), class_.end(), -1);
    for (std::size_t r = 0; r < scores_.size(); ++r) {
      rank_rule(scores_[r].data(), class_.data(), static_cast<int>(r), base_.rules[r].then,
                leader_.data(), best_class_.data(), second_class_.data(), best_.data(),
                second_.data(), right_.data(), wrong_.data());
    }
  }

  // Adds the rows to the histograms of rule r.
  void count_leads(std::size_t r, std::span<const std::int64_t> units,
                   std::span<std::int64_t> sums) {
    const GainScale& gains = places_.scale();
    without_rule(class_.data(), static_cast<int>(r), static_cast<int>(gains.bins()), leader_.data(),
                 best_class_.data(), second_class_.data(), best_.data(), second_.data(),
                 against_.data(), start_.data());
    const std::size_t length = rule_labels_[r].size();
    for (std::size_t p = 0; p <= length; ++p) {
      if (p < length && length == 1) continue;  // no rule is left
      join(r, p, cost_);
      leads_of(against_.data(), cost_.data(), gains.offset(), static_cast<float>(gains.bins() - 1),
               lead_.data());
      std::size_t reached = 0;
      for (std::size_t i = 0; i < block; ++i) {
        reached_[reached] = static_cast<std::uint32_t>(i);
        reached += lead_[i] >= 1 ? 1 : 0;
      }
      std::int64_t* const own = sums.data() + places_.histogram(r, p);
      for (std::size_t k = 0; k < reached; ++k) {
        const std::size_t i = reached_[k];
        own[static_cast<std::size_t>(start_[i]) + static_cast<std::size_t>(lead_[i])] +=
            units.empty() ? 1 : units[i];
      }
    }
  }

  const RuleBase& base_;
  const WorthSums& places_;
  double margin_;
  const Binding& binding_;
  CostScale scale_;
  std::vector<Condition> labels_;
  std::vector<std::vector<std::size_t>> rule_labels_;  // per rule: into labels_
  std::vector<float> weights_;                         // per rule, in steps
  std::vector<Block> costs_, scores_;
  // Of the rows of a block; reached_: those with a lead.
  Block best_, second_, right_, wrong_, cost_, against_, lead_;
  std::vector<double> numbers_;
  std::vector<int> class_, leader_, best_class_, second_class_, start_;
  std::vector<std::uint32_t> reached_;
};

// ---- Changes ------------------------------------------------------------------------------------

struct Change {
  std::size_t rule = 0;
  std::optional<Rule> to;  // nothing: the rule goes
  double gain = 0;
};

double weight_of(int step) { return std::pow(1.25, -step); }
int step_of(double weight) {
  return std::clamp(static_cast<int>(std::lround(-steps_of_weight(weight))), 0, weight_steps - 1);
}

// A change must earn more than rounding can.
constexpr double least = 1e-3;

class Settling {
 public:
  Settling(RuleBase& base, const SettleInput& input, const Settings& settings, Control& control)
      : base_(base), input_(input), settings_(settings), control_(control) {}

  void run() {
    constexpr int most_passes = 8;
    std::vector<Change> tried;
    RuleBase best;
    double most = -HUGE_VAL;
    for (int pass = 0; pass < most_passes; ++pass) {
      control_.report(Progress::Stage::polish, 0.95);
      if (pass > 0 && control_.out_of_time()) break;
      const WorthSums places(base_, settings_.margin);
      read(places);
      const double worth = objective(places);
      if (worth > most + (pass == 0 ? 0 : least)) {
        most = worth;
        best = base_;
        tried = settings_.polish ? changes(places) : std::vector<Change>();
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
  // Sums in rows that weigh 1 in the mean.
  void read(const WorthSums& places) {
    const std::vector<std::int64_t> sums = input_.sums(base_);
    if (sums.size() != places.size())
      throw Error(ErrorKind::internal, "shards gave sums of another size");
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
  }

  void balance(const std::vector<std::int64_t>& sums, const WorthSums& places) {
    std::vector<double> by_class;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      by_class.push_back(weights_[c] * static_cast<double>(sums[places.all() + c]));
    }
    const auto present = static_cast<double>(
        std::count_if(by_class.begin(), by_class.end(), [](double x) { return x > 0; }));
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      if (by_class[c] > 0) weights_[c] *= total(by_class) / (present * by_class[c]);
    }
  }

  [[nodiscard]] std::span<const double> by_class(std::size_t first) const {
    return std::span(sums_).subspan(first, base_.classes.size());
  }

  [[nodiscard]] double price() const {
    return settings_.price + settings_.price_rate * total(by_class(sums_.size() - 3 * classes()));
  }
  [[nodiscard]] std::size_t classes() const { return base_.classes.size(); }

  [[nodiscard]] double objective(const WorthSums& places) const {
    return total(by_class(places.right())) / degree_units -
           price() * static_cast<double>(base_.size());
  }

  [[nodiscard]] int best_otherwise(const WorthSums& places) const {
    const auto uncovered = by_class(places.uncovered());
    const std::span<const double> count =
        total(uncovered) > 0 ? uncovered : std::span<const double>(input_.class_rows);
    return static_cast<int>(std::max_element(count.begin(), count.end()) - count.begin());
  }

  [[nodiscard]] std::vector<Change> changes(const WorthSums& places) const {
    std::vector<Change> found;
    for (std::size_t r = 0; r < base_.rules.size(); ++r) {
      const Change own = best_change(places, r);
      if (own.gain > least) found.push_back(own);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Change& x, const Change& y) { return x.gain > y.gain; });
    return found;
  }

  [[nodiscard]] Change best_change(const WorthSums& places, std::size_t r) const {
    const Rule& rule = base_.rules[r];
    const std::size_t length = rule.conditions.size();
    const GainScale& scale = places.scale();
    std::vector<float> counts(scale.size());
    Change best{r, rule, 0};
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
      changed.weight = weight_of(value.step);
      if (p < length)
        changed.conditions.erase(changed.conditions.begin() + static_cast<std::ptrdiff_t>(p));
      best = {r, std::move(changed), gain};
    }
    if (-now > best.gain + least || (now <= 0 && best.gain + now <= 0))
      best = {r, std::nullopt, std::max(-now, 2 * least)};
    return best;
  }

  void apply(std::vector<Change> changes) {
    std::vector<std::size_t> gone;
    for (Change& change : changes) {
      if (change.to) {
        base_.rules[change.rule] = std::move(*change.to);
      } else {
        gone.push_back(change.rule);
      }
    }
    // From behind, so that the others keep their places.
    std::sort(gone.rbegin(), gone.rend());
    for (const std::size_t rule : gone) {
      base_.rules.erase(base_.rules.begin() + static_cast<std::ptrdiff_t>(rule));
    }
  }

  RuleBase& base_;
  const SettleInput& input_;
  const Settings& settings_;
  Control& control_;
  std::vector<double> sums_, weights_;
};

}  // namespace

std::int64_t weight_units(double weight, double most) {
  if (!(weight > 0)) return 0;
  int exponent = 0;
  std::frexp(most, &exponent);
  return std::max<std::int64_t>(1, std::llround(std::ldexp(weight, 16 - exponent)));
}

WorthSums::WorthSums(const RuleBase& base, double margin)
    : scale_(base.classes.size(), margin), classes_(base.classes.size()) {
  std::size_t histograms = 0;
  for (const Rule& rule : base.rules) {
    first_.push_back(histograms);
    histograms += rule.conditions.size() + 1;
  }
  size_ = histograms * scale_.size() + 3 * classes_;
}

std::vector<std::int64_t> worth_sums(const RuleBase& base, double margin, const Binding& binding,
                                     std::span<const int> classes,
                                     std::span<const std::int64_t> units, int threads) {
  const WorthSums places(base, margin);
  // Each task has sums of its own: few tasks, many rows each.
  const std::size_t tasks =
      std::clamp<std::size_t>(classes.size() / (32 * block), 1, thread_count(threads));
  const std::size_t blocks = (classes.size() + block - 1) / block;
  std::vector<std::vector<std::int64_t>> sums(tasks);
  parallel_for(threads, tasks, [&](std::size_t task) {
    WorthCounter counter(base, places, margin, binding);
    sums[task].assign(places.size(), 0);
    for (std::size_t b = task * blocks / tasks; b < (task + 1) * blocks / tasks; ++b) {
      const std::size_t from = b * block, count = std::min(block, classes.size() - from);
      counter.add(from, count, classes.subspan(from, count),
                  units.empty() ? units : units.subspan(from, count), sums[task]);
    }
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t i = 0; i < places.size(); ++i) sums[0][i] += sums[task][i];
  }
  return std::move(sums[0]);
}

void settle(RuleBase& base, const SettleInput& input, const Settings& settings, Control& control) {
  Settling(base, input, settings, control).run();
}

}  // namespace frr
