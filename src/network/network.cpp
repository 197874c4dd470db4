#include "network/network.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "kernels/tnorm.hpp"

namespace frr::internal {

NetworkRule network_rule(const Settings& settings) {
  NetworkRule rule;
  rule.tnorm = settings.tnorm;
  rule.semantics = settings.semantics;
  rule.root = settings.root;
  rule.temperature = settings.temperature;
  rule.kappa = settings.kappa;
  rule.cancel_price = settings.cancel_price;
  rule.normalise = settings.normalise;
  // A convex combination stays within [0, 1] without a t-norm; the paper's literal sum does not.
  rule.bind_weights = !settings.normalise && settings.tnorm.kind != TNormKind::product;
  return rule;
}

template <typename Scalar>
Network<Scalar>::Network(NetworkShape shape, const NetworkRule& rule)
    : shape_(std::move(shape)),
      rule_(rule),
      gate_{.temperature = rule.temperature,
            .beta = 0,
            .normalise = rule.normalise,
            .straight_through = rule.straight_through},
      lanes_((shape_.rules + 7) / 8 * 8),
      width_(lanes_ * shape_.slots),
      w3_(lanes_ * shape_.labels()),
      a_(w3_ + width_ * shape_.features()),
      w4_(a_ + 2 * width_),
      size_(w4_ + lanes_ * shape_.classes) {
  for (std::size_t j = 0; j < shape_.features(); ++j) feature_of_.resize(shape_.first[j + 1], j);
  for (auto* block : {&soft_, &g_, &dg_}) block->resize(size_);
  const std::size_t gates = lanes_ * (shape_.features() + 2 * shape_.slots + 1);
  best_.resize(gates);
  sum_.resize(gates);
  if (!rule_.bind_weights) {
    e_.resize(shape_.labels() * width_);
    de_.resize(e_.size());
  }
  bias_.assign(lanes_, Scalar{0});
  for (std::size_t r = shape_.rules; r < lanes_; ++r) bias_[r] = static_cast<Scalar>(-1e6);
}

template <typename Scalar>
std::vector<Scalar> Network<Scalar>::initial(const NetworkShape& shape, Random& random) {
  std::vector<Scalar> parameters(shape.parameters());
  for (std::size_t i = 0; i < shape.w4(); ++i) {
    parameters[i] = static_cast<Scalar>(0.1 * random.normal());
  }
  for (std::size_t r = 0; r < shape.rules; ++r) {
    for (std::size_t c = 0; c < shape.classes; ++c) {
      const double mean = r % shape.classes == c ? 1 : 0;
      parameters[shape.w4() + r * shape.classes + c] =
          static_cast<Scalar>(mean + 0.3 * random.normal());
    }
  }
  return parameters;
}

template <typename Scalar>
template <typename Visit>
void Network<Scalar>::for_each_block(Visit visit) {
  const std::size_t M = shape_.features(), A = shape_.slots;
  const auto block = [&](std::size_t offset, std::size_t members, std::size_t lanes,
                         std::size_t gate) {
    visit(offset, members, lanes, GateLanes<Scalar>{best_.data() + gate, sum_.data() + gate});
  };
  for (std::size_t j = 0; j < M; ++j) {
    block(shape_.first[j] * lanes_, shape_.first[j + 1] - shape_.first[j], lanes_, j * lanes_);
  }
  for (std::size_t k = 0; k < A; ++k) block(w3_ + k * M * lanes_, M, lanes_, (M + k) * lanes_);
  block(a_, 2, width_, (M + A) * lanes_);
  block(w4_, shape_.classes, lanes_, (M + 2 * A) * lanes_);
}

template <typename Scalar>
template <typename Visit>
void Network<Scalar>::for_each_parameter(Visit visit) const {
  const std::size_t A = shape_.slots, M = shape_.features(), D = shape_.labels();
  const std::size_t C = shape_.classes;
  for (std::size_t r = 0; r < shape_.rules; ++r) {
    for (std::size_t d = 0; d < D; ++d) visit(shape_.w2() + r * D + d, d * lanes_ + r);
    for (std::size_t k = 0; k < A; ++k) {
      const std::size_t slot = r * A + k;
      for (std::size_t j = 0; j < M; ++j) {
        visit(shape_.w3() + slot * M + j, w3_ + (k * M + j) * lanes_ + r);
      }
      visit(shape_.a() + 2 * slot, a_ + k * lanes_ + r);
      visit(shape_.a() + 2 * slot + 1, a_ + width_ + k * lanes_ + r);
    }
    for (std::size_t c = 0; c < C; ++c) visit(shape_.w4() + r * C + c, w4_ + c * lanes_ + r);
  }
}

template <typename Scalar>
std::vector<Scalar> Network<Scalar>::pack(std::span<const Scalar> parameters) const {
  std::vector<Scalar> packed(size_, Scalar{0});
  for_each_parameter([&](std::size_t flat, std::size_t at) { packed[at] = parameters[flat]; });
  return packed;
}

template <typename Scalar>
void Network<Scalar>::unpack(std::span<const Scalar> packed, std::span<Scalar> parameters) const {
  for_each_parameter([&](std::size_t flat, std::size_t at) { parameters[flat] = packed[at]; });
}

// Rows per forward pass before their backward pass: E and dE each nearly fill the level 1 cache.
constexpr std::size_t chunk_rows = 32;

// Rows are read in random order from more memory than fits into the caches, so all rows of a chunk
// are prefetched at once. (Always inlined, because GCC drops calls of functions that only
// prefetch.)
template <typename Scalar>
[[gnu::always_inline]] inline void prefetch_rows(const Batch<Scalar>& batch,
                                                 std::span<const std::uint32_t> rows) {
  constexpr std::size_t line = 64;
  const SparseRows<Scalar>& inputs = *batch.inputs;
  for (const std::uint32_t row : rows) {
    __builtin_prefetch(inputs.start.data() + row);
    __builtin_prefetch(batch.classes.data() + row);
    if (!batch.weights.empty()) __builtin_prefetch(batch.weights.data() + row);
  }
  for (const std::uint32_t row : rows) {
    const Entries<Scalar> entries = inputs.of_row(row);
    for (std::size_t i = 0; i < entries.size(); i += line / sizeof(Entry<Scalar>)) {
      __builtin_prefetch(entries.data() + i);
    }
    if (!entries.empty()) __builtin_prefetch(&entries.back());
  }
}

template <typename Scalar>
RowKernel<Scalar> Network<Scalar>::row_kernel(const NetworkPoint& point) {
  RowKernel<Scalar> kernel;
  kernel.rules = shape_.rules;
  kernel.lanes = lanes_;
  kernel.slots = shape_.slots;
  kernel.classes = shape_.classes;
  kernel.keep = g_.data() + a_;
  kernel.cancel = kernel.keep + width_;
  kernel.out = g_.data() + w4_;
  kernel.bias = bias_.data();
  kernel.dkeep = dg_.data() + a_;
  kernel.dcancel = kernel.dkeep + width_;
  kernel.dout = kernel.dcancel + width_;
  kernel.tnorm = rule_.tnorm;
  kernel.additive = rule_.semantics == Semantics::additive;
  kernel.gamma = static_cast<Scalar>(point.gamma);
  kernel.sharpness = static_cast<Scalar>(point.sharpness);
  kernel.kappa = static_cast<Scalar>(rule_.kappa);
  kernel.root = static_cast<Scalar>(rule_.root);
  kernel.max_score = static_cast<Scalar>(1 + point.gamma * static_cast<double>(shape_.slots));
  // The lanes of the padding stay 0.
  const std::size_t needed =
      2 * chunk_rows * width_ + kernel.scratch_size() + chunk_rows * bound_size();
  if (scratch_.size() != needed) scratch_.assign(needed, Scalar{0});
  kernel.scratch = scratch_.data() + 2 * chunk_rows * width_;
  return kernel;
}

template <typename Scalar>
Scalar Network<Scalar>::run_rows(const Batch<Scalar>& batch, const NetworkPoint& point) {
  const RowKernel<Scalar> kernel = row_kernel(point);
  Scalar* a = scratch_.data();
  Scalar* da = a + chunk_rows * width_;
  Scalar* const bound_scratch = kernel.scratch + kernel.scratch_size();
  const std::size_t bound = bound_size();
  const SparseRows<Scalar>& inputs = *batch.inputs;
  const std::size_t n = batch.rows.size();
  const Scalar scale = 1 / static_cast<Scalar>(n);
  Scalar loss = 0;
  for (std::size_t first = 0; first < n; first += chunk_rows) {
    const auto chunk = batch.rows.subspan(first, std::min(chunk_rows, n - first));
    prefetch_rows(batch, chunk);
    int target[chunk_rows];
    Scalar weight[chunk_rows];
    for (std::size_t q = 0; q < chunk.size(); ++q) {
      const std::uint32_t row = chunk[q];
      target[q] = batch.classes[row];
      weight[q] = scale * (batch.weights.empty() ? Scalar{1} : batch.weights[row]);
      if (rule_.bind_weights) {
        bound_forward(inputs.of_row(row), {a + q * width_, width_},
                      {bound_scratch + q * bound, bound});
      } else {
        collapse_forward(e_.data(), width_, inputs.of_row(row), a + q * width_);
      }
    }
    for (std::size_t q = 0; q < chunk.size(); q += head_rows) {
      loss += head(kernel, a + q * width_, da + q * width_, target + q, weight + q,
                   std::min(head_rows, chunk.size() - q));
    }
    for (std::size_t q = 0; q < chunk.size(); ++q) {
      const Entries<Scalar> entries = inputs.of_row(chunk[q]);
      if (rule_.bind_weights) {
        bound_backward(entries, {da + q * width_, width_}, {bound_scratch + q * bound, bound});
      } else {
        collapse_backward(de_.data(), width_, entries, da + q * width_);
      }
    }
  }
  return loss;
}

// Layers 2 and 3 with weights and inputs joined by the t-norm. T(x, 0) = 0, so only the row's
// nonzero memberships matter.
template <typename Scalar>
void Network<Scalar>::bound_forward(Entries<Scalar> entries, std::span<Scalar> a,
                                    std::span<Scalar> scratch) {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features();
  Scalar* u2 = scratch.data();
  std::fill(u2, u2 + R * M, Scalar{0});
  for (std::size_t r = 0; r < R; ++r) {
    for (const auto& [column, value] : entries) {
      const Scalar pair[2] = {g_[column * lanes_ + r], value};
      u2[r * M + feature_of_[column]] += tnorm_value<Scalar>(rule_.tnorm, pair);
    }
    for (std::size_t k = 0; k < A; ++k) {
      Scalar sum = 0;
      for (std::size_t j = 0; j < M; ++j) {
        const Scalar pair[2] = {g_[w3_ + (k * M + j) * lanes_ + r], u2[r * M + j]};
        if (pair[1] > 0) sum += tnorm_value<Scalar>(rule_.tnorm, pair);
      }
      a[k * lanes_ + r] = sum;
    }
  }
}

template <typename Scalar>
void Network<Scalar>::bound_backward(Entries<Scalar> entries, std::span<const Scalar> da,
                                     std::span<Scalar> scratch) {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features();
  const Scalar* u2 = scratch.data();
  Scalar* du2 = scratch.data() + R * M;
  std::fill(du2, du2 + R * M, Scalar{0});
  Scalar gradient[2];
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = 0; k < A; ++k) {
      for (std::size_t j = 0; j < M; ++j) {
        const std::size_t at = w3_ + (k * M + j) * lanes_ + r;
        const Scalar pair[2] = {g_[at], u2[r * M + j]};
        tnorm_gradient<Scalar>(rule_.tnorm, pair, gradient);
        if (pair[1] > 0) dg_[at] += da[k * lanes_ + r] * gradient[0];
        du2[r * M + j] += da[k * lanes_ + r] * gradient[1];
      }
    }
    for (const auto& [column, value] : entries) {
      const Scalar pair[2] = {g_[column * lanes_ + r], value};
      tnorm_gradient<Scalar>(rule_.tnorm, pair, gradient);
      dg_[column * lanes_ + r] += du2[r * M + feature_of_[column]] * gradient[0];
    }
  }
}

template <typename Scalar>
Scalar Network<Scalar>::packed_gradient(std::span<const Scalar> packed, const NetworkPoint& point,
                                        const Batch<Scalar>& batch, std::span<Scalar> gradient) {
  GateRule gate = gate_;
  gate.beta = point.beta;
  for_each_block([&](std::size_t at, std::size_t members, std::size_t lanes, const auto& state) {
    gate_lanes_forward(gate, packed.data() + at, members, lanes, soft_.data() + at, g_.data() + at,
                       state);
  });
  const CollapseShape collapse{shape_.first, lanes_, shape_.slots};
  if (collapses()) collapse_gates(collapse, g_.data(), g_.data() + w3_, e_.data());
  std::fill(de_.begin(), de_.end(), Scalar{0});
  const auto accumulated = collapses() ? static_cast<std::ptrdiff_t>(a_) : 0;
  std::fill(dg_.begin() + accumulated, dg_.end(), Scalar{0});
  Scalar loss = run_rows(batch, point);
  if (collapses()) {
    expand_gates(collapse, g_.data(), g_.data() + w3_, de_.data(), dg_.data(), dg_.data() + w3_);
  }
  const auto price = static_cast<Scalar>(rule_.cancel_price);
  for_each_block([&](std::size_t at, std::size_t members, std::size_t lanes, const auto& state) {
    gate_lanes_backward(gate, soft_.data() + at, g_.data() + at, dg_.data() + at, members, lanes,
                        at == a_ ? price : Scalar{0}, state, gradient.data() + at);
  });
  for (std::size_t k = 0; price != 0 && k < shape_.slots; ++k) {
    for (std::size_t r = 0; r < shape_.rules; ++r) loss += price * soft_[a_ + k * lanes_ + r];
  }
  return loss;
}

template <typename Scalar>
Scalar Network<Scalar>::gradient(std::span<const Scalar> parameters, const NetworkPoint& point,
                                 const Batch<Scalar>& batch, std::span<Scalar> gradient) {
  std::vector<Scalar> packed(size_);
  const Scalar loss = packed_gradient(pack(parameters), point, batch, packed);
  unpack(packed, gradient);
  return loss;
}

template <typename Scalar>
std::vector<HardRule> Network<Scalar>::hard_rules(std::span<const Scalar> parameters) const {
  const std::size_t A = shape_.slots, M = shape_.features(), D = shape_.labels();
  GateRule hard = gate_;
  hard.beta = 0;
  // The gate's best choice and its g at beta = 0.
  const auto choose = [&](std::size_t offset, std::size_t size) {
    std::vector<Scalar> soft(size), g(size);
    const auto state = gate_forward<Scalar>(hard, parameters.subspan(offset, size), soft, g);
    return std::pair(state.best, static_cast<double>(g[state.best]));
  };
  std::vector<HardRule> rules(shape_.rules);
  for (std::size_t r = 0; r < shape_.rules; ++r) {
    HardRule& rule = rules[r];
    std::tie(rule.then, rule.weight) = choose(shape_.w4() + r * shape_.classes, shape_.classes);
    std::vector<bool> used(M, false);
    for (std::size_t k = 0; k < A; ++k) {
      if (choose(shape_.a() + 2 * (r * A + k), 2).first == 1) continue;
      const auto [j, g3] = choose(shape_.w3() + (r * A + k) * M, M);
      if (used[j]) continue;
      used[j] = true;
      const auto [v, g2] =
          choose(shape_.w2() + r * D + shape_.first[j], shape_.first[j + 1] - shape_.first[j]);
      rule.labels.push_back(shape_.first[j] + v);
      rule.weight *= rule_.root == 1 ? g3 * g2 : std::pow(g3 * g2, 1 / rule_.root);
    }
  }
  return rules;
}

int hard_class(const NetworkRule& network, std::span<const HardRule> rules, std::size_t classes,
               std::span<const double> memberships) {
  const bool additive = network.semantics == Semantics::additive;
  std::vector<double> degrees, sums(classes, 0.0);
  int winner = -1;
  double best = 0;
  for (const HardRule& rule : rules) {
    if (rule.labels.empty()) continue;
    degrees.clear();
    for (const std::size_t d : rule.labels) degrees.push_back(memberships[d]);
    double truth = tnorm_value<double>(network.tnorm, degrees);
    if (network.root != 1) truth = std::pow(truth, 1 / network.root);
    const double score = rule.weight * truth;
    sums[rule.then] += score;
    if (score > best) best = score, winner = static_cast<int>(rule.then);
  }
  if (!additive || winner < 0) return winner;
  return static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

template class Network<float>;
template class Network<double>;

}  // namespace frr::internal
