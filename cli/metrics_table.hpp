// A MetricsReport as text.
#pragma once

#include <cstddef>
#include <string>

#include "frr/metrics.hpp"

namespace frr::cli {

// "0.943", or "-" if undefined.
std::string figure(double value);

// The figures of all rows with their intervals, one on each line.
std::string overall_table(const MetricsReport& report);
// The same, with the rates of the positive class.
std::string summary_table(const MetricsReport& report);
// The figures of each class, in blocks of as many classes as fit into `columns`; "" for very many.
std::string class_table(const MetricsReport& report, std::size_t columns);
// True classes down, predicted classes across; "" for very many.
std::string confusion_table(const MetricsReport& report);
// One line for each group, then the gaps.
std::string group_table(const MetricsReport& report, const Grouping& grouping);

}  // namespace frr::cli
