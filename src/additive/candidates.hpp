// New additive rules that promise most, found by a beam search over conjunctions.
//
// With p the probabilities under the rules so far, a rule for class c with truth t changes the
// loss, to second order and with the bias of its class refitted, by at most
//
//     gain = G^2 / (2 (K - X^2 / H + ridge)),    G = sum t g,  K = sum t^2 h,  X = sum t h, H = sum
//     h
//
// over all rows, g = v (y_c - p_c), h = v p_c (1 - p_c), v the row's weight. Its weight is G over
// the denominator's half. Weights are positive: G < 0 speaks against class c, which with two
// classes is a rule for the other class, and otherwise no rule.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "additive/additive_fit.hpp"
#include "additive/truth.hpp"
#include "labels/label_rule.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

struct AdditiveCandidate {
  LabelRule rule;   // with the weight that promises most
  double gain = 0;  // in nats, without the price of its conditions
};

struct CandidateSearch {
  const Memberships& memberships;
  const Conjunction& conjunction;
  AdditiveRows rows;
  std::size_t most_conditions;
  double price;  // of a condition, in nats
  int threads;
};

// The `count` rules with the largest gain less price, best first. `classes`: those to try, with
// `probabilities` under the rules so far.
std::vector<AdditiveCandidate> find_candidates(const CandidateSearch& search,
                                               std::span<const int> classes,
                                               std::span<const std::vector<float>> probabilities,
                                               std::size_t count);

}  // namespace frr::internal
