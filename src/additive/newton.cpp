#include "additive/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace frr::internal {
namespace {

// Solves H x = -g in the free variables by Cholesky's method; x is 0 in the others. A tiny ridge
// keeps H positive where a class is certain on all rows.
std::vector<double> newton_step(const Derivatives& at, const std::vector<bool>& free) {
  constexpr double least_pivot = 1e-9;
  const std::size_t count = at.gradient.size();
  std::vector<std::size_t> place;
  for (std::size_t k = 0; k < count; ++k) {
    if (free[k]) place.push_back(k);
  }
  const std::size_t n = place.size();
  std::vector<double> lower(n * n, 0), x(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = at.hessian[place[i] * count + place[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
      lower[i * n + j] = i == j ? std::sqrt(std::max(sum, least_pivot)) : sum / lower[j * n + j];
    }
    double sum = -at.gradient[place[i]];
    for (std::size_t k = 0; k < i; ++k) sum -= lower[i * n + k] * x[k];
    x[i] = sum / lower[i * n + i];
  }
  std::vector<double> step(count, 0);
  for (std::size_t i = n; i-- > 0;) {
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= lower[k * n + i] * x[k];
    x[i] = sum / lower[i * n + i];
    step[place[i]] = x[i];
  }
  return step;
}

// A step from derivatives that belong to no function may lead anywhere.
bool is_near(std::span<const double> point) {
  constexpr double farthest = 1e5;
  return std::all_of(point.begin(), point.end(), [](double x) { return std::abs(x) <= farthest; });
}

}  // namespace

void Derivatives::add(const Derivatives& other) {
  loss += other.loss;
  for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] += other.gradient[k];
  for (std::size_t k = 0; k < hessian.size(); ++k) hessian[k] += other.hessian[k];
}

Minimum minimise(std::vector<double> start,
                 const std::function<Derivatives(std::span<const double>)>& derivatives,
                 const NewtonOptions& options) {
  std::vector<double> point = std::move(start);
  Derivatives now = derivatives(point);
  int evaluations = 1;
  for (int taken = 0; taken < options.most_steps; ++taken) {
    std::vector<bool> free(point.size(), true);
    for (std::size_t k = options.bounded_from; k < point.size(); ++k) {
      free[k] = point[k] > 0 || now.gradient[k] < 0;
    }
    const std::vector<double> step = newton_step(now, free);
    double gain = 0;
    for (std::size_t k = 0; k < step.size(); ++k) gain -= step[k] * now.gradient[k] / 2;
    if (!(gain > options.tolerance)) break;
    bool lower = false;
    for (double scale = 1; scale > 1e-3 && !lower; scale /= 2) {
      std::vector<double> next = point;
      for (std::size_t k = 0; k < step.size(); ++k) {
        next[k] += scale * step[k];
        if (k >= options.bounded_from) next[k] = std::max(next[k], 0.0);
      }
      if (!is_near(next)) continue;
      if (evaluations++ >= options.most_evaluations) break;
      Derivatives there = derivatives(next);
      lower = there.loss < now.loss + options.rounding * std::abs(now.loss);
      if (!lower) continue;
      point = std::move(next);
      now = std::move(there);
    }
    if (!lower) break;
  }
  return {std::move(point), std::move(now)};
}

}  // namespace frr::internal
