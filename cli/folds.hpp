// For all commands that cross-validate: the option --folds and figures as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "arguments.hpp"
#include "frr/frr.hpp"

namespace frr::cli {

// `folds` must outlive the parsing of the command line; it holds the default.
void add_fold_option(Command& command, std::string& folds);

// The number of folds, or the fold number of each row.
using Folds = std::variant<int, std::vector<int>>;
// A whole number is the number of folds; anything else names a file with the fold of each of `rows`
// rows.
// Throws Error{usage} for fewer than two folds, Error{data} as read_folds does.
Folds read_fold_option(const std::string& text, std::size_t rows);

nlohmann::ordered_json fold_json(const FoldResult& fold);
// As frr evaluate --json.
nlohmann::ordered_json metrics_json(const MetricsReport& report, const std::string& dataset);

}  // namespace frr::cli
