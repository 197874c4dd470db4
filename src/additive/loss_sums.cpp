#include "additive/loss_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.hpp"
#include "frr/error.hpp"
#include "kernels/kernel.hpp"
#include "model/decider.hpp"
#include "model/statistics.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t block = Decider::block_rows;
constexpr std::int64_t most_units = std::int64_t{1} << 16U;  // of a row (weight_units)

std::vector<int> thens_of(const RuleBase& base) {
  std::vector<int> thens;
  for (const Rule& rule : base.rules) thens.push_back(rule.then);
  return thens;
}

// x to the nearest whole number, for |x| < 2^51.
FRR_INLINE double whole(double x) {
  constexpr double shift = 6755399441055744;  // 1.5 * 2^52: a double of this size has no fraction
  return (x + shift) - shift;
}

// The sum of x[i] y[i] over a block, each rounded to a whole number. Sums of whole numbers are
// exact in any order.
FRR_MULTIVERSION double rounded_dot(const double* x, const double* y) {
  constexpr std::size_t lanes = 8;
  double sum[lanes] = {};
  for (std::size_t first = 0; first < block; first += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += whole(x[first + l] * y[first + l]);
  }
  double all = 0;
  for (const double part : sum) all += part;
  return all;
}

// Sums over some of the rows.
class LossCounter {
 public:
  LossCounter(const RuleBase& base, const LossLayout& layout, std::span<const double> point,
              const ColumnMap& map, std::span<const int> classes,
              std::span<const std::int64_t> units, int fraction_bits)
      : layout_(layout),
        point_(point),
        classes_(classes),
        units_(units),
        scale_(std::ldexp(1.0, fraction_bits)),
        sums_(layout.size(), 0),
        decider_(base, map),
        factor_(layout.variables() * block, 1.0),
        plain_(factor_.size()),
        weighted_(factor_.size()),
        rest_(factor_.size()),
        probability_(layout.groups().count() * block),
        residual_(probability_.size()) {
    decider_.observe([this](std::size_t rule, std::span<const double> truths) {
      double* factor = at(factor_, layout_.biases() + rule);
      std::copy(truths.begin(), truths.end(), factor);
      std::fill(factor + truths.size(), factor + block, 0.0);
    });
  }

  // At most Decider::block_rows rows, of known classes.
  void add(std::span<const std::uint32_t> rows) {
    Decision decisions[block];
    decider_.decide(rows, {decisions, rows.size()});
    // Rows that are missing in the block weigh 0.
    std::fill(std::begin(weight_), std::end(weight_), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t units =
          units_.empty() ? weight_units(1, 1) : std::min(units_[rows[i]], most_units);
      weight_[i] = scale_ * static_cast<double>(units);
      sums_[layout_.all() + static_cast<std::size_t>(classes_[rows[i]])] += units;
    }
    fill_probabilities();
    for (std::size_t k = 0; k < residual_.size(); ++k) {
      residual_[k] = weight_[k % block] * probability_[k];
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t g = layout_.groups().of(classes_[rows[i]]);
      const double loss = std::min(log_sum_[i] - score_of(g, i), most_row_loss);
      sums_[layout_.loss()] += std::llround(weight_[i] * loss);
      at(residual_, g)[i] -= weight_[i];
    }
    add_derivatives();
  }

  std::vector<std::int64_t> take() { return std::move(sums_); }

 private:
  static double* at(std::vector<double>& arrays, std::size_t k) {
    return arrays.data() + k * block;
  }

  [[nodiscard]] double score_of(std::size_t g, std::size_t i) const {
    return scores_[g * block + i];
  }

  void fill_probabilities() {
    const std::size_t groups = layout_.groups().count();
    scores_.assign(groups * block, 0.0);
    for (std::size_t k = 0; k < layout_.variables(); ++k) {
      double* score = at(scores_, layout_.group_of(k));
      const double* factor = at(factor_, k);
      for (std::size_t i = 0; i < block; ++i) score[i] += point_[k] * factor[i];
    }
    for (std::size_t i = 0; i < block; ++i) {
      double top = score_of(0, i), sum = 0;
      for (std::size_t g = 1; g < groups; ++g) top = std::max(top, score_of(g, i));
      for (std::size_t g = 0; g < groups; ++g) {
        sum += probability_[g * block + i] = std::exp(score_of(g, i) - top);
      }
      for (std::size_t g = 0; g < groups; ++g) probability_[g * block + i] /= sum;
      log_sum_[i] = top + std::log(sum);
    }
  }

  void add_derivatives() {
    for (std::size_t k = 0; k < layout_.variables(); ++k) {
      const std::size_t g = layout_.group_of(k);
      const double* factor = at(factor_, k);
      double *plain = at(plain_, k), *weighted = at(weighted_, k), *rest = at(rest_, k);
      const double* p = at(probability_, g);
      for (std::size_t i = 0; i < block; ++i) {
        plain[i] = factor[i] * p[i];
        weighted[i] = weight_[i] * plain[i];
        rest[i] = factor[i] - plain[i];
      }
      add_to(layout_.gradient(k), rounded_dot(factor, at(residual_, g)));
      for (std::size_t j = 0; j <= k; ++j) {
        const bool same = layout_.group_of(j) == g;
        const double product = rounded_dot(weighted, same ? at(rest_, j) : at(plain_, j));
        add_to(layout_.hessian(k, j), same ? product : -product);
      }
    }
  }

  void add_to(std::size_t index, double sum) { sums_[index] += static_cast<std::int64_t>(sum); }

  const LossLayout& layout_;
  std::span<const double> point_;
  std::span<const int> classes_;
  std::span<const std::int64_t> units_;
  double scale_;
  std::vector<std::int64_t> sums_;
  Decider decider_;
  // [variable][row]; with f the factor of the variable in the score of its group (1 for a bias, the
  // truth of the rule for a weight), v the weight of the row, p the probability of the group:
  std::vector<double> factor_, plain_, weighted_, rest_;  // f, f p, v f p, f (1 - p)
  std::vector<double> probability_, residual_, scores_;   // [group][row]
  double weight_[block] = {}, log_sum_[block] = {};
};

}  // namespace

LossLayout::LossLayout(const RuleBase& base)
    : classes_(base.classes.size()),
      groups_(std::vector<double>(base.classes.size(), 1.0), thens_of(base)) {
  for (const Rule& rule : base.rules) group_of_rule_.push_back(groups_.of(rule.then));
}

int loss_fraction_bits(std::uint64_t rows) {
  // A row contributes less than 2^23 units. 2^-20 of the weight 1, 2^15 units, is fine enough.
  constexpr int most_sum = 62, of_row = 23, enough = 5;
  return std::min(enough, most_sum - of_row - static_cast<int>(std::bit_width(rows)));
}

void check_point(const LossLayout& layout, std::span<const double> point, int fraction_bits) {
  constexpr double farthest = 1e9;  // sums of scores stay finite
  const bool in_reach =
      std::all_of(point.begin(), point.end(), [](double x) { return std::abs(x) <= farthest; });
  const bool possible = fraction_bits >= loss_fraction_bits(~std::uint64_t{0}) &&
                        fraction_bits <= loss_fraction_bits(0);
  if (point.size() != layout.variables() || !in_reach || !possible) {
    fail_data("a request to shards has weights that its rules cannot have");
  }
}

std::vector<std::int64_t> loss_sums(const RuleBase& base, std::span<const double> point,
                                    const ColumnMap& map, std::span<const int> classes,
                                    std::span<const std::int64_t> units, int fraction_bits,
                                    int threads) {
  const LossLayout layout(base);
  // Each task has separate sums: few tasks, many rows each.
  const std::size_t tasks = std::clamp<std::size_t>(
      classes.size() / 16384, 1, static_cast<std::size_t>(thread_count(threads)));
  std::vector<std::vector<std::int64_t>> sums(tasks);
  parallel_for(threads, tasks, [&](std::size_t task) {
    LossCounter counter(base, layout, point, map, classes, units, fraction_bits);
    for_each_known_block(classes, {}, task * classes.size() / tasks,
                         (task + 1) * classes.size() / tasks,
                         [&](std::span<const std::uint32_t> rows) { counter.add(rows); });
    sums[task] = counter.take();
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t i = 0; i < sums[0].size(); ++i) sums[0][i] += sums[task][i];
  }
  return std::move(sums[0]);
}

}  // namespace frr::internal
