#include "additive/borders.hpp"

#include <algorithm>
#include <cmath>

namespace frr::internal {
namespace {

// Sums over rows of the terms of E m' + K m'^2 / 2 with E = D - K m and m' = alpha - beta u.
struct Moments {
  double e = 0, eu = 0, k = 0, ku = 0, kuu = 0;

  void add(double of_e, double of_k, double u) {
    e += of_e;
    eu += of_e * u;
    k += of_k;
    ku += of_k * u;
    kuu += of_k * u * u;
  }
  [[nodiscard]] Moments plus(const Moments& other, double sign) const {
    return {.e = e + sign * other.e,
            .eu = eu + sign * other.eu,
            .k = k + sign * other.k,
            .ku = ku + sign * other.ku,
            .kuu = kuu + sign * other.kuu};
  }
  [[nodiscard]] double value(double alpha, double beta) const {
    return alpha * e - beta * eu +
           (alpha * alpha * k - 2 * alpha * beta * ku + beta * beta * kuu) / 2;
  }
};

}  // namespace

std::vector<BorderChange> best_borders(std::span<const BorderRow> rows,
                                       std::span<const double> grid, double from, double to,
                                       std::size_t count, bool crisp) {
  std::vector<double> points;
  for (const double point : grid) {
    if (point >= from && point <= to && std::isfinite(point)) points.push_back(point);
  }
  if (points.empty()) return {};
  const double scale = points.back() > points.front() ? points.back() - points.front() : 1;
  if (!std::isfinite(scale)) return {};
  // below[k]: sums over the rows below points[k].
  std::vector<Moments> below(points.size());
  double unchanged = 0;
  for (const BorderRow& row : rows) {
    const double m = row.membership;
    unchanged += row.curvature * m * m / 2 - row.slope * m;
    const auto cell = static_cast<std::size_t>(
        std::upper_bound(points.begin(), points.end(), row.value) - points.begin());
    // Values outside the points are always wholly on one side; their u does not matter.
    const double u = std::clamp((row.value - points.front()) / scale, 0.0, 1.0);
    if (cell < points.size()) below[cell].add(row.slope - row.curvature * m, row.curvature, u);
  }
  for (std::size_t k = 1; k < points.size(); ++k) below[k] = below[k].plus(below[k - 1], 1);
  std::vector<BorderChange> best;
  for (std::size_t s = 0; s < points.size(); ++s) {
    for (std::size_t e = s; e < (crisp ? s + 1 : points.size()); ++e) {
      double change = unchanged + below[s].value(1, 0);
      if (e > s) {
        const double beta = scale / (points[e] - points[s]);
        const double alpha = (points[e] - points.front()) / scale * beta;
        change += below[e].plus(below[s], -1).value(alpha, beta);
      }
      if (best.size() == count && change >= best.back().change) continue;
      if (best.size() == count) best.pop_back();
      const auto place =
          std::upper_bound(best.begin(), best.end(), change,
                           [](double x, const BorderChange& y) { return x < y.change; });
      best.insert(place, {{points[s], points[e]}, change});
    }
  }
  return best;
}

}  // namespace frr::internal
