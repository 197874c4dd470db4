// The options that say which class to predict at which probabilities: of every command that trains,
// and of decide.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "frr/rulebase.hpp"

namespace frr::cli {

// As the user wrote them; empty: not given.
struct DecisionOptions {
  std::string positive, costs_file, threshold, sensitivity, specificity, refer;
  std::vector<std::string> costs;  // "miss:20", "ill:20"

  // Whether one of the options that choose between the classes is given: costs, a threshold or a
  // target for it.
  [[nodiscard]] bool choose() const;
  [[nodiscard]] bool given() const { return choose() || !positive.empty() || !refer.empty(); }
  // Reads the file of costs. Throws Error{usage} for values that are out of range or contradict
  // each other, Error{data} for a faulty file. Class names are checked by make_policy.
  [[nodiscard]] PolicyRequest request() const;
};

// `options` must outlive the parsing of the command line.
void add_decision_options(Command& command, DecisionOptions& options);

}  // namespace frr::cli
