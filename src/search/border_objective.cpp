#include "search/border_objective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/parallel.hpp"
#include "kernels/border_kernel.hpp"
#include "kernels/fastmath.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t chunk_rows = 512;      // rows whose sum is computed in one piece
constexpr std::size_t min_parallel = 50000;  // evaluations of rows that are worth several threads

bool reads(const LabelRule& rule, std::size_t label) {
  return std::find(rule.labels.begin(), rule.labels.end(), label) != rule.labels.end();
}

// The label without its slope at the border.
Trapezoid far_side(Trapezoid shape, bool rising) {
  if (rising)
    shape.a = shape.b = -HUGE_VAL;
  else
    shape.c = shape.d = HUGE_VAL;
  return shape;
}

// A rule that reads one of the border's labels.
struct MovingRule {
  std::size_t rule = 0;
  std::vector<float> cost;  // of the other conditions and of the label's other slope
  int then = 0;
  float weight = 0;     // in steps
  bool rising = false;  // it reads the rising label
};

// The rules split by whether they read the border, with the best scores of the fixed rules of right
// and wrong classes. Rows that no fixed rule covers get two numbers below every score whose ramp is
// 1 or 0, as ELSE is right or wrong.
struct SplitRules {
  std::vector<float> right, wrong;
  std::vector<std::size_t> fixed;
  std::vector<MovingRule> moving;
};

// Computes the scores and costs of the rows from `from` to `to`.
void fill_scores(const Search& search, const TunedBorder& border, std::span<const double> values,
                 std::size_t from, std::size_t to, SplitRules& result) {
  const std::span<const int> classes = search.rows().classes;
  for (std::size_t i = from; i < to; ++i) {
    const bool otherwise_right = search.otherwise() == classes[i];
    result.right[i] = otherwise_right ? -1e9F : -2e9F;
    result.wrong[i] = otherwise_right ? -2e9F : -1e9F;
  }
  for (const std::size_t r : result.fixed) {
    const auto score = search.score(r);
    const int then = search.rules()[r].then;
    for (std::size_t i = from; i < to; ++i) {
      const bool right = then == classes[i];
      result.right[i] = std::max(result.right[i], right ? score[i] : -never);
      result.wrong[i] = std::max(result.wrong[i], right ? -never : score[i]);
    }
  }
  const CostScale& scale = search.scale();
  for (MovingRule& moving : result.moving) {
    const Trapezoid far =
        far_side(moving.rising ? border.right_shape : border.left_shape, moving.rising);
    for (std::size_t i = from; i < to; ++i) {
      const double degree = far(values[i]);
      moving.cost[i] = degree == 1 ? 0.0F : scale.cost(static_cast<float>(degree));
    }
    for (const std::size_t d : search.rules()[moving.rule].labels) {
      if (d == border.left || d == border.left + 1) continue;
      const auto cost = search.cost(d);
      for (std::size_t i = from; i < to; ++i) {
        moving.cost[i] = scale.join(moving.cost[i], cost[i]);
      }
    }
  }
}

SplitRules split_rules(const Search& search, const TunedBorder& border,
                       std::span<const double> values, int threads) {
  SplitRules result;
  result.right.resize(values.size());
  result.wrong.resize(values.size());
  for (std::size_t r = 0; r < search.rules().size(); ++r) {
    const LabelRule& rule = search.rules()[r];
    if (reads_border(rule, border.left)) {
      result.moving.push_back({.rule = r,
                               .cost = std::vector<float>(values.size()),
                               .then = rule.then,
                               .weight = steps_of_weight(rule.weight),
                               .rising = reads(rule, border.left + 1)});
    } else {
      result.fixed.push_back(r);
    }
  }
  parallel_blocks(threads, values.size(), block_rows, [&](std::size_t from, std::size_t to) {
    fill_scores(search, border, values, from, to, result);
  });
  return result;
}

float slope_of(double margin) { return static_cast<float>(0.5 / std::max(margin, 1e-3)); }

// For t-norms whose steps add up. Rows are sorted into cells by the points between which their
// values lie, and cells are divided into chunks. A border then either contains a whole chunk or
// does not touch it.
class LinearObjective {
 public:
  LinearObjective(const Search& search, const SplitRules& rules, std::span<const double> values,
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
        parts_[0][k] = rules.right[i];
        parts_[1][k] = rules.wrong[i];
        for (std::size_t p = 2; p < 6; ++p) parts_[p][k] = -never;
        parts_[6][k] = rows.weights[i];
        for (const MovingRule& rule : rules.moving) {
          const bool right = rule.then == rows.classes[i];
          float& best = parts_[(rule.rising ? 2 : 4) + (right ? 0 : 1)][k];
          best = std::max(best, rule.weight - rule.cost[i]);
        }
      }
    });
  }

  [[nodiscard]] std::vector<double> at(std::span<const Border> places, int threads) const {
    std::vector<PointRange> ranges;
    for (const Border& border : places) {
      ranges.push_back({point_index(border.start), point_index(border.end)});
    }
    const std::size_t count = places.size(), evaluations = count * values_.size();
    std::vector<double> sums(chunks_.size() * count);
    parallel_for(evaluations > min_parallel ? threads : 1, chunks_.size(), [&](std::size_t c) {
      sum_chunk(chunks_[c], places, ranges, std::span(sums).subspan(c * count, count));
    });
    std::vector<double> objectives(count, 0);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::size_t t = 0; t < count; ++t) objectives[t] += sums[c * count + t];
    }
    return objectives;
  }

 private:
  struct Chunk {
    std::size_t cell, first, count;
  };
  struct PointRange {
    std::size_t start, end;  // indices into points_
  };

  [[nodiscard]] std::size_t point_index(double point) const {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), point) -
                                    points_.begin());
  }

  // Cell c has the values from point c - 1 up to below point c.
  void sort_rows(std::span<const double> values, int threads) {
    const std::size_t cells = points_.size() + 1;  // rows without a value get an additional one
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

  void sum_chunk(const Chunk& chunk, std::span<const Border> places,
                 std::span<const PointRange> ranges, std::span<double> sums) const {
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
    for (std::size_t t = 0; t < places.size(); ++t) {
      const auto [start, end] = ranges[t];
      if (chunk.cell <= start || chunk.cell > end) {
        sums[t] = chunk.cell <= start ? low : high;
        continue;
      }
      const auto width = static_cast<float>((places[t].end - places[t].start) * scale_);
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

// For any t-norm, row by row.
class GeneralObjective {
 public:
  GeneralObjective(const Search& search, const SplitRules& rules, std::span<const double> values)
      : search_(search), rules_(rules), values_(values) {}

  [[nodiscard]] double at(const Border& border) const {
    const auto& rows = search_.rows();
    const CostScale& scale = search_.scale();
    const Trapezoid falling{-HUGE_VAL, -HUGE_VAL, border.start, border.end};
    const Trapezoid rising{border.start, border.end, HUGE_VAL, HUGE_VAL};
    const float slope = slope_of(search_.margin());
    double sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      float right = rules_.right[i], wrong = rules_.wrong[i];
      const float down = scale.cost(static_cast<float>(falling(values_[i])));
      const float up = scale.cost(static_cast<float>(rising(values_[i])));
      for (const MovingRule& rule : rules_.moving) {
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
  const SplitRules& rules_;
  std::span<const double> values_;
};

}  // namespace

bool reads_border(const LabelRule& rule, std::size_t left) {
  return reads(rule, left) || reads(rule, left + 1);
}

std::vector<double> border_objectives(const Search& search, const TunedBorder& border,
                                      std::span<const double> values,
                                      std::span<const Border> places, std::span<const double> grid,
                                      int threads) {
  const SplitRules rules = split_rules(search, border, values, threads);
  std::vector<double> points;
  std::copy_if(grid.begin(), grid.end(), std::back_inserter(points),
               [](double x) { return std::isfinite(x); });
  points.push_back(places[0].start);
  points.push_back(places[0].end);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (search.scale().linear() && std::isfinite(points.back() - points.front())) {
    return LinearObjective(search, rules, values, std::move(points), threads).at(places, threads);
  }
  const GeneralObjective objective(search, rules, values);
  std::vector<double> objectives(places.size());
  const std::size_t evaluations = places.size() * values.size();
  parallel_for(evaluations > min_parallel ? threads : 1, places.size(),
               [&](std::size_t t) { objectives[t] = objective.at(places[t]); });
  return objectives;
}

}  // namespace frr::internal
