// The rows of a table to train on, and their weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// Rows of the request (all if it names none) whose target is known and whose weight is positive.
// Throws Error{usage} or Error{data} if they cannot be trained on.
std::vector<std::uint32_t> training_rows(const Table& table, const Dataset& data,
                                         const TrainRequest& request);

// One per class, as the request gives them.
std::vector<double> class_weights(const Dataset& data, const TrainRequest& request);

// The weight of each of `rows`, 1 on average: its weight in `given` (one per row of the table, or
// none; only their proportions count) times its class weight, balanced if the settings say so.
std::vector<float> training_weights(const Dataset& data, std::span<const std::uint32_t> rows,
                                    std::span<const double> given, const TrainRequest& request);

// The same without class weights, for learning by log-loss: class weights act on decisions only.
std::vector<float> row_weights(std::span<const std::uint32_t> rows, std::span<const double> given);

// The weight of the rows of each class: each row weighs its weight in `given`, or 1.
std::vector<double> weights_by_class(const Dataset& data, std::span<const std::uint32_t> rows,
                                     std::span<const double> given);

// The objective of rows with these settings: never `automatic`. Of two classes, one with less than
// 10 % of the weight of the rows calls for risk.
Objective resolve_objective(const Settings& settings, std::span<const double> weights_by_class);

}  // namespace frr::internal
