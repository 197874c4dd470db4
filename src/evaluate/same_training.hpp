// Repeating the training of a model for the cross-validation on the report page.
#pragma once

#include <cstddef>
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

}  // namespace frr::internal
