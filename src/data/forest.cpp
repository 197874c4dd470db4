#include "data/forest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t numeric_bins = 64;
constexpr std::size_t most_bins = 256;

std::vector<double> quantile_edges(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> distinct = values;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> edges;
  const auto between = [](double x, double y) { return x + (y - x) / 2; };
  if (distinct.size() < numeric_bins) {
    for (std::size_t i = 1; i < distinct.size(); ++i) {
      edges.push_back(between(distinct[i - 1], distinct[i]));
    }
    return edges;
  }
  for (std::size_t q = 1; q + 1 < numeric_bins; ++q) {
    const double value = values[values.size() * q / (numeric_bins - 1)];
    const auto above = std::upper_bound(distinct.begin(), distinct.end(), value);
    if (above == distinct.end()) break;
    const double edge = between(value, *above);
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

}  // namespace

Binning::Binning(const Table& table, std::span<const std::size_t> columns,
                 std::span<const std::uint32_t> rows, int threads)
    : features_(columns.size()) {
  parallel_for(threads, columns.size(), [&](std::size_t j) {
    const Column& column = table.columns[columns[j]];
    Binned& binned = features_[j];
    binned.column = columns[j];
    if (column.type == ColumnType::numeric) {
      std::vector<double> values;
      values.reserve(rows.size());
      for (const std::uint32_t row : rows) {
        if (!column.is_missing(row)) values.push_back(column.values[row]);
      }
      binned.edges = quantile_edges(std::move(values));
      binned.bins = binned.edges.size() + 2;
    } else {
      binned.bins = std::min(column.categories.size() + 1, most_bins);
    }
  });
}

std::vector<std::uint8_t> Binning::apply(const Table& table, std::span<const std::uint32_t> rows,
                                         int threads) const {
  std::vector<std::uint8_t> bins(features_.size() * rows.size());
  parallel_for(threads, features_.size(), [&](std::size_t j) {
    const Binned& binned = features_[j];
    const Column& column = table.columns[binned.column];
    std::uint8_t* binned_rows = bins.data() + j * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (column.is_missing(rows[i])) continue;
      if (column.type == ColumnType::numeric) {
        const auto edge =
            std::lower_bound(binned.edges.begin(), binned.edges.end(), column.values[rows[i]]);
        binned_rows[i] = static_cast<std::uint8_t>(edge - binned.edges.begin() + 1);
      } else {
        const auto code = static_cast<std::size_t>(column.codes[rows[i]]) + 1;
        binned_rows[i] = static_cast<std::uint8_t>(std::min(code, most_bins - 1));
      }
    }
  });
  return bins;
}

// Grows one tree, depth first.
class Forest::Grower {
 public:
  Grower(const Binning& binning, const ForestRows& rows, std::size_t smallest_leaf,
         std::uint64_t seed)
      : rows_(rows), smallest_leaf_(smallest_leaf), random_(seed) {
    const std::size_t n = rows.classes.size();
    std::vector<float> times(n, 0);
    for (std::size_t i = 0; i < n; ++i) times[random_.below(n)] += 1;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      if (times[i] > 0)
        sample_.push_back({.row = row,
                           .then = static_cast<std::uint32_t>(rows.classes[i]),
                           .place = 0,
                           .weight = times[i] * rows.weights[i]});
      else
        tree_.unseen.push_back(row);
    }
    order_.resize(binning.features());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    histogram_.resize(most_bins * rows.class_count);
    count_.resize(most_bins);
    place_.resize(rows.class_count, nowhere);
    mtry_ = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(order_.size()))));
  }

  Tree grow() {
    tree_.nodes.emplace_back();
    struct Part {
      std::uint32_t node;
      std::size_t first, last;
    };
    std::vector<Part> open{{0, 0, sample_.size()}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const Split split = best_split(part.first, part.last);
      if (split.gain <= 0) {
        make_leaf(part.node);
        continue;
      }
      const std::uint8_t* bins = column(split.feature);
      const auto begin = sample_.begin();
      const auto middle = std::partition(
          begin + static_cast<std::ptrdiff_t>(part.first),
          begin + static_cast<std::ptrdiff_t>(part.last),
          [&](const Sampled& sampled) { return bins[sampled.row] <= split.threshold; });
      const auto next = static_cast<std::uint32_t>(tree_.nodes.size());
      tree_.nodes[part.node] = {.feature = static_cast<std::uint32_t>(split.feature),
                                .threshold = static_cast<std::uint32_t>(split.threshold),
                                .next = next};
      tree_.nodes.resize(tree_.nodes.size() + 2);
      const auto cut = static_cast<std::size_t>(middle - begin);
      open.push_back({next + 1, cut, part.last});
      open.push_back({next, part.first, cut});
    }
    return std::move(tree_);
  }

 private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  struct Sampled {
    std::uint32_t row, then;
    std::uint32_t place;  // of its class in present_
    float weight;
  };
  struct Split {
    double gain = 0;
    std::size_t feature = 0, threshold = 0;
  };

  [[nodiscard]] const std::uint8_t* column(std::size_t feature) const {
    return rows_.bins.data() + feature * rows_.classes.size();
  }

  // Sets present_ to the classes of the rows and all_ to their weights.
  void count_classes(std::size_t first, std::size_t last) {
    for (const std::uint32_t c : present_) place_[c] = nowhere;
    present_.clear();
    for (std::size_t s = first; s < last; ++s) {
      std::uint32_t& place = place_[sample_[s].then];
      if (place != nowhere) continue;
      place = 0;
      present_.push_back(sample_[s].then);
    }
    std::sort(present_.begin(), present_.end());
    for (std::size_t k = 0; k < present_.size(); ++k) {
      place_[present_[k]] = static_cast<std::uint32_t>(k);
    }
    all_.assign(present_.size(), 0.0);
    for (std::size_t s = first; s < last; ++s) {
      sample_[s].place = place_[sample_[s].then];
      all_[sample_[s].place] += static_cast<double>(sample_[s].weight);
    }
  }

  // Also leaves the classes of the rows and their weights in present_ and all_.
  Split best_split(std::size_t first, std::size_t last) {
    count_classes(first, last);
    Split best;
    const double total = std::accumulate(all_.begin(), all_.end(), 0.0);
    const double largest = *std::max_element(all_.begin(), all_.end());
    if (last - first < 2 * smallest_leaf_ || largest >= total) return best;
    double now = 0;
    for (const double x : all_) now += x * x;
    now /= total;
    // The features asked for, and more while none of them can split the rows.
    for (std::size_t tried = 0; tried < order_.size(); ++tried) {
      if (tried >= mtry_ && best.gain > 0) break;
      std::swap(order_[tried], order_[tried + random_.below(order_.size() - tried)]);
      try_feature(order_[tried], first, last, now, total, best);
    }
    return best;
  }

  // Visits only the bins that hold rows, which are few in a small node. Resets the counts to 0.
  void try_feature(std::size_t feature, std::size_t first, std::size_t last, double now,
                   double total, Split& best) {
    const std::size_t classes = present_.size();
    const std::uint8_t* bins = column(feature);
    std::array<std::uint64_t, most_bins / 64> filled = {};
    for (std::size_t s = first; s < last; ++s) {
      const Sampled& row = sample_[s];
      const std::size_t b = bins[row.row];
      histogram_[b * classes + row.place] += row.weight;
      ++count_[b];
      filled[b / 64] |= std::uint64_t{1} << (b % 64);
    }
    left_.assign(classes, 0.0);
    const std::size_t rows = last - first;
    std::size_t below = 0;
    for (std::size_t word = 0; word < filled.size(); ++word) {
      for (; filled[word] != 0; filled[word] &= filled[word] - 1) {
        const std::size_t b = word * 64 + static_cast<std::size_t>(std::countr_zero(filled[word]));
        float* const counts = histogram_.data() + b * classes;
        below += std::exchange(count_[b], 0U);
        double part = 0, squares_left = 0, squares_right = 0;
        for (std::size_t c = 0; c < classes; ++c) {
          left_[c] += static_cast<double>(std::exchange(counts[c], 0.0F));
          const double right = all_[c] - left_[c];
          part += left_[c];
          squares_left += left_[c] * left_[c];
          squares_right += right * right;
        }
        if (below < smallest_leaf_ || rows - below < smallest_leaf_) continue;
        const double gain = squares_left / part + squares_right / (total - part) - now;
        if (gain > best.gain + 1e-9) best = {gain, feature, b};
      }
    }
  }

  void make_leaf(std::uint32_t node) {
    tree_.nodes[node].shares = static_cast<std::uint32_t>(tree_.shares.size());
    tree_.nodes[node].threshold = static_cast<std::uint32_t>(present_.size());
    const double total = std::accumulate(all_.begin(), all_.end(), 0.0);
    for (std::size_t k = 0; k < present_.size(); ++k) {
      tree_.shares.push_back({present_[k], static_cast<float>(all_[k] / total)});
    }
  }

  const ForestRows& rows_;
  std::size_t smallest_leaf_;
  Random random_;
  std::size_t mtry_ = 1;
  std::vector<Sampled> sample_;
  std::vector<std::size_t> order_;
  std::vector<float> histogram_;
  std::vector<std::uint32_t> count_;
  std::vector<std::uint32_t> present_;  // classes of the rows of a node, ascending
  std::vector<std::uint32_t> place_;    // of each class in present_, or nowhere
  std::vector<double> all_, left_;      // weights of the classes in present_
  Tree tree_;
};

Forest::Forest(const Binning& binning, const ForestRows& rows, const ForestShape& shape,
               int threads, const std::function<bool()>& enough)
    : class_count_(rows.class_count) {
  grow(binning, rows, shape, threads, enough);
}

void Forest::grow(const Binning& binning, const ForestRows& rows, const ForestShape& shape,
                  int threads, const std::function<bool()>& enough) {
  const std::size_t before = trees_.size();
  trees_.resize(std::max(before, shape.trees));
  parallel_for(threads, trees_.size() - before, [&](std::size_t more) {
    const std::size_t t = before + more;
    if (t > 0 && enough && enough()) return;
    const std::uint64_t seed = shape.seed + 0x9e3779b97f4a7c15ULL * (t + 1);
    trees_[t] = Grower(binning, rows, shape.smallest_leaf, seed).grow();
  });
  std::erase_if(trees_, [](const Tree& tree) { return tree.nodes.empty(); });
}

std::span<const Forest::Share> Forest::leaf(const Tree& tree, const std::uint8_t* bins,
                                            std::size_t stride) {
  const Node* node = tree.nodes.data();
  while (node->next != 0) {
    const bool right = bins[node->feature * stride] > node->threshold;
    node = tree.nodes.data() + node->next + (right ? 1 : 0);
  }
  return {tree.shares.data() + node->shares, node->threshold};
}

std::vector<float> Forest::unseen_probabilities(const ForestRows& rows, int threads) const {
  const std::size_t n = rows.classes.size();
  std::vector<float> result(n * class_count_, 0);
  parallel_blocks(threads, n, 512, [&](std::size_t from, std::size_t to) {
    for (const Tree& tree : trees_) {
      auto unseen = std::lower_bound(tree.unseen.begin(), tree.unseen.end(), from);
      for (; unseen != tree.unseen.end() && *unseen < to; ++unseen) {
        float* const shares = result.data() + *unseen * class_count_;
        for (const Share& share : leaf(tree, rows.bins.data() + *unseen, n)) {
          shares[share.then] += share.share;
        }
      }
    }
    for (std::size_t i = from; i < to; ++i) {
      const std::span<float> shares(result.data() + i * class_count_, class_count_);
      const float sum = std::accumulate(shares.begin(), shares.end(), 0.0F);
      for (float& share : shares) share = sum > 0 ? share / sum : 0;
    }
  });
  return result;
}

double Forest::unseen_right(const ForestRows& rows, int threads) const {
  const std::vector<float> shares = unseen_probabilities(rows, threads);
  double weight = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    const float* share = shares.data() + i * class_count_;
    const auto most = std::max_element(share, share + class_count_) - share;
    if (share[most] > 0 && most == rows.classes[i]) weight += double{rows.weights[i]};
  }
  return weight;
}

std::vector<float> Forest::probabilities(std::span<const std::uint8_t> bins, std::size_t rows,
                                         int threads) const {
  std::vector<float> sum(rows * class_count_, 0);
  parallel_blocks(threads, rows, 512, [&](std::size_t from, std::size_t to) {
    for (const Tree& tree : trees_) {
      for (std::size_t i = from; i < to; ++i) {
        for (const Share& share : leaf(tree, bins.data() + i, rows)) {
          sum[i * class_count_ + share.then] += share.share;
        }
      }
    }
  });
  for (float& x : sum) x /= static_cast<float>(trees_.size());
  return sum;
}

}  // namespace frr::internal
