#include "search/tune.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "labels/partition.hpp"
#include "search/border_objective.hpp"

namespace frr::internal {
namespace {

// Values used to compute quantiles: more would hardly change them.
constexpr std::size_t grid_values = 16384;

std::vector<double> values_of(const Column& column, std::span<const std::uint32_t> rows) {
  std::vector<double> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = column.values[rows[i]];
  return values;
}

// Whether a rule reads a label at border b of feature j.
bool in_use(const Search& search, const Memberships& memberships, std::size_t j, std::size_t b) {
  const auto& rules = search.rules();
  const std::size_t left = memberships.first()[j] + b;
  return std::any_of(rules.begin(), rules.end(),
                     [left](const LabelRule& rule) { return reads_border(rule, left); });
}

void set_grids(const Search& search, const Partition& partition, const Memberships& memberships,
               TuneInput& input, int count, int threads) {
  input.grids.resize(partition.features.size());
  parallel_for(threads, partition.features.size(), [&](std::size_t j) {
    const Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j] || !input.grids[j].empty()) return;
    for (std::size_t b = 0; b < borders_of(feature).size(); ++b) {
      if (!in_use(search, memberships, j, b)) continue;
      input.grids[j] = tuning_grid(*input.table->find(feature.name), input.rows, count);
      return;
    }
  });
}

// The best place of border b between its neighbours, if it improves the objective.
std::optional<Border> better_border(const Search& search, const Feature& feature, std::size_t b,
                                    std::size_t left, std::span<const double> values,
                                    std::span<const double> grid, int threads) {
  const std::vector<Border> now = borders_of(feature);
  const double from = b == 0 ? -HUGE_VAL : now[b - 1].end;
  const double to = b + 1 == now.size() ? HUGE_VAL : now[b + 1].start;
  std::vector<Border> places{now[b]};
  for (std::size_t s = 0; s < grid.size(); ++s) {
    for (std::size_t e = s; e < grid.size(); ++e) {
      if (grid[s] >= from && grid[e] <= to && std::isfinite(grid[e] - grid[s])) {
        places.push_back({grid[s], grid[e]});
      }
    }
  }
  const TunedBorder border{left, feature.labels[b].shape, feature.labels[b + 1].shape};
  const std::vector<double> objectives =
      border_objectives(search, border, values, places, grid, threads);
  const auto best = static_cast<std::size_t>(
      std::max_element(objectives.begin(), objectives.end()) - objectives.begin());
  if (!(objectives[best] > objectives[0] + 1e-3)) return std::nullopt;
  return places[best];
}

}  // namespace

std::vector<double> tuning_grid(const Column& column, std::span<const std::uint32_t> rows,
                                int count) {
  std::vector<double> sorted = values_of(column, rows.first(std::min(rows.size(), grid_values)));
  std::erase_if(sorted, [](double x) { return x != x; });
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> grid;
  const auto n = sorted.size();
  for (int q = 1; n > 0 && q < count; ++q) {
    const std::size_t at = n * static_cast<std::size_t>(q) / static_cast<std::size_t>(count);
    const double value = sorted[at];
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), value);
    const double point = above == sorted.end() ? value : short_between(value, *above);
    if (grid.empty() || point > grid.back()) grid.push_back(point);
  }
  return grid;
}

int automatic_grid(std::size_t rows) {
  return static_cast<int>(std::clamp<std::size_t>(rows / 1000, 20, 60));
}

bool tune(Search& search, Partition& partition, Memberships& memberships, TuneInput& input,
          const Settings& settings, int threads, Control& control) {
  bool moved = false;
  const int points = settings.grid > 0 ? settings.grid : automatic_grid(input.rows.size());
  set_grids(search, partition, memberships, input, points, threads);
  for (std::size_t j = 0; j < partition.features.size(); ++j) {
    Feature& feature = partition.features[j];
    if (feature.type != ColumnType::numeric || input.fixed[j]) continue;
    const std::size_t borders = borders_of(feature).size();
    const Column& column = *input.table->find(feature.name);
    std::vector<double> values;
    for (std::size_t b = 0; b < borders; ++b) {
      if (!in_use(search, memberships, j, b)) continue;
      control.report(Progress::Stage::tune, 0.8);
      if (control.out_of_time()) return moved;
      if (values.empty()) values = values_of(column, input.rows);
      const std::size_t left = memberships.first()[j] + b;
      const std::optional<Border> better =
          better_border(search, feature, b, left, values, input.grids[j], threads);
      if (!better) continue;
      set_border(feature, b, *better);
      memberships.refresh(feature, j, column, input.rows, threads);
      search.refresh(left, threads);
      search.refresh(left + 1, threads);
      for (std::size_t r = 0; r < search.rules().size(); ++r) {
        if (reads_border(search.rules()[r], left)) search.rescore(r);
      }
      moved = true;
    }
  }
  return moved;
}

}  // namespace frr::internal
