// Results of cross-validation as text tables, and the parts they are made of.
#pragma once

#include <cstddef>
#include <string>

#include "frr/frr.hpp"

namespace frr::cli {

// Padded on the left to `width` characters.
std::string right(const std::string& text, std::size_t width);
// "iris: 150 rows, 4 features, 3 classes".
std::string data_line(const std::string& dataset, std::size_t rows, std::size_t features,
                      std::size_t classes);
// One line a fold, then mean and deviation.
std::string fold_table(const CrossValidation& result);
// True classes down, predicted classes across, summed over the folds; "" for very many classes.
std::string confusion_table(const CrossValidation& result);

}  // namespace frr::cli
