#include "train/training_cost.hpp"

#include <algorithm>

#include "network/trainer.hpp"

namespace frr::internal {
namespace {

// The most that a setting of 0 chooses.
constexpr double automatic_labels = 7;
constexpr double automatic_grid = 60;

double or_else(int value, double automatic) { return value > 0 ? value : automatic; }

}  // namespace

double training_cost(const Settings& settings, std::size_t rows, std::size_t features) {
  const Settings usual = preset(settings.preset);
  double cost = 1;
  const auto grows = [&](double value, double base) { cost *= std::max(1.0, value / base); };
  // Without augmentation, a table of as many rows as the default makes is still small.
  const double made = std::max(usual.augment, Settings{}.augment);
  const double seen = std::max(static_cast<double>(rows), static_cast<double>(settings.augment));
  const auto sampled = [&](int value, int base) { grows(std::min<double>(value, seen), base); };

  grows(settings.rules, usual.rules);
  grows(settings.conditions, usual.conditions);
  grows(or_else(settings.labels, automatic_labels), automatic_labels);
  grows(settings.augment, std::max(made, static_cast<double>(rows)));
  grows(settings.trees, usual.trees);
  grows(settings.bins, usual.bins);
  grows(std::min<double>(settings.max_features, static_cast<double>(features)), usual.max_features);
  grows(settings.max_categories, usual.max_categories);

  const double epochs = automatic_epochs(
      static_cast<std::size_t>(std::min<double>(std::max(seen, 1.0), usual.gradient_rows)));
  grows(or_else(settings.epochs, epochs), or_else(usual.epochs, epochs));
  grows(usual.batch, settings.batch);
  sampled(settings.gradient_rows, usual.gradient_rows);
  sampled(settings.search_rows, usual.search_rows);
  grows(settings.restarts, usual.restarts);
  grows(settings.sweeps, usual.sweeps);
  grows(or_else(settings.grid, automatic_grid), automatic_grid);
  return cost;
}

}  // namespace frr::internal
