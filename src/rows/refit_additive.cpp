#include "rows/refit_additive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "additive/loss_sums.hpp"
#include "additive/newton.hpp"

namespace frr::internal {
namespace {

constexpr int most_passes = 6;
constexpr double tolerance = 1e-3;  // in nats, of all rows

// The variables of the refit: the biases of LossLayout; then the weight of each rule or, for a
// scorecard, nats_per_point, of which the weight of each rule is a multiple.
class AdditiveRefit {
 public:
  AdditiveRefit(RuleBase& base, const AdditiveRefitInput& input, Control& control)
      : base_(base),
        input_(input),
        control_(control),
        layout_(base),
        bits_(loss_fraction_bits(input.rows)) {
    if (!base.nats_per_point || base.rules.empty()) return;
    for (const Rule& rule : base.rules) {
      points_.push_back(std::round(rule.weight / *base.nats_per_point));
    }
  }

  void run() {
    const Minimum minimum =
        minimise(start(), [this](std::span<const double> at) { return derivatives(at); },
                 {.bounded_from = layout_.biases(),
                  .tolerance = tolerance,
                  .most_evaluations = most_passes});
    std::vector<int> thens;
    for (const Rule& rule : base_.rules) thens.push_back(rule.then);
    const std::span<const double> point(minimum.point);
    base_.biases = ClassGroups(class_weights_, thens).class_biases(point.first(layout_.biases()));
    const std::vector<double> weights = weights_at(point);
    for (std::size_t r = 0; r < weights.size(); ++r) base_.rules[r].weight = weights[r];
    if (!points_.empty() && point.back() > 0) base_.nats_per_point = point.back();
    std::erase_if(base_.rules, [](const Rule& rule) { return rule.weight == 0; });
  }

 private:
  [[nodiscard]] std::size_t variables() const {
    return layout_.biases() + (points_.empty() ? base_.rules.size() : 1);
  }

  // exp(bias) of a group is the sum over its classes.
  [[nodiscard]] std::vector<double> start() const {
    std::vector<double> mass(layout_.groups().count(), 0);
    for (std::size_t c = 0; c < base_.classes.size(); ++c) {
      mass[layout_.groups().of(static_cast<int>(c))] += std::exp(base_.biases[c]);
    }
    constexpr double least = std::numeric_limits<double>::min();
    std::vector<double> point;
    for (std::size_t g = 0; g < layout_.biases(); ++g) {
      point.push_back(std::log(std::max(mass[g], least) / std::max(mass.back(), least)));
    }
    if (!points_.empty()) {
      point.push_back(*base_.nats_per_point);
    } else {
      for (const Rule& rule : base_.rules) point.push_back(rule.weight);
    }
    return point;
  }

  [[nodiscard]] std::vector<double> weights_at(std::span<const double> point) const {
    if (points_.empty()) {
      return {point.begin() + static_cast<std::ptrdiff_t>(layout_.biases()), point.end()};
    }
    std::vector<double> weights;
    for (const double points : points_) weights.push_back(points * point.back());
    return weights;
  }

  Derivatives derivatives(std::span<const double> point) {
    control_.report(Progress::Stage::polish, 0.95);
    Derivatives result(variables());
    if (!class_weights_.empty() && control_.out_of_time()) {
      result.loss = HUGE_VAL;  // keeps the best point so far
      return result;
    }
    const std::vector<double> weights = weights_at(point);
    std::vector<double> full(point.begin(),
                             point.begin() + static_cast<std::ptrdiff_t>(layout_.biases()));
    full.insert(full.end(), weights.begin(), weights.end());
    read(input_.loss_sums(base_, full, bits_), result);
    // The ridge, by the chain rule.
    for (std::size_t r = 0; r < weights.size(); ++r) {
      const auto [k, factor] = variable_of(layout_.biases() + r);
      result.loss += additive_ridge / 2 * weights[r] * weights[r];
      result.gradient[k] += additive_ridge * weights[r] * factor;
      result.hessian[k * variables() + k] += additive_ridge * factor * factor;
    }
    return result;
  }

  // The variable that a variable of LossLayout depends on, and its derivative.
  [[nodiscard]] std::pair<std::size_t, double> variable_of(std::size_t k) const {
    if (points_.empty() || k < layout_.biases()) return {k, 1.0};
    return {layout_.biases(), points_[k - layout_.biases()]};
  }

  // Scales the sums so that the mean weight of a row is 1.
  void read(const std::vector<std::int64_t>& sums, Derivatives& result) {
    class_weights_.clear();
    double all = 0;
    for (std::size_t c = 0; c < base_.classes.size(); ++c) {
      class_weights_.push_back(static_cast<double>(sums[layout_.all() + c]));
      all += class_weights_.back();
    }
    const double unit = static_cast<double>(input_.rows) / std::ldexp(all, bits_);
    const auto sum = [&](std::size_t index) { return unit * static_cast<double>(sums[index]); };
    result.loss = sum(layout_.loss());
    for (std::size_t k = 0; k < layout_.variables(); ++k) {
      const auto [to, factor] = variable_of(k);
      result.gradient[to] += factor * sum(layout_.gradient(k));
      for (std::size_t j = 0; j <= k; ++j) {
        const auto [other, by] = variable_of(j);
        const double entry = factor * by * sum(layout_.hessian(k, j));
        // Below the diagonal, each entry stands for two.
        result.hessian[to * variables() + other] += to == other && j != k ? 2 * entry : entry;
      }
    }
  }

  RuleBase& base_;
  const AdditiveRefitInput& input_;
  Control& control_;
  LossLayout layout_;
  int bits_;
  std::vector<double> points_;         // of each rule of a scorecard, without their sign
  std::vector<double> class_weights_;  // of all rows, in units
};

}  // namespace

void refit_additive(RuleBase& base, const AdditiveRefitInput& input, Control& control) {
  AdditiveRefit(base, input, control).run();
}

}  // namespace frr::internal
