#include "labels/partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "frr/error.hpp"
#include "labels/range_labels.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct SortedColumn {
  std::vector<double> values;
  std::vector<int> classes;
};

// The range of a column's values, and whether some are missing.
struct ColumnRange {
  double low = infinity, high = -infinity;
  bool missing = false;
};

ColumnRange range_of(const Column& column, std::span<const std::uint32_t> rows) {
  ColumnRange range;
  for (const std::uint32_t row : rows) {
    if (column.is_missing(row)) {
      range.missing = true;
      continue;
    }
    range.low = std::min(range.low, column.values[row]);
    range.high = std::max(range.high, column.values[row]);
  }
  return range;
}

SortedColumn sort_values(const Column& column, std::span<const int> labels,
                         std::span<const std::uint32_t> rows) {
  std::vector<std::pair<double, int>> pairs;
  pairs.reserve(rows.size());
  SortedColumn sorted;
  for (const std::uint32_t row : rows) {
    if (!column.is_missing(row)) pairs.emplace_back(column.values[row], labels[row]);
  }
  std::sort(pairs.begin(), pairs.end());
  sorted.values.reserve(pairs.size());
  sorted.classes.reserve(pairs.size());
  for (const auto& [value, label] : pairs) {
    sorted.values.push_back(value);
    sorted.classes.push_back(label);
  }
  return sorted;
}

// Categories and the user's labels may be called "missing", too; label names must be distinct.
void add_missing_label(Feature& feature) {
  std::string name = "missing";
  const auto taken = [&] {
    return std::any_of(feature.labels.begin(), feature.labels.end(),
                       [&](const Label& label) { return label.name == name; });
  };
  while (taken()) name = "(" + name + ")";
  feature.labels.push_back({name, LabelKind::missing, {}});
}

Feature numeric_feature(const Column& column, const Dataset& data,
                        std::span<const std::uint32_t> rows, const Settings& settings,
                        const Feature* given, std::vector<std::string>& notes) {
  const ColumnRange range = range_of(column, rows);
  const SortedColumn sorted = sort_values(column, data.labels, rows);
  const std::vector<double>& values = sorted.values;
  Feature feature{.name = column.name, .type = ColumnType::numeric};
  if (given != nullptr) {
    feature.labels = given->labels;
    const auto outside = std::count_if(values.begin(), values.end(), [&](double x) {
      return std::none_of(feature.labels.begin(), feature.labels.end(),
                          [&](const Label& label) { return label.shape(x) > 0; });
    });
    if (outside > 0) {
      notes.push_back("no label given for '" + column.name + "' covers the values of " +
                      std::to_string(outside) + (outside == 1 ? " row" : " rows"));
    }
  }
  if (!values.empty()) {
    feature.low = range.low;
    feature.high = range.high;
    const double spread = quantile(values, 0.95) - quantile(values, 0.05);
    feature.spread = spread > 0 && std::isfinite(spread) ? spread : feature.high - feature.low;
    if (!std::isfinite(feature.spread)) feature.spread = std::numeric_limits<double>::max();
    feature.spread = short_between(feature.spread * 0.999, feature.spread);
    if (given == nullptr && feature.low < feature.high) {
      feature.labels =
          range_labels(values, sorted.classes, static_cast<int>(data.classes.size()), settings);
    }
    if (given == nullptr && feature.low == feature.high && range.missing) {
      feature.labels = {{"present", LabelKind::range, {-infinity, -infinity, infinity, infinity}}};
    }
  }
  if (range.missing) add_missing_label(feature);
  return feature;
}

Feature categorical_feature(const Column& column, std::span<const std::uint32_t> rows,
                            const Settings& settings, std::vector<std::string>& notes) {
  std::vector<std::size_t> counts(column.categories.size(), 0);
  bool missing = false;
  for (const std::uint32_t row : rows) {
    if (column.is_missing(row))
      missing = true;
    else
      ++counts[static_cast<std::size_t>(column.codes[row])];
  }
  std::vector<std::size_t> order;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] > 0) order.push_back(code);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return counts[x] != counts[y] ? counts[x] > counts[y]
                                  : column.categories[x] < column.categories[y];
  });
  const auto limit = static_cast<std::size_t>(settings.max_categories);
  if (order.size() > limit) {
    notes.push_back("column '" + column.name + "' has " + std::to_string(order.size()) +
                    " different values; only the " + std::to_string(limit) +
                    " most frequent get a label (--max-categories)");
    order.resize(limit);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return column.categories[x] < column.categories[y];
  });
  Feature feature{.name = column.name, .type = ColumnType::categorical};
  if (order.size() < 2 && !missing) return feature;
  for (const std::size_t code : order) {
    feature.labels.push_back({column.categories[code], LabelKind::category, {}});
  }
  if (missing) add_missing_label(feature);
  return feature;
}

}  // namespace

std::span<const std::string_view> label_words(int labels) {
  static constexpr std::array<std::string_view, 1> one{"any"};
  static constexpr std::array<std::string_view, 2> two{"low", "high"};
  static constexpr std::array<std::string_view, 3> three{"low", "medium", "high"};
  static constexpr std::array<std::string_view, 4> four{"very low", "low", "high", "very high"};
  static constexpr std::array<std::string_view, 5> five{"very low", "low", "medium", "high",
                                                        "very high"};
  static constexpr std::array<std::string_view, 6> six{"very low",    "low",  "fairly low",
                                                       "fairly high", "high", "very high"};
  static constexpr std::array<std::string_view, 7> seven{
      "very low", "low", "fairly low", "medium", "fairly high", "high", "very high"};
  static constexpr std::array<std::span<const std::string_view>, 7> words{one,  two, three, four,
                                                                          five, six, seven};
  return words.at(static_cast<std::size_t>(labels - 1));
}

std::vector<Border> borders_of(const Feature& feature) {
  std::vector<Border> borders;
  const Trapezoid* previous = nullptr;
  for (const Label& label : feature.labels) {
    if (label.kind != LabelKind::range) continue;
    if (previous != nullptr) {
      if (previous->c != label.shape.a || previous->d != label.shape.b) return {};
      borders.push_back({label.shape.a, label.shape.b});
    }
    previous = &label.shape;
  }
  return borders;
}

void set_border(Feature& feature, std::size_t index, const Border& border) {
  feature.labels[index].shape.c = border.start;
  feature.labels[index].shape.d = border.end;
  feature.labels[index + 1].shape.a = border.start;
  feature.labels[index + 1].shape.b = border.end;
}

int automatic_labels(std::size_t rows, std::size_t columns) {
  constexpr int min_labels = 3, max_labels = 7;
  if (rows < 4000) return min_labels;
  int labels = min_labels;
  while (labels < max_labels && std::pow(labels, columns) < 1000) ++labels;
  return labels;
}

Partition make_partition(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> rows, const Settings& requested,
                         std::span<const Feature> given, std::vector<std::string>& notes,
                         int threads) {
  Settings settings = requested;
  if (settings.labels == 0) settings.labels = automatic_labels(rows.size(), data.features.size());
  for (const Feature& feature : given) {
    const Column& column = require_column(table, feature.name, "label file");
    if (column.type != ColumnType::numeric) {
      fail_data("the label file gives ranges for '" + feature.name + "', but that column of " +
                table.source + " is not numeric");
    }
    const bool learned =
        std::any_of(data.features.begin(), data.features.end(),
                    [&](std::size_t i) { return table.columns[i].name == feature.name; });
    if (!learned) {
      notes.push_back("the labels given for '" + feature.name +
                      "' are not used: that column is the target, constant or empty");
    }
  }
  std::vector<Feature> features(data.features.size());
  std::vector<std::vector<std::string>> notes_of(features.size());
  parallel_for(threads, features.size(), [&](std::size_t k) {
    const Column& column = table.columns[data.features[k]];
    const auto found = std::find_if(given.begin(), given.end(),
                                    [&](const Feature& f) { return f.name == column.name; });
    features[k] = column.type == ColumnType::numeric
                      ? numeric_feature(column, data, rows, settings,
                                        found == given.end() ? nullptr : &*found, notes_of[k])
                      : categorical_feature(column, rows, settings, notes_of[k]);
  });
  Partition partition;
  for (std::size_t k = 0; k < features.size(); ++k) {
    notes.insert(notes.end(), notes_of[k].begin(), notes_of[k].end());
  }
  std::erase_if(features, [](const Feature& feature) { return feature.labels.empty(); });
  partition.features = std::move(features);
  if (partition.features.empty()) {
    fail_data(table.source +
              ": every column but the target is constant; there is nothing to learn from");
  }
  return partition;
}

}  // namespace frr::internal
