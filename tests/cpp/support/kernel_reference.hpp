// Reference implementations of the kernels: plain loops in double precision that follow the
// formulas, for tests and readers; the library does not use them. Arguments have the layout of the
// kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/border_kernel.hpp"
#include "kernels/gate.hpp"
#include "kernels/network_kernel.hpp"
#include "kernels/search_kernel.hpp"
#include "kernels/tnorm.hpp"

namespace frr::internal::reference {

using Numbers = std::vector<double>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Scalar>
Numbers numbers(const Scalar* from, std::size_t count) {
  return Numbers(from, from + count);
}

// ---- Search (search_kernel.hpp) -----------------------------------------------------------------

// What fill_panel adds: for each label a histogram of `stride` numbers.
inline Numbers fill_panel(const std::uint16_t* panel, std::size_t width,
                          std::span<const PanelRow> rows, std::size_t bins, std::size_t stride) {
  Numbers counts(width * stride, 0);
  for (std::size_t label = 0; label < width; ++label) {
    for (const PanelRow& row : rows) {
      const int left = int{row.slack} - int{panel[row.row * width + label]};
      const int bin = left < 0 ? 0 : std::min(left / 64, static_cast<int>(bins) - 1);
      counts[label * stride + row.key + static_cast<std::size_t>(bin)] += double{row.weight};
    }
  }
  return counts;
}

// A slack of 1000 or more means that no other rule covers the row.
inline std::vector<PanelRow> reached_rows(std::span<const float> slack, const std::uint32_t* key,
                                          const float* weight) {
  std::vector<PanelRow> rows;
  for (std::size_t i = 0; i < slack.size(); ++i) {
    if (!(slack[i] >= 1)) continue;
    const double units = slack[i] >= 1000 ? double{max_slack} : std::floor(double{slack[i]} * 64);
    rows.push_back({.row = static_cast<std::uint32_t>(i),
                    .key = key[i],
                    .weight = weight[i],
                    .slack = static_cast<std::uint16_t>(units)});
  }
  return rows;
}

// The kernels' logarithm replaces positive numbers below 1e-30 by 1e-30.
inline double logarithm(double x) { return std::log(std::max(x, 1e-30)); }

inline double cost_of(double membership, double factor) {
  if (membership <= 0) return infinity;
  return std::max(-factor * logarithm(membership), 0.0);
}

struct Best {
  double score = 0;
  int then = 0;
};
inline Best take_best(double score, int then, const Best& best) {
  return score > best.score ? Best{score, then} : best;
}

inline double ramp(double lead, double slope) { return std::clamp(lead * slope + 0.5, 0.0, 1.0); }

inline double ramp_gain(std::span<const float> score, const float* others, const std::uint32_t* key,
                        const float* weight, int then, double slope) {
  double sum = 0;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (score[i] == -infinity) continue;  // the rule does not cover the row
    const bool own_class = key[i] / 2 == static_cast<std::uint32_t>(then);
    const bool others_right = key[i] % 2 == 1;
    const double taken = others[i] == -infinity ? 1 : ramp(double{score[i]} - others[i], slope);
    sum += weight[i] * taken * ((own_class ? 1 : 0) - (others_right ? 1 : 0));
  }
  return sum;
}

// ---- Borders (border_kernel.hpp) ----------------------------------------------------------------

inline double distance_log(double x, double from, double scale, double factor) {
  const double distance = (x - from) * scale;
  return distance > 0 ? factor * logarithm(distance) : -infinity;
}

inline double slope_sum(const BorderRows& rows, const float* rise, const float* fall, double width,
                        double slope) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto best = [&](double standing, double rising, double falling) {
      return std::max({standing, rising - (width - rise[i]), falling - (width - fall[i])});
    };
    const double right = best(rows.right[i], rows.rising_right[i], rows.falling_right[i]);
    const double wrong = best(rows.wrong[i], rows.rising_wrong[i], rows.falling_wrong[i]);
    sum += rows.weight[i] * ramp(right - wrong, slope);
  }
  return sum;
}

// ---- Gates (gate_kernel.hpp) --------------------------------------------------------------------

// One gate, that of lane r.
struct LaneGate {
  GateState<double> state;
  Numbers soft, g;
};

template <typename Scalar>
Numbers lane_of(const Scalar* x, std::size_t members, std::size_t lanes, std::size_t r) {
  Numbers lane;
  for (std::size_t i = 0; i < members; ++i) lane.push_back(static_cast<double>(x[i * lanes + r]));
  return lane;
}

template <typename Scalar>
LaneGate gate_forward(const GateRule& rule, const Scalar* w, std::size_t members, std::size_t lanes,
                      std::size_t r) {
  LaneGate gate{{}, Numbers(members), Numbers(members)};
  gate.state =
      internal::gate_forward<double>(rule, lane_of(w, members, lanes, r), gate.soft, gate.g);
  return gate;
}

// dL/dw of that lane.
template <typename Scalar>
Numbers gate_backward(const GateRule& rule, const LaneGate& gate, const Scalar* dg,
                      std::size_t lanes, std::size_t r, double price) {
  const std::size_t members = gate.g.size();
  Numbers dsoft(members, 0), dw(members, 0);
  dsoft[0] = price;
  internal::gate_backward<double>(rule, gate.state, gate.soft, gate.g,
                                  lane_of(dg, members, lanes, r), dsoft, dw);
  return dw;
}

// ---- Network (network_kernel.hpp) ---------------------------------------------------------------

template <typename Scalar>
Numbers collapse_forward(const Scalar* e, std::size_t width, Entries<Scalar> entries) {
  Numbers a(width, 0);
  for (const Entry<Scalar>& entry : entries) {
    for (std::size_t l = 0; l < width; ++l)
      a[l] += double{entry.value} * e[entry.column * width + l];
  }
  return a;
}

template <typename Scalar>
void collapse_backward(Numbers& de, std::size_t width, Entries<Scalar> entries, const Scalar* da) {
  for (const Entry<Scalar>& entry : entries) {
    for (std::size_t l = 0; l < width; ++l)
      de[entry.column * width + l] += double{entry.value} * da[l];
  }
}

// Calls visit(place in e, in g2, in g3) for every label, slot and lane.
template <typename Visit>
void for_each_product(const CollapseShape& shape, Visit visit) {
  const std::size_t features = shape.first.size() - 1;
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t d = shape.first[j]; d < shape.first[j + 1]; ++d) {
      for (std::size_t k = 0; k < shape.slots; ++k) {
        for (std::size_t r = 0; r < shape.lanes; ++r) {
          visit((d * shape.slots + k) * shape.lanes + r, d * shape.lanes + r,
                (k * features + j) * shape.lanes + r);
        }
      }
    }
  }
}

template <typename Scalar>
Numbers collapse_gates(const CollapseShape& shape, const Scalar* g2, const Scalar* g3) {
  Numbers e(shape.first.back() * shape.slots * shape.lanes, 0);
  for_each_product(shape, [&](std::size_t at, std::size_t label, std::size_t feature) {
    e[at] = double{g3[feature]} * g2[label];
  });
  return e;
}

struct GateGradients {
  Numbers dg2, dg3;
};
template <typename Scalar>
GateGradients expand_gates(const CollapseShape& shape, const Scalar* g2, const Scalar* g3,
                           const Scalar* de) {
  GateGradients result{Numbers(shape.first.back() * shape.lanes, 0),
                       Numbers(shape.slots * (shape.first.size() - 1) * shape.lanes, 0)};
  for_each_product(shape, [&](std::size_t at, std::size_t label, std::size_t feature) {
    result.dg2[label] += double{de[at]} * g3[feature];
    result.dg3[feature] += double{de[at]} * g2[label];
  });
  return result;
}

// The loss of one row, given the values of its slots, and its gradient.
struct Head {
  double loss = 0;
  Numbers da, dkeep, dcancel, dout;
};

// The truth of one rule, T(c)^(1/root), and its derivatives by c. Below a truth of 1e-6 the
// derivative of the root is that at 1e-6.
inline double truth_of(const TNorm& tnorm, double root, const Numbers& c, Numbers& slope) {
  const double t = tnorm_gradient<double>(tnorm, c, slope);
  if (root == 1) return t;
  const double steep = std::pow(std::max(t, 1e-6), 1 / root - 1) / root;
  for (double& x : slope) x *= steep;
  return t > 0 ? std::pow(t, 1 / root) : 0;
}

// The output of one class given the scores of the rules, and its derivative by each score.
template <typename Scalar>
double combine(const RowKernel<Scalar>& n, const Numbers& scores, Numbers& share) {
  share.assign(scores.size(), 0);
  if (n.additive) {
    double sum = 0;
    for (const double score : scores) sum += score;
    share.assign(scores.size(), 1);
    return sum;
  }
  const auto top = std::max_element(scores.begin(), scores.end());
  if (n.sharpness <= 0) {
    share[static_cast<std::size_t>(top - scores.begin())] = 1;
    return *top;
  }
  const double sharpness = n.sharpness;
  double sum = 0;
  for (const double score : scores) sum += std::exp(sharpness * (score - *top));
  for (std::size_t r = 0; r < scores.size(); ++r) {
    share[r] = std::exp(sharpness * (scores[r] - *top)) / sum;
  }
  return *top + std::log(sum) / sharpness;
}

template <typename Scalar>
Head head(const RowKernel<Scalar>& n, const Scalar* a, int target, double weight) {
  const std::size_t lanes = n.lanes;
  Numbers strength(n.rules), out(n.classes), dstrength(n.rules, 0);
  std::vector<Numbers> slope(n.rules, Numbers(n.slots)), share(n.classes);
  for (std::size_t r = 0; r < n.rules; ++r) {
    Numbers c;
    double sum = 0;
    for (std::size_t k = 0; k < n.slots; ++k) {
      const std::size_t i = k * lanes + r;
      c.push_back(double{n.keep[i]} * a[i] + n.cancel[i]);
      sum += a[i];
    }
    strength[r] = truth_of(n.tnorm, n.root, c, slope[r]) + n.gamma * sum;
  }
  for (std::size_t c = 0; c < n.classes; ++c) {
    Numbers scores;
    for (std::size_t r = 0; r < n.rules; ++r) {
      scores.push_back(double{n.out[c * lanes + r]} * strength[r]);
    }
    out[c] = combine(n, scores, share[c]);
  }

  Head result{.loss = 0,
              .da = Numbers(n.slots * lanes, 0),
              .dkeep = Numbers(n.slots * lanes, 0),
              .dcancel = Numbers(n.slots * lanes, 0),
              .dout = Numbers(n.classes * lanes, 0)};
  const double kappa = n.kappa, top = *std::max_element(out.begin(), out.end());
  double sum = 0;
  for (const double x : out) sum += std::exp(kappa * (x - top));
  const auto actual = static_cast<std::size_t>(target);
  result.loss = weight * (std::log(sum) - kappa * (out[actual] - top));
  for (std::size_t c = 0; c < n.classes; ++c) {
    const double probability = std::exp(kappa * (out[c] - top)) / sum;
    const double dclass = weight * kappa * (probability - (c == actual ? 1 : 0));
    for (std::size_t r = 0; r < n.rules; ++r) {
      const double dscore = dclass * share[c][r];
      result.dout[c * lanes + r] = dscore * strength[r];
      dstrength[r] += dscore * n.out[c * lanes + r];
    }
  }
  for (std::size_t r = 0; r < n.rules; ++r) {
    for (std::size_t k = 0; k < n.slots; ++k) {
      const std::size_t i = k * lanes + r;
      const double dc = dstrength[r] * slope[r][k];
      result.dkeep[i] = dc * a[i];
      result.dcancel[i] = dc;
      result.da[i] = dc * n.keep[i] + dstrength[r] * n.gamma;
    }
  }
  return result;
}

}  // namespace frr::internal::reference
