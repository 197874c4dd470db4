// Bootstrap intervals: how much the metrics would vary if other rows of the same kind had been
// evaluated. A replicate draws as many rows as there are, with replacement, and counts them by
// cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "evaluate/metrics.hpp"

namespace frr::internal {

// 1000; above 200,000 rows 200,000,000 / rows, but at least 100.
int usual_replicates(std::size_t rows);

struct Interval {
  double low = undefined, high = undefined;
};

struct Resampling {
  int replicates = 1000;
  std::uint64_t seed = 0;  // the same seed gives the same intervals with any number of threads
  int threads = 0;
  std::function<void()> after_replicate = {};  // called on any thread; may throw to stop
};

// The 2.5 % and 97.5 % percentiles of each figure over the replicates, interpolated linearly
// between the two nearest. Replicates in which a figure is undefined are left out for it; NaN if
// more than half of them are. `figures` makes the same number of figures of any metrics; it is
// called at the same time on several threads.
std::vector<Interval> bootstrap(
    const Scorer& scorer, const Resampling& resampling,
    const std::function<std::vector<double>(const Metrics& metrics)>& figures);

}  // namespace frr::internal
