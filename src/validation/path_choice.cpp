#include "validation/path_choice.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/text.hpp"
#include "frr/error.hpp"
#include "io/json_reader.hpp"
#include "train/training_rows.hpp"

namespace frr {
using namespace internal;
namespace {

struct Entry {
  PathMetric metric;
  const char* name;
  double FoldResult::*figure;
  double sign;  // -1: lower is better
};
constexpr Entry entries[] = {
    {PathMetric::accuracy, "accuracy", &FoldResult::accuracy, 1},
    {PathMetric::balanced_accuracy, "balanced", &FoldResult::balanced_accuracy, 1},
    {PathMetric::auc, "auc", &FoldResult::auc, 1},
    {PathMetric::log_loss, "log-loss", &FoldResult::log_loss, -1},
};

const Entry& entry_of(PathMetric metric) {
  return *std::ranges::find(entries, metric, &Entry::metric);
}

// Larger is better. Undefined is worse than any number.
double merit(const PathPoint& point, const Entry& entry) {
  const double value = point.mean.*entry.figure;
  return std::isnan(value) ? -HUGE_VAL : entry.sign * value;
}

// Means that differ by less are equal: the difference comes from the order of addition.
constexpr double rounding = 1e-9;

// The first point that is not worse than `least`.
std::size_t first_point(std::span<const PathPoint> points, const Entry& entry, double least) {
  const auto found = std::ranges::find_if(
      points, [&](const PathPoint& point) { return merit(point, entry) >= least - rounding; });
  return static_cast<std::size_t>(found - points.begin());
}

}  // namespace

PathMetric parse_path_metric(std::string_view text) {
  const auto found = std::ranges::find(entries, text, &Entry::name);
  if (found != std::end(entries)) return found->metric;
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  fail_usage("there is no metric '" + std::string(text) + "'" +
             did_you_mean(std::string(text), names) + " (choices: " + list_text(names) + ")");
}

std::string_view to_string(PathMetric metric) { return entry_of(metric).name; }

double figure_of(const FoldResult& result, PathMetric metric) {
  return result.*entry_of(metric).figure;
}

std::size_t best_point(std::span<const PathPoint> points, PathMetric by) {
  const Entry& entry = entry_of(by);
  double best = -HUGE_VAL;
  for (const PathPoint& point : points) best = std::max(best, merit(point, entry));
  return first_point(points, entry, best);
}

std::size_t recommended_point(std::span<const PathPoint> points, PathMetric by) {
  const Entry& entry = entry_of(by);
  const PathPoint& best = points[best_point(points, by)];
  return first_point(points, entry, merit(best, entry) - best.error.*entry.figure);
}

PathMetric internal::default_path_metric(const Dataset& data, std::span<const std::uint32_t> rows,
                                         const TrainRequest& request) {
  const Settings& settings = request.settings;
  if (settings.semantics == Semantics::additive) return PathMetric::log_loss;
  const Objective objective =
      resolve_objective(settings, weights_by_class(data, rows, request.row_weights));
  return objective == Objective::risk ? PathMetric::log_loss : PathMetric::accuracy;
}

void internal::check_path_metric(const AccuracyPath& path) {
  const bool defined = std::ranges::any_of(path.points, [&](const PathPoint& point) {
    return !std::isnan(figure_of(point.mean, path.by));
  });
  if (!defined) {
    fail_data("--by " + std::string(to_string(path.by)) +
              ": it is undefined, because every fold has rows of one class only; give fewer folds "
              "or another metric");
  }
}

}  // namespace frr
