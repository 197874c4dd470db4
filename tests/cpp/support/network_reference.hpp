// A reference implementation of the network's equations (network.hpp): nested sums over rules,
// slots, features, labels and classes, in double and row by row. It is slow and plain on purpose,
// to check the production code, which collapses, pads and vectorises.
#pragma once

#include <cstddef>
#include <vector>

#include "network/network.hpp"
#include "support/tnorm_reference.hpp"

namespace frr::internal::reference {

using Matrix = std::vector<Vector>;
using Cube = std::vector<Matrix>;

// One gate: soft = softmax(w / temperature), f = f_beta(soft), g as used.
struct Gate {
  Vector soft, f, g;
};
Gate gate(const NetworkRule& rule, double beta, const Vector& w);

// All gates of a network. Flat indices as in NetworkShape.
struct Gates {
  std::vector<std::vector<Gate>> label;    // [r][j] over the labels of feature j
  std::vector<std::vector<Gate>> feature;  // [r][k] over the features
  std::vector<std::vector<Gate>> keep;     // [r][k] over keep, cancel
  std::vector<Gate> outcome;               // [r] over the classes
};
Gates gates(const NetworkShape& shape, const NetworkRule& rule, double beta, const Vector& w);

// Every intermediate value of one row.
struct Layers {
  Matrix u2;           // [r][j]
  Matrix a, c;         // [r][k]
  Vector conjunction;  // [r] T_k(c[r,k])
  Vector rule;         // [r] with root and residual
  Matrix score;        // [r][c] g4 r
  Vector out;          // [c]
  Vector probability;  // [c] softmax(kappa out)
};
Layers forward(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
               const Gates& gates, const Vector& memberships);

struct Row {
  Vector memberships;  // of every label
  int target = 0;
  double weight = 1;
};
struct Result {
  double loss = 0;
  Vector gradient;  // straight-through, or with f_beta held fixed, as `rule` says
};
Result evaluate(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
                const Vector& parameters, const std::vector<Row>& rows);

// The distance to the nearest point at which the loss has no bounded derivative, relative to the
// quantities compared: kinks of the t-norm, ties of the maximum and of the gates, truths near 0
// under a root.
double distance_to_kink(const NetworkShape& shape, const NetworkRule& rule,
                        const NetworkPoint& point, const Vector& parameters,
                        const std::vector<Row>& rows);

// The network's class if every choice is hard. Each slot reads the best label of its best feature,
// weighted by both w~ (1 if the gates are normalised); a cancelled slot is 1; a feature counts
// once; rules without slots or with a score of 0 are ignored. The strongest rule decides, the first
// of equals (additive: the strongest class). -1 if all rules are ignored.
int hard_class(const NetworkShape& shape, const NetworkRule& rule, const Vector& parameters,
               const Vector& memberships);

}  // namespace frr::internal::reference
