// The inner loops of the search (search.hpp, polish.hpp) over rows, for t-norms whose costs are
// steps that add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace frr::internal {

// ---- Histograms of many candidate conditions at once --------------------------------------------
// The costs of labels, in 64ths of a step, are stored in panels of 16 labels (8 in the last panel,
// if that suffices): the cost of row i for label l of the panel is at [i * width + l]. One pass
// over the covered rows then fills the histograms of all labels of a panel.

inline constexpr std::size_t panel_width = 16;
inline constexpr float cost_unit = 64;
inline constexpr std::uint16_t cost_never = 65535;
inline constexpr std::uint16_t max_finite_cost = 32767;
inline constexpr std::uint16_t max_slack = 65534;  // below cost_never, above any bin plus cost

constexpr std::size_t panel_count(std::size_t labels) {
  return (labels + panel_width - 1) / panel_width;
}
// The width of the panel that holds this label.
constexpr std::size_t panel_width_of(std::size_t label, std::size_t labels) {
  return labels - label / panel_width * panel_width <= panel_width / 2 ? panel_width / 2
                                                                       : panel_width;
}

// The cost in 64ths of a step, rounded; cost_never if infinite.
std::uint16_t panel_cost(float steps);

// A row that the rule without the candidate condition covers.
struct PanelRow {
  std::uint32_t row = 0;
  std::uint32_t key = 0;  // index of the first bin of its class
  float weight = 0;
  std::uint16_t slack = 0;  // its bin at cost 0, in 64ths
};

// counts[l * stride + key + bin] += weight for every row and label of the panel, where
// bin = min((slack - cost) / 64, bins - 1), 0 for a negative difference.
void fill_panel(const std::uint16_t* panel, std::size_t width, std::span<const PanelRow> rows,
                std::size_t bins, std::size_t stride, float* counts);

// Writes the rows whose slack (in bins) reaches bin 1 to `rows`, in order, and returns their
// number. `rows` must have room for all rows and one more.
std::size_t reached_rows(std::span<const float> slack, const std::uint32_t* key,
                         const float* weight, PanelRow* rows);

// ---- Gains --------------------------------------------------------------------------------------

// sum[i] += x[i].
void add_to(std::span<double> sum, const float* x);
double sum_of(std::span<const float> x);
// gain[k] += sum_w ramp[w] value[k + w].
void add_windows(std::span<const double> ramp, const double* value, std::span<double> gain);

// ---- Rows --------------------------------------------------------------------------------------

// x[i] = -factor log(x[i]): the cost of a membership; infinite for 0.
void costs_of(std::span<float> x, float factor);
// x[i] -= y[i].
void subtract(std::span<float> x, const float* y);
// Where score[i] > best[i]: best[i] = score[i], best_class[i] = then.
void take_best(const float* score, int then, std::span<float> best, int* best_class);
// The sum over rows of
//     weight * clamp((score - others) slope + 0.5, 0, 1) * ([class = then] - [others are right]),
// where key = 2 * class + [others are right].
double ramp_gain(std::span<const float> score, const float* others, const std::uint32_t* key,
                 const float* weight, int then, float slope);

}  // namespace frr::internal
