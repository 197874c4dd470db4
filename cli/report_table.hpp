// Results of cross-validation as text tables.
#pragma once

#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// One line a fold, then mean and deviation.
std::string fold_table(const CrossValidation& result);
// True classes down, predicted classes across, summed over the folds; "" for very many classes.
std::string confusion_table(const CrossValidation& result);

}  // namespace frr::cli
