// The truth of conjunctions on all training rows, built up condition by condition.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frr/settings.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

class Conjunction {
 public:
  Conjunction(const TNorm& tnorm, double root) : tnorm_(tnorm), inverse_root_(1 / root) {}

  // T(x, y): t-norms are associative, so that conditions can be joined one by one.
  void join(float* x, const float* y, std::size_t count) const;
  // Turns T over all conditions into the truth of the rule, T^(1/root).
  void take_root(float* x, std::size_t count) const;

  // The truth of the rule with these conditions.
  [[nodiscard]] std::vector<float> truth(const Memberships& memberships,
                                         std::span<const std::size_t> labels) const;

 private:
  TNorm tnorm_;
  double inverse_root_;
};

}  // namespace frr::internal
