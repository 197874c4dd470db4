// The inner loops of the search (search.hpp, polish.hpp), over rows, for t-norms whose costs add up
// to steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace frr::internal {

// ---- Histograms of many candidate conditions at once --------------------------------------------
// The cost of a label, in 64ths of a step, is kept in panels of 16 labels, the last one of 8 where
// that is enough: row i of the panel's label l at [i * width + l]. So one pass over the rows that
// matter fills the histograms of all labels of a panel.

inline constexpr std::size_t panel_width = 16;
inline constexpr float cost_unit = 64;
inline constexpr std::uint16_t cost_never = 65535;
inline constexpr std::uint16_t cost_most = 32767;   // of a cost that is finite
inline constexpr std::uint16_t slack_most = 65534;  // less than `never`, more than any bin and cost

constexpr std::size_t panel_count(std::size_t labels) {
  return (labels + panel_width - 1) / panel_width;
}
// Of the panel that holds this label.
constexpr std::size_t panel_width_of(std::size_t label, std::size_t labels) {
  return labels - label / panel_width * panel_width <= panel_width / 2 ? panel_width / 2
                                                                       : panel_width;
}

std::uint16_t panel_cost(float steps);

// A row that the conditions kept so far cover.
struct PanelRow {
  std::uint32_t row = 0;
  std::uint32_t key = 0;  // where the bins of its class begin
  float weight = 0;
  std::uint16_t slack = 0;  // its bin at cost 0, in 64ths
};

// counts[l * stride + key + bin] += weight for every row and label of the panel, where
// bin = min((slack - cost) / 64, bins - 1), 0 for a negative difference.
void fill_panel(const std::uint16_t* panel, std::size_t width, std::span<const PanelRow> rows,
                std::size_t bins, std::size_t stride, float* counts);

// The rows whose slack reaches bin 1, in order. `rows` has room for one more than all.
std::size_t reached_rows(std::span<const float> slack, const std::uint32_t* key,
                         const float* weight, PanelRow* rows);

// ---- Gains --------------------------------------------------------------------------------------

// sum[i] += x[i].
void add_to(std::span<double> sum, const float* x);
double sum_of(std::span<const float> x);
// gain[k] += sum_w ramp[w] value[k + w].
void add_windows(std::span<const double> ramp, const double* value, std::span<double> gain);

// ---- Rows --------------------------------------------------------------------------------------

// Memberships become costs: -factor log(x), infinite for 0.
void costs_of(std::span<float> x, float factor);
// x[i] -= y[i].
void subtract(std::span<float> x, const float* y);
// Where `own` is larger than `best` it takes its place, and `then` that of `best_class`.
void take_best(const float* own, int then, std::span<float> best, int* best_class);
// The sum over rows of weight * clamp((score - others) slope + 0.5, 0, 1) * ([class is `then`] -
// [others are right]), the latter being the lowest bit of `key`, the class the rest.
double ramp_gain(std::span<const float> score, const float* others, const std::uint32_t* key,
                 const float* weight, int then, float slope);

}  // namespace frr::internal
