// Inner loops of additive rules: probabilities of classes and sums over rows, in single precision.
// Arrays that are named by class hold one array of `count` rows for each class.
#pragma once

#include <cstddef>
#include <span>

namespace frr::internal {

// out[i] += scale * x[i]
void add_scaled(float* out, const float* x, float scale, std::size_t count);

// Turns the scores s[c][i] of each row into probabilities exp(s[c][i]) / sum_c exp(s[c][i]).
void softmax(std::span<float* const> scores, std::size_t count);

// sum_i w[i] log x[i]; an x[i] below 1e-30 counts as 1e-30.
double log_sum(const float* x, const float* w, std::size_t count);

// sum_i x[i] y[i]
float dot(const float* x, const float* y, std::size_t count);

// The sums over rows from which the gain of a new rule follows; t: its truth, g and h: gradient and
// curvature of the log-likelihood by the score of its class.
struct TruthSums {
  double gradient = 0;         // sum t g
  double curvature = 0;        // sum t^2 h
  double cross_curvature = 0;  // sum t h
};
void add_truth_sums(const float* t, const float* g, const float* h, std::size_t count,
                    TruthSums& sums);

}  // namespace frr::internal
