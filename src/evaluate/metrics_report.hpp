// measure() of frr/metrics.hpp for predictions of any origin.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluate/predictions.hpp"
#include "evaluate/row_groups.hpp"
#include "frr/metrics.hpp"

namespace frr::internal {

struct Evaluated {
  const Predictions& predictions;
  std::span<const int> truth;                // class of each row, -1 if unknown
  std::span<const std::string> class_names;  // one for each class
  std::span<const double> prior_rows;        // training rows of each class, for the default of
                                             // the positive class; empty: those of `truth`
  std::string source;                        // of the rows, for messages
};

// As measure() of frr/metrics.hpp; `groups` takes the place of request.by.
MetricsReport measure(const Evaluated& evaluated, std::span<const RowGroups> groups,
                      const MetricsRequest& request);

}  // namespace frr::internal
