// Repeating the training of a model for the cross-validation on the report page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "frr/frr.hpp"

namespace frr::internal {

// The default of the page: this number of folds if the number of cells (rows times features), times
// the cost of training, is not larger than this.
constexpr int usual_folds = 5;
constexpr double most_validated_cells = 1e6;

// The value that the model records for a setting; "" if there is none.
std::string recorded_setting(const RuleBase& base, std::string_view name);

// The training that the model records. A model file is data: no file that it names is opened, and
// the number of threads is left to the caller. Throws Error{usage} for a setting out of range.
TrainRequest same_training(const RuleBase& base);

// The cost of that training on `rows` rows (train/training_cost.hpp). Throws Error{data} if it is
// more than a model file may ask for; `instead` is a sentence that names another way.
double checked_cost(const RuleBase& base, std::size_t rows, const std::string& instead);

// Whether all rules have the same statistics on `table` as on the training data: then these are, as
// far as can be known, the same rows. `classes`: of each row (-1: unknown); `weights`: of each row;
// none: all 1. A model without counts was not.
bool was_trained_on(const RuleBase& base, const Table& table, std::span<const int> classes,
                    std::span<const double> weights, int threads);

}  // namespace frr::internal
