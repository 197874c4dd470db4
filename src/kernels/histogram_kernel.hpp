// Histograms of many candidate conditions at once, for polish (polish.hpp has the formulas).
//
// The cost of a label, in 64ths of a step, is kept in panels of 16 labels: row i of the panel's
// label l at [i * 16 + l], so that one pass over the rows that matter fills 16 histograms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace frr {

inline constexpr std::size_t panel_width = 16;
inline constexpr float cost_unit = 64;
inline constexpr std::uint16_t cost_never = 65535;
inline constexpr std::uint16_t cost_most = 32767;   // of a cost that is finite
inline constexpr std::uint16_t slack_most = 65534;  // less than `never`, more than any bin and cost

std::uint16_t panel_cost(float steps);
void panel_costs(std::span<const float> steps, std::uint16_t* panel, std::size_t label);

// A row that the conditions kept so far cover.
struct PanelRow {
  std::uint32_t row = 0;
  std::uint32_t key = 0;    // where the bins of its class begin
  float weight = 0;
  std::uint16_t slack = 0;  // its bin at cost 0, in 64ths
};

// counts[l * stride + key + bin] += weight for every row and label of the panel, where
// bin = min((slack - cost) / 64, bins - 1), 0 for a negative difference.
void fill_panel(const std::uint16_t* panel, std::span<const PanelRow> rows, std::size_t bins,
                std::size_t stride, float* counts);

}  // namespace frr
