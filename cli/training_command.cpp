#include "training_command.hpp"

#include <algorithm>
#include <string_view>

#include "output.hpp"

namespace frr::cli {

std::string training_command(const std::string& program, const DataOptions& data,
                             const TrainingOptions& training,
                             const std::vector<std::string>& without) {
  std::string text = shell_word(program) + " train " + shell_word(data.path);
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty() || std::ranges::find(without, name) != without.end()) return;
    // A value that begins with a dash must be joined to its option.
    text += " --" + std::string(name) + (value.front() == '-' ? "=" : " ") + shell_word(value);
  };
  const auto add_all = [&](std::string_view name, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(name, value);
  };
  add("target", data.target);
  add("delimiter", data.delimiter);
  add_all("missing", data.missing);
  add_all("numeric", data.numeric);
  add_all("categorical", data.categorical);
  add_all("ignore", data.ignore);
  add("weight-column", data.weight_column);
  if (training.preset != "default") add("preset", training.preset);
  for (const auto& [option, value] : training.chosen) {
    if (option->shapes_result) add(option->name, value);
  }
  add("partition-file", training.partition_file);
  const DecisionOptions& decisions = training.decisions;
  add("positive", decisions.positive);
  add_all("cost", decisions.costs);
  add("costs", decisions.costs_file);
  add("threshold", decisions.threshold);
  add("sensitivity", decisions.sensitivity);
  add("specificity", decisions.specificity);
  add("refer", decisions.refer);
  return text;
}

}  // namespace frr::cli
