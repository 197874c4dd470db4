#include "histogram_kernel.hpp"

#include <algorithm>

#include "kernel.hpp"

namespace frr {

std::uint16_t panel_cost(float steps) {
  if (steps > 1e6F) return cost_never;
  return static_cast<std::uint16_t>(
      std::min(steps * cost_unit + 0.5F, static_cast<float>(cost_most)));
}

void panel_costs(std::span<const float> steps, std::uint16_t* panel, std::size_t label) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    panel[i * panel_width + label] = panel_cost(steps[i]);
  }
}

FRR_MULTIVERSION void fill_panel(const std::uint16_t* panel, std::span<const PanelRow> rows,
                                 std::size_t bins, std::size_t stride, float* counts) {
  const auto top = static_cast<std::uint16_t>((bins - 1) * 64);
  for (const PanelRow& row : rows) {
    const std::uint16_t* cost = panel + row.row * panel_width;
    std::uint16_t bin[panel_width];
    for (std::size_t l = 0; l < panel_width; ++l) {
      const auto left =
          static_cast<std::uint16_t>((row.slack > cost[l] ? row.slack : cost[l]) - cost[l]);
      bin[l] = static_cast<std::uint16_t>((left < top ? left : top) >> 6);
    }
    float* own = counts + row.key;
    for (std::size_t l = 0; l < panel_width; ++l) own[l * stride + bin[l]] += row.weight;
  }
}

}  // namespace frr
