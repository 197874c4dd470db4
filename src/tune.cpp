#include "tune.hpp"

#include <algorithm>
#include <cmath>

#include "fastmath.hpp"
#include "kernel.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "text.hpp"

namespace frr {
namespace {

// Costs of the labels left and right of a border from the right one's degree (-1: missing value).
FRR_MULTIVERSION void slope_costs(const float* __restrict degree, std::size_t n, float factor,
                                  float* __restrict falling, float* __restrict rising) {
  for (std::size_t i = 0; i < n; ++i) {
    const float up = degree[i], down = 1.0F - up;
    rising[i] = up > 0 ? -factor * logarithm(std::max(up, 1e-30F)) : never;
    falling[i] = down > 0 && up >= 0 ? -factor * logarithm(std::max(down, 1e-30F)) : never;
  }
}

FRR_MULTIVERSION void raise(const float* __restrict base, const float* __restrict cost,
                            const unsigned char* __restrict own, std::size_t n, float weight,
                            float* __restrict right, float* __restrict wrong) {
  for (std::size_t i = 0; i < n; ++i) {
    const float score = weight - base[i] - cost[i];
    right[i] = std::max(right[i], own[i] != 0 ? score : -never);
    wrong[i] = std::max(wrong[i], own[i] != 0 ? -never : score);
  }
}

FRR_MULTIVERSION float sum_of_ramps(const float* __restrict right, const float* __restrict wrong,
                                    const float* __restrict weight, std::size_t n, float slope) {
  float sum[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t l = 0; l < 8; ++l) {
      const float x = (right[i + l] - wrong[i + l]) * slope + 0.5F;
      sum[l] += weight[i + l] * std::min(std::max(x, 0.0F), 1.0F);
    }
  }
  for (std::size_t l = 0; i + l < n; ++l) {
    const float x = (right[i + l] - wrong[i + l]) * slope + 0.5F;
    sum[l] += weight[i + l] * std::min(std::max(x, 0.0F), 1.0F);
  }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

// One border under trial: label `left` and its right neighbour, and all that does not depend on
// where it is. Scores of rows that no rule covers are stood in for by two numbers below every
// score, ordered as ELSE is right or wrong, so that their ramp is 1 or 0.
class BorderTrial {
 public:
  BorderTrial(const Search& search, std::span<const double> values, std::size_t left_column,
              const Trapezoid& left, const Trapezoid& right)
      : search_(search), values_(values), left_(left_column) {
    const auto& rows = search.rows();
    const std::size_t n = rows.classes.size();
    right_score_.resize(n);
    wrong_score_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool otherwise_right = search.otherwise() == rows.classes[i];
      right_score_[i] = otherwise_right ? -1e9F : -2e9F;
      wrong_score_[i] = otherwise_right ? -2e9F : -1e9F;
    }
    for (std::size_t r = 0; r < search.rules().size(); ++r) {
      const SearchRule& rule = search.rules()[r];
      const bool moves = std::any_of(rule.labels.begin(), rule.labels.end(),
                                     [&](std::size_t d) { return d == left_ || d == left_ + 1; });
      if (moves) {
        add_moving(rule, left, right);
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

  // Objective (without prices, which do not change) with the border there.
  [[nodiscard]] double value(const Border& border) const {
    const auto& rows = search_.rows();
    const std::size_t n = rows.classes.size();
    constexpr std::size_t piece = 512;
    float falling[piece], rising[piece], right[piece], wrong[piece];
    const auto slope = static_cast<float>(0.5 / std::max(search_.margin(), 1e-3));
    double sum = 0;
    for (std::size_t start = 0; start < n; start += piece) {
      const std::size_t count = std::min(piece, n - start);
      side_costs(border, start, count, falling, rising);
      std::copy_n(right_score_.data() + start, count, right);
      std::copy_n(wrong_score_.data() + start, count, wrong);
      for (const Moving& rule : moving_) {
        const float* cost = rule.uses_right ? rising : falling;
        if (search_.scale().linear()) {
          raise(rule.base.data() + start, cost, rule.own.data() + start, count, rule.weight, right,
                wrong);
        } else {
          raise_general(rule, start, count, cost, right, wrong);
        }
      }
      sum += sum_of_ramps(right, wrong, rows.weights.data() + start, count, slope);
    }
    return sum;
  }

 private:
  struct Moving {
    std::vector<float> base;         // cost of the other conditions and of the label's far side
    std::vector<unsigned char> own;  // the rule's class is the row's
    float weight = 0;                // in steps
    bool uses_right = false;
  };

  void add_moving(const SearchRule& rule, const Trapezoid& left, const Trapezoid& right) {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    const std::size_t n = rows.classes.size();
    Moving moving;
    moving.weight = steps_of_weight(rule.weight);
    moving.base.assign(n, 0);
    moving.own.resize(n);
    for (std::size_t i = 0; i < n; ++i) moving.own[i] = rule.then == rows.classes[i] ? 1 : 0;
    for (const std::size_t d : rule.labels) {
      if (d == left_ || d == left_ + 1) {
        moving.uses_right = d == left_ + 1;
        Trapezoid far = moving.uses_right ? right : left;
        if (moving.uses_right)
          far.a = far.b = -HUGE_VAL;
        else
          far.c = far.d = HUGE_VAL;
        for (std::size_t i = 0; i < n; ++i) {
          const float cost = scale.cost(static_cast<float>(far(values_[i])));
          moving.base[i] = scale.join(moving.base[i], cost);
        }
        continue;
      }
      const auto cost = search_.cost(d);
      for (std::size_t i = 0; i < n; ++i) moving.base[i] = scale.join(moving.base[i], cost[i]);
    }
    moving_.push_back(std::move(moving));
  }

  void side_costs(const Border& border, std::size_t start, std::size_t count, float* falling,
                  float* rising) const {
    const Trapezoid left{-HUGE_VAL, -HUGE_VAL, border.start, border.end};
    const Trapezoid right{border.start, border.end, HUGE_VAL, HUGE_VAL};
    if (!search_.scale().linear()) {
      for (std::size_t i = 0; i < count; ++i) {
        falling[i] = search_.scale().cost(static_cast<float>(left(values_[start + i])));
        rising[i] = search_.scale().cost(static_cast<float>(right(values_[start + i])));
      }
      return;
    }
    float degree[512];
    for (std::size_t i = 0; i < count; ++i) {
      const double x = values_[start + i];
      degree[i] = x == x ? static_cast<float>(right(x)) : -1.0F;
    }
    slope_costs(degree, count, search_.scale().factor(), falling, rising);
  }

  void raise_general(const Moving& rule, std::size_t start, std::size_t count, const float* cost,
                     float* right, float* wrong) const {
    const CostScale& scale = search_.scale();
    for (std::size_t i = 0; i < count; ++i) {
      const float score = rule.weight - scale.steps(scale.join(rule.base[start + i], cost[i]));
      float& side = rule.own[start + i] != 0 ? right[i] : wrong[i];
      side = std::max(side, score);
    }
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
    const double point = above == sorted.end() ? value : short_between(value, *above);
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
        const bool any_rule =
            std::any_of(search.rules().begin(), search.rules().end(), [&](const SearchRule& rule) {
              return std::any_of(rule.labels.begin(), rule.labels.end(),
                                 [&](std::size_t d) { return memberships.feature_of(d) == j; });
            });
        if (!any_rule) break;
        for (const std::uint32_t row : input.rows) values.push_back(column.values[row]);
        std::copy_if(values.begin(), values.end(), std::back_inserter(present),
                     [](double x) { return x == x; });
      }
      const BorderTrial trial(search, values, left, feature.labels[b].shape,
                              feature.labels[b + 1].shape);
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
      parallel_for(worth_threads ? threads : 1, tries.size(),
                   [&](std::size_t t) { worth[t] = trial.value(tries[t]); });
      const auto best =
          static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
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
