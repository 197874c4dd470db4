#include "risk/risk_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"

namespace frr::internal {
namespace {

constexpr double least_gain = 1e-3;    // nats that are worth a change
constexpr std::size_t beam_width = 4;  // conjunctions that grow into a new rule
constexpr int headroom = 8;            // steps from the largest weight to the strongest rule

int step_of(double weight) {
  return std::clamp(static_cast<int>(std::lround(-steps_of_weight(weight))), 0, weight_steps - 1);
}

}  // namespace

// Values rules in the place of rule r, given all other rules.
class RulePricer {
 public:
  struct Proposal {
    std::vector<std::size_t> labels;
    int step = 0;
    double net_gain = -HUGE_VAL;  // gain less price
  };

  RulePricer(const RiskSearch& risk, std::size_t r)
      : risk_(risk),
        search_(risk.search_),
        scale_(risk.targets_.base_rates, risk.settings_.margin),
        lead_(search_.rows().classes.size()),
        sums_(lead_.size() * scale_.width(), 0.0F) {
    const RiskSearch::Assignment others = risk.assign(r);
    const std::size_t classes = risk.classes();
    std::vector<std::vector<float>> losses;  // of each outcome and class
    for (const std::vector<double>& sums : others.sums) {
      std::vector<float> loss;
      for (const double share : outcome_shares(sums, risk.targets_.base_rates)) {
        loss.push_back(static_cast<float>(-std::log(share)));
      }
      losses.push_back(std::move(loss));
    }
    for (std::size_t i = 0; i < lead_.size(); ++i) {
      lead_[i] = std::min(-others.best[i], 1e6F) + scale_.offset();
      const std::size_t outcome = others.outcome[i];
      const float* shares = risk.targets_.shares.data() + i * classes;
      float* sums = sums_.data() + i * scale_.width();
      for (std::size_t c = 0; c < classes; ++c) {
        sums[c] = shares[c];
        sums[classes] += shares[c] * losses[outcome][c];
      }
    }
  }

  [[nodiscard]] double price(std::size_t conditions) const {
    return risk_.targets_.price * static_cast<double>(conditions);
  }

  [[nodiscard]] Proposal value(const std::vector<std::size_t>& labels) const {
    const Rows rows = reached(labels);
    std::vector<float> sums(scale_.size(), 0.0F);
    for (std::size_t k = 0; k < rows.rows.size(); ++k) {
      add(sums.data(), rows.rows[k], lead_[rows.rows[k]] - steps(rows.cost[k]));
    }
    const RiskValuation best = scale_.best(sums.data());
    return {labels, best.step, best.gain - price(labels.size())};
  }

  // The gain of a rule with its weight, less its price.
  [[nodiscard]] double net_gain(const LabelRule& rule) const {
    const Rows rows = reached(rule.labels);
    std::vector<float> sums(scale_.size(), 0.0F);
    for (std::size_t k = 0; k < rows.rows.size(); ++k) {
      add(sums.data(), rows.rows[k], lead_[rows.rows[k]] - steps(rows.cost[k]));
    }
    return scale_.gain(sums.data(), step_of(rule.weight)) - price(rule.labels.size());
  }

  // The `count` best rules with one label more than one of `rules`, best first.
  [[nodiscard]] std::vector<Proposal> longer(std::span<const Proposal> rules, std::size_t count,
                                             int threads) const {
    std::vector<Proposal> all;
    for (const Proposal& rule : rules) {
      const std::vector<RiskValuation> values = extensions(rule.labels, threads);
      for (std::size_t d = 0; d < values.size(); ++d) {
        if (!(values[d].gain > 0)) continue;
        Proposal proposal{rule.labels, values[d].step,
                          values[d].gain - price(rule.labels.size() + 1)};
        proposal.labels.push_back(d);
        const bool known = std::ranges::any_of(all, [&](const Proposal& other) {
          return std::ranges::is_permutation(other.labels, proposal.labels);
        });
        if (!known) all.push_back(std::move(proposal));
      }
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Proposal::net_gain);
    if (all.size() > count) all.resize(count);
    return all;
  }

  // The best rule with `kept` and one more label.
  void extend(const std::vector<std::size_t>& kept, Proposal& best, int threads) const {
    const std::vector<RiskValuation> values = extensions(kept, threads);
    for (std::size_t d = 0; d < values.size(); ++d) {
      const double net_gain = values[d].gain - price(kept.size() + 1);
      if (!(net_gain > best.net_gain + 1e-6)) continue;
      best = {kept, values[d].step, net_gain};
      best.labels.push_back(d);
    }
  }

 private:
  // The valuation of each label as a further condition; -infinity for a feature in use.
  [[nodiscard]] std::vector<RiskValuation> extensions(const std::vector<std::size_t>& kept,
                                                      int threads) const {
    const Memberships& memberships = *search_.rows().memberships;
    const Rows rows = reached(kept);
    std::vector<bool> free(memberships.labels(), true);
    for (const std::size_t d : kept) {
      const std::size_t j = memberships.feature_of(d);
      for (std::size_t v = memberships.first()[j]; v < memberships.first()[j + 1]; ++v) {
        free[v] = false;
      }
    }
    std::vector<RiskValuation> values(memberships.labels());
    parallel_for(rows.rows.size() > 4096 ? threads : 1, values.size(), [&](std::size_t d) {
      if (free[d]) values[d] = value_with(rows, d);
    });
    return values;
  }

  // The rows that a rule with these conditions, and possibly others, can take.
  struct Rows {
    std::vector<std::uint32_t> rows;
    std::vector<float> cost;  // of the conditions
  };

  [[nodiscard]] float steps(float cost) const { return search_.scale().steps(cost); }

  [[nodiscard]] Rows reached(std::span<const std::size_t> labels) const {
    std::vector<float> cost(lead_.size(), 0.0F);
    for (const std::size_t d : labels) {
      const auto column = search_.cost(d);
      for (std::size_t i = 0; i < cost.size(); ++i) {
        cost[i] = search_.scale().join(cost[i], column[i]);
      }
    }
    Rows result;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      if (!(lead_[i] - steps(cost[i]) >= 1)) continue;
      result.rows.push_back(static_cast<std::uint32_t>(i));
      result.cost.push_back(cost[i]);
    }
    return result;
  }

  void add(float* histogram, std::size_t row, float lead) const {
    if (!(lead >= 1)) return;
    const auto last = static_cast<float>(scale_.bins() - 1);
    float* bin = histogram + static_cast<std::size_t>(std::min(lead, last)) * scale_.width();
    const float* sums = sums_.data() + row * scale_.width();
    for (std::size_t c = 0; c < scale_.width(); ++c) bin[c] += sums[c];
  }

  [[nodiscard]] RiskValuation value_with(const Rows& rows, std::size_t label) const {
    const auto column = search_.cost(label);
    const CostScale& scale = search_.scale();
    std::vector<float> histogram(scale_.size(), 0.0F);
    for (std::size_t k = 0; k < rows.rows.size(); ++k) {
      const std::uint32_t i = rows.rows[k];
      if (column[i] == never) continue;
      add(histogram.data(), i, lead_[i] - scale.steps(scale.join(rows.cost[k], column[i])));
    }
    return scale_.best(histogram.data());
  }

  const RiskSearch& risk_;
  const Search& search_;
  RiskScale scale_;
  std::vector<float> lead_;  // of each row if the truth is 1, in bins
  std::vector<float> sums_;  // what each row adds to a bin
};

namespace {

LabelRule rule_of(const RulePricer::Proposal& proposal) {
  return {proposal.labels, 0, score_of_steps(-proposal.step)};
}

}  // namespace

RiskSearch::Assignment RiskSearch::assign(std::size_t except) const {
  const std::size_t rows = search_.rows().classes.size(), rules = search_.rules().size();
  Assignment result;
  result.outcome.assign(rows, 0);
  result.best.assign(rows, -never);
  for (std::size_t r = 0; r < rules; ++r) {
    if (r == except) continue;
    const auto score = search_.score(r);
    for (std::size_t i = 0; i < rows; ++i) {
      if (!(score[i] > result.best[i])) continue;
      result.best[i] = score[i];
      result.outcome[i] = r + 1;
    }
  }
  result.sums.assign(rules + 1, std::vector<double>(classes(), 0));
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double>& sums = result.sums[result.outcome[i]];
    for (std::size_t c = 0; c < sums.size(); ++c) {
      sums[c] += static_cast<double>(targets_.shares[i * classes() + c]);
    }
  }
  return result;
}

double RiskSearch::objective() const { return objective_without(search_.rules().size()); }

double RiskSearch::objective_without(std::size_t except) const {
  const std::vector<LabelRule>& rules = search_.rules();
  const std::size_t left_out = except < rules.size() ? rules[except].labels.size() : 0;
  double loss = targets_.price * static_cast<double>(search_.conditions() - left_out);
  for (const std::vector<double>& sums : assign(except).sums) {
    loss += outcome_loss(sums, targets_.base_rates);
  }
  return -loss;
}

bool RiskSearch::improve(std::size_t r) {
  const RulePricer pricer(*this, r);
  const LabelRule rule = search_.rules()[r];
  const double now = pricer.net_gain(rule);
  RulePricer::Proposal best = pricer.value(rule.labels);
  const bool full = rule.labels.size() >= static_cast<std::size_t>(settings_.conditions);
  for (std::size_t p = 0; p <= rule.labels.size(); ++p) {
    std::vector<std::size_t> kept = rule.labels;
    const bool shorter = p < kept.size();
    if (shorter) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(p));
    if (shorter && !kept.empty()) {
      const RulePricer::Proposal proposal = pricer.value(kept);
      if (proposal.net_gain > best.net_gain + 1e-6) best = proposal;
    }
    if (shorter || !full) pricer.extend(kept, best, threads_);
  }
  if (std::max(best.net_gain, now) <= least_gain && objective_without(r) >= objective()) {
    search_.erase(r);
    return true;
  }
  if (best.net_gain <= now + least_gain) return false;
  const double before = objective();
  search_.replace(r, rule_of(best));
  if (objective() > before + least_gain) return true;
  search_.replace(r, rule);
  return false;
}

void RiskSearch::lower_weights() {
  int first = weight_steps;
  for (const LabelRule& rule : search_.rules()) first = std::min(first, step_of(rule.weight));
  for (std::size_t r = 0; r < search_.rules().size(); ++r) {
    LabelRule rule = search_.rules()[r];
    const int step = std::min(step_of(rule.weight) + headroom - first, weight_steps - 1);
    rule.weight = score_of_steps(-step);
    search_.replace(r, std::move(rule));
  }
}

bool RiskSearch::add_rules(Control& control) {
  bool added = false;
  while (search_.rules().size() < static_cast<std::size_t>(settings_.rules) &&
         !control.out_of_time()) {
    const RulePricer pricer(*this, search_.rules().size());
    RulePricer::Proposal best;
    best.net_gain = least_gain;
    std::vector<RulePricer::Proposal> beam(1);
    for (int length = 0; length < settings_.conditions; ++length) {
      beam = pricer.longer(beam, beam_width, threads_);
      if (beam.empty()) break;
      if (beam.front().net_gain > best.net_gain) best = beam.front();
    }
    if (best.labels.empty()) return added;
    const double before = objective();
    search_.append(rule_of(best));
    if (objective() <= before + least_gain) {
      search_.erase(search_.rules().size() - 1);
      return added;
    }
    added = true;
  }
  return added;
}

bool RiskSearch::polish(Random& random, Control& control) {
  bool changed = false;
  for (int sweep = 0; sweep < settings_.sweeps; ++sweep) {
    bool improved = false;
    lower_weights();
    std::vector<std::size_t> order(search_.rules().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t k = 0; k < order.size(); ++k) {
      control.report(Progress::Stage::polish, 0.6 + 0.1 * (sweep + 1.0 * k / order.size()));
      if (control.out_of_time()) return changed;
      const std::size_t rules = search_.rules().size();
      improved = improve(order[k]) || improved;
      if (search_.rules().size() == rules) continue;
      for (std::size_t later = k + 1; later < order.size(); ++later) {
        if (order[later] > order[k]) --order[later];
      }
    }
    improved = add_rules(control) || improved;
    changed = changed || improved;
    if (!improved) break;
  }
  return changed;
}

int RiskSearch::choose_classes() {
  const Assignment now = assign(search_.rules().size());
  const auto class_of = [&](std::size_t outcome) {
    const std::vector<double> shares = outcome_shares(now.sums[outcome], targets_.base_rates);
    return static_cast<int>(std::ranges::max_element(shares) - shares.begin());
  };
  for (std::size_t r = 0; r < search_.rules().size(); ++r) {
    LabelRule rule = search_.rules()[r];
    rule.then = class_of(r + 1);
    search_.replace(r, std::move(rule));
  }
  return class_of(0);
}

}  // namespace frr::internal
