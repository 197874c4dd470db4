#include "additive/points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/text.hpp"

namespace frr::internal {
namespace {

constexpr double least_gain = 1e-3;  // nats that are worth a change
constexpr int most_sweeps = 20;

// Rows of each class by total.
struct Histogram {
  int first = 0;  // the total of the first entry
  std::vector<double> rows[2];
};

struct Logistic {
  double bias = 0, slope = 0, loss = 0;
};

// The b and s of the least log-loss, by Newton's method with halved steps. A small ridge on s keeps
// it finite where the totals separate the classes.
class LogisticFit {
 public:
  explicit LogisticFit(const Histogram& histogram) : histogram_(histogram) {}

  [[nodiscard]] Logistic run(Logistic at) const {
    at.loss = loss(at.bias, at.slope);
    for (int iteration = 0; iteration < 50; ++iteration) {
      double gb = 0, gs = ridge * at.slope, bb = 1e-9, bs = 0, ss = ridge;
      for (std::size_t k = 0; k < histogram_.rows[0].size(); ++k) {
        const double total = histogram_.first + static_cast<double>(k);
        const double both = histogram_.rows[0][k] + histogram_.rows[1][k];
        if (both == 0) continue;
        const double p = 1 / (1 + std::exp(-(at.bias + at.slope * total)));
        const double gradient = both * p - histogram_.rows[1][k], curvature = both * p * (1 - p);
        gb += gradient;
        gs += gradient * total;
        bb += curvature;
        bs += curvature * total;
        ss += curvature * total * total;
      }
      const double determinant = bb * ss - bs * bs;
      const double db = -(ss * gb - bs * gs) / determinant;
      const double ds = -(bb * gs - bs * gb) / determinant;
      if (!(-(gb * db + gs * ds) > 1e-9)) break;
      double scale = 1;
      Logistic next;
      do {
        next = {at.bias + scale * db, at.slope + scale * ds, 0};
        next.loss = loss(next.bias, next.slope);
        scale /= 2;
      } while (!(next.loss < at.loss) && scale > 1e-6);
      if (!(next.loss < at.loss)) break;
      at = next;
    }
    return at;
  }

 private:
  static constexpr double ridge = 1e-3;

  [[nodiscard]] double loss(double bias, double slope) const {
    double sum = ridge / 2 * slope * slope;
    for (std::size_t k = 0; k < histogram_.rows[0].size(); ++k) {
      const double x = bias + slope * (histogram_.first + static_cast<double>(k));
      const double soft = std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
      sum += histogram_.rows[0][k] * soft + histogram_.rows[1][k] * (soft - x);
    }
    return sum;
  }

  const Histogram& histogram_;
};

class Card {
 public:
  Card(const AdditiveRows& rows, std::span<const PointsRule> rules, int most)
      : rows_(rows), rules_(rules), most_(most), points_(rules.size(), 0) {}

  Points best() {
    double largest = 0;
    for (const PointsRule& rule : rules_) largest = std::max(largest, std::abs(rule.weight));
    Points best = without_points();
    double least = best.loss;
    for (int top = most_; largest > 0 && top >= std::max(1, most_ / 2) && top > most_ - 4; --top) {
      start(largest / top);
      improve();
      if (value_ >= least - least_gain) continue;
      least = value_;
      best = {points_, fit_.bias, fit_.slope, fit_.loss};
    }
    return best;
  }

 private:
  [[nodiscard]] Points without_points() const {
    double rows[2] = {0, 0};
    for (std::size_t i = 0; i < rows_.classes.size(); ++i) {
      rows[rows_.classes[i]] += static_cast<double>(rows_.weights[i]);
    }
    const double all = rows[0] + rows[1];
    return {.of_rule = std::vector<int>(rules_.size(), 0),
            .bias = std::log(rows[1] / rows[0]),
            .nats_per_point = 1,
            .loss = -rows[0] * std::log(rows[0] / all) - rows[1] * std::log(rows[1] / all)};
  }

  void start(double nats) {
    totals_.assign(rows_.classes.size(), 0);
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      points_[r] =
          std::clamp(static_cast<int>(std::lround(rules_[r].weight / nats)), -most_, most_);
      add(r, points_[r]);
    }
    fit_ = {0, nats, 0};
    refit();
  }

  void add(std::size_t r, int change) {
    const std::span<const float> truth = rules_[r].truth;
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      totals_[i] += truth[i] > 0.5F ? change : 0;
    }
  }

  void refit() {
    const auto [low, high] = std::ranges::minmax_element(totals_);
    Histogram histogram;
    histogram.first = *low;
    for (auto& rows : histogram.rows) {
      rows.assign(static_cast<std::size_t>(*high - *low) + 1, 0);
    }
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      histogram.rows[rows_.classes[i]][static_cast<std::size_t>(totals_[i] - *low)] +=
          static_cast<double>(rows_.weights[i]);
    }
    fit_ = LogisticFit(histogram).run(fit_);
    value_ = fit_.loss;
    // Points that count the wrong way round are of no use.
    if (!(fit_.slope > 0)) value_ = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < rules_.size(); ++r) value_ += points_[r] != 0 ? rules_[r].price : 0;
  }

  // Rules keep the class that they speak for.
  [[nodiscard]] bool allowed(std::size_t r, int points) const {
    return rules_[r].weight < 0 ? points <= 0 && points >= -most_ : points >= 0 && points <= most_;
  }

  void improve() {
    bool improved = true;
    for (int sweep = 0; sweep < most_sweeps && improved; ++sweep) {
      improved = false;
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        for (const int change : {-1, 1})
          improved = (allowed(r, points_[r] + change) && try_change(r, change)) || improved;
        improved = (points_[r] != 0 && try_change(r, -points_[r])) || improved;
      }
    }
  }

  bool try_change(std::size_t r, int change) {
    const double before = value_;
    const Logistic fit = fit_;
    points_[r] += change;
    add(r, change);
    refit();
    if (value_ < before - least_gain) return true;
    points_[r] -= change;
    add(r, -change);
    fit_ = fit;
    value_ = before;
    return false;
  }

  const AdditiveRows& rows_;
  std::span<const PointsRule> rules_;
  int most_;
  std::vector<int> points_;
  std::vector<int> totals_;  // of each row
  Logistic fit_;
  double value_ = 0;  // loss and price
};

}  // namespace

Points fit_points(const AdditiveRows& rows, std::span<const PointsRule> rules, int most) {
  return Card(rows, rules, most).best();
}

void make_crisp(Label& label) {
  if (label.kind != LabelKind::range) return;
  Trapezoid& shape = label.shape;
  const auto middle = [](double low, double high) {
    if (!(low < high)) return low;
    const double quarter = (high - low) / 4;
    return std::isfinite(quarter) ? short_between(low + quarter, high - quarter) : low;
  };
  if (std::isfinite(shape.a)) shape.a = shape.b = middle(shape.a, shape.b);
  if (std::isfinite(shape.d)) shape.c = shape.d = middle(shape.c, shape.d);
}

}  // namespace frr::internal
