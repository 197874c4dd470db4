#include "search/tune.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/border_kernel.hpp"
#include "kernels/fastmath.hpp"
#include "labels/partition.hpp"

namespace frr::internal {
namespace {

// The largest number of values whose quantiles are taken: more would not move them.
constexpr std::size_t grid_values = 16384;
constexpr std::size_t chunk_rows = 512;  // whose sum is taken in one piece

// One border under trial: label `left` and its right neighbour, and all that does not depend on
// where it is. Rows without a value are left out, because no border changes them.
struct BorderPlace {
  std::size_t left;  // column of the label left of the border
  const Trapezoid &left_shape, &right_shape;
};

// The label without its slope at the border.
Trapezoid far_side(Trapezoid shape, bool right) {
  if (right)
    shape.a = shape.b = -HUGE_VAL;
  else
    shape.c = shape.d = HUGE_VAL;
  return shape;
}

// A rule that reads one of the two labels.
struct Moving {
  std::size_t rule = 0;
  std::vector<float> cost;  // of the other conditions and of the label's far side
  int then = 0;
  float weight = 0;  // in steps
  bool rising = false;
};

// Scores of the rules that stay. Where none covers a row, two numbers below every score stand in,
// ordered as ELSE is right or wrong, so that their ramp is 1 or 0.
struct Standing {
  std::vector<float> right, wrong;
  std::vector<std::size_t> still;
  std::vector<Moving> moving;
};

// Of the rows from `from` to `to`.
void split_scores(const Search& search, const BorderPlace& place, std::span<const double> values,
                  std::size_t from, std::size_t to, Standing& result) {
  const std::span<const int> classes = search.rows().classes;
  for (std::size_t i = from; i < to; ++i) {
    const bool otherwise_right = search.otherwise() == classes[i];
    result.right[i] = otherwise_right ? -1e9F : -2e9F;
    result.wrong[i] = otherwise_right ? -2e9F : -1e9F;
  }
  for (const std::size_t r : result.still) {
    const auto score = search.score(r);
    const int then = search.rules()[r].then;
    for (std::size_t i = from; i < to; ++i) {
      const bool own = then == classes[i];
      result.right[i] = std::max(result.right[i], own ? score[i] : -never);
      result.wrong[i] = std::max(result.wrong[i], own ? -never : score[i]);
    }
  }
  const CostScale& scale = search.scale();
  for (Moving& moving : result.moving) {
    const Trapezoid far =
        far_side(moving.rising ? place.right_shape : place.left_shape, moving.rising);
    for (std::size_t i = from; i < to; ++i) {
      const double degree = far(values[i]);
      moving.cost[i] = degree == 1 ? 0.0F : scale.cost(static_cast<float>(degree));
    }
    for (const std::size_t d : search.rules()[moving.rule].labels) {
      if (d == place.left || d == place.left + 1) continue;
      const auto cost = search.cost(d);
      for (std::size_t i = from; i < to; ++i) {
        moving.cost[i] = scale.join(moving.cost[i], cost[i]);
      }
    }
  }
}

bool reads(const LabelRule& rule, std::size_t label) {
  return std::find(rule.labels.begin(), rule.labels.end(), label) != rule.labels.end();
}
bool reads_border(const LabelRule& rule, std::size_t left) {
  return reads(rule, left) || reads(rule, left + 1);
}

Standing split_rules(const Search& search, const BorderPlace& place, std::span<const double> values,
                     int threads) {
  Standing result;
  result.right.resize(values.size());
  result.wrong.resize(values.size());
  for (std::size_t r = 0; r < search.rules().size(); ++r) {
    const LabelRule& rule = search.rules()[r];
    if (reads_border(rule, place.left)) {
      result.moving.push_back({.rule = r,
                               .cost = std::vector<float>(values.size()),
                               .then = rule.then,
                               .weight = steps_of_weight(rule.weight),
                               .rising = reads(rule, place.left + 1)});
    } else {
      result.still.push_back(r);
    }
  }
  parallel_blocks(threads, values.size(), block_rows, [&](std::size_t from, std::size_t to) {
    split_scores(search, place, values, from, to, result);
  });
  return result;
}

float slope_of(double margin) { return static_cast<float>(0.5 / std::max(margin, 1e-3)); }

// Where scores are sums of steps: rows are sorted by the points between which they lie, in chunks
// of one such cell, so that a border leaves a chunk wholly on one side or goes through all of it.
class LinearTrial {
 public:
  LinearTrial(const Search& search, const Standing& standing, std::span<const double> values,
              std::vector<double> points, int threads)
      : points_(std::move(points)),
        factor_(search.scale().factor()),
        slope_(slope_of(search.margin())),
        scale_(points_.size() > 1 ? 1 / (points_.back() - points_.front()) : 0) {
    sort_rows(values, threads);
    const auto& rows = search.rows();
    for (auto& part : parts_) part.resize(order_.size());
    parallel_blocks(threads, order_.size(), block_rows, [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) {
        const std::size_t i = order_[k];
        parts_[0][k] = standing.right[i];
        parts_[1][k] = standing.wrong[i];
        for (std::size_t p = 2; p < 6; ++p) parts_[p][k] = -never;
        parts_[6][k] = rows.weights[i];
        for (const Moving& rule : standing.moving) {
          const bool own = rule.then == rows.classes[i];
          float& best = parts_[(rule.rising ? 2 : 4) + (own ? 0 : 1)][k];
          best = std::max(best, rule.weight - rule.cost[i]);
        }
      }
    });
  }

  // Adds to worth[t] the objective (without prices, which do not change) with the border tries[t].
  void value(std::span<const Border> tries, int threads, std::span<double> worth) const {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const Border& border : tries) {
      places.emplace_back(place(border.start), place(border.end));
    }
    const std::size_t most = tries.size() * values_.size();
    std::vector<double> sums(chunks_.size() * tries.size());
    parallel_for(most > 50000 ? threads : 1, chunks_.size(), [&](std::size_t c) {
      value_chunk(chunks_[c], tries, places,
                  std::span(sums).subspan(c * tries.size(), tries.size()));
    });
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::size_t t = 0; t < tries.size(); ++t) worth[t] += sums[c * tries.size() + t];
    }
  }

 private:
  struct Chunk {
    std::size_t cell, first, count;
  };

  [[nodiscard]] std::size_t place(double point) const {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), point) -
                                    points_.begin());
  }

  // Cell c holds the values from point c - 1 on and below point c.
  void sort_rows(std::span<const double> values, int threads) {
    const std::size_t cells = points_.size() + 1;  // and one more for rows without a value
    const std::size_t blocks = (values.size() + block_rows - 1) / block_rows;
    std::vector<std::uint32_t> cell(values.size());
    std::vector<std::size_t> next(blocks * (cells + 1), 0);
    parallel_blocks(threads, values.size(), block_rows, [&](std::size_t from, std::size_t to) {
      std::size_t* count = next.data() + from / block_rows * (cells + 1);
      for (std::size_t i = from; i < to; ++i) {
        const double x = values[i];
        std::uint32_t below = 0;
        for (const double point : points_) below += point <= x ? 1 : 0;
        cell[i] = x == x ? below : static_cast<std::uint32_t>(cells);
        ++count[cell[i]];
      }
    });
    std::size_t rows = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      std::size_t first = rows;
      for (std::size_t b = 0; b < blocks; ++b) {
        rows += std::exchange(next[b * (cells + 1) + c], rows);
      }
      for (; first < rows; first += chunk_rows) {
        chunks_.push_back({c, first, std::min(chunk_rows, rows - first)});
      }
    }
    order_.resize(rows);
    values_.resize(rows);
    parallel_blocks(threads, values.size(), block_rows, [&](std::size_t from, std::size_t to) {
      std::size_t* place = next.data() + from / block_rows * (cells + 1);
      for (std::size_t i = from; i < to; ++i) {
        if (cell[i] == cells) continue;
        values_[place[cell[i]]] = values[i];
        order_[place[cell[i]]++] = static_cast<std::uint32_t>(i);
      }
    });
  }

  void value_chunk(const Chunk& chunk, std::span<const Border> tries,
                   std::span<const std::pair<std::size_t, std::size_t>> places,
                   std::span<double> sums) const {
    const auto part = [&](std::size_t p) { return parts_[p].data() + chunk.first; };
    const BorderRows rows{.right = part(0),
                          .wrong = part(1),
                          .rising_right = part(2),
                          .rising_wrong = part(3),
                          .falling_right = part(4),
                          .falling_wrong = part(5),
                          .weight = part(6),
                          .count = chunk.count};
    const std::size_t points = points_.size(), size = chunk_rows;
    std::vector<float> logs((points + 2) * size, 0.0F);
    float* const none = logs.data() + points * size;
    float* const always = none + size;
    std::fill(none, none + size, -never);
    const double* x = values_.data() + chunk.first;
    for (std::size_t p = 0; p < points; ++p) {
      distance_logs(x, chunk.count, points_[p], p < chunk.cell ? scale_ : -scale_, factor_,
                    logs.data() + p * size);
    }
    const double low = slope_sum(rows, none, always, 0, slope_);
    const double high = slope_sum(rows, always, none, 0, slope_);
    for (std::size_t t = 0; t < tries.size(); ++t) {
      const auto [start, end] = places[t];
      if (chunk.cell <= start || chunk.cell > end) {
        sums[t] = chunk.cell <= start ? low : high;
        continue;
      }
      const auto width = static_cast<float>((tries[t].end - tries[t].start) * scale_);
      sums[t] = slope_sum(rows, logs.data() + start * size, logs.data() + end * size,
                          factor_ * logarithm(width), slope_);
    }
  }

  std::vector<double> points_;
  float factor_, slope_;
  double scale_;
  std::vector<std::uint32_t> order_;
  std::vector<double> values_;
  std::vector<Chunk> chunks_;
  // right, wrong, rising right, rising wrong, falling right, falling wrong, weight
  std::array<std::vector<float>, 7> parts_;
};

// For every t-norm, row by row.
class GeneralTrial {
 public:
  GeneralTrial(const Search& search, const Standing& standing, std::span<const double> values)
      : search_(search), standing_(standing), values_(values) {}

  [[nodiscard]] double value(const Border& border) const {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    const Trapezoid falling{-HUGE_VAL, -HUGE_VAL, border.start, border.end};
    const Trapezoid rising{border.start, border.end, HUGE_VAL, HUGE_VAL};
    const float slope = slope_of(search_.margin());
    double sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      float right = standing_.right[i], wrong = standing_.wrong[i];
      const float down = scale.cost(static_cast<float>(falling(values_[i])));
      const float up = scale.cost(static_cast<float>(rising(values_[i])));
      for (const Moving& rule : standing_.moving) {
        const float cost = scale.join(rule.cost[i], rule.rising ? up : down);
        float& side = rule.then == rows.classes[i] ? right : wrong;
        side = std::max(side, rule.weight - scale.steps(cost));
      }
      sum += static_cast<double>(rows.weights[i] *
                                 std::clamp((right - wrong) * slope + 0.5F, 0.0F, 1.0F));
    }
    return sum;
  }

 private:
  const Search& search_;
  const Standing& standing_;
  std::span<const double> values_;
};

std::vector<double> value_borders(const Search& search, const BorderPlace& place,
                                  std::span<const double> values, std::span<const Border> tries,
                                  std::span<const double> grid, int threads) {
  const Standing standing = split_rules(search, place, values, threads);
  std::vector<double> worth(tries.size(), 0);
  std::vector<double> points;
  std::copy_if(grid.begin(), grid.end(), std::back_inserter(points),
               [](double x) { return std::isfinite(x); });
  points.push_back(tries[0].start);
  points.push_back(tries[0].end);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (!search.scale().linear() || !std::isfinite(points.back() - points.front())) {
    const GeneralTrial trial(search, standing, values);
    const bool worth_threads = tries.size() * values.size() > 50000;
    parallel_for(worth_threads ? threads : 1, tries.size(),
                 [&](std::size_t t) { worth[t] = trial.value(tries[t]); });
    return worth;
  }
  LinearTrial(search, standing, values, std::move(points), threads).value(tries, threads, worth);
  return worth;
}

std::vector<double> values_of(const Column& column, std::span<const std::uint32_t> rows) {
  std::vector<double> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = column.values[rows[i]];
  return values;
}

// Points half way between neighbouring distinct values at about `count` quantiles.
std::vector<double> border_grid(const Column& column, std::span<const std::uint32_t> rows,
                                int count) {
  std::vector<double> sorted = values_of(column, rows.first(std::min(rows.size(), grid_values)));
  std::erase_if(sorted, [](double x) { return x != x; });
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> grid;
  const auto n = sorted.size();
  for (int q = 1; n > 0 && q < count; ++q) {
    const std::size_t at = n * static_cast<std::size_t>(q) / static_cast<std::size_t>(count);
    const double value = sorted[at];
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), value);
    const double point = above == sorted.end() ? value : short_between(value, *above);
    if (grid.empty() || point > grid.back()) grid.push_back(point);
  }
  return grid;
}

// Whether a rule reads a label at border b of feature j.
bool in_use(const Search& search, const Memberships& memberships, std::size_t j, std::size_t b) {
  const auto& rules = search.rules();
  const std::size_t left = memberships.first()[j] + b;
  return std::any_of(rules.begin(), rules.end(),
                     [left](const LabelRule& rule) { return reads_border(rule, left); });
}

void set_grids(const Search& search, const Partition& partition, const Memberships& memberships,
               TuneInput& input, int count, int threads) {
  input.grids.resize(partition.features.size());
  parallel_for(threads, partition.features.size(), [&](std::size_t j) {
    const Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j] || !input.grids[j].empty()) return;
    for (std::size_t b = 0; b < borders_of(feature).size(); ++b) {
      if (!in_use(search, memberships, j, b)) continue;
      input.grids[j] = border_grid(*input.table->find(feature.name), input.rows, count);
      return;
    }
  });
}

}  // namespace

int automatic_grid(std::size_t rows) {
  return static_cast<int>(std::clamp<std::size_t>(rows / 1000, 20, 60));
}

bool tune(Search& search, Partition& partition, Memberships& memberships, TuneInput& input,
          const Settings& settings, int threads, Control& control) {
  bool moved = false;
  const int points = settings.grid > 0 ? settings.grid : automatic_grid(input.rows.size());
  set_grids(search, partition, memberships, input, points, threads);
  for (std::size_t j = 0; j < partition.features.size(); ++j) {
    Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j]) continue;
    const std::size_t borders = borders_of(feature).size();
    const Column& column = *input.table->find(feature.name);
    std::vector<double> values;
    for (std::size_t b = 0; b < borders; ++b) {
      if (!in_use(search, memberships, j, b)) continue;
      control.report(Progress::Stage::tune, 0.8);
      if (control.out_of_time()) return moved;
      const std::size_t left = memberships.first()[j] + b;
      const std::vector<double>& grid = input.grids[j];
      if (values.empty()) values = values_of(column, input.rows);
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
      const BorderPlace place{left, feature.labels[b].shape, feature.labels[b + 1].shape};
      const std::vector<double> worth = value_borders(search, place, values, tries, grid, threads);
      const auto best =
          static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
      if (!(worth[best] > worth[0] + 1e-3)) continue;
      set_border(feature, b, tries[best]);
      memberships.refresh(feature, j, column, input.rows, threads);
      search.refresh(left, threads);
      search.refresh(left + 1, threads);
      for (std::size_t r = 0; r < search.rules().size(); ++r) {
        if (reads_border(search.rules()[r], left)) search.rescore(r);
      }
      moved = true;
    }
  }
  return moved;
}

}  // namespace frr::internal
