// The differentiable rule base. Rule r (R of them), slot k (A), feature j (M), label d (D labels in
// M contiguous groups), class c (C); g2, g3, ga, g4 are gates (gate.hpp) over W2[r,j,:], W3[r,k,:],
// a[r,k,:], W4[r,:].
//
//     u2[r,j] = sum_v g2[r,j,v] mu[j,v]                 chooses the label of feature j for rule r
//     A[r,k]  = sum_j g3[r,k,j] u2[r,j]                 chooses the feature for slot k of rule r
//     c[r,k]  = ga[r,k,0] A[r,k] + ga[r,k,1]            keeps or cancels the slot
//     r[r]    = T_k(c[r,k])^(1/root) + gamma sum_k A[r,k]
//     out[c]  = max_r g4[r,c] r[r]                      sufficient; smooth: log-sum-exp / sharpness
//             = sum_r g4[r,c] r[r]                      additive
//     loss    = 1/n sum_i omega_i CE(softmax(kappa out_i), y_i)     over the n rows of the batch
//               + cancel_price sum_rk a~[r,k,0]
//
// Layers 2 and 3 are linear in mu, so they collapse into E[d,(k,r)] = g3[r,k,j(d)] g2[r,d]. The
// forward pass is A = U E and the backward pass dE = U^T dA, over the nonzero entries of U only.
// With bind_weights (the paper's appendix on t-norms) the t-norm also joins weights and inputs,
// T(g2, mu) and T(g3, u2), and the layers are not collapsed; for the product both forms are equal.
//
// Hard inference (hard_class) uses each gate's best choice at beta = 0. The g of the label and of
// the feature (under the root) multiply the score, a cancelled slot is 1, a feature chosen by
// several slots counts once (in its first slot), and a rule without a kept slot is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/random.hpp"
#include "frr/settings.hpp"
#include "kernels/gate.hpp"
#include "kernels/gate_kernel.hpp"
#include "kernels/network_kernel.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

struct NetworkShape {
  std::size_t rules = 0, slots = 0, classes = 0;
  std::vector<std::size_t> first{0};  // M + 1 offsets of the features' labels

  [[nodiscard]] std::size_t features() const { return first.size() - 1; }
  [[nodiscard]] std::size_t labels() const { return first.back(); }
  // Offsets of the blocks in the flat parameter vector: W2 [r][d], W3 [r][k][j], a [r][k][2],
  // W4 [r][c].
  [[nodiscard]] std::size_t w2() const { return 0; }
  [[nodiscard]] std::size_t w3() const { return rules * labels(); }
  [[nodiscard]] std::size_t a() const { return w3() + rules * slots * features(); }
  [[nodiscard]] std::size_t w4() const { return a() + rules * slots * 2; }
  [[nodiscard]] std::size_t parameters() const { return w4() + rules * classes; }
};

// The parameters that a schedule changes from step to step.
struct NetworkPoint {
  double beta = 0, gamma = 0;
  double sharpness = 0;  // of the smooth maximum; 0: hard maximum
};
// The parameters that are fixed during training.
struct NetworkRule {
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1;
  double temperature = 0.1;
  double kappa = 8;
  double cancel_price = 0;
  bool normalise = true;
  bool bind_weights = false;
  bool straight_through = true;  // false: f_beta is held fixed, to check derivatives
};
NetworkRule network_rule(const Settings& settings);

template <typename Scalar>
struct Batch {
  const SparseRows<Scalar>* inputs = nullptr;
  std::span<const std::uint32_t> rows;  // into inputs, classes and weights
  std::span<const int> classes;
  std::span<const Scalar> weights;  // empty: all 1
};

// One rule according to the hard choices of the network.
struct HardRule {
  std::vector<std::size_t> labels;  // columns d of distinct features, in order of the kept slots
  std::size_t then = 0;
  double weight = 0;
};

// The class of a row by hard inference, given its membership in every label; -1 if no rule has a
// positive score. Ties go to the first rule (additive: to the first class).
int hard_class(const NetworkRule& network, std::span<const HardRule> rules, std::size_t classes,
               std::span<const double> memberships);

template <typename Scalar>
class Network {
 public:
  Network(NetworkShape shape, const NetworkRule& rule);

  // W2, W3, a ~ N(0, 0.1); W4 ~ N(0, 0.3), plus 1 for one class per rule (the classes in turn).
  static std::vector<Scalar> initial(const NetworkShape& shape, Random& random);

  // Returns the loss of the batch at `parameters` and sets `gradient`.
  Scalar gradient(std::span<const Scalar> parameters, const NetworkPoint& point,
                  const Batch<Scalar>& batch, std::span<Scalar> gradient);

  // The same in packed form, with the rules innermost and padded to a multiple of 8: W2 [d][r],
  // W3 [k][j][r], a [2][k][r], W4 [c][r]. Kernels and training use this form.
  [[nodiscard]] std::size_t packed_size() const { return size_; }
  [[nodiscard]] std::vector<Scalar> pack(std::span<const Scalar> parameters) const;
  void unpack(std::span<const Scalar> packed, std::span<Scalar> parameters) const;
  Scalar packed_gradient(std::span<const Scalar> packed, const NetworkPoint& point,
                         const Batch<Scalar>& batch, std::span<Scalar> gradient);

  [[nodiscard]] std::vector<HardRule> hard_rules(std::span<const Scalar> parameters) const;
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }

 private:
  // Calls visit(offset, members, lanes, state) for the blocks of gates of the packed form.
  template <typename Visit>
  void for_each_block(Visit visit);
  // Calls visit(flat index, packed index) for every parameter.
  template <typename Visit>
  void for_each_parameter(Visit visit) const;
  [[nodiscard]] bool collapses() const { return !rule_.bind_weights; }
  [[nodiscard]] RowKernel<Scalar> row_kernel(const NetworkPoint& point);
  // Numbers per row that bound_forward keeps for bound_backward.
  [[nodiscard]] std::size_t bound_size() const {
    return collapses() ? 0 : 2 * shape_.rules * shape_.features();
  }
  // Adds the gradients of the rows to de_ and, from a_ on, to dg_; returns the loss.
  Scalar run_rows(const Batch<Scalar>& batch, const NetworkPoint& point);
  void bound_forward(Entries<Scalar> entries, std::span<Scalar> a, std::span<Scalar> scratch);
  void bound_backward(Entries<Scalar> entries, std::span<const Scalar> da,
                      std::span<Scalar> scratch);

  NetworkShape shape_;
  NetworkRule rule_;
  GateRule gate_;
  std::vector<std::size_t> feature_of_;  // of each label
  std::size_t lanes_, width_;            // width_: lanes of all slots
  std::size_t w3_, a_, w4_, size_;       // offsets of the packed blocks
  AlignedVector<Scalar> soft_, g_, dg_;  // parallel to the packed parameters
  AlignedVector<Scalar> best_, sum_;     // of the gates, block by block
  AlignedVector<Scalar> e_, de_;         // [d][k][r]
  AlignedVector<Scalar> bias_;           // [r] 0, or far below 0 in the padding
  AlignedVector<Scalar> scratch_;        // of the rows that are worked on
};

}  // namespace frr::internal
