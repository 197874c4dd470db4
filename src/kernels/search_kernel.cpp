#include "kernels/search_kernel.hpp"

#include <limits>

#include "kernels/fastmath.hpp"
#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <std::size_t Width>
FRR_INLINE void fill(const std::uint16_t* __restrict panel, std::span<const PanelRow> rows,
                     std::size_t bins, std::size_t stride, float* __restrict counts) {
  const auto top = static_cast<std::uint16_t>((bins - 1) * 64);
  for (const PanelRow& row : rows) {
    const std::uint16_t* cost = panel + row.row * Width;
    std::uint16_t bin[Width];
    for (std::size_t l = 0; l < Width; ++l) {
      const auto remaining = static_cast<std::uint16_t>(larger(row.slack, cost[l]) - cost[l]);
      bin[l] = static_cast<std::uint16_t>(smaller(remaining, top) >> 6);
    }
    float* bins_of_class = counts + row.key;
    for (std::size_t l = 0; l < Width; ++l) bins_of_class[l * stride + bin[l]] += row.weight;
  }
}

}  // namespace

std::uint16_t panel_cost(float steps) {
  if (steps > 1e6F) return cost_never;
  return static_cast<std::uint16_t>(
      smaller(steps * cost_unit + 0.5F, static_cast<float>(max_finite_cost)));
}

FRR_MULTIVERSION void fill_panel(const std::uint16_t* panel, std::size_t width,
                                 std::span<const PanelRow> rows, std::size_t bins,
                                 std::size_t stride, float* counts) {
  if (width == panel_width)
    fill<panel_width>(panel, rows, bins, stride, counts);
  else
    fill<panel_width / 2>(panel, rows, bins, stride, counts);
}

std::size_t reached_rows(std::span<const float> slack, const std::uint32_t* key,
                         const float* weight, PanelRow* rows) {
  constexpr float uncovered = 1000;  // at least: no other rule covers the row
  std::size_t count = 0;
  for (std::size_t i = 0; i < slack.size(); ++i) {
    const float bins = smaller(larger(slack[i], 0.0F), uncovered);
    const auto units = static_cast<std::int32_t>(bins * cost_unit);
    const auto unlimited = static_cast<std::int32_t>(max_slack);
    // Always written, but kept only if it reaches a bin: cheaper than an unpredictable branch.
    rows[count] = {.row = static_cast<std::uint32_t>(i),
                   .key = key[i],
                   .weight = weight[i],
                   .slack = static_cast<std::uint16_t>(bins < uncovered ? units : unlimited)};
    count += bins >= 1 ? 1 : 0;
  }
  return count;
}

FRR_MULTIVERSION void add_to(std::span<double> sum, const float* x) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(x[i]);
}

FRR_MULTIVERSION double sum_of(std::span<const float> x) {
  constexpr std::size_t lanes = 8;
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += static_cast<double>(x[i + l]);
  }
  for (std::size_t l = 0; i + l < x.size(); ++l) sum[l] += static_cast<double>(x[i + l]);
  double total = 0;
  for (const double part : sum) total += part;
  return total;
}

FRR_MULTIVERSION void add_windows(std::span<const double> ramp, const double* value,
                                  std::span<double> gain) {
  constexpr std::size_t lanes = 16;
  std::size_t k = 0;
  for (; k + lanes <= gain.size(); k += lanes) {
    double sum[lanes];
    for (std::size_t l = 0; l < lanes; ++l) sum[l] = gain[k + l];
    for (std::size_t w = 0; w < ramp.size(); ++w) {
      for (std::size_t l = 0; l < lanes; ++l) sum[l] += ramp[w] * value[k + w + l];
    }
    for (std::size_t l = 0; l < lanes; ++l) gain[k + l] = sum[l];
  }
  for (; k < gain.size(); ++k) {
    for (std::size_t w = 0; w < ramp.size(); ++w) gain[k] += ramp[w] * value[k + w];
  }
}

FRR_MULTIVERSION void costs_of(std::span<float> x, float factor) {
  for (float& mu : x) {
    const float finite = -factor * logarithm(larger(mu, 1e-30F));
    mu = mu > 0 ? larger(finite, 0.0F) : infinity;
  }
}

FRR_MULTIVERSION void subtract(std::span<float> x, const float* y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
}

FRR_MULTIVERSION void take_best(const float* __restrict score, int then, std::span<float> best,
                                int* __restrict best_class) {
  float* __restrict top = best.data();
  for (std::size_t i = 0; i < best.size(); ++i) {
    const bool wins = score[i] > top[i];
    top[i] = wins ? score[i] : top[i];
    best_class[i] = wins ? then : best_class[i];
  }
}

FRR_MULTIVERSION double ramp_gain(std::span<const float> score, const float* others,
                                  const std::uint32_t* key, const float* weight, int then,
                                  float slope) {
  constexpr std::size_t lanes = 8, piece = 512;
  const auto rule_class = static_cast<std::uint32_t>(then);
  const auto gain_of = [&](std::size_t i) FRR_LAMBDA_INLINE {
    const float lead = score[i] - larger(others[i], -1e6F);
    const float taken = smaller(larger(lead * slope + 0.5F, 0.0F), 1.0F);
    const float right = (key[i] >> 1) == rule_class ? 1.0F : 0.0F;
    const float others_right = (key[i] & 1) != 0 ? 1.0F : 0.0F;
    return weight[i] * taken * (right - others_right);
  };
  double total = 0;
  for (std::size_t start = 0; start < score.size(); start += piece) {
    const std::size_t end = smaller(start + piece, score.size());
    float sum[lanes] = {};
    std::size_t i = start;
    for (; i + lanes <= end; i += lanes) {
      for (std::size_t l = 0; l < lanes; ++l) sum[l] += gain_of(i + l);
    }
    for (std::size_t l = 0; i + l < end; ++l) sum[l] += gain_of(i + l);
    for (const float part : sum) total += static_cast<double>(part);
  }
  return total;
}

}  // namespace frr::internal
