// The ROC curve of the positive class in plain characters.
#pragma once

#include <string>

#include "frr/metrics.hpp"

namespace frr::cli {

// A grid of true positive rates over false positive rates: o is a threshold, . the line between two
// thresholds. "" if there is no curve.
std::string roc_plot(const MetricsReport& report);

}  // namespace frr::cli
