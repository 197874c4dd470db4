// The built-in data of `frr demo`: the text of data/breast_cancer.csv.
#pragma once

#include <string_view>

namespace frr::cli {

std::string_view demo_csv();

}  // namespace frr::cli
