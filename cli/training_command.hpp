// Commands that the program suggests: the training of the user with other options.
#pragma once

#include <string>
#include <vector>

#include "data_options.hpp"
#include "training_options.hpp"

namespace frr::cli {

// "frr train DATA ..." with the options of `data` and `training` that affect the model, except
// those named in `without` (without dashes). Has neither -o nor the options that replace them.
std::string training_command(const std::string& program, const DataOptions& data,
                             const TrainingOptions& training,
                             const std::vector<std::string>& without = {});

}  // namespace frr::cli
