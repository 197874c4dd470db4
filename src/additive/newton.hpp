// Newton's method for convex functions of which some variables must not be negative.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace frr::internal {

// A loss with its derivatives at one point. The Hessian is symmetric; only j <= i is filled.
struct Derivatives {
  double loss = 0;
  std::vector<double> gradient, hessian;

  explicit Derivatives(std::size_t variables)
      : gradient(variables, 0), hessian(variables * variables, 0) {}
  void add(const Derivatives& other);
};

struct NewtonOptions {
  std::size_t bounded_from = 0;  // this variable and those after it are >= 0
  double tolerance = 1e-6;       // loss that the next step would save at most
  double rounding = 0;           // relative error of a loss
  int most_steps = 50;
  int most_evaluations = std::numeric_limits<int>::max();
};

struct Minimum {
  std::vector<double> point;
  Derivatives at;
};

// Steps from `start`, each halved until the loss is lower, up to rounding. Variables at their bound
// stay there while the gradient holds them (active set).
Minimum minimise(std::vector<double> start,
                 const std::function<Derivatives(std::span<const double>)>& derivatives,
                 const NewtonOptions& options);

}  // namespace frr::internal
