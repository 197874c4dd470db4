#include "polish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel.hpp"
#include "parallel.hpp"

namespace frr {
namespace {

// Neighbouring rows are counted in different copies, because adding twice in a row to one place
// makes the processor wait.
constexpr std::size_t histogram_copies = 4;

// Histogram of h over bins of one step, by class and by whether the others are right.
class Histogram {
 public:
  Histogram(std::size_t class_count, double margin)
      : classes_(class_count),
        reach_(static_cast<int>(std::ceil(margin))),
        bins_(static_cast<std::size_t>(weight_steps + 2 * reach_ + 2)),
        counts_(histogram_copies * bins_ * 2 * class_count),
        value_(bins_ + 1) {
    for (int x = -reach_ - 1; x <= reach_; ++x) {
      ramp_.push_back(margin > 0 ? std::clamp((x + margin) / (2 * margin), 0.0, 1.0)
                                 : (x > 0 ? 1.0 : 0.0));
    }
  }

  [[nodiscard]] std::size_t bins() const { return bins_; }
  // Row i goes to bin h_i + offset(), rounded down: bins are centred on whole steps, where h lies
  // whenever truths are 1, because weights are whole steps too. Without a margin a row is taken at
  // step k if h_i > k, so h is rounded up.
  [[nodiscard]] float offset() const {
    return static_cast<float>(reach_) + (reach_ > 0 ? 1.5F : 1.9999F);
  }
  [[nodiscard]] std::size_t copy_size() const { return bins_ * 2 * classes_; }
  float* counts() { return counts_.data(); }

  Valuation best() {
    Valuation result;
    result.gain = -HUGE_VAL;
    for (std::size_t copy = 1; copy < histogram_copies; ++copy) {
      for (std::size_t i = 0; i < copy_size(); ++i) counts_[i] += counts_[copy * copy_size() + i];
    }
    for (std::size_t c = 0; c < classes_; ++c) {
      for (std::size_t b = 0; b < bins_; ++b) {
        const float* count = counts_.data() + b * 2 * classes_;
        double value = count[2 * c] + count[2 * c + 1];
        for (std::size_t k = 0; k < classes_; ++k) value -= count[2 * k + 1];
        value_[b] = value;
      }
      value_[0] = 0;  // rows that no weight reaches
      consider(static_cast<int>(c), result);
    }
    return result;
  }

 private:
  // Sum over bins of value * ramp for each weight step; keeps the best and the middle of its
  // plateau.
  void consider(int then, Valuation& result) {
    const auto window = ramp_.size();
    double beyond = 0;
    for (std::size_t b = window; b < bins_; ++b) beyond += value_[b];
    int first = 0, last = -1;
    double top = -HUGE_VAL;
    for (int k = 0; k < weight_steps; ++k) {
      // Bin b is b - reach - 1 - k steps from this weight: the window starts at -reach - 1.
      const auto from = static_cast<std::size_t>(k);
      double gain = beyond;
      for (std::size_t w = 0; w < window; ++w) gain += value_[from + w] * ramp_[w];
      if (gain > top + 1e-6)
        top = gain, first = last = k;
      else if (gain >= top - 1e-6 && last == k - 1)
        last = k;
      if (from + window < bins_) beyond -= value_[from + window];
    }
    if (top > result.gain) result = {top, then, (first + last) / 2};
  }

  std::size_t classes_;
  int reach_;
  std::size_t bins_;
  std::vector<float> counts_;
  std::vector<double> value_, ramp_;
};

// key[i]: 2 * class + (others are right).
FRR_MULTIVERSION void fill_linear(const float* __restrict slack, const float* __restrict cost,
                                  const std::uint16_t* __restrict key,
                                  const float* __restrict weight, std::size_t n, float offset,
                                  float top, std::size_t stride, std::size_t copy,
                                  float* __restrict counts) {
  constexpr std::size_t piece = 256;
  std::int32_t bin[piece];
  for (std::size_t start = 0; start < n; start += piece) {
    const std::size_t count = std::min(piece, n - start);
    for (std::size_t i = 0; i < count; ++i) {
      const float h = slack[start + i] - cost[start + i] + offset;
      bin[i] = static_cast<std::int32_t>(std::min(std::max(h, 0.0F), top));
    }
    for (std::size_t i = 0; i < count; ++i) {
      float* part = counts + (i % histogram_copies) * copy;
      part[static_cast<std::size_t>(bin[i]) * stride + key[start + i]] += weight[start + i];
    }
  }
}

struct Candidate {
  Valuation value;
  double worth = -HUGE_VAL;  // gain minus price
  std::vector<std::size_t> labels;
};

class RulePolisher {
 public:
  RulePolisher(const Search& search, const Settings& settings, int threads)
      : search_(search), settings_(settings), threads_(threads) {}

  // Turns to rule r: what follows is relative to all other rules.
  void turn_to(std::size_t r) {
    const auto& rows = search_.rows();
    const std::size_t n = rows.classes.size();
    others_.resize(n);
    other_class_.resize(n);
    key_.resize(n);
    search_.best_of_others(r, others_, other_class_);
    for (std::size_t i = 0; i < n; ++i) {
      key_[i] = static_cast<std::uint16_t>(2 * rows.classes[i] +
                                           (other_class_[i] == rows.classes[i] ? 1 : 0));
    }
  }

  // The best rule within one change of `labels`. Deterministic: of equal worth the first in order
  // of position, then column.
  Candidate best(const std::vector<std::size_t>& labels) {
    Candidate best;
    best.worth = 0;
    const std::size_t length = labels.size();
    for (std::size_t skip = 0; skip <= length; ++skip) {
      const bool adding = skip == length;
      if (adding && length >= static_cast<std::size_t>(settings_.conditions)) break;
      std::vector<std::size_t> kept;
      for (std::size_t p = 0; p < length; ++p) {
        if (p != skip) kept.push_back(labels[p]);
      }
      set_base(kept);
      if (!adding && !kept.empty()) offer(best, value_column(nullptr, others_.size()), kept);
      extend(best, kept, adding ? length : skip);
    }
    return best;
  }

  // These labels with their best class and weight.
  SearchRule centred(const std::vector<std::size_t>& labels) {
    set_base(labels);
    const Valuation value = value_column(nullptr, others_.size());
    return {labels, value.then, std::pow(1.25, -value.step)};
  }

  // Worth of a rule with its own class and weight, by the ramp itself rather than by bins.
  double worth_of(const SearchRule& rule) {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    const std::size_t n = others_.size();
    base_.assign(n, 0.0F);
    for (const std::size_t d : rule.labels) {
      const auto own = search_.cost(d);
      for (std::size_t i = 0; i < n; ++i) base_[i] = scale.join(base_[i], own[i]);
    }
    const float weight = steps_of_weight(rule.weight);
    double gain = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float score = weight - scale.steps(base_[i]);
      const int change = (rows.classes[i] == rule.then ? 1 : 0) - (key_[i] & 1);
      if (score == -never || change == 0) continue;
      gain += change * static_cast<double>(rows.weights[i]) *
              degree_right(score, others_[i], false, search_.margin());
    }
    return gain - search_.price() * static_cast<double>(rule.labels.size());
  }

 private:
  void set_base(const std::vector<std::size_t>& kept) {
    const std::size_t n = others_.size();
    base_.assign(n, 0.0F);
    for (const std::size_t d : kept) {
      const auto cost = search_.cost(d);
      for (std::size_t i = 0; i < n; ++i) base_[i] = search_.scale().join(base_[i], cost[i]);
    }
    if (!search_.scale().linear()) return;
    // others = -never makes the slack infinite: always taken, as it should be, unless the base is
    // infinite too.
    for (std::size_t i = 0; i < n; ++i) {
      base_[i] = base_[i] == never ? -never : std::min(-others_[i], 1e6F) - base_[i];
    }
  }

  // Values the base joined with one more column (nullptr: the base alone) on the first n rows.
  Valuation value_column(const float* cost, std::size_t n) const {
    const auto& rows = search_.rows();
    Histogram histogram(rows.class_count, search_.margin());
    const float top = static_cast<float>(histogram.bins()) - 1;
    std::vector<float> none;
    if (search_.scale().linear()) {
      if (cost == nullptr) none.assign(n, 0.0F);
      fill_linear(base_.data(), cost == nullptr ? none.data() : cost, key_.data(),
                  rows.weights.data(), n, histogram.offset(), top, 2 * rows.class_count,
                  histogram.copy_size(), histogram.counts());
      return histogram.best();
    }
    for (std::size_t i = 0; i < n; ++i) {
      const float joined = cost == nullptr ? base_[i] : search_.scale().join(base_[i], cost[i]);
      const float steps = search_.scale().steps(joined);
      if (steps == never) continue;
      const float h = std::min(-others_[i], 1e6F) - steps + histogram.offset();
      const auto bin = static_cast<std::size_t>(std::clamp(h, 0.0F, top));
      histogram.counts()[bin * 2 * rows.class_count + key_[i]] += rows.weights[i];
    }
    return histogram.best();
  }

  void offer(Candidate& best, const Valuation& value, std::vector<std::size_t> labels) const {
    const double worth = value.gain - search_.price() * static_cast<double>(labels.size());
    if (worth > best.worth + 1e-6) best = {value, worth, std::move(labels)};
  }

  // Every label of a feature that `kept` does not use, put at `position`.
  void extend(Candidate& best, const std::vector<std::size_t>& kept, std::size_t position) {
    const Memberships& memberships = *search_.rows().memberships;
    std::vector<bool> used(memberships.features(), false);
    for (const std::size_t d : kept) used[memberships.feature_of(d)] = true;
    std::vector<std::size_t> columns;
    for (std::size_t d = 0; d < memberships.labels(); ++d) {
      if (!used[memberships.feature_of(d)]) columns.push_back(d);
    }
    screen(columns);
    const std::vector<Valuation> values = value_columns(columns, others_.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<std::size_t> labels = kept;
      labels.insert(labels.begin() + static_cast<std::ptrdiff_t>(position), columns[i]);
      offer(best, values[i], std::move(labels));
    }
  }

  // Leaves the quarter of the columns that does best on a quarter of the rows, where that saves
  // much: rows are in random order, so the first ones stand for all.
  void screen(std::vector<std::size_t>& columns) const {
    constexpr std::size_t few_columns = 16, few_rows = 2000, part = 4;
    if (columns.size() < few_columns || others_.size() < few_rows) return;
    const std::vector<Valuation> values = value_columns(columns, others_.size() / part);
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return values[x].gain > values[y].gain; });
    order.resize(std::max(few_columns / 2, columns.size() / part));
    std::sort(order.begin(), order.end());
    for (std::size_t& index : order) index = columns[index];
    columns = std::move(order);
  }

  [[nodiscard]] std::vector<Valuation> value_columns(std::span<const std::size_t> columns,
                                                     std::size_t n) const {
    std::vector<Valuation> values(columns.size());
    const std::size_t block = 8, blocks = (columns.size() + block - 1) / block;
    const bool worth_threads = columns.size() * n > 400000;
    parallel_for(worth_threads ? threads_ : 1, blocks, [&](std::size_t b) {
      for (std::size_t i = b * block; i < std::min(columns.size(), (b + 1) * block); ++i) {
        values[i] = value_column(search_.cost(columns[i]).data(), n);
      }
    });
    return values;
  }

  const Search& search_;
  const Settings& settings_;
  int threads_;
  std::vector<float> others_, base_;
  std::vector<int> other_class_;
  std::vector<std::uint16_t> key_;
};

SearchRule rule_of(const Candidate& candidate) {
  return {candidate.labels, candidate.value.then, std::pow(1.25, -candidate.value.step)};
}

}  // namespace

Valuation value_plainly(std::span<const float> lead, std::span<const int> classes,
                        std::span<const unsigned char> others_right, std::span<const float> weights,
                        std::size_t class_count, double margin) {
  Valuation best;
  best.gain = -HUGE_VAL;
  for (std::size_t c = 0; c < class_count; ++c) {
    for (int k = 0; k < weight_steps; ++k) {
      double gain = 0;
      for (std::size_t i = 0; i < lead.size(); ++i) {
        if (lead[i] == -never) continue;
        const double x = lead[i] - k;
        const double taken =
            margin > 0 ? std::clamp((x + margin) / (2 * margin), 0.0, 1.0) : (x > 0 ? 1.0 : 0.0);
        gain +=
            weights[i] * taken * ((classes[i] == static_cast<int>(c) ? 1 : 0) - others_right[i]);
      }
      if (gain > best.gain) best = {gain, static_cast<int>(c), k};
    }
  }
  return best;
}

bool polish(Search& search, const Settings& settings, Random& random, int threads,
            Control& control) {
  // A change must earn more than rounding can.
  constexpr double least = 1e-3;
  RulePolisher polisher(search, settings, threads);
  bool changed = false;
  for (int sweep = 0; sweep < settings.sweeps; ++sweep) {
    bool improved = false;
    std::vector<std::size_t> order(search.rules().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t r = order[position];
      control.report(Progress::Stage::polish, 0.6);
      if (control.out_of_time()) return changed;
      polisher.turn_to(r);
      const Candidate candidate = polisher.best(search.rules()[r].labels);
      const double now = polisher.worth_of(search.rules()[r]);
      const double then = candidate.labels.empty() ? 0.0 : polisher.worth_of(rule_of(candidate));
      if (now <= 0 && then <= 0) {
        search.erase(r);
        for (std::size_t& other : order) other -= other > r ? 1 : 0;
        improved = true;
      } else if (then > now + least) {
        search.replace(r, rule_of(candidate));
        improved = true;
      } else {
        // The others have moved since its weight was set: back to the middle of its plateau.
        const SearchRule centred = polisher.centred(search.rules()[r].labels);
        if (polisher.worth_of(centred) >= now) search.replace(r, centred);
      }
    }
    while (search.rules().size() < static_cast<std::size_t>(settings.rules)) {
      polisher.turn_to(search.rules().size());
      const Candidate candidate = polisher.best({});
      if (candidate.labels.empty() || polisher.worth_of(rule_of(candidate)) <= least) break;
      search.append(rule_of(candidate));
      improved = true;
    }
    const int before = search.otherwise();
    search.choose_otherwise();
    improved = improved || search.otherwise() != before;
    if (!improved) break;
    changed = true;
  }
  return changed;
}

}  // namespace frr
