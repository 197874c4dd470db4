#include "report/report_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/number.hpp"
#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t bins = 32;
constexpr double tail = 0.005;           // fraction of the rows on each side that may lie outside
constexpr std::size_t looked_at = 1000;  // number of values whose decimals are counted
constexpr int most_decimals = 6;

std::vector<double> present_values(const ColumnView& column, std::size_t rows) {
  std::vector<double> values;
  values.reserve(rows);
  // A column of the other type fits a feature only if all its values are missing.
  if (column.type != ColumnType::numeric) return values;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!column.is_missing(row)) values.push_back(column.numbers[row]);
  }
  return values;
}

// The value below which this share of the others lie.
double quantile(std::vector<double>& values, double share) {
  const auto at =
      static_cast<std::ptrdiff_t>(std::round(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

int decimals_of(double value) {
  const std::string text = plain_number(value);
  const std::size_t point = text.find('.');
  if (text.find('e') != std::string::npos) return most_decimals;
  if (point == std::string::npos) return 0;
  return std::min(most_decimals, static_cast<int>(text.size() - point - 1));
}

int usual_decimals(std::span<const double> values) {
  std::vector<int> counted;
  // Of many values, some from all over the column: values at regular intervals may have fewer
  // decimals than their neighbours.
  const std::size_t step = values.size() <= looked_at ? 1 : 2654435761U;
  for (std::size_t i = 0; i < std::min(values.size(), looked_at); ++i)
    counted.push_back(decimals_of(values[i * step % values.size()]));
  const auto at = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(counted.size() - 1));
  std::nth_element(counted.begin(), counted.begin() + at, counted.end());
  return counted[static_cast<std::size_t>(at)];
}

// Whole numbers in a short range get one bin each, centred on them.
std::size_t choose_range(NumberSummary& summary, std::vector<double>& values,
                         std::span<const double> borders) {
  summary.from = quantile(values, tail);
  summary.to = quantile(values, 1 - tail);
  for (const double border : borders) {
    summary.from = std::min(summary.from, border);
    summary.to = std::max(summary.to, border);
  }
  const double width = summary.to - summary.from;
  // Beyond this, halves cannot be distinguished from whole numbers.
  const bool halves = std::max(std::fabs(summary.from), std::fabs(summary.to)) < 1e15;
  if (summary.decimals == 0 && halves && width < static_cast<double>(bins)) {
    summary.from = std::floor(summary.from) - 0.5;
    summary.to = std::ceil(summary.to) + 0.5;
    return static_cast<std::size_t>(std::round(summary.to - summary.from));
  }
  if (!(summary.to / 2 - summary.from / 2 > 0)) {
    const double room = std::max(1.0, std::fabs(summary.from) * 0.01);
    summary.from -= room;
    summary.to += room;
  }
  return bins;
}

}  // namespace

NumberSummary summarise_numbers(const ColumnView& column, std::size_t rows,
                                std::span<const double> borders, std::span<const int> groups,
                                std::size_t group_count) {
  NumberSummary summary;
  std::vector<double> values = present_values(column, rows);
  if (values.empty()) return summary;
  summary.decimals = usual_decimals(values);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  summary.low = *low;
  summary.high = *high;
  summary.median = quantile(values, 0.5);
  const std::size_t count = choose_range(summary, values, borders);
  summary.counts.assign(group_count, std::vector<std::size_t>(count, 0));
  // Halves, because the full distance may exceed the largest double.
  const double half = summary.to / 2 - summary.from / 2;
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.is_missing(row)) continue;
    const double value = column.numbers[row];
    summary.below += value < summary.from ? 1 : 0;
    summary.above += value > summary.to ? 1 : 0;
    const double share = std::clamp((value / 2 - summary.from / 2) / half, 0.0, 1.0);
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(count));
    ++summary.counts[static_cast<std::size_t>(groups[row])][std::min(bin, count - 1)];
  }
  return summary;
}

std::vector<std::uint32_t> draw_rows(std::span<const int> groups, std::size_t most,
                                     std::size_t at_least, std::uint64_t seed) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  if (groups.size() <= most) return order;
  Random random(seed);
  random.shuffle(std::span(order));
  const auto group_count =
      static_cast<std::size_t>(*std::max_element(groups.begin(), groups.end())) + 1;
  const std::size_t quota = std::min(at_least, most / group_count);
  std::vector<std::size_t> taken(group_count, 0);
  // Those that fill the quotas come first, then the others, each in random order.
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t row) {
    return taken[static_cast<std::size_t>(groups[row])]++ < quota;
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace frr::internal
