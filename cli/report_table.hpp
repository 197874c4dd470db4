// Results of cross-validation as text tables.
#pragma once

#include <cstddef>
#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// `text`, padded on the left to `width` characters.
std::string right(const std::string& text, std::size_t width);
// "iris: 150 rows, 4 features, 3 classes".
std::string data_line(const std::string& dataset, std::size_t rows, std::size_t features,
                      std::size_t classes);
// One line for each fold, then the mean and the standard deviation.
std::string fold_table(const CrossValidation& result);
// The confusion matrix, summed over the folds: a row for each true class, a column for each
// predicted class. "" for more than 12 classes.
std::string confusion_table(const CrossValidation& result);

}  // namespace frr::cli
