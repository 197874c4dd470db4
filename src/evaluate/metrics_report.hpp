// measure() of frr/metrics.hpp for predictions of any origin.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluate/predictions.hpp"
#include "frr/metrics.hpp"
#include "frr/view.hpp"

namespace frr::internal {

// The rows by the values of one column.
struct RowGroups {
  std::string column;
  std::vector<std::optional<std::string>> names;  // ascending; none: missing, the last one
  std::vector<int> of_row;
};
// Throws Error{data}, naming `source`, if there are more than most_groups values.
RowGroups row_groups(const ColumnView& column, std::size_t rows, const std::string& source);

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
