// The threshold that reaches a sensitivity or specificity on new rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// Number of folds whose predictions choose a threshold.
constexpr int threshold_folds = 5;

inline bool has_target(const PolicyRequest& request) {
  return request.sensitivity.has_value() || request.specificity.has_value();
}

// A policy and sentences about it.
struct PolicyChoice {
  DecisionPolicy policy = {};
  std::vector<std::string> notes = {};
};

// The policy of request.policy, which has a target, for a model that such a training has learned
// from `rows`. Trainings without the rows of one fold choose the level that the threshold must
// reach on its training rows (see choose_level). The result does not depend on the order of the
// rows, except of more than settings.search_rows.
PolicyChoice choose_out_of_fold(const RuleBase& base, const Table& table, const Dataset& data,
                                std::span<const std::uint32_t> rows, const TrainRequest& request);

// As choose_policy of frr/evaluate.hpp.
PolicyChoice choose_policy(const RuleBase& base, const Table& table, const PolicyRequest& request,
                           int threads, const ProgressCallback& progress);

}  // namespace frr::internal
