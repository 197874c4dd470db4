#include "path_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report_table.hpp"
#include "terminal.hpp"

namespace frr::cli {
namespace {

constexpr std::size_t gap = 3, narrowest = 12, widest = 60;

bool is_percent(PathMetric by) {
  return by == PathMetric::accuracy || by == PathMetric::balanced_accuracy;
}

double mean_of(const PathPoint& point, PathMetric by) { return figure_of(point.mean, by); }
double error_of(const PathPoint& point, PathMetric by) { return figure_of(point.error, by); }

// Maps values from `low` to `high` to `columns` characters.
struct Axis {
  double low = 0, high = 0;
  std::size_t columns = 0;

  [[nodiscard]] std::size_t column(double value) const {
    const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(columns - 1)));
  }
};

// The axis in whole percents, or hundredths, that covers all means and their standard errors.
Axis axis_of(const AccuracyPath& path, std::size_t columns) {
  const double unit = is_percent(path.by) ? 1 : 100;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const PathPoint& point : path.points) {
    const double mean = mean_of(point, path.by), error = error_of(point, path.by);
    if (std::isnan(mean)) continue;
    low = std::min(low, std::floor(unit * (mean - error)));
    high = std::max(high, std::ceil(unit * (mean + error)));
  }
  // The log-loss has no upper limit.
  const double most = path.by == PathMetric::log_loss ? HUGE_VAL : 100;
  low = std::clamp(low, 0.0, most - 1);
  high = std::clamp(high, low + 1, most);
  return {low / unit, high / unit, columns};
}

std::string scale(const Axis& axis, PathMetric by) {
  const auto text = [&](double value) {
    return is_percent(by) ? fixed(value, 0) + " %" : fixed(value, 2);
  };
  const std::string low = text(axis.low);
  return low + right(text(axis.high), axis.columns - low.size());
}

std::string strip(const Axis& axis, const PathPoint& point, PathMetric by, double threshold) {
  const double mean = mean_of(point, by), error = error_of(point, by);
  if (std::isnan(mean)) return "";
  std::string text(axis.columns, ' ');
  text[axis.column(threshold)] = ':';
  for (std::size_t i = axis.column(mean - error); i <= axis.column(mean + error); ++i) {
    text[i] = '-';
  }
  text[axis.column(mean)] = 'o';
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string figures(const AccuracyPath& path, std::size_t index) {
  const PathPoint& point = path.points[index];
  const std::string mark =
      std::string(index == path.recommended ? ">" : "") + (index == path.best ? "*" : "");
  return right(mark, 3) + right(std::to_string(point.budget), 5) +
         right(path_figure(point.mean, path.by, false), 10) +
         right(path_figure(point.error, path.by, false), 7) + right(fixed(point.mean.rules, 1), 7) +
         right(fixed(point.mean.conditions, 1), 7) +
         right(fixed(point.mean.unique_conditions, 1), 8);
}

constexpr const char* legend =
    "\n* best   > recommended: the smallest within one standard error of the best\n"
    "o mean   +- and --- one standard error   : within one standard error of the best\n";

}  // namespace

std::string path_title(PathMetric metric) {
  switch (metric) {
    case PathMetric::accuracy:
      return "accuracy";
    case PathMetric::balanced_accuracy:
      return "balanced";
    case PathMetric::auc:
      return "AUC";
    case PathMetric::log_loss:
      break;
  }
  return "log-loss";
}

std::string path_figure(const FoldResult& result, PathMetric metric, bool unit) {
  const double value = figure_of(result, metric);
  if (std::isnan(value)) return "-";
  return is_percent(metric) ? fixed(value, 2) + (unit ? " %" : "") : fixed(value, 3);
}

std::string path_table(const AccuracyPath& path, std::size_t columns) {
  const std::string header = right("budget", 8) + right(path_title(path.by), 10) + right("+-", 7) +
                             right("rules", 7) + right("size", 7) + right("unique", 8);
  const auto shown = [&](const std::string& line, bool strong) {
    return (strong ? bold(line) : line) + "\n";
  };
  const bool beside = columns >= header.size() + gap + narrowest;
  const std::size_t taken = beside ? header.size() + gap : 8 + gap;
  const std::size_t left = columns > taken ? columns - taken : 0;
  const Axis axis = axis_of(path, std::clamp(left, narrowest, widest));
  const PathPoint& best = path.points[path.best];
  const double worse = path.by == PathMetric::log_loss ? 1 : -1;
  const double threshold = mean_of(best, path.by) + worse * error_of(best, path.by);

  const std::string between(gap, ' ');
  std::string table = shown(beside ? header + between + scale(axis, path.by) : header, true);
  std::string plot = "\n" + shown(right("budget", 8) + between + scale(axis, path.by), true);
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const std::string bar = between + strip(axis, path.points[i], path.by, threshold);
    const bool strong = i == path.recommended;
    table += shown(figures(path, i) + (beside ? bar : ""), strong);
    plot += shown(right(std::to_string(path.points[i].budget), 8) + bar, strong);
  }
  return table + (beside ? "" : plot) + legend;
}

}  // namespace frr::cli
