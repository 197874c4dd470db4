// Labels for every feature: where "low" ends and "medium" begins.
//
// Numeric features, V labels, x sorted:
//   quantile    the paper's, with open shoulders. Q_i are the quantiles i / (V + 2). The first
//   label
//               falls from Q_1 to Q_2, the last rises from Q_{V-1} to Q_V, label v between is
//               (Q_v, (Q_v + Q_{v+1}) / 2, (Q_{v+1} + Q_{v+2}) / 2, Q_{v+2}).
//   uniform     V ranges of equal width between the smallest and the largest value.
//   supervised  the V - 1 cuts that minimise the class entropy of the V ranges, by dynamic
//               programming over quantile bins, every range at least min_share of the rows.
// uniform and supervised are strong partitions: neighbours cross on one border (start, end) with
// memberships that sum to 1. A border's slope reaches over `slope` of all rows (uniform: of the
// range) on each side of the cut, at most to the middle of the range there.
//
// Labels that no training value belongs to are left out; where quantile or uniform leave fewer than
// two, a crisp border at the median stands. A feature with k < V distinct values gets at most k
// labels; categorical features get one label
// for each of the max_categories most frequent values; a feature with missing values gets the
// label `missing` besides. Constant features get no label and are left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "frr/rulebase.hpp"

namespace frr::internal {

// "low", "medium", "high" and so on for 1 .. 7 labels.
std::span<const std::string_view> label_words(int labels);

// What Settings::labels 0 stands for: 3, or from 4000 rows on as many, up to 7, as it takes to tell
// 1000 cells of the columns apart. Where columns are few, rules are fine only if labels are.
int automatic_labels(std::size_t rows, std::size_t columns);

// `rows`: the training rows. `given`: features whose labels the user has set; Error{data} if one
// is not a numeric column of the table. Appends to `notes` what a user should know.
Partition make_partition(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> rows, const Settings& settings,
                         std::span<const Feature> given, std::vector<std::string>& notes,
                         int threads = 1);

// The cuts of a supervised partition: increasing ranks k (first rank of the right side) into the
// sorted values, at which neighbouring values differ. `classes` are those of the sorted rows.
std::vector<std::size_t> supervised_cuts(std::span<const double> sorted,
                                         std::span<const int> classes, int class_count, int labels,
                                         int bins, double min_share);

// A border between two neighbouring labels of a strong partition: the left one falls, the right
// one rises from start to end.
struct Border {
  double start = 0, end = 0;
};
// The borders of a numeric feature's ranges, or none if they are not a strong partition.
std::vector<Border> borders_of(const Feature& feature);
void set_border(Feature& feature, std::size_t index, const Border& border);

}  // namespace frr::internal
