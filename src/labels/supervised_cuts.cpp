#include "labels/supervised_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// cost(i, j) of bins [i, j): the sum over classes of n_c log(n / n_c).
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

// The ranks at which bins of about n / bins rows begin, each moved to the nearest change of value,
// and at the end n.
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

// The cuts of the cheapest split into `ranges` ranges of at least `min_rows` rows, or into fewer if
// there is none; empty if there are not even two.
std::vector<std::size_t> cheapest_cuts(const SegmentCost& cost, std::span<const std::size_t> edges,
                                       std::size_t ranges, double min_rows) {
  const std::size_t last = edges.size() - 1;
  // best[v][j]: smallest cost of bins [0, j) in v + 1 ranges; from[v][j]: start of the last range.
  std::vector<std::vector<double>> best(ranges, std::vector<double>(last + 1, infinity));
  std::vector<std::vector<std::size_t>> from(ranges, std::vector<std::size_t>(last + 1, 0));
  const auto wide_enough = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(edges[j] - edges[i]) >= min_rows;
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
  std::vector<std::size_t> cuts;
  for (std::size_t j = last; v > 0; --v) {
    j = from[v][j];
    cuts.push_back(edges[j]);
  }
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace

std::vector<std::size_t> supervised_cuts(std::span<const double> sorted,
                                         std::span<const int> classes, int class_count, int labels,
                                         int bins, double min_share) {
  const std::vector<std::size_t> edges = bin_edges(sorted, bins);
  const SegmentCost cost(edges, classes, class_count);
  const auto n = static_cast<double>(sorted.size());
  auto cuts = cheapest_cuts(cost, edges, static_cast<std::size_t>(labels), min_share * n);
  if (!cuts.empty()) return cuts;
  // In a near-constant column a single cut with a few rows on each side is still informative.
  cuts = cheapest_cuts(cost, edges, 2, std::min(std::max(2.0, 0.01 * n), n / 2));
  if (!cuts.empty()) return cuts;
  // The other values are even rarer: cut at the end of the most frequent one.
  const std::size_t last = edges.size() - 1;
  return {edges[sorted.size() - edges[1] < edges[1] ? 1 : last - 1]};
}

}  // namespace frr::internal
