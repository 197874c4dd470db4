#include "data/examples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/forest.hpp"
#include "kernels/kernel.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t most_neighbours = 1000;  // rows among which the nearest is looked for
constexpr double replaced = 0.8;

Column real_rows(const Column& column, std::span<const std::uint32_t> rows) {
  Column own;
  own.name = column.name;
  own.type = column.type;
  if (column.type == ColumnType::numeric) {
    own.values.reserve(rows.size());
    for (const std::uint32_t row : rows) own.values.push_back(column.values[row]);
  } else {
    // Coded anew, so that rows which are left out leave no trace.
    std::vector<std::int32_t> code(column.categories.size(), Column::missing_code);
    own.codes.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      if (column.is_missing(row)) {
        own.codes.push_back(Column::missing_code);
        continue;
      }
      const auto old = static_cast<std::size_t>(column.codes[row]);
      if (code[old] == Column::missing_code) {
        code[old] = static_cast<std::int32_t>(own.categories.size());
        own.categories.push_back(column.categories[old]);
      }
      own.codes.push_back(code[old]);
    }
  }
  return own;
}

FRR_MULTIVERSION void add_squares(const float* __restrict values, std::size_t n, float from,
                                  float most, float* __restrict sums) {
  for (std::size_t k = 0; k < n; ++k) {
    const float gap = values[k] - from;
    sums[k] += std::min(gap * gap, most);
  }
}

// Squared distances: numbers in units of their standard deviation, from three of which on, as from
// a missing value, all is equally far; names are equal or 1 apart.
class Distances {
 public:
  explicit Distances(const Table& table) : rows_(table.rows) {
    for (const Column& column : table.columns) {
      std::vector<float> own(rows_);
      const bool numeric = column.type == ColumnType::numeric;
      double sum = 0, squares = 0, present = 0;
      for (std::size_t i = 0; numeric && i < rows_; ++i) {
        if (column.is_missing(i)) continue;
        sum += column.values[i];
        present += 1;
      }
      const double mean = present > 0 ? sum / present : 0;
      for (std::size_t i = 0; numeric && i < rows_; ++i) {
        if (!column.is_missing(i)) squares += (column.values[i] - mean) * (column.values[i] - mean);
      }
      const double deviation = present > 0 ? std::sqrt(squares / present) : 0;
      const double scale = deviation > 0 && std::isfinite(deviation) ? 1 / deviation : 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        own[i] = column.is_missing(i) ? missing
                 : numeric            ? static_cast<float>((column.values[i] - mean) * scale)
                                      : static_cast<float>(column.codes[i]);
      }
      values_.push_back(std::move(own));
      names_.push_back(!numeric);
    }
  }

  // Among these the nearest is looked for.
  void set_candidates(std::vector<std::uint32_t> candidates) {
    candidates_ = std::move(candidates);
    for (const std::vector<float>& own : values_) {
      std::vector<float> chosen;
      chosen.reserve(candidates_.size());
      for (const std::uint32_t row : candidates_) chosen.push_back(own[row]);
      chosen_.push_back(std::move(chosen));
    }
  }

  // The candidate nearest to row i, other than i itself; of equals the first.
  [[nodiscard]] std::uint32_t nearest(std::size_t i, std::vector<float>& sums) const {
    sums.assign(candidates_.size(), 0);
    for (std::size_t j = 0; j < values_.size(); ++j) {
      add_squares(chosen_[j].data(), sums.size(), values_[j][i], names_[j] ? 1.0F : 9.0F,
                  sums.data());
    }
    auto best = static_cast<std::uint32_t>(i);
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (candidates_[k] != i && sums[k] < least) least = sums[k], best = candidates_[k];
    }
    return best;
  }

 private:
  static constexpr float missing = -1e9F;
  std::size_t rows_;
  std::vector<std::vector<float>> values_, chosen_;
  std::vector<bool> names_;
  std::vector<std::uint32_t> candidates_;
};

std::vector<std::uint32_t> neighbours(const Table& table, Random& random, int threads) {
  const std::size_t n = table.rows;
  std::vector<std::uint32_t> candidates(n);
  std::iota(candidates.begin(), candidates.end(), 0U);
  if (n > most_neighbours) {
    random.shuffle(std::span(candidates));
    candidates.resize(most_neighbours);
  }
  Distances distances(table);
  distances.set_candidates(std::move(candidates));
  std::vector<std::uint32_t> nearest(n);
  parallel_blocks(threads, n, 64, [&](std::size_t from, std::size_t to) {
    std::vector<float> sums;
    for (std::size_t i = from; i < to; ++i) nearest[i] = distances.nearest(i, sums);
  });
  return nearest;
}

// Appends a value for each (row, neighbour).
void make_values(Column& column, std::span<const std::uint32_t> from,
                 std::span<const std::uint32_t> nearest, Random& random) {
  if (column.type == ColumnType::categorical) {
    for (const std::uint32_t i : from) {
      column.codes.push_back(column.codes[random.uniform() < replaced ? nearest[i] : i]);
    }
    return;
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool whole = true;
  for (const double x : column.values) {
    if (x != x) continue;
    low = std::min(low, x);
    high = std::max(high, x);
    whole = whole && x == std::floor(x);
  }
  for (const std::uint32_t i : from) {
    const double own = column.values[i], other = column.values[nearest[i]];
    const bool replace = random.uniform() < replaced;
    const double noise = random.normal();
    double value = replace ? other : own;
    if (replace && own == own && other == other) {
      value = std::clamp(other + std::abs(own - other) * noise, low, high);
      if (whole) value = std::round(value);
    }
    column.values.push_back(value);
  }
}

// The table of the real rows and these columns alone, in the order of `rows`.
Table real_table(const Table& table, std::span<const std::size_t> columns,
                 std::span<const std::uint32_t> rows) {
  Table own;
  own.source = table.source;
  own.rows = rows.size();
  for (const std::size_t index : columns) {
    own.columns.push_back(real_rows(table.columns[index], rows));
  }
  return own;
}

// From which real row each made-up one starts: as many from each, but for a random rest.
std::vector<std::uint32_t> starting_rows(std::size_t real, std::size_t made, Random& random) {
  std::vector<std::uint32_t> order(real), from;
  std::iota(order.begin(), order.end(), 0U);
  from.reserve(made);
  while (from.size() < made) {
    random.shuffle(std::span(order));
    const std::size_t count = std::min(real, made - from.size());
    from.insert(from.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return from;
}

// A made-up row has the weight of the row that it starts from, in proportion to what rows of their
// classes weigh: 1 for a class without rows, which no forest gives.
std::vector<double> mean_weights(const Examples& examples, std::size_t class_count) {
  std::vector<double> sums(class_count, 0), counts(class_count, 0);
  for (std::size_t i = 0; i < examples.classes.size(); ++i) {
    const auto own = static_cast<std::size_t>(examples.classes[i]);
    sums[own] += examples.weights[i];
    counts[own] += 1;
  }
  for (std::size_t c = 0; c < class_count; ++c) sums[c] = counts[c] > 0 ? sums[c] / counts[c] : 1;
  return sums;
}

void shuffle(Examples& examples, Random& random) {
  std::vector<std::size_t> order(examples.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  Examples mixed;
  for (const std::size_t i : order) {
    mixed.rows.push_back(examples.rows[i]);
    mixed.classes.push_back(examples.classes[i]);
    mixed.weights.push_back(examples.weights[i]);
  }
  examples.rows = std::move(mixed.rows);
  examples.classes = std::move(mixed.classes);
  examples.weights = std::move(mixed.weights);
}

// Of a forest with coarse leaves and one with fine ones, the one that is right about more of the
// rows which its trees have not seen; of equals the coarse one. Where classes are noisy, fine
// leaves only learn the noise. Some of the trees are enough to tell.
Forest best_forest(const Binning& binning, const ForestRows& rows, const Settings& settings,
                   int threads, Control& control) {
  const auto enough = [&] {
    control.report(Progress::Stage::partition, 0);
    return control.out_of_time(0.3);
  };
  constexpr std::size_t fine_leaf = 2, coarse_leaf = 20, trees_to_choose = 40;
  const auto trees = static_cast<std::size_t>(settings.trees);
  const bool choose = settings.leaf == 0 && rows.classes.size() >= 10 * coarse_leaf;
  ForestShape shape;
  shape.trees = choose ? std::min(trees, trees_to_choose) : trees;
  shape.seed = settings.seed ^ 0x7eac4e5ULL;
  shape.smallest_leaf = settings.leaf > 0 ? static_cast<std::size_t>(settings.leaf) : fine_leaf;
  Forest forest(binning, rows, shape, threads, enough);
  if (!choose || control.out_of_time(0.3)) return forest;
  ForestShape coarse_shape = shape;
  coarse_shape.smallest_leaf = coarse_leaf;
  Forest coarse(binning, rows, coarse_shape, threads, enough);
  if (coarse.unseen_right(rows, threads) >= forest.unseen_right(rows, threads)) {
    forest = std::move(coarse);
    shape = coarse_shape;
  }
  shape.trees = trees;
  forest.grow(binning, rows, shape, threads, enough);
  return forest;
}

}  // namespace

Examples make_examples(const Table& table, const Dataset& data,
                       std::span<const std::size_t> columns, std::span<const std::uint32_t> rows,
                       std::vector<float> weights, const Settings& settings, int threads,
                       Control& control) {
  control.report(Progress::Stage::partition, 0);
  const std::size_t n = rows.size(), class_count = data.classes.size();
  const auto wanted = static_cast<std::size_t>(settings.augment);
  Examples result;
  for (const std::uint32_t row : rows) result.classes.push_back(data.labels[row]);
  result.weights = std::move(weights);
  result.rows.assign(rows.begin(), rows.end());
  Random random(settings.seed ^ 0xe41a59eULL);
  if (wanted <= n) {
    shuffle(result, random);
    return result;
  }

  Table& own = result.enlarged.emplace(real_table(table, columns, rows));
  std::iota(result.rows.begin(), result.rows.end(), 0U);
  std::vector<std::size_t> places(own.columns.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const Binning binning(own, places, result.rows, threads);
  const std::vector<std::uint8_t> bins = binning.apply(own, result.rows, threads);
  const Forest forest = best_forest(binning,
                                    {.bins = bins,
                                     .classes = result.classes,
                                     .weights = result.weights,
                                     .class_count = class_count},
                                    settings, threads, control);

  const std::vector<std::uint32_t> nearest = neighbours(own, random, threads);
  const std::vector<std::uint32_t> from = starting_rows(n, wanted - n, random);
  for (Column& column : own.columns) make_values(column, from, nearest, random);
  own.rows = wanted;
  std::vector<std::uint32_t> made(wanted - n);
  std::iota(made.begin(), made.end(), static_cast<std::uint32_t>(n));
  const std::vector<float> opinion =
      forest.probabilities(binning.apply(own, made, threads), made.size(), threads);

  const std::vector<double> mean = mean_weights(result, class_count);
  for (std::size_t k = 0; k < made.size(); ++k) {
    const float* share = opinion.data() + k * class_count;
    const auto most = std::max_element(share, share + class_count) - share;
    result.rows.push_back(made[k]);
    result.classes.push_back(static_cast<int>(most));
    const auto parent = static_cast<std::size_t>(result.classes[from[k]]);
    const double ratio = mean[static_cast<std::size_t>(most)] / mean[parent];
    result.weights.push_back(static_cast<float>(result.weights[from[k]] * ratio));
  }
  const double real = std::accumulate(result.weights.begin(),
                                      result.weights.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  const double all = std::accumulate(result.weights.begin(), result.weights.end(), 0.0);
  for (float& weight : result.weights) weight = static_cast<float>(weight * (real / all));
  shuffle(result, random);
  return result;
}

}  // namespace frr::internal
