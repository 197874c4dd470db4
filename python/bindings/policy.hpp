// Decision parameters from Python.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr::python {

// positive, [(true class, predicted class, cost)], miss, threshold, sensitivity, specificity, refer
using PolicyParts =
    std::tuple<std::string, std::vector<std::tuple<std::string, std::string, double>>,
               std::optional<double>, std::optional<double>, std::optional<double>,
               std::optional<double>, double>;

inline PolicyRequest policy_request(const PolicyParts& parts) {
  PolicyRequest request;
  std::vector<std::tuple<std::string, std::string, double>> costs;
  std::tie(request.positive, costs, request.miss, request.threshold, request.sensitivity,
           request.specificity, request.refer) = parts;
  for (const auto& [truth, predicted, cost] : costs) {
    request.costs.push_back({truth, predicted, cost});
  }
  return request;
}

}  // namespace frr::python
