// Adam over one flat parameter vector.
//
//     m <- b1 m + (1 - b1) g          mean of the gradient
//     v <- b2 v + (1 - b2) g^2        mean of its square
//     w <- w - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)
// with b1 = 0.9, b2 = 0.999, eps = 1e-8.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

class Adam {
 public:
  explicit Adam(std::size_t parameters) : mean_(parameters, 0), square_(parameters, 0) {}
  void step(std::span<float> parameters, std::span<const float> gradient, double rate);

 private:
  std::vector<float> mean_, square_;
  double mean_decay_ = 1, square_decay_ = 1;  // b1^t, b2^t
};

}  // namespace frr::internal
