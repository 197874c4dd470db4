#include "forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parallel.hpp"
#include "random.hpp"

namespace frr {
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
                 std::span<const std::uint32_t> rows) {
  for (const std::size_t index : columns) {
    const Column& column = table.columns[index];
    Binned binned;
    binned.column = index;
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
    features_.push_back(std::move(binned));
  }
}

std::vector<std::uint8_t> Binning::apply(const Table& table,
                                         std::span<const std::uint32_t> rows) const {
  std::vector<std::uint8_t> bins(features_.size() * rows.size());
  for (std::size_t j = 0; j < features_.size(); ++j) {
    const Binned& binned = features_[j];
    const Column& column = table.columns[binned.column];
    std::uint8_t* own = bins.data() + j * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (column.is_missing(rows[i])) continue;
      if (column.type == ColumnType::numeric) {
        const auto edge =
            std::lower_bound(binned.edges.begin(), binned.edges.end(), column.values[rows[i]]);
        own[i] = static_cast<std::uint8_t>(edge - binned.edges.begin() + 1);
      } else {
        const auto code = static_cast<std::size_t>(column.codes[rows[i]]) + 1;
        own[i] = static_cast<std::uint8_t>(std::min(code, most_bins - 1));
      }
    }
  }
  return bins;
}

// Grows one tree, depth first.
class Forest::Grower {
 public:
  Grower(const Binning& binning, const ForestRows& rows, std::size_t smallest_leaf,
         std::uint64_t seed)
      : binning_(binning), rows_(rows), smallest_leaf_(smallest_leaf), random_(seed) {
    const std::size_t n = rows.classes.size();
    std::vector<float> times(n, 0);
    for (std::size_t i = 0; i < n; ++i) times[random_.below(n)] += 1;
    weights_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      weights_[i] = times[i] * rows.weights[i];
      (times[i] > 0 ? sample_ : tree_.unseen).push_back(static_cast<std::uint32_t>(i));
    }
    order_.resize(binning.features());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    histogram_.resize(most_bins * rows.class_count);
    count_.resize(most_bins);
    all_.resize(rows.class_count);
    left_.resize(rows.class_count);
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
      const auto middle =
          std::partition(begin + static_cast<std::ptrdiff_t>(part.first),
                         begin + static_cast<std::ptrdiff_t>(part.last),
                         [&](std::uint32_t i) { return bins[i] <= split.threshold; });
      const auto next = static_cast<std::uint32_t>(tree_.nodes.size());
      tree_.nodes[part.node] = {static_cast<std::uint32_t>(split.feature),
                                static_cast<std::uint32_t>(split.threshold), next, 0};
      tree_.nodes.resize(tree_.nodes.size() + 2);
      const auto cut = static_cast<std::size_t>(middle - begin);
      open.push_back({next + 1, cut, part.last});
      open.push_back({next, part.first, cut});
    }
    return std::move(tree_);
  }

 private:
  struct Split {
    double gain = 0;
    std::size_t feature = 0, threshold = 0;
  };

  [[nodiscard]] const std::uint8_t* column(std::size_t feature) const {
    return rows_.bins.data() + feature * rows_.classes.size();
  }

  // Also leaves the class weights of the rows in all_.
  Split best_split(std::size_t first, std::size_t last) {
    std::fill(all_.begin(), all_.end(), 0.0);
    for (std::size_t s = first; s < last; ++s) {
      all_[static_cast<std::size_t>(rows_.classes[sample_[s]])] +=
          static_cast<double>(weights_[sample_[s]]);
    }
    Split best;
    const double total = std::accumulate(all_.begin(), all_.end(), 0.0);
    const double largest = *std::max_element(all_.begin(), all_.end());
    if (last - first < 2 * smallest_leaf_ || largest >= total) return best;
    double now = 0;
    for (const double x : all_) now += x * x;
    now /= total;
    // As many features as asked for, and more while none of them can split the rows.
    for (std::size_t tried = 0; tried < order_.size(); ++tried) {
      if (tried >= mtry_ && best.gain > 0) break;
      std::swap(order_[tried], order_[tried + random_.below(order_.size() - tried)]);
      try_feature(order_[tried], first, last, now, total, best);
    }
    return best;
  }

  void try_feature(std::size_t feature, std::size_t first, std::size_t last, double now,
                   double total, Split& best) {
    const std::size_t classes = rows_.class_count, bins = binning_.bins(feature);
    const std::uint8_t* own = column(feature);
    std::fill_n(histogram_.begin(), bins * classes, 0.0F);
    std::fill_n(count_.begin(), bins, 0U);
    for (std::size_t s = first; s < last; ++s) {
      const std::uint32_t i = sample_[s];
      histogram_[own[i] * classes + static_cast<std::size_t>(rows_.classes[i])] += weights_[i];
      ++count_[own[i]];
    }
    std::fill(left_.begin(), left_.end(), 0.0);
    std::size_t below = 0;
    for (std::size_t b = 0; b + 1 < bins; ++b) {
      if (count_[b] == 0) continue;
      below += count_[b];
      double part = 0, squares_left = 0, squares_right = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        left_[c] += static_cast<double>(histogram_[b * classes + c]);
        const double right = all_[c] - left_[c];
        part += left_[c];
        squares_left += left_[c] * left_[c];
        squares_right += right * right;
      }
      if (below < smallest_leaf_) continue;
      if (last - first - below < smallest_leaf_) break;
      const double gain = squares_left / part + squares_right / (total - part) - now;
      if (gain > best.gain + 1e-9) best = {gain, feature, b};
    }
  }

  void make_leaf(std::uint32_t node) {
    tree_.nodes[node].shares = static_cast<std::uint32_t>(tree_.shares.size());
    const double total = std::accumulate(all_.begin(), all_.end(), 0.0);
    for (const double x : all_) tree_.shares.push_back(static_cast<float>(x / total));
  }

  const Binning& binning_;
  const ForestRows& rows_;
  std::size_t smallest_leaf_;
  Random random_;
  std::size_t mtry_ = 1;
  std::vector<float> weights_;
  std::vector<std::uint32_t> sample_;
  std::vector<std::size_t> order_;
  std::vector<float> histogram_;
  std::vector<std::uint32_t> count_;
  std::vector<double> all_, left_;
  Tree tree_;
};

Forest::Forest(const Binning& binning, const ForestRows& rows, const ForestShape& shape,
               int threads, const std::function<bool()>& enough)
    : class_count_(rows.class_count), trees_(shape.trees) {
  parallel_for(threads, shape.trees, [&](std::size_t t) {
    if (t > 0 && enough && enough()) return;
    const std::uint64_t seed = shape.seed + 0x9e3779b97f4a7c15ULL * (t + 1);
    trees_[t] = Grower(binning, rows, shape.smallest_leaf, seed).grow();
  });
  std::erase_if(trees_, [](const Tree& tree) { return tree.nodes.empty(); });
}

const float* Forest::leaf(const Tree& tree, const std::uint8_t* bins, std::size_t stride) {
  const Node* node = tree.nodes.data();
  while (node->next != 0) {
    const bool right = bins[node->feature * stride] > node->threshold;
    node = tree.nodes.data() + node->next + (right ? 1 : 0);
  }
  return tree.shares.data() + node->shares;
}

double Forest::unseen_right(const ForestRows& rows) const {
  const std::size_t n = rows.classes.size();
  std::vector<float> sum(n * class_count_, 0);
  for (const Tree& tree : trees_) {
    for (const std::uint32_t i : tree.unseen) {
      const float* shares = leaf(tree, rows.bins.data() + i, n);
      for (std::size_t c = 0; c < class_count_; ++c) sum[i * class_count_ + c] += shares[c];
    }
  }
  double right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float* share = sum.data() + i * class_count_;
    const auto most = std::max_element(share, share + class_count_) - share;
    if (share[most] > 0 && most == rows.classes[i]) right += static_cast<double>(rows.weights[i]);
  }
  return right;
}

std::vector<float> Forest::probabilities(std::span<const std::uint8_t> bins, std::size_t rows,
                                         int threads) const {
  std::vector<float> sum(rows * class_count_, 0);
  parallel_blocks(threads, rows, 512, [&](std::size_t from, std::size_t to) {
    for (const Tree& tree : trees_) {
      for (std::size_t i = from; i < to; ++i) {
        const float* shares = leaf(tree, bins.data() + i, rows);
        for (std::size_t c = 0; c < class_count_; ++c) sum[i * class_count_ + c] += shares[c];
      }
    }
  });
  for (float& x : sum) x /= static_cast<float>(trees_.size());
  return sum;
}

}  // namespace frr
