#include "risk/risk_borders.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "search/border_objective.hpp"

namespace frr::internal {
namespace {

constexpr double least_gain = 1e-2;  // nats that are worth a move
constexpr std::size_t most_rows =
    8192;  // that choose among the places; all rows decide on the move

// The rules on the rows that choose, as seen from one border.
class BorderView {
 public:
  BorderView(const Search& search, const RiskTargets& targets, const Feature& feature,
             std::size_t b, std::size_t left, std::span<const double> values)
      : search_(search), targets_(targets), values_(values) {
    left_shape_ = feature.labels[b].shape;
    right_shape_ = feature.labels[b + 1].shape;
    best_.assign(values.size(), -never);
    decider_.assign(values.size(), 0);
    for (std::size_t r = 0; r < search.rules().size(); ++r) {
      const LabelRule& rule = search.rules()[r];
      if (reads_border(rule, left)) {
        add_moving(r, rule, left);
        continue;
      }
      const auto score = search.score(r);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (score[i] > best_[i]) best_[i] = score[i], decider_[i] = r + 1;
      }
    }
  }

  // The log-loss with the border at this place.
  [[nodiscard]] double loss(const Border& border) const {
    Trapezoid left = left_shape_, right = right_shape_;
    left.c = right.a = border.start;
    left.d = right.b = border.end;
    const std::size_t rows = values_.size(), classes = targets_.base_rates.size();
    const std::vector<float> falling = costs(left), rising = costs(right);
    std::vector<float> best = best_;
    std::vector<std::size_t> decider = decider_;
    for (const Moving& moving : moving_) {
      const std::vector<float>& cost = moving.rising ? rising : falling;
      for (std::size_t i = 0; i < rows; ++i) {
        const float score =
            moving.weight - search_.scale().steps(search_.scale().join(moving.rest[i], cost[i]));
        // Of equal scores, the first rule decides.
        const bool wins =
            score > best[i] || (score == best[i] && score > -never && moving.rule + 1 < decider[i]);
        if (wins) best[i] = score, decider[i] = moving.rule + 1;
      }
    }
    std::vector<double> sums((search_.rules().size() + 1) * classes, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < classes; ++c) {
        sums[decider[i] * classes + c] += static_cast<double>(targets_.shares[i * classes + c]);
      }
    }
    double total = 0;
    for (std::size_t k = 0; k < sums.size(); k += classes) {
      total += outcome_loss(std::span(sums).subspan(k, classes), targets_.base_rates);
    }
    return total;
  }

 private:
  struct Moving {
    std::size_t rule = 0;
    std::vector<float> rest;  // the cost of the other conditions
    float weight = 0;         // in steps
    bool rising = false;      // it reads the label right of the border
  };

  void add_moving(std::size_t r, const LabelRule& rule, std::size_t left) {
    Moving moving{.rule = r,
                  .rest = std::vector<float>(values_.size(), 0.0F),
                  .weight = steps_of_weight(rule.weight)};
    for (const std::size_t d : rule.labels) {
      if (d == left || d == left + 1) {
        moving.rising = d == left + 1;
        continue;
      }
      const auto cost = search_.cost(d);
      for (std::size_t i = 0; i < values_.size(); ++i) {
        moving.rest[i] = search_.scale().join(moving.rest[i], cost[i]);
      }
    }
    moving_.push_back(std::move(moving));
  }

  [[nodiscard]] std::vector<float> costs(const Trapezoid& shape) const {
    std::vector<float> result(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double degree = shape(values_[i]);
      result[i] = degree == 1 ? 0.0F : search_.scale().cost(static_cast<float>(degree));
    }
    return result;
  }

  const Search& search_;
  const RiskTargets& targets_;
  std::span<const double> values_;
  Trapezoid left_shape_, right_shape_;
  std::vector<float> best_;           // score of the best rule that does not read the border
  std::vector<std::size_t> decider_;  // its index plus 1; 0: ELSE
  std::vector<Moving> moving_;
};

// Other starts, other ends, crisp borders, and the border as wide as now elsewhere.
std::vector<Border> places_of(const Border& now, double from, double to,
                              std::span<const double> grid) {
  std::vector<Border> places;
  const auto add = [&](double start, double end) {
    if (start <= end && start >= from && end <= to && std::isfinite(end - start)) {
      places.push_back({start, end});
    }
  };
  const auto index_of = [&](double x) {
    return std::lower_bound(grid.begin(), grid.end(), x) - grid.begin();
  };
  const auto width = index_of(now.end) - index_of(now.start);
  for (std::size_t g = 0; g < grid.size(); ++g) {
    add(grid[g], now.end);
    add(now.start, grid[g]);
    add(grid[g], grid[g]);
    const auto end = g + static_cast<std::size_t>(width);
    if (width > 0 && end < grid.size()) add(grid[g], grid[end]);
  }
  return places;
}

}  // namespace

bool move_risk_borders(Search& search, const RiskSearch& risk, const RiskTargets& targets,
                       Partition& partition, Memberships& memberships, TuneInput& input,
                       const Settings& settings, int threads, Control& control) {
  const int points = settings.grid > 0 ? settings.grid : automatic_grid(input.rows.size());
  input.grids.resize(partition.features.size());
  bool moved = false;
  double objective = risk.objective();
  for (std::size_t j = 0; j < partition.features.size(); ++j) {
    Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j]) continue;
    const Column& column = *input.table->find(feature.name);
    std::vector<double> values;
    for (std::size_t b = 0; b < borders_of(feature).size(); ++b) {
      const std::size_t left = memberships.first()[j] + b;
      const auto reads = [&](const LabelRule& rule) { return reads_border(rule, left); };
      if (std::ranges::none_of(search.rules(), reads)) continue;
      control.report(Progress::Stage::tune, 0.8);
      if (control.out_of_time()) return moved;
      if (input.grids[j].empty()) input.grids[j] = tuning_grid(column, input.rows, points);
      if (values.empty()) {
        for (std::size_t i = 0; i < std::min(input.rows.size(), most_rows); ++i) {
          values.push_back(column.values[input.rows[i]]);
        }
      }
      const std::vector<Border> now = borders_of(feature);
      const double from = b == 0 ? -HUGE_VAL : now[b - 1].end;
      const double to = b + 1 == now.size() ? HUGE_VAL : now[b + 1].start;
      std::vector<Border> places = places_of(now[b], from, to, input.grids[j]);
      places.push_back(now[b]);
      const BorderView view(search, targets, feature, b, left, values);
      std::vector<double> losses(places.size());
      parallel_for(threads, places.size(),
                   [&](std::size_t k) { losses[k] = view.loss(places[k]); });
      const auto best = std::ranges::min_element(losses) - losses.begin();
      if (!(losses[static_cast<std::size_t>(best)] < losses.back() - least_gain)) continue;
      const auto place = [&](const Border& border) {
        set_border(feature, b, border);
        memberships.refresh(feature, j, column, input.rows, threads);
        for (const std::size_t side : {left, left + 1}) search.refresh(side, threads);
        for (std::size_t r = 0; r < search.rules().size(); ++r) {
          if (reads(search.rules()[r])) search.rescore(r);
        }
      };
      place(places[static_cast<std::size_t>(best)]);
      const double there = risk.objective();
      if (there > objective + least_gain) {
        objective = there;
        moved = true;
      } else {
        place(now[b]);
      }
    }
  }
  return moved;
}

}  // namespace frr::internal
