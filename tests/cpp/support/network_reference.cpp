#include "support/network_reference.hpp"
#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

namespace frr::internal::reference {
namespace {

Vector slice(const Vector& all, std::size_t from, std::size_t count) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(from + count)};
}

// dg[i] / dw~[k]: of h = f w~, or of h / sum h.
double gate_slope(const NetworkRule& rule, const Gate& gate, std::size_t i, std::size_t k) {
  const double same = i == k ? 1 : 0;
  const double dh = gate.f[k] + (rule.straight_through ? gate.soft[k] : 0);
  if (!rule.normalise) return same * dh;
  double sum = 0;
  for (std::size_t n = 0; n < gate.f.size(); ++n) sum += gate.f[n] * gate.soft[n];
  return (same * sum - gate.f[i] * gate.soft[i]) / (sum * sum) * dh;
}

// dw~[k] / dw[n].
double softmax_slope(const NetworkRule& rule, const Gate& gate, std::size_t k, std::size_t n) {
  const double same = k == n ? 1 : 0;
  return gate.soft[k] * (same - gate.soft[n]) / rule.temperature;
}

struct RowGradient {
  Cube label, feature, keep;  // d / dg2 [r][j][v], dg3 [r][k][j], dga [r][k][2]
  Matrix outcome;             // d / dg4 [r][c]
};

}  // namespace

Gate gate(const NetworkRule& rule, double beta, const Vector& w) {
  const std::size_t m = w.size();
  const std::size_t best = argmax(w);
  Gate result;
  double total = 0;
  for (std::size_t i = 0; i < m; ++i) total += std::exp((w[i] - w[best]) / rule.temperature);
  Vector h;
  for (std::size_t i = 0; i < m; ++i) {
    result.soft.push_back(std::exp((w[i] - w[best]) / rule.temperature) / total);
    result.f.push_back((i == best ? 1 : beta) / (1 + beta * (static_cast<double>(m) - 1)));
    h.push_back(result.f[i] * result.soft[i]);
  }
  double sum = 0;
  for (const double x : h) sum += x;
  for (const double x : h) result.g.push_back(rule.normalise ? x / sum : x);
  return result;
}

Gates gates(const NetworkShape& shape, const NetworkRule& rule, double beta, const Vector& w) {
  Gates all;
  for (std::size_t r = 0; r < shape.rules; ++r) {
    std::vector<Gate> label, feature, keep;
    for (std::size_t j = 0; j < shape.features(); ++j) {
      const std::size_t count = shape.first[j + 1] - shape.first[j];
      label.push_back(
          gate(rule, beta, slice(w, shape.w2() + r * shape.labels() + shape.first[j], count)));
    }
    for (std::size_t k = 0; k < shape.slots; ++k) {
      const std::size_t slot = r * shape.slots + k;
      feature.push_back(
          gate(rule, beta, slice(w, shape.w3() + slot * shape.features(), shape.features())));
      keep.push_back(gate(rule, beta, slice(w, shape.a() + 2 * slot, 2)));
    }
    all.label.push_back(label);
    all.feature.push_back(feature);
    all.keep.push_back(keep);
    all.outcome.push_back(
        gate(rule, beta, slice(w, shape.w4() + r * shape.classes, shape.classes)));
  }
  return all;
}

namespace {

// How a weight and an input are joined in layers 2 and 3.
double join(const NetworkRule& rule, double weight, double input) {
  return rule.bind_weights ? conjunction(rule.tnorm, {weight, input}) : weight * input;
}
Vector join_slopes(const NetworkRule& rule, double weight, double input) {
  if (!rule.bind_weights) return {input, weight};
  Vector slopes = conjunction_slopes(rule.tnorm, {weight, input});
  if (input <= 0) slopes[0] = 0;  // T(x, 0) = 0 for every x
  return slopes;
}

// One class's output over the rules' scores, and its partial derivatives.
double decide(const NetworkRule& rule, double sharpness, const Vector& score) {
  double sum = 0;
  if (rule.semantics == Semantics::additive) {
    for (const double s : score) sum += s;
    return sum;
  }
  const double top = score[argmax(score)];
  if (sharpness <= 0) return top;
  for (const double s : score) sum += std::exp(sharpness * (s - top));
  return top + std::log(sum) / sharpness;
}
Vector decide_slopes(const NetworkRule& rule, double sharpness, const Vector& score) {
  if (rule.semantics == Semantics::additive) return Vector(score.size(), 1);
  Vector slopes(score.size(), 0);
  if (sharpness <= 0) {
    slopes[argmax(score)] = 1;
    return slopes;
  }
  const double out = decide(rule, sharpness, score);
  for (std::size_t r = 0; r < score.size(); ++r) slopes[r] = std::exp(sharpness * (score[r] - out));
  return slopes;
}

Vector column(const Matrix& matrix, std::size_t c) {
  Vector result;
  for (const Vector& row : matrix) result.push_back(row[c]);
  return result;
}

}  // namespace

Layers forward(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
               const Gates& gates, const Vector& mu) {
  Layers layers;
  for (std::size_t r = 0; r < shape.rules; ++r) {
    Vector u2(shape.features(), 0), a(shape.slots, 0), c(shape.slots, 0), score;
    for (std::size_t j = 0; j < shape.features(); ++j)
      for (std::size_t v = 0; v < shape.first[j + 1] - shape.first[j]; ++v)
        u2[j] += join(rule, gates.label[r][j].g[v], mu[shape.first[j] + v]);
    double residual = 0;
    for (std::size_t k = 0; k < shape.slots; ++k) {
      for (std::size_t j = 0; j < shape.features(); ++j)
        a[k] += join(rule, gates.feature[r][k].g[j], u2[j]);
      c[k] = gates.keep[r][k].g[0] * a[k] + gates.keep[r][k].g[1];
      residual += a[k];
    }
    const double t = conjunction(rule.tnorm, c);
    const double value = std::pow(t, 1 / rule.root) + point.gamma * residual;
    for (std::size_t y = 0; y < shape.classes; ++y) score.push_back(gates.outcome[r].g[y] * value);
    layers.u2.push_back(u2);
    layers.a.push_back(a);
    layers.c.push_back(c);
    layers.conjunction.push_back(t);
    layers.rule.push_back(value);
    layers.score.push_back(score);
  }
  for (std::size_t y = 0; y < shape.classes; ++y)
    layers.out.push_back(decide(rule, point.sharpness, column(layers.score, y)));
  const double top = layers.out[argmax(layers.out)];
  double sum = 0;
  for (const double o : layers.out) sum += std::exp(rule.kappa * (o - top));
  for (const double o : layers.out)
    layers.probability.push_back(std::exp(rule.kappa * (o - top)) / sum);
  return layers;
}

namespace {

// d(row's loss) / d(every gate), given d / d out.
RowGradient backward(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
                     const Gates& gates, const Layers& layers, const Row& row, double share) {
  const std::size_t R = shape.rules, A = shape.slots, M = shape.features();
  RowGradient d;
  Vector drule(R, 0);
  d.outcome.assign(R, Vector(shape.classes, 0));
  for (std::size_t y = 0; y < shape.classes; ++y) {
    const double hit = y == static_cast<std::size_t>(row.target) ? 1 : 0;
    const double dout = share * rule.kappa * (layers.probability[y] - hit);
    const Vector slopes = decide_slopes(rule, point.sharpness, column(layers.score, y));
    for (std::size_t r = 0; r < R; ++r) {
      d.outcome[r][y] = dout * slopes[r] * layers.rule[r];
      drule[r] += dout * slopes[r] * gates.outcome[r].g[y];
    }
  }
  for (std::size_t r = 0; r < R; ++r) {
    const double t = layers.conjunction[r];
    const double steep = rule.root == 1 ? 1
                         : t > 0        ? std::pow(t, 1 / rule.root - 1) / rule.root
                                        : 0;
    const Vector slopes = conjunction_slopes(rule.tnorm, layers.c[r]);
    Matrix dkeep(A, Vector(2, 0)), dfeature(A, Vector(M, 0)), dlabel;
    Vector du2(M, 0);
    for (std::size_t k = 0; k < A; ++k) {
      const double dc = drule[r] * steep * slopes[k];
      dkeep[k] = {dc * layers.a[r][k], dc};
      const double da = dc * gates.keep[r][k].g[0] + drule[r] * point.gamma;
      for (std::size_t j = 0; j < M; ++j) {
        const Vector joint = join_slopes(rule, gates.feature[r][k].g[j], layers.u2[r][j]);
        dfeature[k][j] = da * joint[0];
        du2[j] += da * joint[1];
      }
    }
    for (std::size_t j = 0; j < M; ++j) {
      Vector dlabels;
      for (std::size_t v = 0; v < shape.first[j + 1] - shape.first[j]; ++v) {
        const double mu = row.memberships[shape.first[j] + v];
        dlabels.push_back(du2[j] * join_slopes(rule, gates.label[r][j].g[v], mu)[0]);
      }
      dlabel.push_back(dlabels);
    }
    d.label.push_back(dlabel);
    d.feature.push_back(dfeature);
    d.keep.push_back(dkeep);
  }
  return d;
}

// gradient[at + n] += sum_i,k dg[i] dg[i]/dw~[k] dw~[k]/dw[n].
void pass_gate(const NetworkRule& rule, const Gate& gate, const Vector& dg, Vector& gradient,
               std::size_t at) {
  const std::size_t m = dg.size();
  for (std::size_t k = 0; k < m; ++k) {
    double dsoft = 0;
    for (std::size_t i = 0; i < m; ++i) dsoft += dg[i] * gate_slope(rule, gate, i, k);
    for (std::size_t n = 0; n < m; ++n) gradient[at + n] += dsoft * softmax_slope(rule, gate, k, n);
  }
}

void add_row(const NetworkShape& shape, const NetworkRule& rule, const Gates& gates,
             const RowGradient& d, Vector& gradient) {
  for (std::size_t r = 0; r < shape.rules; ++r) {
    for (std::size_t j = 0; j < shape.features(); ++j)
      pass_gate(rule, gates.label[r][j], d.label[r][j], gradient,
                shape.w2() + r * shape.labels() + shape.first[j]);
    for (std::size_t k = 0; k < shape.slots; ++k) {
      const std::size_t slot = r * shape.slots + k;
      pass_gate(rule, gates.feature[r][k], d.feature[r][k], gradient,
                shape.w3() + slot * shape.features());
      pass_gate(rule, gates.keep[r][k], d.keep[r][k], gradient, shape.a() + 2 * slot);
    }
    pass_gate(rule, gates.outcome[r], d.outcome[r], gradient, shape.w4() + r * shape.classes);
  }
}

// The cancellation term: price * sum of the keeping w~, past the gate's f.
double add_cancellation(const NetworkShape& shape, const NetworkRule& rule, const Gates& gates,
                        Vector& gradient) {
  double loss = 0;
  for (std::size_t r = 0; r < shape.rules; ++r) {
    for (std::size_t k = 0; k < shape.slots; ++k) {
      const Gate& keep = gates.keep[r][k];
      loss += rule.cancel_price * keep.soft[0];
      for (std::size_t m = 0; m < 2; ++m)
        gradient[shape.a() + 2 * (r * shape.slots + k) + m] +=
            rule.cancel_price * softmax_slope(rule, keep, 0, m);
    }
  }
  return loss;
}

double row_distance(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
                    const Gates& gates, const Layers& layers, const Vector& mu) {
  double nearest = 1;
  const auto near = [&](double d) { nearest = std::min(nearest, d); };
  const auto near_join = [&](double weight, double input) {
    if (rule.bind_weights && weight < 1 && input > 0)
      near(distance_to_kink(rule.tnorm, {weight, input}));
  };
  for (std::size_t r = 0; r < shape.rules; ++r) {
    near(distance_to_kink(rule.tnorm, layers.c[r]));
    // A step changes a truth in proportion to it, but for lukasiewicz in proportion to 1.
    const double scale = rule.tnorm.kind == TNormKind::lukasiewicz ? 0.05 : 10;
    if (rule.root != 1 && layers.conjunction[r] > 0) near(layers.conjunction[r] * scale);
    for (std::size_t j = 0; j < shape.features(); ++j) {
      for (std::size_t v = 0; v < shape.first[j + 1] - shape.first[j]; ++v)
        near_join(gates.label[r][j].g[v], mu[shape.first[j] + v]);
      for (std::size_t k = 0; k < shape.slots; ++k)
        near_join(gates.feature[r][k].g[j], layers.u2[r][j]);
    }
  }
  if (rule.semantics == Semantics::sufficient && point.sharpness <= 0)
    for (std::size_t y = 0; y < shape.classes; ++y) near(lead(column(layers.score, y)));
  return nearest;
}

double gate_distance(const Gates& gates) {
  double nearest = 1;
  const auto near = [&](const std::vector<Gate>& some) {
    for (const Gate& gate : some) nearest = std::min(nearest, lead(gate.soft));
  };
  for (std::size_t r = 0; r < gates.outcome.size(); ++r) {
    near(gates.label[r]);
    near(gates.feature[r]);
    near(gates.keep[r]);
  }
  near(gates.outcome);
  return nearest;
}

}  // namespace

Result evaluate(const NetworkShape& shape, const NetworkRule& rule, const NetworkPoint& point,
                const Vector& parameters, const std::vector<Row>& rows) {
  Result result;
  result.gradient.assign(shape.parameters(), 0);
  const Gates open = gates(shape, rule, point.beta, parameters);
  for (const Row& row : rows) {
    const double share = row.weight / static_cast<double>(rows.size());
    const Layers layers = forward(shape, rule, point, open, row.memberships);
    result.loss -= share * std::log(layers.probability[static_cast<std::size_t>(row.target)]);
    const RowGradient d = backward(shape, rule, point, open, layers, row, share);
    add_row(shape, rule, open, d, result.gradient);
  }
  result.loss += add_cancellation(shape, rule, open, result.gradient);
  return result;
}

double distance_to_kink(const NetworkShape& shape, const NetworkRule& rule,
                        const NetworkPoint& point, const Vector& parameters,
                        const std::vector<Row>& rows) {
  const Gates open = gates(shape, rule, point.beta, parameters);
  double nearest = gate_distance(open);
  for (const Row& row : rows) {
    const Layers layers = forward(shape, rule, point, open, row.memberships);
    nearest = std::min(nearest, row_distance(shape, rule, point, open, layers, row.memberships));
  }
  return nearest;
}

int hard_class(const NetworkShape& shape, const NetworkRule& rule, const Vector& parameters,
               const Vector& mu) {
  const Gates hard = gates(shape, rule, 0, parameters);
  Vector sums(shape.classes, 0);
  int winner = -1;
  double best = 0;
  for (std::size_t r = 0; r < shape.rules; ++r) {
    double weight = 1;
    Vector degrees;
    std::vector<std::size_t> seen;
    for (std::size_t k = 0; k < shape.slots; ++k) {
      if (hard.keep[r][k].f[1] == 1) continue;
      const std::size_t j = argmax(hard.feature[r][k].f);
      if (std::find(seen.begin(), seen.end(), j) != seen.end()) continue;
      seen.push_back(j);
      const std::size_t v = argmax(hard.label[r][j].f);
      weight *= std::pow(hard.feature[r][k].g[j] * hard.label[r][j].g[v], 1 / rule.root);
      degrees.push_back(mu[shape.first[j] + v]);
    }
    if (degrees.empty()) continue;
    const std::size_t then = argmax(hard.outcome[r].f);
    const double truth = std::pow(conjunction(rule.tnorm, degrees), 1 / rule.root);
    const double score = hard.outcome[r].g[then] * weight * truth;
    sums[then] += score;
    if (score <= best) continue;
    best = score;
    winner = static_cast<int>(then);
  }
  if (rule.semantics == Semantics::sufficient || winner < 0) return winner;
  return static_cast<int>(argmax(sums));
}

}  // namespace frr::internal::reference
