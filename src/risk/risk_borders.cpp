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

class BorderSearch {
 public:
  BorderSearch(Search& search, const RiskSearch& risk, const RiskTargets& targets,
               Partition& partition, Memberships& memberships, TuneInput& input, int points,
               int threads)
      : search_(search),
        risk_(risk),
        targets_(targets),
        partition_(partition),
        memberships_(memberships),
        input_(input),
        points_(points),
        threads_(threads),
        objective_(risk.objective()) {
    input_.grids.resize(partition.features.size());
  }

  bool run(Control& control) {
    bool moved = false;
    for (std::size_t j = 0; j < partition_.features.size(); ++j) {
      const Feature& feature = partition_.features[j];
      if (feature.type != ColumnType::numeric || input_.fixed[j]) continue;
      for (std::size_t b = 0; b < borders_of(feature).size(); ++b) {
        if (!in_use(left_of(j, b))) continue;
        control.report(Progress::Stage::tune, 0.8);
        if (control.out_of_time()) return moved;
        moved = move(j, b) || moved;
      }
    }
    return moved;
  }

 private:
  [[nodiscard]] std::size_t left_of(std::size_t j, std::size_t b) const {
    return memberships_.first()[j] + b;
  }

  [[nodiscard]] bool in_use(std::size_t left) const {
    return std::ranges::any_of(search_.rules(),
                               [&](const LabelRule& rule) { return reads_border(rule, left); });
  }

  // Of the rows that choose among the places.
  [[nodiscard]] std::vector<double> values_of(const Column& column) const {
    std::vector<double> values;
    for (const std::uint32_t row : input_.rows.first(std::min(input_.rows.size(), most_rows))) {
      values.push_back(column.values[row]);
    }
    return values;
  }

  bool move(std::size_t j, std::size_t b) {
    Feature& feature = partition_.features[j];
    const Column& column = *input_.table->find(feature.name);
    if (input_.grids[j].empty()) input_.grids[j] = tuning_grid(column, input_.rows, points_);
    const std::vector<Border> now = borders_of(feature);
    const double from = b == 0 ? -HUGE_VAL : now[b - 1].end;
    const double to = b + 1 == now.size() ? HUGE_VAL : now[b + 1].start;
    std::vector<Border> places = places_of(now[b], from, to, input_.grids[j]);
    places.push_back(now[b]);
    const std::vector<double> values = values_of(column);
    const BorderView view(search_, targets_, feature, b, left_of(j, b), values);
    std::vector<double> losses(places.size());
    parallel_for(threads_, places.size(), [&](std::size_t k) { losses[k] = view.loss(places[k]); });
    const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
    if (!(losses[best] < losses.back() - least_gain)) return false;
    place(j, b, places[best]);
    const double objective = risk_.objective();
    if (objective > objective_ + least_gain) {
      objective_ = objective;
      return true;
    }
    place(j, b, now[b]);
    return false;
  }

  void place(std::size_t j, std::size_t b, const Border& border) {
    Feature& feature = partition_.features[j];
    const std::size_t left = left_of(j, b);
    set_border(feature, b, border);
    memberships_.refresh(feature, j, *input_.table->find(feature.name), input_.rows, threads_);
    for (const std::size_t side : {left, left + 1}) search_.refresh(side, threads_);
    for (std::size_t r = 0; r < search_.rules().size(); ++r) {
      if (reads_border(search_.rules()[r], left)) search_.rescore(r);
    }
  }

  Search& search_;
  const RiskSearch& risk_;
  const RiskTargets& targets_;
  Partition& partition_;
  Memberships& memberships_;
  TuneInput& input_;
  int points_;  // of a grid
  int threads_;
  double objective_;
};

}  // namespace

bool move_risk_borders(Search& search, const RiskSearch& risk, const RiskTargets& targets,
                       Partition& partition, Memberships& memberships, TuneInput& input,
                       const Settings& settings, int threads, Control& control) {
  const int points = settings.grid > 0 ? settings.grid : automatic_grid(input.rows.size());
  return BorderSearch(search, risk, targets, partition, memberships, input, points, threads)
      .run(control);
}

}  // namespace frr::internal
