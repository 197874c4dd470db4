#include "path_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report_table.hpp"
#include "terminal.hpp"

namespace frr::cli {
namespace {

constexpr std::size_t gap = 3, narrowest = 12, widest = 60;

// Maps accuracies from `low` to `high` percent to `columns` characters.
struct Axis {
  double low = 0, high = 100;
  std::size_t columns = 0;

  [[nodiscard]] std::size_t column(double accuracy) const {
    const double share = std::clamp((accuracy - low) / (high - low), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(columns - 1)));
  }
};

// The axis in whole percents that covers all means and their standard errors.
Axis axis_of(const AccuracyPath& path, std::size_t columns) {
  Axis axis{100, 0, columns};
  for (const PathPoint& point : path.points) {
    axis.low = std::min(axis.low, std::floor(point.mean.accuracy - point.accuracy_error));
    axis.high = std::max(axis.high, std::ceil(point.mean.accuracy + point.accuracy_error));
  }
  axis.low = std::clamp(axis.low, 0.0, 99.0);
  axis.high = std::clamp(axis.high, axis.low + 1, 100.0);
  return axis;
}

std::string scale(const Axis& axis) {
  const std::string low = fixed(axis.low, 0) + " %";
  return low + right(fixed(axis.high, 0) + " %", axis.columns - low.size());
}

std::string strip(const Axis& axis, const PathPoint& point, double threshold) {
  std::string text(axis.columns, ' ');
  text[axis.column(threshold)] = ':';
  const double mean = point.mean.accuracy, error = point.accuracy_error;
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
         right(fixed(point.mean.accuracy, 2), 10) + right(fixed(point.accuracy_error, 2), 7) +
         right(fixed(point.mean.rules, 1), 7) + right(fixed(point.mean.conditions, 1), 7) +
         right(fixed(point.mean.unique_conditions, 1), 8);
}

constexpr const char* legend =
    "\n* best   > recommended: the smallest within one standard error of the best\n"
    "o mean accuracy   +- and --- one standard error   : the best minus its error\n";

}  // namespace

std::string path_table(const AccuracyPath& path, std::size_t columns) {
  const std::string header = right("budget", 8) + right("accuracy", 10) + right("+-", 7) +
                             right("rules", 7) + right("size", 7) + right("unique", 8);
  const auto shown = [&](const std::string& line, bool strong) {
    return (strong ? bold(line) : line) + "\n";
  };
  const bool beside = columns >= header.size() + gap + narrowest;
  const std::size_t taken = beside ? header.size() + gap : 8 + gap;
  const std::size_t left = columns > taken ? columns - taken : 0;
  const Axis axis = axis_of(path, std::clamp(left, narrowest, widest));
  const PathPoint& best = path.points[path.best];
  const double threshold = best.mean.accuracy - best.accuracy_error;

  const std::string between(gap, ' ');
  std::string table = shown(beside ? header + between + scale(axis) : header, true);
  std::string plot = "\n" + shown(right("budget", 8) + between + scale(axis), true);
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const std::string bar = between + strip(axis, path.points[i], threshold);
    const bool strong = i == path.recommended;
    table += shown(figures(path, i) + (beside ? bar : ""), strong);
    plot += shown(right(std::to_string(path.points[i].budget), 8) + bar, strong);
  }
  return table + (beside ? "" : plot) + legend;
}

}  // namespace frr::cli
