// A random forest over binned columns: it predicts the classes of synthetic rows (examples.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "frr/table.hpp"

namespace frr::internal {

// Columns cut into at most 64 bins at quantiles of the training rows; bin 0 holds missing values.
// Categories keep their order of first appearance; from the 255th on, they share a bin.
class Binning {
 public:
  Binning(const Table& table, std::span<const std::size_t> columns,
          std::span<const std::uint32_t> rows, int threads = 1);
  [[nodiscard]] std::size_t features() const { return features_.size(); }
  [[nodiscard]] std::size_t bins(std::size_t feature) const { return features_[feature].bins; }
  // The bins of the rows, feature by feature: row i and feature j at j * rows.size() + i.
  [[nodiscard]] std::vector<std::uint8_t> apply(const Table& table,
                                                std::span<const std::uint32_t> rows,
                                                int threads = 1) const;

 private:
  struct Binned {
    std::size_t column = 0;
    std::size_t bins = 1;
    std::vector<double> edges;  // numeric: value x has bin 1 + number of edges below it
  };
  std::vector<Binned> features_;
};

struct ForestRows {
  std::span<const std::uint8_t> bins;  // as Binning::apply gives them
  std::span<const int> classes;
  std::span<const float> weights;
  std::size_t class_count = 0;
};

struct ForestShape {
  std::size_t trees = 100;
  std::size_t smallest_leaf = 2;  // rows
  std::uint64_t seed = 0;
};

class Forest {
 public:
  // Splits by Gini impurity among ceil(sqrt(features)) random features per node. The same seed
  // gives the same forest with any number of threads. `enough` is called before each tree but the
  // first; once it returns true, no more are grown.
  Forest(const Binning& binning, const ForestRows& rows, const ForestShape& shape, int threads,
         const std::function<bool()>& enough = {});
  // Adds trees up to shape.trees: the result is that of a forest made with this number, unless
  // `enough` has cut it short.
  void grow(const Binning& binning, const ForestRows& rows, const ForestShape& shape, int threads,
            const std::function<bool()>& enough = {});

  // Like probabilities(), but of the training rows, each by the trees grown without it. All are 0
  // for a row that all trees have seen.
  [[nodiscard]] std::vector<float> unseen_probabilities(const ForestRows& rows,
                                                        int threads = 1) const;
  // The out-of-bag accuracy: the weight of the rows that the trees grown without them classify
  // correctly.
  [[nodiscard]] double unseen_right(const ForestRows& rows, int threads = 1) const;

  // Mean over the trees of the leaf's class shares, row by row.
  [[nodiscard]] std::vector<float> probabilities(std::span<const std::uint8_t> bins,
                                                 std::size_t rows, int threads) const;

 private:
  struct Node {
    std::uint32_t feature = 0;
    std::uint32_t threshold = 0;  // bins <= threshold go to `next`, others to next + 1;
                                  // leaf: number of its class shares
    std::uint32_t next = 0;       // 0: a leaf
    std::uint32_t shares = 0;     // leaf: where its class shares begin
  };
  // A class of a leaf. Classes without rows there are not stored: of 1000 classes, nearly all.
  struct Share {
    std::uint32_t then;
    float share;
  };
  struct Tree {
    std::vector<Node> nodes;
    std::vector<Share> shares;
    std::vector<std::uint32_t> unseen;  // rows outside its bootstrap sample
  };
  class Grower;

  [[nodiscard]] static std::span<const Share> leaf(const Tree& tree, const std::uint8_t* bins,
                                                   std::size_t stride);

  std::size_t class_count_;
  std::vector<Tree> trees_;
};

}  // namespace frr::internal
