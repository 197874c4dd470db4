#include "labels/range_labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/text.hpp"
#include "labels/partition.hpp"
#include "labels/supervised_cuts.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double middle(double a, double b) { return std::midpoint(a, b); }

// A slope whose width overflows becomes a crisp border.
Border finite_border(double start, double end) {
  if (std::isfinite(end - start)) return {start, end};
  return {middle(start, end), middle(start, end)};
}

std::vector<Label> strong_labels(std::span<const Border> borders) {
  std::vector<Label> labels;
  const auto words = label_words(static_cast<int>(borders.size()) + 1);
  for (std::size_t v = 0; v <= borders.size(); ++v) {
    Trapezoid shape{-infinity, -infinity, infinity, infinity};
    if (v > 0) shape.a = borders[v - 1].start, shape.b = borders[v - 1].end;
    if (v < borders.size()) shape.c = borders[v].start, shape.d = borders[v].end;
    labels.push_back({std::string(words[v]), LabelKind::range, shape});
  }
  return labels;
}

// Leaves out labels to which no training value belongs; the outermost of the others become
// shoulders.
std::vector<Label> occupied_labels(std::span<const Trapezoid> shapes,
                                   std::span<const double> sorted) {
  std::vector<Trapezoid> kept;
  for (const Trapezoid& shape : shapes) {
    if (std::any_of(sorted.begin(), sorted.end(), [&](double x) { return shape(x) > 0; })) {
      kept.push_back(shape);
    }
  }
  if (kept.empty()) return {};
  kept.front().a = kept.front().b = -infinity;
  kept.back().c = kept.back().d = infinity;
  const auto words = label_words(static_cast<int>(kept.size()));
  std::vector<Label> labels;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    labels.push_back({std::string(words[v]), LabelKind::range, kept[v]});
  }
  return labels;
}

// Two labels with a crisp border at the change of value nearest to the median, for columns with so
// many ties that other placements give fewer than two labels.
std::vector<Label> median_labels(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  const auto below = std::lower_bound(sorted.begin(), sorted.end(), sorted[half]) - sorted.begin();
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), sorted[half]) - sorted.begin();
  const auto n = static_cast<std::ptrdiff_t>(sorted.size());
  const auto middle_rank = static_cast<std::ptrdiff_t>(half);
  const bool left = below > 0 && (above == n || middle_rank - below <= above - middle_rank);
  const auto cut = static_cast<std::size_t>(left ? below : above);
  const double between = short_between(sorted[cut - 1], sorted[cut]);
  const Border border{between, between};
  return strong_labels(std::span(&border, 1));
}

std::vector<Label> quantile_labels(std::span<const double> sorted, int count) {
  const auto at = [&](int i) { return quantile(sorted, static_cast<double>(i) / (count + 2)); };
  std::vector<Trapezoid> shapes;
  const Border first = finite_border(at(1), at(2));
  shapes.push_back({-infinity, -infinity, first.start, first.end});
  for (int v = 1; v + 1 < count; ++v) {
    const Border up = finite_border(at(v), middle(at(v), at(v + 1)));
    const Border down = finite_border(middle(at(v + 1), at(v + 2)), at(v + 2));
    shapes.push_back({up.start, up.end, down.start, down.end});
  }
  const Border last = finite_border(at(count - 1), at(count));
  shapes.push_back({last.start, last.end, infinity, infinity});
  return occupied_labels(shapes, sorted);
}

// The two borders of a range without values are merged.
std::vector<Label> uniform_labels(std::span<const double> sorted, int count, double slope) {
  const double low = sorted.front(), high = sorted.back();
  const auto at = [&](double v) { return std::lerp(low, high, v / count); };
  std::vector<Border> borders;
  for (int v = 1; v < count; ++v) borders.push_back(finite_border(at(v - slope), at(v + slope)));
  for (std::size_t v = 0; v <= borders.size() && !borders.empty();) {
    const Trapezoid shape = strong_labels(borders)[v].shape;
    if (std::any_of(sorted.begin(), sorted.end(), [&](double x) { return shape(x) > 0; })) {
      ++v;
      continue;
    }
    const std::size_t right = std::min(v, borders.size() - 1);
    if (v > 0 && v < borders.size()) {
      borders[right] = finite_border(borders[v - 1].start, borders[v].end);
      borders.erase(borders.begin() + static_cast<std::ptrdiff_t>(v - 1));
    } else {
      borders.erase(borders.begin() + static_cast<std::ptrdiff_t>(right));
    }
  }
  return strong_labels(borders);
}

// The slope at each cut extends over `slope` of all rows on each side, at most to the middle of the
// range. A slope without width becomes a crisp border between the two neighbouring values.
std::vector<Border> sloped_borders(std::span<const double> sorted,
                                   std::span<const std::size_t> cuts, double slope) {
  const std::size_t n = sorted.size();
  const auto reach = static_cast<std::size_t>(slope * static_cast<double>(n));
  std::vector<Border> borders;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t cut = cuts[i];
    const std::size_t left = cut - (i == 0 ? 0 : cuts[i - 1]);
    const std::size_t right = (i + 1 == cuts.size() ? n : cuts[i + 1]) - cut;
    const std::size_t back = std::min(reach, (left - 1) / 2);
    const std::size_t ahead = std::min(reach, (right - 1) / 2);
    const double between = short_between(sorted[cut - 1], sorted[cut]);
    if (back == 0 && ahead == 0) {
      borders.push_back({between, between});
      continue;
    }
    borders.push_back(finite_border(sorted[cut - 1 - back], sorted[cut + ahead]));
  }
  return borders;
}

}  // namespace

double quantile(std::span<const double> sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double t = position - static_cast<double>(below);
  return std::lerp(sorted[below], sorted[above], t);
}

std::vector<Label> range_labels(std::span<const double> sorted, std::span<const int> classes,
                                int class_count, const Settings& settings) {
  switch (settings.partition) {
    case PartitionKind::quantile: {
      auto labels = quantile_labels(sorted, settings.labels);
      return labels.size() < 2 ? median_labels(sorted) : labels;
    }
    case PartitionKind::uniform: {
      auto labels = uniform_labels(sorted, settings.labels, settings.slope);
      return labels.size() < 2 ? median_labels(sorted) : labels;
    }
    case PartitionKind::supervised:
      break;
  }
  const auto cuts = supervised_cuts(sorted, classes, class_count, settings.labels, settings.bins,
                                    settings.min_share);
  return strong_labels(sloped_borders(sorted, cuts, settings.slope));
}

}  // namespace frr::internal
