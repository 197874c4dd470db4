#include "model/counterfactual.hpp"
#include "model/column_map.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace frr::internal {
namespace {

constexpr std::size_t max_parts = 64;   // of an interval between knots where scores are not linear
constexpr std::size_t max_lines = 200;  // with more, there are too many pairs: sampling instead
constexpr double tolerance = 0.001;     // of the scale, for a shorter decimal

class Search {
 public:
  explicit Search(WhatIf& what_if)
      : what_if_(what_if),
        base_(what_if.base()),
        feature_(base_.partition.features[static_cast<std::size_t>(what_if.feature())]),
        from_(what_if.value().number),
        scale_(feature_.spread > 0            ? feature_.spread
               : feature_.high > feature_.low ? feature_.high - feature_.low
                                              : 1) {
    if (!std::isfinite(scale_)) scale_ = 1;
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
  [[nodiscard]] FeatureValue at(double x) const {
    FeatureValue value = what_if_.value();
    value.number = x;
    return value;
  }

  // Whether the class at x differs; if so, keeps the decision. False if no work is left.
  bool changed(double x) {
    const std::optional<Decision> decision = what_if_.decide(at(x));
    if (!decision || decision->predicted == what_if_.decision().predicted) return false;
    decision_ = *decision;
    return true;
  }

  // Finite corners of the labels that rules read, ascending, and one point beyond on each side.
  std::vector<double> knots() const {
    std::vector<double> result;
    for (const WhatIf::Reader& reader : what_if_.readers()) {
      const Label& label = feature_.labels[static_cast<std::size_t>(reader.label)];
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

  void add_crossings(double left, double right, std::vector<double>& points) {
    const double x1 = left + (right - left) * 0.25;
    const double x2 = left + (right - left) * 0.75;
    const std::vector<double> y1 = what_if_.lines(at(x1));
    const std::vector<double> y2 = what_if_.lines(at(x2));
    for (std::size_t i = 0; i < y1.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double d1 = y1[i] - y1[j];
        const double d2 = y2[i] - y2[j];
        if (d1 == d2) continue;
        const double x = x1 + (x2 - x1) * (d1 / (d1 - d2));
        if (x > left && x < right) points.push_back(x);
      }
  }

  // Points between which the class does not change, as far as can be known; ascending.
  std::vector<double> breakpoints() {
    const std::vector<double> corners = knots();
    std::vector<double> points = corners;
    if (corners.empty()) return points;
    const std::size_t lines = what_if_.line_count();
    const bool linear = base_.tnorm.kind == TNormKind::product && base_.root == 1 &&
                        what_if_.decided_by_lines() && lines <= max_lines &&
                        what_if_.afford(corners.size() * lines * lines);
    std::size_t parts = 1;
    if (!linear) parts = what_if_.affordable_decisions(max_parts * corners.size()) / corners.size();
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const double width = corners[i] - corners[i - 1];
      if (!std::isfinite(width)) continue;
      if (linear)
        add_crossings(corners[i - 1], corners[i], points);
      else
        for (std::size_t k = 1; k < parts; ++k)
          points.push_back(corners[i - 1] +
                           width * static_cast<double>(k) / static_cast<double>(parts));
    }
    std::sort(points.begin(), points.end());
    return points;
  }

  // `points` lead away from the current value. Tries each of them, and the midpoint before it.
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

  // The changed value nearest to the border between `same` and `other`.
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
    return {to, std::fabs(to - from_) / scale_, decision_};
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

  WhatIf& what_if_;
  const RuleBase& base_;
  const Feature& feature_;
  double from_;
  double scale_;
  Decision decision_;  // of the last change that was found
};

}  // namespace

std::optional<NumericChange> nearest_change(WhatIf& what_if) { return Search(what_if).nearest(); }

}  // namespace frr::internal
