#include "search/polish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "kernels/search_kernel.hpp"

namespace frr::internal {
namespace {

struct ProposedRule {
  Valuation value;
  double net_gain = -HUGE_VAL;  // gain minus price
  std::vector<std::size_t> labels;
};

class RulePolisher {
 public:
  RulePolisher(const Search& search, const Settings& settings, int threads)
      : search_(search),
        settings_(settings),
        threads_(threads),
        gains_(search.rows().class_count, search.margin()) {}

  // The rows that a rule with these conditions, and possibly others, can take.
  struct ReachedRows {
    std::vector<PanelRow> buffer;
    std::size_t count = 0;      // of rows
    std::vector<float> counts;  // the histogram of these conditions alone
    std::vector<float> slack;   // bins by which they lead at the largest weight
    std::vector<float> cost;    // of these conditions for every row, if there are no panels

    [[nodiscard]] std::span<const PanelRow> rows() const { return {buffer.data(), count}; }
  };
  // A rule without the condition at `position`, or the whole rule if that is its length.
  struct ReducedRule {
    std::vector<std::size_t> kept;
    std::size_t position = 0;
    ReachedRows reached;
  };
  struct CurrentRule {
    double net_gain = 0;
    ProposedRule recentred;  // its labels with their best class and weight
    std::size_t length = 0;  // number of conditions
  };

  // Selects rule r, or a new rule if r is the number of rules. The other functions value rules in
  // its place, given all other rules.
  CurrentRule select(std::size_t r) {
    const auto& rows = search_.rows();
    const std::size_t n = rows.classes.size();
    others_.resize(n);
    other_class_.resize(n);
    key_.resize(n);
    start_.resize(n);
    parallel_blocks(threads_, n, block_rows, [&](std::size_t from, std::size_t to) {
      search_.best_of_others(r, from, std::span(others_).subspan(from, to - from),
                             std::span(other_class_).subspan(from, to - from));
      for (std::size_t i = from; i < to; ++i) {
        const bool right = other_class_[i] == rows.classes[i];
        key_[i] = static_cast<std::uint32_t>(2 * rows.classes[i] + (right ? 1 : 0));
        start_[i] = key_[i] * static_cast<std::uint32_t>(gains_.bins());
      }
    });
    const bool exists = r < search_.rules().size();
    const LabelRule rule = exists ? search_.rules()[r] : LabelRule{};
    const std::size_t length = rule.labels.size();
    CurrentRule current;
    current.length = length;
    reduced_.resize(std::max(reduced_.size(), length + 1));
    parallel_for(n > block_rows ? threads_ : 1, length + 2, [&](std::size_t task) {
      if (task > length) {
        if (exists) current.net_gain = net_gain_of(rule);
        return;
      }
      ReducedRule& reduced = reduced_[task];
      reduced.position = task;
      reduced.kept.clear();
      for (std::size_t p = 0; p < length; ++p) {
        if (p != task) reduced.kept.push_back(rule.labels[p]);
      }
      find_reached(reduced.kept, reduced.reached);
    });
    current.recentred.labels = rule.labels;
    current.recentred.value = gains_.best(reduced_[length].reached.counts.data());
    current.recentred.net_gain = current.recentred.value.gain - price_of(length);
    return current;
  }

  // The best rule within one change whose net gain exceeds `least`; no labels if there is none.
  // Ties go to the first in order of position, then column.
  ProposedRule best(const CurrentRule& current, double least) {
    ProposedRule best;
    best.net_gain = least;
    const std::size_t length = current.length;
    const bool full = length >= static_cast<std::size_t>(settings_.conditions);
    std::vector<const ReducedRule*> extensible;
    for (const ReducedRule& reduced : std::span(reduced_).first(length + 1)) {
      const bool shorter = reduced.position < length;
      if (!shorter && full) continue;
      const float* counts = reduced.reached.counts.data();
      const double bound = gains_.bound(counts) - price_of(reduced.kept.size());
      if (bound <= least) continue;
      if (shorter && !reduced.kept.empty()) offer(best, gains_.best(counts), reduced.kept);
      if (bound - price_of(1) > least) extensible.push_back(&reduced);
    }
    extend(best, extensible);
    return best;
  }

  // The net gain of a rule with its class and weight, by the exact ramp rather than by bins.
  double net_gain_of(const LabelRule& rule) {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    const double price = price_of(rule.labels.size());
    const float weight = steps_of_weight(rule.weight);
    if (linear()) {
      std::vector<float> score(others_.size(), weight);
      for (const std::size_t d : rule.labels) subtract(score, search_.cost(d).data());
      const auto slope = static_cast<float>(0.5 / search_.margin());
      return ramp_gain(score, others_.data(), key_.data(), rows.weights.data(), rule.then, slope) -
             price;
    }
    const std::vector<float> cost = joined_cost(rule.labels);
    double gain = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      const float score = weight - scale.steps(cost[i]);
      const int change = (rows.classes[i] == rule.then ? 1 : 0) - static_cast<int>(key_[i] & 1);
      if (score == -never || change == 0) continue;
      gain += change * static_cast<double>(rows.weights[i]) *
              degree_right(score, others_[i], false, search_.margin());
    }
    return gain - price;
  }

 private:
  [[nodiscard]] bool linear() const { return search_.scale().linear() && search_.margin() > 0; }

  [[nodiscard]] double price_of(std::size_t conditions) const {
    return search_.price() * static_cast<double>(conditions);
  }

  [[nodiscard]] std::vector<float> joined_cost(std::span<const std::size_t> labels) const {
    std::vector<float> joined(others_.size(), 0.0F);
    for (const std::size_t d : labels) {
      const auto cost = search_.cost(d);
      for (std::size_t i = 0; i < joined.size(); ++i) {
        joined[i] = search_.scale().join(joined[i], cost[i]);
      }
    }
    return joined;
  }

  // Bins by which a rule of this cost leads the others. If no other rule covers the row, any rule
  // that covers it takes it.
  [[nodiscard]] float lead(float cost, std::size_t i) const {
    return std::min(-others_[i], 1e6F) - search_.scale().steps(cost) + gains_.offset();
  }

  void find_reached(std::span<const std::size_t> labels, ReachedRows& reached) const {
    const std::size_t n = others_.size();
    std::vector<float>& slack = reached.slack;
    slack.resize(n);
    if (linear()) {
      for (std::size_t i = 0; i < n; ++i) slack[i] = std::min(-others_[i], 1e6F) + gains_.offset();
      for (const std::size_t d : labels) subtract(slack, search_.cost(d).data());
    } else {
      reached.cost = joined_cost(labels);
      for (std::size_t i = 0; i < n; ++i) slack[i] = lead(reached.cost[i], i);
    }
    reached.counts.assign(gains_.size(), 0);
    const std::span<const float> weights = search_.rows().weights;
    reached.buffer.resize(n + 1);
    reached.count = reached_rows(slack, start_.data(), weights.data(), reached.buffer.data());
    for (const PanelRow& row : reached.rows()) {
      reached.counts[row.key + bin_of(slack[row.row])] += row.weight;
    }
  }

  [[nodiscard]] std::size_t bin_of(float lead) const {
    return static_cast<std::size_t>(std::clamp(lead, 0.0F, static_cast<float>(gains_.bins()) - 1));
  }

  // Values one further label, if there are no panels.
  [[nodiscard]] Valuation value_with(const ReachedRows& reached,
                                     std::span<const float> column) const {
    const CostScale& scale = search_.scale();
    std::vector<float> counts(gains_.size(), 0);
    for (const PanelRow& row : reached.rows()) {
      const float cost = scale.join(reached.cost[row.row], column[row.row]);
      counts[row.key + bin_of(lead(cost, row.row))] += row.weight;
    }
    return gains_.best(counts.data());
  }

  void offer(ProposedRule& best, const Valuation& value, std::vector<std::size_t> labels) const {
    const double net_gain = value.gain - price_of(labels.size());
    if (net_gain > best.net_gain + 1e-6) best = {value, net_gain, std::move(labels)};
  }

  // Offers each reduced rule with every label of a feature that it does not use.
  void extend(ProposedRule& best, std::span<const ReducedRule* const> rules) {
    const std::size_t labels = search_.rows().memberships->labels();
    const std::size_t panels = panel_count(labels);
    std::vector<std::vector<Valuation>> values(rules.size(), std::vector<Valuation>(labels));
    std::size_t entries = 0;
    for (const ReducedRule* rule : rules) entries += rule->reached.count * labels;
    const int threads = entries > 50000 ? threads_ : 1;
    const bool screened =
        search_.panels() && labels >= screened_labels && others_.size() >= screened_rows;
    parallel_for(threads, rules.size() * panels, [&](std::size_t task) {
      const ReducedRule& rule = *rules[task / panels];
      const std::size_t count = rule.reached.count;
      value_panel(rule.reached, rule.reached.rows().first(screened ? count / 4 : count),
                  task % panels,
                  screened ? -HUGE_VAL : best.net_gain + price_of(rule.kept.size() + 1),
                  values[task / panels]);
    });
    if (screened) {
      parallel_for(threads, rules.size(), [&](std::size_t i) {
        value_best_labels(*rules[i], best.net_gain + price_of(rules[i]->kept.size() + 1),
                          values[i]);
      });
    }
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const ReducedRule& rule = *rules[i];
      const std::vector<bool> free = free_labels(rule.kept);
      for (std::size_t d = 0; d < labels; ++d) {
        const Valuation& value = values[i][d];
        if (!free[d] || value.gain - price_of(rule.kept.size() + 1) <= best.net_gain) continue;
        std::vector<std::size_t> extended = rule.kept;
        extended.insert(extended.begin() + static_cast<std::ptrdiff_t>(rule.position), d);
        offer(best, value, std::move(extended));
      }
    }
  }

  [[nodiscard]] std::vector<bool> free_labels(std::span<const std::size_t> kept) const {
    const Memberships& memberships = *search_.rows().memberships;
    std::vector<bool> free(memberships.labels(), true);
    for (const std::size_t d : kept) {
      const std::size_t j = memberships.feature_of(d);
      for (std::size_t v = memberships.first()[j]; v < memberships.first()[j + 1]; ++v) {
        free[v] = false;
      }
    }
    return free;
  }

  // Sets the gain of labels that gain at most `least` to `least`.
  void value_panel(const ReachedRows& reached, std::span<const PanelRow> rows, std::size_t panel,
                   double least, std::span<Valuation> values) const {
    const std::size_t first = panel * panel_width;
    const std::size_t count = std::min(panel_width, values.size() - first);
    if (!search_.panels()) {
      for (std::size_t l = 0; l < count; ++l) {
        values[first + l] = value_with(reached, search_.cost(first + l));
      }
      return;
    }
    value_counts(search_.panel(first), panel_width_of(first, values.size()), rows, least,
                 values.subspan(first, count));
  }

  void value_counts(const std::uint16_t* panel, std::size_t width, std::span<const PanelRow> rows,
                    double least, std::span<Valuation> values) const {
    std::vector<float> counts(width * gains_.size(), 0);
    fill_panel(panel, width, rows, gains_.bins(), gains_.size(), counts.data());
    for (std::size_t l = 0; l < values.size(); ++l) {
      values[l] = gains_.best(counts.data() + l * gains_.size(), least);
    }
  }

  // Values the labels that were best on the first rows again on all rows, and rules out the others.
  void value_best_labels(const ReducedRule& rule, double least, std::span<Valuation> values) const {
    const std::vector<bool> free = free_labels(rule.kept);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < values.size(); ++d) {
      if (free[d]) order.push_back(d);
    }
    const std::size_t width = values.size() > 8 * panel_width ? panel_width : panel_width / 2;
    const std::size_t count = std::min(width, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](std::size_t x, std::size_t y) {
                        return values[x].gain != values[y].gain ? values[x].gain > values[y].gain
                                                                : x < y;
                      });
    const std::span<const PanelRow> reached = rule.reached.rows();
    std::vector<std::uint16_t> panel(width * reached.size(), cost_never);
    std::vector<PanelRow> rows(reached.begin(), reached.end());
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t from = panel_width_of(order[l], values.size());
      const std::uint16_t* cost = search_.panel(order[l]) + order[l] % panel_width;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        panel[i * width + l] = cost[reached[i].row * from];
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].row = static_cast<std::uint32_t>(i);
    std::vector<Valuation> found(count);
    value_counts(panel.data(), width, rows, least, found);
    for (Valuation& value : values) value.gain = -HUGE_VAL;
    for (std::size_t l = 0; l < count; ++l) values[order[l]] = found[l];
  }

  // From these numbers on, labels are first valued on a quarter of the rows, which are in random
  // order.
  static constexpr std::size_t screened_labels = 40, screened_rows = 1000;

  const Search& search_;
  const Settings& settings_;
  int threads_;
  GainScale gains_;
  std::vector<float> others_;
  std::vector<int> other_class_;
  std::vector<std::uint32_t> key_;    // 2 * class + (others are right)
  std::vector<std::uint32_t> start_;  // index of its first bin
  std::vector<ReducedRule> reduced_;  // the current rule without each condition, and whole
};

LabelRule rule_of(const ProposedRule& proposed) {
  return {proposed.labels, proposed.value.then, score_of_steps(-proposed.value.step)};
}

class Polishing {
 public:
  Polishing(Search& search, const Settings& settings, int threads, Control& control)
      : search_(search),
        settings_(settings),
        control_(control),
        polisher_(search, settings, threads),
        at_rest_(search.rules().size()) {}

  bool run(Random& random) {
    bool changed = false;
    for (int sweep = 0; sweep < settings_.sweeps; ++sweep) {
      const std::size_t changes_before = changes_;
      improved_ = false;
      if (!improve_rules(random)) return changed;
      add_rules();
      const int otherwise = search_.otherwise();
      search_.choose_otherwise();
      if (search_.otherwise() != otherwise) count_improvement();
      changed = changed || improved_;
      if (changes_ == changes_before) break;
    }
    return changed;
  }

 private:
  // A change must gain more than rounding can.
  static constexpr double least_gain = 1e-3;

  // Improves every rule once, in random order. False if the time limit has passed.
  bool improve_rules(Random& random) {
    std::vector<std::size_t> order(search_.rules().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t r = order[position];
      if (at_rest_[r] == changes_) continue;
      control_.report(Progress::Stage::polish, 0.6);
      if (control_.out_of_time()) return false;
      if (improve_rule(r)) continue;
      for (std::size_t& other : order) other -= other > r ? 1 : 0;
    }
    return true;
  }

  // False if the rule was removed, because neither it nor any change of it has a net gain.
  bool improve_rule(std::size_t r) {
    const RulePolisher::CurrentRule current = polisher_.select(r);
    const double least = std::max(0.0, std::min(current.net_gain, current.recentred.net_gain));
    const ProposedRule proposed = polisher_.best(current, least);
    const double net_gain =
        proposed.labels.empty() ? 0.0 : polisher_.net_gain_of(rule_of(proposed));
    if (current.net_gain <= 0 && net_gain <= 0) {
      search_.erase(r);
      at_rest_.erase(at_rest_.begin() + static_cast<std::ptrdiff_t>(r));
      count_improvement();
      return false;
    }
    if (net_gain > current.net_gain + least_gain) {
      search_.replace(r, rule_of(proposed));
      count_improvement();
      return true;
    }
    // Other rules have changed since its weight was set: move it back to the middle of its plateau.
    const LabelRule recentred = rule_of(current.recentred);
    const LabelRule& rule = search_.rules()[r];
    const bool differs = recentred.then != rule.then || recentred.weight != rule.weight;
    if (differs && polisher_.net_gain_of(recentred) >= current.net_gain) {
      search_.replace(r, recentred);
      ++changes_;
    }
    at_rest_[r] = changes_;
    return true;
  }

  void add_rules() {
    while (search_.rules().size() < static_cast<std::size_t>(settings_.rules)) {
      const ProposedRule proposed = polisher_.best(polisher_.select(search_.rules().size()), 0);
      if (proposed.labels.empty()) return;
      if (polisher_.net_gain_of(rule_of(proposed)) <= least_gain) return;
      search_.append(rule_of(proposed));
      at_rest_.emplace_back();
      count_improvement();
    }
  }

  void count_improvement() {
    improved_ = true;
    ++changes_;
  }

  Search& search_;
  const Settings& settings_;
  Control& control_;
  RulePolisher polisher_;
  bool improved_ = false;    // in this sweep
  std::size_t changes_ = 0;  // including moves to the middle of a plateau
  // Per rule: the value of changes_ when no change improved it.
  std::vector<std::optional<std::size_t>> at_rest_;
};

}  // namespace

bool polish(Search& search, const Settings& settings, Random& random, int threads,
            Control& control) {
  return Polishing(search, settings, threads, control).run(random);
}

}  // namespace frr::internal
