#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "network_kernel.hpp"
#include "tnorm.hpp"

namespace frr {

NetworkRule network_rule(const Settings& settings) {
  NetworkRule rule;
  rule.tnorm = settings.tnorm;
  rule.semantics = settings.semantics;
  rule.root = settings.root;
  rule.temperature = settings.temperature;
  rule.kappa = settings.kappa;
  rule.cancel_price = settings.cancel_price;
  rule.normalise = settings.normalise;
  // A convex combination needs no t-norm to stay within [0, 1]; the paper's literal sum does.
  rule.bind_weights = !settings.normalise && settings.tnorm.kind != TNormKind::product;
  return rule;
}

template <typename Scalar>
Network<Scalar>::Network(NetworkShape shape, const NetworkRule& rule)
    : shape_(std::move(shape)),
      rule_(rule),
      gate_{rule.temperature, 0, rule.normalise, rule.straight_through},
      lanes_((shape_.rules + 7) / 8 * 8),
      width_(lanes_ * shape_.slots) {
  for (std::size_t j = 0; j < shape_.features(); ++j) feature_of_.resize(shape_.first[j + 1], j);
  const std::size_t count = shape_.parameters();
  gates_.soft.resize(count);
  gates_.g.resize(count);
  gates_.dg.resize(count);
  if (!rule_.bind_weights) {
    e_.resize(shape_.labels() * width_);
    de_.resize(e_.size());
  }
  for (auto* block : {&keep_, &dkeep_, &cancel_, &dcancel_}) block->resize(width_);
  out_.resize(shape_.classes * lanes_);
  dout_.resize(out_.size());
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
      const double own = r % shape.classes == c ? 1 : 0;
      parameters[shape.w4() + r * shape.classes + c] =
          static_cast<Scalar>(own + 0.3 * random.normal());
    }
  }
  return parameters;
}

// Calls visit(offset, size) for every group of parameters that one gate chooses among.
template <typename Scalar>
template <typename Visit>
void Network<Scalar>::for_each_group(Visit visit) const {
  for (std::size_t r = 0; r < shape_.rules; ++r) {
    for (std::size_t j = 0; j < shape_.features(); ++j) {
      visit(shape_.w2() + r * shape_.labels() + shape_.first[j],
            shape_.first[j + 1] - shape_.first[j]);
    }
  }
  for (std::size_t s = 0; s < shape_.rules * shape_.slots; ++s) {
    visit(shape_.w3() + s * shape_.features(), shape_.features());
  }
  for (std::size_t s = 0; s < shape_.rules * shape_.slots; ++s) visit(shape_.a() + 2 * s, 2);
  for (std::size_t r = 0; r < shape_.rules; ++r)
    visit(shape_.w4() + r * shape_.classes, shape_.classes);
}

template <typename Scalar>
void Network<Scalar>::open_gates(std::span<const Scalar> parameters) {
  gates_.state.clear();
  for_each_group([&](std::size_t offset, std::size_t size) {
    gates_.state.push_back(gate_forward<Scalar>(gate_, parameters.subspan(offset, size),
                                                std::span(gates_.soft).subspan(offset, size),
                                                std::span(gates_.g).subspan(offset, size)));
  });
}

template <typename Scalar>
void Network<Scalar>::close_gates(std::span<Scalar> gradient) {
  const Scalar price[2] = {static_cast<Scalar>(rule_.cancel_price), 0};
  std::fill(gradient.begin(), gradient.end(), Scalar{0});
  std::size_t group = 0;
  for_each_group([&](std::size_t offset, std::size_t size) {
    const bool cancellation = offset >= shape_.a() && offset < shape_.w4();
    const auto part = [&](std::vector<Scalar>& all) {
      return std::span(all).subspan(offset, size);
    };
    gate_backward<Scalar>(gate_, gates_.state[group++], part(gates_.soft), part(gates_.g),
                          part(gates_.dg),
                          cancellation ? std::span<const Scalar>(price) : std::span<const Scalar>{},
                          gradient.subspan(offset, size));
  });
}

// Gates -> vector lanes.
template <typename Scalar>
void Network<Scalar>::lay_out() {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features(), D = shape_.labels();
  const Scalar* g = gates_.g.data();
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = 0; k < A; ++k) {
      const Scalar* ga = g + shape_.a() + 2 * (r * A + k);
      keep_[k * lanes_ + r] = ga[0];
      cancel_[k * lanes_ + r] = ga[1];
    }
    for (std::size_t c = 0; c < shape_.classes; ++c) {
      out_[c * lanes_ + r] = g[shape_.w4() + r * shape_.classes + c];
    }
  }
  for (auto* block : {&dkeep_, &dcancel_, &dout_})
    std::fill(block->begin(), block->end(), Scalar{0});
  if (rule_.bind_weights) return;
  std::fill(de_.begin(), de_.end(), Scalar{0});
  for (std::size_t r = 0; r < R; ++r) {
    const Scalar* g2 = g + shape_.w2() + r * D;
    for (std::size_t k = 0; k < A; ++k) {
      const Scalar* g3 = g + shape_.w3() + (r * A + k) * M;
      for (std::size_t j = 0; j < M; ++j) {
        for (std::size_t d = shape_.first[j]; d < shape_.first[j + 1]; ++d) {
          e_[d * width_ + k * lanes_ + r] = g3[j] * g2[d];
        }
      }
    }
  }
}

// Vector lanes -> gradients of the gates.
template <typename Scalar>
void Network<Scalar>::collect() {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features(), D = shape_.labels();
  Scalar* dg = gates_.dg.data();
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = 0; k < A; ++k) {
      Scalar* da = dg + shape_.a() + 2 * (r * A + k);
      da[0] = dkeep_[k * lanes_ + r];
      da[1] = dcancel_[k * lanes_ + r];
    }
    for (std::size_t c = 0; c < shape_.classes; ++c) {
      dg[shape_.w4() + r * shape_.classes + c] = dout_[c * lanes_ + r];
    }
  }
  if (rule_.bind_weights) return;
  const Scalar* g = gates_.g.data();
  for (std::size_t r = 0; r < R; ++r) {
    const Scalar* g2 = g + shape_.w2() + r * D;
    Scalar* dg2 = dg + shape_.w2() + r * D;
    std::fill(dg2, dg2 + D, Scalar{0});
    for (std::size_t k = 0; k < A; ++k) {
      const Scalar* g3 = g + shape_.w3() + (r * A + k) * M;
      Scalar* dg3 = dg + shape_.w3() + (r * A + k) * M;
      for (std::size_t j = 0; j < M; ++j) {
        Scalar sum = 0;
        for (std::size_t d = shape_.first[j]; d < shape_.first[j + 1]; ++d) {
          const Scalar de = de_[d * width_ + k * lanes_ + r];
          sum += de * g2[d];
          dg2[d] += de * g3[j];
        }
        dg3[j] = sum;
      }
    }
  }
}

template <typename Scalar>
Scalar Network<Scalar>::run(const Batch<Scalar>& batch, const NetworkPoint& point, Scalar scale) {
  RowKernel<Scalar> kernel;
  kernel.rules = shape_.rules;
  kernel.lanes = lanes_;
  kernel.slots = shape_.slots;
  kernel.classes = shape_.classes;
  kernel.keep = keep_.data();
  kernel.cancel = cancel_.data();
  kernel.out = out_.data();
  kernel.bias = bias_.data();
  kernel.dkeep = dkeep_.data();
  kernel.dcancel = dcancel_.data();
  kernel.dout = dout_.data();
  kernel.tnorm = rule_.tnorm;
  kernel.additive = rule_.semantics == Semantics::additive;
  kernel.gamma = static_cast<Scalar>(point.gamma);
  kernel.sharpness = static_cast<Scalar>(point.sharpness);
  kernel.kappa = static_cast<Scalar>(rule_.kappa);
  kernel.root = static_cast<Scalar>(rule_.root);
  const std::size_t bound = rule_.bind_weights ? 2 * shape_.rules * shape_.features() : 0;
  scratch_.resize(2 * width_ + kernel.scratch_size() + bound);
  Scalar* a = scratch_.data();
  Scalar* da = a + width_;
  kernel.scratch = da + width_;
  std::fill(a, a + 2 * width_, Scalar{0});
  Scalar loss = 0;
  for (const std::uint32_t row : batch.rows) {
    const std::size_t start = batch.inputs->start[row];
    const std::size_t count = batch.inputs->start[row + 1] - start;
    const std::uint32_t* column = batch.inputs->column.data() + start;
    const Scalar* value = batch.inputs->value.data() + start;
    const Scalar weight = scale * (batch.weights.empty() ? Scalar{1} : batch.weights[row]);
    if (rule_.bind_weights)
      bound_forward({column, count}, {value, count}, {a, width_});
    else
      collapse_forward(e_.data(), width_, column, value, count, a);
    loss += head(kernel, a, da, batch.classes[row], weight);
    if (rule_.bind_weights)
      bound_backward({column, count}, {value, count}, {da, width_});
    else
      collapse_backward(de_.data(), width_, column, value, count, da);
  }
  return loss;
}

// Layers 2 and 3 with the t-norm binding weights and inputs. T(x, 0) = 0, so only the row's
// non-zero memberships count.
template <typename Scalar>
void Network<Scalar>::bound_forward(std::span<const std::uint32_t> column,
                                    std::span<const Scalar> value, std::span<Scalar> a) {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features(), D = shape_.labels();
  Scalar* u2 = scratch_.data() + scratch_.size() - 2 * R * M;
  std::fill(u2, u2 + R * M, Scalar{0});
  for (std::size_t r = 0; r < R; ++r) {
    const Scalar* g2 = gates_.g.data() + shape_.w2() + r * D;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const Scalar pair[2] = {g2[column[i]], value[i]};
      u2[r * M + feature_of_[column[i]]] += tnorm_value<Scalar>(rule_.tnorm, pair);
    }
    for (std::size_t k = 0; k < A; ++k) {
      const Scalar* g3 = gates_.g.data() + shape_.w3() + (r * A + k) * M;
      Scalar sum = 0;
      for (std::size_t j = 0; j < M; ++j) {
        const Scalar pair[2] = {g3[j], u2[r * M + j]};
        if (pair[1] > 0) sum += tnorm_value<Scalar>(rule_.tnorm, pair);
      }
      a[k * lanes_ + r] = sum;
    }
  }
}

template <typename Scalar>
void Network<Scalar>::bound_backward(std::span<const std::uint32_t> column,
                                     std::span<const Scalar> value, std::span<const Scalar> da) {
  const std::size_t R = shape_.rules, A = shape_.slots, M = shape_.features(), D = shape_.labels();
  const Scalar* u2 = scratch_.data() + scratch_.size() - 2 * R * M;
  Scalar* du2 = scratch_.data() + scratch_.size() - R * M;
  std::fill(du2, du2 + R * M, Scalar{0});
  Scalar gradient[2];
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = 0; k < A; ++k) {
      const Scalar* g3 = gates_.g.data() + shape_.w3() + (r * A + k) * M;
      Scalar* dg3 = gates_.dg.data() + shape_.w3() + (r * A + k) * M;
      for (std::size_t j = 0; j < M; ++j) {
        const Scalar pair[2] = {g3[j], u2[r * M + j]};
        tnorm_gradient<Scalar>(rule_.tnorm, pair, gradient);
        if (pair[1] > 0) dg3[j] += da[k * lanes_ + r] * gradient[0];
        du2[r * M + j] += da[k * lanes_ + r] * gradient[1];
      }
    }
    const Scalar* g2 = gates_.g.data() + shape_.w2() + r * D;
    Scalar* dg2 = gates_.dg.data() + shape_.w2() + r * D;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const Scalar pair[2] = {g2[column[i]], value[i]};
      tnorm_gradient<Scalar>(rule_.tnorm, pair, gradient);
      dg2[column[i]] += du2[r * M + feature_of_[column[i]]] * gradient[0];
    }
  }
}

template <typename Scalar>
Scalar Network<Scalar>::gradient(std::span<const Scalar> parameters, const NetworkPoint& point,
                                 const Batch<Scalar>& batch, std::span<Scalar> gradient) {
  gate_.beta = point.beta;
  open_gates(parameters);
  lay_out();
  if (rule_.bind_weights) std::fill(gates_.dg.begin(), gates_.dg.end(), Scalar{0});
  Scalar loss = run(batch, point, 1 / static_cast<Scalar>(batch.rows.size()));
  collect();
  close_gates(gradient);
  for (std::size_t s = 0; s < shape_.rules * shape_.slots; ++s) {
    loss += static_cast<Scalar>(rule_.cancel_price) * gates_.soft[shape_.a() + 2 * s];
  }
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

}  // namespace frr
