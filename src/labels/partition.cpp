#include "labels/partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double middle(double a, double b) { return std::midpoint(a, b); }

// A slope too wide for a double's range is written as a crisp border.
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

// Labels that hold no value of the training rows mean nothing: they are left out and the outermost
// of the others become shoulders.
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

double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double t = position - static_cast<double>(below);
  return std::lerp(sorted[below], sorted[above], t);
}

// Two labels with a crisp border at the change of value nearest to the median: for columns whose
// values are so tied that other placements find fewer than two labels.
std::vector<Label> halves(std::span<const double> sorted) {
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

// A range that holds no value goes, and its two borders become one.
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

// The slope of each cut reaches over `reach` rows to each side, at most to the middle of the
// range. Where it has no width the border is crisp, half way between the neighbouring values.
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

// Segment entropies in one array: cost(i, j) of bins [i, j) = sum_c n_c log(n / n_c).
class SegmentCost {
 public:
  SegmentCost(std::span<const std::size_t> edges, std::span<const int> classes, int class_count)
      : class_count_(static_cast<std::size_t>(class_count)), edges_(edges.begin(), edges.end()) {
    counts_.assign(edges.size() * class_count_, 0);
    for (std::size_t b = 1; b < edges.size(); ++b) {
      for (std::size_t c = 0; c < class_count_; ++c) {
        counts_[b * class_count_ + c] = counts_[(b - 1) * class_count_ + c];
      }
      for (std::size_t i = edges[b - 1]; i < edges[b]; ++i) {
        counts_[b * class_count_ + static_cast<std::size_t>(classes[i])] += 1;
      }
    }
  }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    const auto n = static_cast<double>(edges_[j] - edges_[i]);
    double cost = n * std::log(n);
    for (std::size_t c = 0; c < class_count_; ++c) {
      const double k = counts_[j * class_count_ + c] - counts_[i * class_count_ + c];
      if (k > 0) cost -= k * std::log(k);
    }
    return cost;
  }

 private:
  std::size_t class_count_;
  std::vector<std::size_t> edges_;
  std::vector<double> counts_;
};

// Ranks at which bins of about n / bins rows begin, moved to where neighbouring values differ;
// ends with n.
std::vector<std::size_t> bin_edges(std::span<const double> sorted, int bins) {
  const std::size_t n = sorted.size();
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 1; i < n; ++i) {
    if (sorted[i] != sorted[i - 1]) starts.push_back(i);
  }
  starts.push_back(n);
  if (starts.size() <= static_cast<std::size_t>(bins) + 1) return starts;
  std::vector<std::size_t> edges{0};
  for (int b = 1; b < bins; ++b) {
    const std::size_t ideal = n * static_cast<std::size_t>(b) / static_cast<std::size_t>(bins);
    auto next = std::lower_bound(starts.begin(), starts.end(), ideal);
    if (next != starts.begin() && ideal - *(next - 1) < *next - ideal) --next;
    if (*next > edges.back() && *next < n) edges.push_back(*next);
  }
  edges.push_back(n);
  return edges;
}

struct NumericView {
  std::vector<double> sorted;
  std::vector<int> classes;
};

// Of all rows.
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

NumericView sort_values(const Column& column, std::span<const int> labels,
                        std::span<const std::uint32_t> rows) {
  std::vector<std::pair<double, int>> pairs;
  pairs.reserve(rows.size());
  NumericView view;
  for (const std::uint32_t row : rows) {
    if (!column.is_missing(row)) pairs.emplace_back(column.values[row], labels[row]);
  }
  std::sort(pairs.begin(), pairs.end());
  view.sorted.reserve(pairs.size());
  view.classes.reserve(pairs.size());
  for (const auto& [value, label] : pairs) {
    view.sorted.push_back(value);
    view.classes.push_back(label);
  }
  return view;
}

std::vector<Label> numeric_labels(const NumericView& view, int class_count,
                                  const Settings& settings) {
  switch (settings.partition) {
    case PartitionKind::quantile: {
      auto labels = quantile_labels(view.sorted, settings.labels);
      return labels.size() < 2 ? halves(view.sorted) : labels;
    }
    case PartitionKind::uniform: {
      auto labels = uniform_labels(view.sorted, settings.labels, settings.slope);
      return labels.size() < 2 ? halves(view.sorted) : labels;
    }
    case PartitionKind::supervised:
      break;
  }
  const auto cuts = supervised_cuts(view.sorted, view.classes, class_count, settings.labels,
                                    settings.bins, settings.min_share);
  return strong_labels(sloped_borders(view.sorted, cuts, settings.slope));
}

// Label names are distinct, whatever categories or the user's own labels are called.
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
  const NumericView view = sort_values(column, data.labels, rows);
  Feature feature{.name = column.name, .type = ColumnType::numeric};
  if (given != nullptr) {
    feature.labels = given->labels;
    const auto outside = std::count_if(view.sorted.begin(), view.sorted.end(), [&](double x) {
      return std::none_of(feature.labels.begin(), feature.labels.end(),
                          [&](const Label& label) { return label.shape(x) > 0; });
    });
    if (outside > 0) {
      notes.push_back("the labels given for '" + column.name + "' leave out " +
                      std::to_string(outside) + " rows: no label is true of them");
    }
  }
  if (!view.sorted.empty()) {
    feature.low = range.low;
    feature.high = range.high;
    const double spread = quantile(view.sorted, 0.95) - quantile(view.sorted, 0.05);
    feature.spread = spread > 0 && std::isfinite(spread) ? spread : feature.high - feature.low;
    if (!std::isfinite(feature.spread)) feature.spread = std::numeric_limits<double>::max();
    feature.spread = short_between(feature.spread * 0.999, feature.spread);
    if (given == nullptr && feature.low < feature.high) {
      feature.labels = numeric_labels(view, static_cast<int>(data.classes.size()), settings);
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
                    " most frequent ones get a label (--max-categories)");
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

std::vector<std::size_t> supervised_cuts(std::span<const double> sorted,
                                         std::span<const int> classes, int class_count, int labels,
                                         int bins, double min_share) {
  const std::vector<std::size_t> edges = bin_edges(sorted, bins);
  const SegmentCost cost(edges, classes, class_count);
  const std::size_t last = edges.size() - 1;
  const auto n = static_cast<double>(sorted.size());
  // Where no two ranges of the demanded share exist (a near-constant column), the best single cut
  // that leaves a few rows on each side still tells something.
  const std::array<std::pair<int, double>, 2> attempts{
      {{labels, min_share * n}, {2, std::min(std::max(2.0, 0.01 * n), n / 2)}}};
  for (const auto& attempt : attempts) {
    const double least = attempt.second;
    // best[v][j]: smallest cost of bins [0, j) in v + 1 ranges; from[v][j]: start of the last one.
    const auto ranges = static_cast<std::size_t>(attempt.first);
    std::vector<std::vector<double>> best(ranges, std::vector<double>(last + 1, infinity));
    std::vector<std::vector<std::size_t>> from(ranges, std::vector<std::size_t>(last + 1, 0));
    const auto wide_enough = [&](std::size_t i, std::size_t j) {
      return static_cast<double>(edges[j] - edges[i]) >= least;
    };
    for (std::size_t j = 1; j <= last; ++j) {
      if (wide_enough(0, j)) best[0][j] = cost(0, j);
    }
    for (std::size_t v = 1; v < ranges; ++v) {
      for (std::size_t j = 1; j <= last; ++j) {
        for (std::size_t i = 1; i < j && wide_enough(i, j); ++i) {
          if (best[v - 1][i] == infinity) continue;
          const double total = best[v - 1][i] + cost(i, j);
          if (total < best[v][j]) best[v][j] = total, from[v][j] = i;
        }
      }
    }
    std::size_t v = ranges - 1;
    while (v > 0 && best[v][last] == infinity) --v;
    if (v == 0) continue;
    std::vector<std::size_t> cuts;
    for (std::size_t j = last; v > 0; --v) {
      j = from[v][j];
      cuts.push_back(edges[j]);
    }
    std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }
  // Only values that are rarer still: cut off the more frequent end.
  return {edges[sorted.size() - edges[1] < edges[1] ? 1 : last - 1]};
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
  constexpr int usual = 3, most = 7;
  if (rows < 4000) return usual;
  int labels = usual;
  while (labels < most && std::pow(labels, columns) < 1000) ++labels;
  return labels;
}

Partition make_partition(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> rows, const Settings& wanted,
                         std::span<const Feature> given, std::vector<std::string>& notes,
                         int threads) {
  Settings settings = wanted;
  if (settings.labels == 0) settings.labels = automatic_labels(rows.size(), data.features.size());
  for (const Feature& feature : given) {
    const Column& column = require_column(table, feature.name, "partition file");
    if (column.type != ColumnType::numeric) {
      fail_data("the partition file gives ranges for '" + feature.name + "', but that column of " +
                table.source + " is not numeric");
    }
    const bool learned =
        std::any_of(data.features.begin(), data.features.end(),
                    [&](std::size_t i) { return table.columns[i].name == feature.name; });
    if (!learned) {
      notes.push_back("the labels given for '" + feature.name +
                      "' are not used: that column is the target, constant or without values");
    }
  }
  std::vector<Feature> features(data.features.size());
  std::vector<std::vector<std::string>> own_notes(features.size());
  parallel_for(threads, features.size(), [&](std::size_t k) {
    const Column& column = table.columns[data.features[k]];
    const auto own = std::find_if(given.begin(), given.end(),
                                  [&](const Feature& f) { return f.name == column.name; });
    features[k] = column.type == ColumnType::numeric
                      ? numeric_feature(column, data, rows, settings,
                                        own == given.end() ? nullptr : &*own, own_notes[k])
                      : categorical_feature(column, rows, settings, own_notes[k]);
  });
  Partition partition;
  for (std::size_t k = 0; k < features.size(); ++k) {
    notes.insert(notes.end(), own_notes[k].begin(), own_notes[k].end());
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
