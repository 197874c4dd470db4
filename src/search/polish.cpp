#include "search/polish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "kernels/search_kernel.hpp"

namespace frr::internal {
namespace {

struct Candidate {
  Valuation value;
  double worth = -HUGE_VAL;  // gain minus price
  std::vector<std::size_t> labels;
};

class RulePolisher {
 public:
  RulePolisher(const Search& search, const Settings& settings, int threads)
      : search_(search),
        settings_(settings),
        threads_(threads),
        gains_(search.rows().class_count, search.margin()) {}

  // The rows that a rule with some conditions can win, whatever else it demands.
  struct Reach {
    std::vector<PanelRow> room;
    std::size_t count = 0;      // of rows
    std::vector<float> counts;  // the histogram of these conditions alone
    std::vector<float> slack;   // bins by which they lead at the largest weight
    std::vector<float> cost;    // of these conditions for every row, where there are no panels

    [[nodiscard]] std::span<const PanelRow> rows() const { return {room.data(), count}; }
  };
  // A rule without the condition at `position`; with all where that is behind the last.
  struct Base {
    std::vector<std::size_t> kept;
    std::size_t position = 0;
    Reach reach;
  };
  struct Turn {
    double now = 0;          // worth of the rule
    Candidate centred;       // its labels with their best class and weight
    std::size_t length = 0;  // its conditions
  };

  // Turns to rule r, or to one that is not there yet: what follows is relative to all others.
  Turn turn_to(std::size_t r) {
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
    const bool there = r < search_.rules().size();
    const LabelRule rule = there ? search_.rules()[r] : LabelRule{};
    const std::size_t length = rule.labels.size();
    Turn turn;
    turn.length = length;
    bases_.resize(std::max(bases_.size(), length + 1));
    parallel_for(n > block_rows ? threads_ : 1, length + 2, [&](std::size_t task) {
      if (task > length) {
        if (there) turn.now = worth_of(rule);
        return;
      }
      Base& base = bases_[task];
      base.position = task;
      base.kept.clear();
      for (std::size_t p = 0; p < length; ++p) {
        if (p != task) base.kept.push_back(rule.labels[p]);
      }
      set_reach(base.kept, base.reach);
    });
    turn.centred.labels = rule.labels;
    turn.centred.value = gains_.best(bases_[length].reach.counts.data());
    turn.centred.worth = turn.centred.value.gain - price_of(length);
    return turn;
  }

  // The best rule within one change that is worth more than `least`; no labels if there is none.
  // Deterministic: of equal worth the first in order of position, then column.
  Candidate best(const Turn& turn, double least) {
    Candidate best;
    best.worth = least;
    const std::size_t length = turn.length;
    const bool full = length >= static_cast<std::size_t>(settings_.conditions);
    std::vector<const Base*> bases;
    for (const Base& base : std::span(bases_).first(length + 1)) {
      const bool shorter = base.position < length;
      if (!shorter && full) continue;
      const float* counts = base.reach.counts.data();
      const double most = gains_.bound(counts) - price_of(base.kept.size());
      if (most <= least) continue;
      if (shorter && !base.kept.empty()) offer(best, gains_.best(counts), base.kept);
      if (most - price_of(1) > least) bases.push_back(&base);
    }
    extend(best, bases);
    return best;
  }

  // Worth of a rule with its own class and weight, by the ramp itself rather than by bins.
  double worth_of(const LabelRule& rule) {
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

  // Bins by which a rule of this cost leads the others. Where no other rule covers the row, any
  // rule that does so takes it.
  [[nodiscard]] float lead(float cost, std::size_t i) const {
    return std::min(-others_[i], 1e6F) - search_.scale().steps(cost) + gains_.offset();
  }

  void set_reach(std::span<const std::size_t> labels, Reach& reach) const {
    const std::size_t n = others_.size();
    std::vector<float>& slack = reach.slack;
    slack.resize(n);
    if (linear()) {
      for (std::size_t i = 0; i < n; ++i) slack[i] = std::min(-others_[i], 1e6F) + gains_.offset();
      for (const std::size_t d : labels) subtract(slack, search_.cost(d).data());
    } else {
      reach.cost = joined_cost(labels);
      for (std::size_t i = 0; i < n; ++i) slack[i] = lead(reach.cost[i], i);
    }
    reach.counts.assign(gains_.size(), 0);
    const std::span<const float> weights = search_.rows().weights;
    reach.room.resize(n + 1);
    reach.count = reached_rows(slack, start_.data(), weights.data(), reach.room.data());
    for (const PanelRow& row : reach.rows()) {
      reach.counts[row.key + bin_of(slack[row.row])] += row.weight;
    }
  }

  [[nodiscard]] std::size_t bin_of(float lead) const {
    return static_cast<std::size_t>(std::clamp(lead, 0.0F, static_cast<float>(gains_.bins()) - 1));
  }

  // With one more column, where there are no panels.
  [[nodiscard]] Valuation value_with(const Reach& reach, std::span<const float> column) const {
    const CostScale& scale = search_.scale();
    std::vector<float> counts(gains_.size(), 0);
    for (const PanelRow& row : reach.rows()) {
      const float cost = scale.join(reach.cost[row.row], column[row.row]);
      counts[row.key + bin_of(lead(cost, row.row))] += row.weight;
    }
    return gains_.best(counts.data());
  }

  void offer(Candidate& best, const Valuation& value, std::vector<std::size_t> labels) const {
    const double worth = value.gain - price_of(labels.size());
    if (worth > best.worth + 1e-6) best = {value, worth, std::move(labels)};
  }

  // Every label of a feature that the kept conditions do not use, put at its position.
  void extend(Candidate& best, std::span<const Base* const> bases) {
    const std::size_t labels = search_.rows().memberships->labels();
    const std::size_t panels = panel_count(labels);
    std::vector<std::vector<Valuation>> values(bases.size(), std::vector<Valuation>(labels));
    std::size_t entries = 0;
    for (const Base* base : bases) entries += base->reach.count * labels;
    const int threads = entries > 50000 ? threads_ : 1;
    const bool screened =
        search_.panels() && labels >= screened_labels && others_.size() >= screened_rows;
    parallel_for(threads, bases.size() * panels, [&](std::size_t task) {
      const Base& base = *bases[task / panels];
      const std::size_t count = base.reach.count;
      value_panel(base.reach, base.reach.rows().first(screened ? count / 4 : count), task % panels,
                  screened ? -HUGE_VAL : best.worth + price_of(base.kept.size() + 1),
                  values[task / panels]);
    });
    if (screened) {
      parallel_for(threads, bases.size(), [&](std::size_t b) {
        value_best_labels(*bases[b], best.worth + price_of(bases[b]->kept.size() + 1), values[b]);
      });
    }
    for (std::size_t b = 0; b < bases.size(); ++b) {
      const std::vector<bool> free = free_labels(bases[b]->kept);
      for (std::size_t d = 0; d < labels; ++d) {
        const Valuation& value = values[b][d];
        if (!free[d] || value.gain - price_of(bases[b]->kept.size() + 1) <= best.worth) continue;
        std::vector<std::size_t> with = bases[b]->kept;
        with.insert(with.begin() + static_cast<std::ptrdiff_t>(bases[b]->position), d);
        offer(best, value, std::move(with));
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

  // Labels that gain no more than `least` are given that as their gain.
  void value_panel(const Reach& reach, std::span<const PanelRow> rows, std::size_t panel,
                   double least, std::span<Valuation> values) const {
    const std::size_t first = panel * panel_width;
    const std::size_t count = std::min(panel_width, values.size() - first);
    if (!search_.panels()) {
      for (std::size_t l = 0; l < count; ++l) {
        values[first + l] = value_with(reach, search_.cost(first + l));
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

  // Of the labels, valued on the first rows, those that do best are valued on all, the others no
  // more.
  void value_best_labels(const Base& base, double least, std::span<Valuation> values) const {
    const std::vector<bool> free = free_labels(base.kept);
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
    const std::span<const PanelRow> reached = base.reach.rows();
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

  // Where both are many, labels are valued on a quarter of the rows first: they are in random
  // order.
  static constexpr std::size_t screened_labels = 40, screened_rows = 1000;

  const Search& search_;
  const Settings& settings_;
  int threads_;
  GainScale gains_;
  std::vector<float> others_;
  std::vector<int> other_class_;
  std::vector<std::uint32_t> key_;    // 2 * class + (others are right)
  std::vector<std::uint32_t> start_;  // where its bins begin
  std::vector<Base> bases_;           // of the turn: one a condition, and the whole rule
};

LabelRule rule_of(const Candidate& candidate) {
  return {candidate.labels, candidate.value.then, std::pow(1.25, -candidate.value.step)};
}

}  // namespace

bool polish(Search& search, const Settings& settings, Random& random, int threads,
            Control& control) {
  // A change must earn more than rounding can.
  constexpr double least = 1e-3;
  RulePolisher polisher(search, settings, threads);
  bool changed = false;
  // How many changes there had been when a rule was last found to be at rest.
  std::size_t changes = 0;
  std::vector<std::optional<std::size_t>> at_rest(search.rules().size());
  for (int sweep = 0; sweep < settings.sweeps; ++sweep) {
    bool improved = false;
    const std::size_t changes_before = changes;
    std::vector<std::size_t> order(search.rules().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t r = order[position];
      if (at_rest[r] == changes) continue;
      control.report(Progress::Stage::polish, 0.6);
      if (control.out_of_time()) return changed;
      const RulePolisher::Turn turn = polisher.turn_to(r);
      const double now = turn.now;
      const Candidate candidate =
          polisher.best(turn, std::max(0.0, std::min(now, turn.centred.worth)));
      const double then = candidate.labels.empty() ? 0.0 : polisher.worth_of(rule_of(candidate));
      if (now <= 0 && then <= 0) {
        search.erase(r);
        at_rest.erase(at_rest.begin() + static_cast<std::ptrdiff_t>(r));
        for (std::size_t& other : order) other -= other > r ? 1 : 0;
        improved = true;
        ++changes;
        continue;
      }
      if (then > now + least) {
        search.replace(r, rule_of(candidate));
        improved = true;
        ++changes;
        continue;
      }
      // The others have moved since its weight was set: back to the middle of its plateau.
      const LabelRule middle = rule_of(turn.centred);
      const LabelRule& own = search.rules()[r];
      const bool differs = middle.then != own.then || middle.weight != own.weight;
      if (differs && polisher.worth_of(middle) >= now) {
        search.replace(r, middle);
        ++changes;
      }
      at_rest[r] = changes;
    }
    while (search.rules().size() < static_cast<std::size_t>(settings.rules)) {
      const Candidate candidate = polisher.best(polisher.turn_to(search.rules().size()), 0);
      if (candidate.labels.empty() || polisher.worth_of(rule_of(candidate)) <= least) break;
      search.append(rule_of(candidate));
      at_rest.emplace_back();
      improved = true;
      ++changes;
    }
    const int before = search.otherwise();
    search.choose_otherwise();
    if (search.otherwise() != before) improved = true, ++changes;
    changed = changed || improved;
    if (changes == changes_before) break;
  }
  return changed;
}

}  // namespace frr::internal
