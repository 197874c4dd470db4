#include "search/objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frr::internal {

double score_of_steps(double steps) { return std::pow(step_factor, steps); }

float steps_of_weight(double weight) {
  return static_cast<float>(std::log(weight) / std::log(step_factor));
}

int choose_otherwise_class(std::span<const double> uncovered, std::span<const double> all) {
  const bool any = std::any_of(uncovered.begin(), uncovered.end(), [](double x) { return x > 0; });
  const std::span<const double> count = any ? uncovered : all;
  return static_cast<int>(std::max_element(count.begin(), count.end()) - count.begin());
}

ClassBalance::ClassBalance(std::span<const double> weight_by_class)
    : by_class_(weight_by_class.begin(), weight_by_class.end()),
      all_(std::accumulate(by_class_.begin(), by_class_.end(), 0.0)),
      present_(static_cast<double>(
          std::count_if(by_class_.begin(), by_class_.end(), [](double x) { return x > 0; }))) {}

}  // namespace frr::internal
