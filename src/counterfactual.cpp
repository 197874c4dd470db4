#include "counterfactual.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace frr {
namespace {

constexpr int samples = 64;             // of a stretch between knots where scores are not linear
constexpr std::size_t max_lines = 200;  // beyond, all pairs are too many and sampling takes over
constexpr double tolerance = 0.001;     // of the scale, for a shorter decimal

class Search {
 public:
  Search(const RuleBase& base, std::span<const Binding::Value> row, int feature)
      : base_(base), row_(row.begin(), row.end()), feature_(feature), from_(here().number) {
    const Feature& f = base.partition.features[static_cast<std::size_t>(feature)];
    scale_ = f.spread > 0 ? f.spread : f.high > f.low ? f.high - f.low : 1;
    if (!std::isfinite(scale_)) scale_ = 1;
    present_ = decide(base_, row_).predicted;
  }

  std::optional<NumericChange> nearest() {
    const std::vector<double> points = breakpoints();
    std::vector<double> above, below;
    for (const double x : points) {
      if (x > from_) above.push_back(x);
      if (x < from_) below.push_back(x);
    }
    std::reverse(below.begin(), below.end());
    const auto up = first_change(above);
    const auto down = first_change(below);
    if (!up || !down) return up ? up : down;
    return up->distance <= down->distance ? up : down;
  }

 private:
  Binding::Value& here() { return row_[static_cast<std::size_t>(feature_)]; }

  Decision decide_at(double x) {
    here().number = x;
    return decide(base_, row_);
  }
  bool changed(double x) { return decide_at(x).predicted != present_; }

  // Finite corners of the labels that rules read, ascending, and one point beyond on each side.
  std::vector<double> knots() const {
    std::vector<double> result;
    const Feature& f = base_.partition.features[static_cast<std::size_t>(feature_)];
    for (const Rule& rule : base_.rules)
      for (const Condition& c : rule.conditions) {
        if (c.feature != feature_) continue;
        const Label& label = f.labels[static_cast<std::size_t>(c.label)];
        if (label.kind != LabelKind::range) continue;
        for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d})
          if (std::isfinite(x)) result.push_back(x);
      }
    if (result.empty()) return result;
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    const auto beyond = [&](double x, double sign) {
      const double y = x + sign * std::max(scale_, std::fabs(x) * 1e-3);
      if (std::isfinite(y)) result.push_back(y);
    };
    const double first = result.front();
    const double last = result.back();
    beyond(first, -1);
    beyond(last, 1);
    std::sort(result.begin(), result.end());
    return result;
  }

  // What is linear between knots: the score of each rule, or the sum of each class.
  std::vector<double> lines_at(double x) {
    here().number = x;
    const bool additive = base_.semantics == Semantics::additive;
    std::vector<double> result(additive ? base_.classes.size() : base_.rules.size(), 0.0);
    for (std::size_t r = 0; r < base_.rules.size(); ++r) {
      const Rule& rule = base_.rules[r];
      const std::size_t line = additive ? static_cast<std::size_t>(rule.then) : r;
      result[line] += rule.weight * truth(base_, rule, row_);
    }
    return result;
  }

  void add_crossings(double left, double right, std::vector<double>& points) {
    const double x1 = left + (right - left) * 0.25;
    const double x2 = left + (right - left) * 0.75;
    const std::vector<double> y1 = lines_at(x1);
    const std::vector<double> y2 = lines_at(x2);
    for (std::size_t i = 0; i < y1.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double d1 = y1[i] - y1[j];
        const double d2 = y2[i] - y2[j];
        if (d1 == d2) continue;
        const double x = x1 + (x2 - x1) * (d1 / (d1 - d2));
        if (x > left && x < right) points.push_back(x);
      }
  }

  // Points between which, as far as can be known, the class does not change; ascending.
  std::vector<double> breakpoints() {
    const std::vector<double> corners = knots();
    std::vector<double> points = corners;
    const std::size_t lines =
        base_.semantics == Semantics::additive ? base_.classes.size() : base_.rules.size();
    const bool linear =
        base_.tnorm.kind == TNormKind::product && base_.root == 1 && lines <= max_lines;
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const double width = corners[i] - corners[i - 1];
      if (!std::isfinite(width)) continue;
      if (linear)
        add_crossings(corners[i - 1], corners[i], points);
      else
        for (int k = 1; k < samples; ++k) points.push_back(corners[i - 1] + width * k / samples);
    }
    std::sort(points.begin(), points.end());
    return points;
  }

  // `points` lead away from the present value; each is tried, and the middle before it.
  std::optional<NumericChange> first_change(const std::vector<double>& points) {
    double before = from_;
    for (const double point : points) {
      for (const double x : {std::midpoint(before, point), point}) {
        if (changed(x)) return finish(edge(before, x));
        before = x;
      }
    }
    return std::nullopt;
  }

  // The changed value next to the border between `same` and `other`.
  double edge(double same, double other) {
    for (int i = 0; i < 200; ++i) {
      const double middle = std::midpoint(same, other);
      if (middle == same || middle == other) break;
      (changed(middle) ? other : same) = middle;
    }
    return other;
  }

  NumericChange finish(double edge) {
    const double to = shorten(edge);
    return {to, std::fabs(to - from_) / scale_, decide_at(to)};
  }

  // The decimal with the fewest places that is at most `tolerance` beyond `edge` and still changes
  // the class.
  double shorten(double edge) {
    const double sign = edge > from_ ? 1 : -1;
    const double slack = tolerance * scale_;
    const double largest = std::max(std::fabs(edge), slack);
    if (!(largest > 0)) return edge;
    const int top = static_cast<int>(std::floor(std::log10(largest))) + 1;
    for (int power = top; power >= top - 17; --power) {
      const double steps = edge / std::pow(10.0, power);
      if (!(std::fabs(steps) < 1e18)) break;
      const auto count = static_cast<long long>(sign > 0 ? std::ceil(steps) : std::floor(steps));
      const double x = decimal(count, power);
      const double excess = sign * (x - edge);
      if (excess >= 0 && excess <= slack && changed(x)) return x;
    }
    return edge;
  }

  // count * 10^power, rounded once.
  static double decimal(long long count, int power) {
    const std::string text = std::to_string(count) + "e" + std::to_string(power);
    double result = 0;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
  }

  const RuleBase& base_;
  std::vector<Binding::Value> row_;
  int feature_;
  double from_;
  double scale_ = 1;
  int present_ = 0;
};

}  // namespace

std::optional<NumericChange> nearest_change(const RuleBase& base,
                                            std::span<const Binding::Value> row, int feature) {
  return Search(base, row, feature).nearest();
}

}  // namespace frr
