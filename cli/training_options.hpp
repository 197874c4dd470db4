// The options of every command that trains: one for each entry of the option table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "decision_options.hpp"
#include "frr/frr.hpp"
#include "terminal.hpp"
#include "train/options.hpp"

namespace frr::cli {
using namespace internal;

struct TrainingOptions {
  std::string preset = "default";
  std::vector<std::pair<const Option*, std::string>> chosen;  // in the order of the table
  std::string partition_file;
  DecisionOptions decisions;

  // The preset with the chosen options on top; Error{usage} for a value out of range.
  [[nodiscard]] Settings settings() const;
};

// `options` must outlive the parsing of the command line.
void add_training_options(Command& command, TrainingOptions& options);

// A request with everything but the data: settings, given labels, decisions, and a progress
// callback that draws on `terminal` and stops on Ctrl-C. `terminal` must outlive the request.
TrainRequest make_request(const TrainingOptions& options, Terminal& terminal);

// docs/reference/options.md, from the table.
std::string options_markdown();

}  // namespace frr::cli
