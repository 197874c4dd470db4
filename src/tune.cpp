#include "tune.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"
#include "partition.hpp"

namespace frr {
namespace {

// One border under trial: label `left` and its right neighbour, and all that does not depend on
// where it is.
class BorderTrial {
 public:
  BorderTrial(const Search& search, std::span<const double> values, std::size_t left_column)
      : search_(search), values_(values), left_(left_column) {
    const auto& rows = search.rows();
    const std::size_t n = rows.classes.size();
    right_score_.assign(n, -never);
    wrong_score_.assign(n, -never);
    for (std::size_t r = 0; r < search.rules().size(); ++r) {
      const SearchRule& rule = search.rules()[r];
      const bool moves = std::any_of(rule.labels.begin(), rule.labels.end(), [&](std::size_t d) {
        return d == left_ || d == left_ + 1;
      });
      if (moves) {
        add_moving(rule);
        continue;
      }
      const auto score = search.score(r);
      for (std::size_t i = 0; i < n; ++i) {
        float& side = rule.then == rows.classes[i] ? right_score_[i] : wrong_score_[i];
        side = std::max(side, score[i]);
      }
    }
  }

  [[nodiscard]] bool used() const { return !moving_.empty(); }

  // Objective (without prices, which do not change) with these shapes of the two labels.
  [[nodiscard]] double value(const Trapezoid& left, const Trapezoid& right) const {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    double sum = 0;
    for (std::size_t i = 0; i < rows.classes.size(); ++i) {
      const float costs[2] = {scale.cost(static_cast<float>(left(values_[i]))),
                              scale.cost(static_cast<float>(right(values_[i])))};
      float best_right = right_score_[i], best_wrong = wrong_score_[i];
      for (const Moving& rule : moving_) {
        const float cost = scale.join(rule.base[i], costs[rule.uses_right ? 1 : 0]);
        const float score = rule.weight - scale.steps(cost);
        float& side = rule.then == rows.classes[i] ? best_right : best_wrong;
        side = std::max(side, score);
      }
      sum += rows.weights[i] * degree_right(best_right, best_wrong,
                                            search_.otherwise() == rows.classes[i], search_.margin());
    }
    return sum;
  }

 private:
  struct Moving {
    std::vector<float> base;  // cost of the other conditions
    float weight = 0;         // in steps
    int then = 0;
    bool uses_right = false;
  };

  void add_moving(const SearchRule& rule) {
    Moving moving;
    moving.then = rule.then;
    moving.weight = static_cast<float>(std::log(rule.weight) / std::log(1.25));
    moving.base.assign(search_.rows().classes.size(), 0);
    for (const std::size_t d : rule.labels) {
      if (d == left_ || d == left_ + 1) {
        moving.uses_right = d == left_ + 1;
        continue;
      }
      const auto cost = search_.cost(d);
      for (std::size_t i = 0; i < moving.base.size(); ++i) {
        moving.base[i] = search_.scale().join(moving.base[i], cost[i]);
      }
    }
    moving_.push_back(std::move(moving));
  }

  const Search& search_;
  std::span<const double> values_;
  std::size_t left_;
  std::vector<float> right_score_, wrong_score_;
  std::vector<Moving> moving_;
};

// Points half way between neighbouring distinct values at about `count` quantiles.
std::vector<double> border_grid(std::vector<double> sorted, int count) {
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> grid;
  const auto n = sorted.size();
  for (int q = 1; q < count; ++q) {
    const std::size_t at = n * static_cast<std::size_t>(q) / static_cast<std::size_t>(count);
    const double value = sorted[at];
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), value);
    const double point = above == sorted.end() ? value : value / 2 + *above / 2;
    if (grid.empty() || point > grid.back()) grid.push_back(point);
  }
  return grid;
}

}  // namespace

bool tune(Search& search, Partition& partition, Memberships& memberships, const TuneInput& input,
          const Settings& settings, int threads, Control& control) {
  bool moved = false;
  for (std::size_t j = 0; j < partition.features.size(); ++j) {
    Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j]) continue;
    const std::size_t borders = borders_of(feature).size();
    if (borders == 0) continue;
    const Column& column = *input.table->find(feature.name);
    std::vector<double> values, present;
    for (std::size_t b = 0; b < borders; ++b) {
      control.report(Progress::Stage::tune, 0.8);
      if (control.out_of_time()) return moved;
      const std::size_t left = memberships.first()[j] + b;
      if (values.empty()) {
        const bool any_rule = std::any_of(
            search.rules().begin(), search.rules().end(), [&](const SearchRule& rule) {
              return std::any_of(rule.labels.begin(), rule.labels.end(),
                                 [&](std::size_t d) { return memberships.feature_of(d) == j; });
            });
        if (!any_rule) break;
        for (const std::uint32_t row : input.rows) values.push_back(column.values[row]);
        std::copy_if(values.begin(), values.end(), std::back_inserter(present),
                     [](double x) { return x == x; });
      }
      const BorderTrial trial(search, values, left);
      if (!trial.used()) continue;
      const std::vector<double> grid = border_grid(present, settings.grid);
      const std::vector<Border> now = borders_of(feature);
      const double from = b == 0 ? -HUGE_VAL : now[b - 1].end;
      const double to = b + 1 == borders ? HUGE_VAL : now[b + 1].start;
      std::vector<Border> tries{now[b]};
      for (std::size_t s = 0; s < grid.size(); ++s) {
        for (std::size_t e = s; e < grid.size(); ++e) {
          if (grid[s] >= from && grid[e] <= to && std::isfinite(grid[e] - grid[s])) {
            tries.push_back({grid[s], grid[e]});
          }
        }
      }
      std::vector<double> worth(tries.size());
      const bool worth_threads = tries.size() * values.size() > 200000;
      parallel_for(worth_threads ? threads : 1, tries.size(), [&](std::size_t t) {
        Trapezoid a = feature.labels[b].shape, c = feature.labels[b + 1].shape;
        a.c = c.a = tries[t].start;
        a.d = c.b = tries[t].end;
        worth[t] = trial.value(a, c);
      });
      const auto best = static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
      if (!(worth[best] > worth[0] + 1e-3)) continue;
      set_border(feature, b, tries[best]);
      memberships.refresh(feature, j, column, input.rows);
      search.refresh(left);
      search.refresh(left + 1);
      for (std::size_t r = 0; r < search.rules().size(); ++r) search.rescore(r);
      moved = true;
    }
  }
  return moved;
}

}  // namespace frr
