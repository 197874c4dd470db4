// Labels for every feature: where "low" ends and "medium" begins.
//
// Numeric features, V labels, x sorted:
//   quantile    the paper's partition, with open shoulders. Q_i is the quantile i / (V + 2). The
//               first label falls from Q_1 to Q_2, the last one rises from Q_{V-1} to Q_V, and
//               label v in between is (Q_v, (Q_v + Q_{v+1}) / 2, (Q_{v+1} + Q_{v+2}) / 2, Q_{v+2}).
//   uniform     V ranges of equal width between the smallest and the largest value.
//   supervised  the V - 1 cuts that minimise the class entropy of the V ranges, by dynamic
//               programming over quantile bins; each range has at least min_share of the rows.
// uniform and supervised are strong partitions: neighbouring labels cross on one border (start,
// end), and their memberships sum to 1. A border's slope extends over `slope` of all rows (uniform:
// of a label's width) on each side of the cut, at most to the middle of the range there.
//
// Labels to which no training value belongs are left out; if quantile or uniform leave fewer than
// two, the partition is a crisp border at the median. A feature with k < V distinct values gets at
// most k labels. A categorical feature gets a label for each of its max_categories most frequent
// values. A feature with missing values also gets the label `missing`. Constant features are left
// out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "frr/rulebase.hpp"

namespace frr::internal {

// The names of 1 to 7 labels, such as "low", "medium", "high".
std::span<const std::string_view> label_words(int labels);

// The number of labels V if Settings::labels is 0: 3, or from 4000 rows on the smallest V up to 7
// with V^columns >= 1000. If there are few columns, rules can be precise only with many labels.
int automatic_labels(std::size_t rows, std::size_t columns);

// `rows`: the training rows. `given`: features whose labels the user has set; Error{data} if one of
// them is not a numeric column of the table. Appends sentences for the user to `notes`.
Partition make_partition(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> rows, const Settings& settings,
                         std::span<const Feature> given, std::vector<std::string>& notes,
                         int threads = 1);

// A border between two neighbouring labels of a strong partition: from start to end, the left label
// falls and the right one rises.
struct Border {
  double start = 0, end = 0;
};
// The borders between a numeric feature's ranges; none if it is not a strong partition.
std::vector<Border> borders_of(const Feature& feature);
// Moves the border between the ranges `index` and `index` + 1.
void set_border(Feature& feature, std::size_t index, const Border& border);

}  // namespace frr::internal
