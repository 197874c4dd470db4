#include "support/tnorm_reference.hpp"
#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

namespace frr::internal::reference {
namespace {

double relative_gap(double x, double y) {
  const double scale = std::abs(x) + std::abs(y);
  return scale > 0 ? std::abs(x - y) / scale : 1;
}

double aczel_alsina(double lambda, const Vector& x) {
  double sum = 0;
  for (const double v : x) {
    if (v <= 0) return 0;
    sum += std::pow(-std::log(std::min(v, 1.0)), lambda);
  }
  return std::exp(-std::pow(sum, 1 / lambda));
}

double aczel_alsina_slope(double lambda, const Vector& x, std::size_t i) {
  double sum = 0, others = 0;
  std::size_t zeros = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] <= 0) {
      ++zeros;
      continue;
    }
    const double term = std::pow(-std::log(std::min(x[k], 1.0)), lambda);
    sum += term;
    if (k != i) others += term;
  }
  if (zeros > 1 || (zeros == 1 && x[i] > 0)) return 0;
  // T(x, .) near x = 0: the product with the others for lambda 1, x itself for all above.
  if (x[i] <= 0) return lambda > 1 ? 1 : std::exp(-others);
  if (sum <= 0) return 1;
  const double t = std::exp(-std::pow(sum, 1 / lambda));
  return t * std::pow(sum, 1 / lambda - 1) * std::pow(-std::log(std::min(x[i], 1.0)), lambda - 1) /
         x[i];
}

double hamacher(double x, double y) { return x > 0 && y > 0 ? x * y / (x + y - x * y) : 0; }
// d/dx of x y / (x + y - x y).
double hamacher_slope(double x, double y) {
  if (y <= 0) return 0;
  const double slope = y / (x + y - x * y);
  return slope * slope;
}

double lukasiewicz_sum(const Vector& x) {
  double sum = 1;
  for (const double v : x) sum -= 1 - v;
  return sum;
}

}  // namespace

std::size_t argmax(const Vector& x) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] > x[best]) best = i;
  return best;
}

double lead(const Vector& x) {
  const std::size_t best = argmax(x);
  double gap = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i != best) gap = std::min(gap, relative_gap(x[best], x[i]));
  return gap;
}

double conjunction(const TNorm& tnorm, const Vector& x) {
  if (x.size() == 1) return x[0];
  double t = 1;
  switch (tnorm.kind) {
    case TNormKind::product:
      for (const double v : x) t *= v;
      return t;
    case TNormKind::minimum:
      for (const double v : x) t = std::min(t, v);
      return t;
    case TNormKind::lukasiewicz:
      return std::max(0.0, lukasiewicz_sum(x));
    case TNormKind::hamacher:
      for (const double v : x) t = hamacher(t, v);
      return t;
    case TNormKind::aczel_alsina:
      return aczel_alsina(tnorm.lambda, x);
  }
  return t;
}

Vector conjunction_slopes(const TNorm& tnorm, const Vector& x) {
  Vector slopes(x.size(), 0);
  if (x.size() == 1) return {1};
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector others = x;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    switch (tnorm.kind) {
      case TNormKind::product:
        slopes[i] = conjunction(tnorm, others);
        break;
      case TNormKind::minimum:
        slopes[i] = i == static_cast<std::size_t>(std::min_element(x.begin(), x.end()) - x.begin());
        break;
      case TNormKind::lukasiewicz:
        slopes[i] = lukasiewicz_sum(x) >= 0 ? 1 : 0;
        break;
      case TNormKind::hamacher:
        slopes[i] = hamacher_slope(x[i], conjunction(tnorm, others));
        break;
      case TNormKind::aczel_alsina:
        slopes[i] = aczel_alsina_slope(tnorm.lambda, x, i);
        break;
    }
  }
  return slopes;
}

double distance_to_kink(const TNorm& tnorm, const Vector& x) {
  if (x.size() < 2) return 1;
  double nearest = 1;
  if (tnorm.kind == TNormKind::minimum) {
    Vector negative;
    for (const double v : x) negative.push_back(-v);
    nearest = lead(negative);
  }
  if (tnorm.kind == TNormKind::lukasiewicz) nearest = std::abs(lukasiewicz_sum(x));
  if (tnorm.kind == TNormKind::aczel_alsina && tnorm.lambda > 1) {
    for (const double v : x)
      if (v < 1) nearest = std::min(nearest, (1 - v) * 1e3);
  }
  return nearest;
}

}  // namespace frr::internal::reference
