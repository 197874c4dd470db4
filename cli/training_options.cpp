#include "training_options.hpp"

#include <variant>

#include "interrupt.hpp"
#include "train/stage_text.hpp"

namespace frr::cli {
namespace {

std::string type_name(const Option& option) {
  if (!option.choices.empty() || std::holds_alternative<TNorm Settings::*>(option.field)) {
    return "NAME";
  }
  if (std::holds_alternative<bool Settings::*>(option.field)) return "BOOL";
  return std::holds_alternative<double Settings::*>(option.field) ? "X" : "N";
}

std::string default_text(const Option& option) {
  const std::string standard = get_option(preset("default"), option);
  const std::string paper = get_option(preset("paper"), option);
  return "default " + standard + (paper == standard ? "" : ", paper " + paper);
}

std::string stage_name(const Progress& progress) {
  std::string name(stage_text(progress.stage));
  if (progress.stage == Progress::Stage::gradient) {
    name += ", epoch " + std::to_string(progress.epoch) + " of " + std::to_string(progress.epochs);
  }
  return name;
}

// A bar inside a cell would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

}  // namespace

Settings TrainingOptions::settings() const {
  Settings settings = frr::preset(preset);
  for (const auto& [option, text] : chosen) set_option(settings, *option, text);
  validate(settings);
  return settings;
}

void add_training_options(Command& command, TrainingOptions& options) {
  command.add({.name = "--preset",
               .type = "NAME",
               .help = "Where all the options below start: default, or paper (as the method was "
                       "published) [default default]",
               .group = "Limits"},
              options.preset);
  for (const Option& option : option_table()) {
    command.add({.name = "--" + std::string(option.name),
                 .type = type_name(option),
                 .help = std::string(option.help) + " [" + range_text(option) + "; " +
                         default_text(option) + "]",
                 .group = std::string(option.group)},
                [&options, &option](const std::string& text) {
                  options.chosen.emplace_back(&option, text);
                });
  }
  command.add({.name = "--partition-file",
               .type = "FILE",
               .help = "JSON file with your own labels of some columns: {\"features\": {\"bmi\": "
                       "{\"normal\": [18, 19, 24, 25], ...}}}",
               .group = "Partition"},
              options.partition_file);
}

TrainRequest make_request(const TrainingOptions& options, Terminal& terminal) {
  TrainRequest request;
  request.settings = options.settings();
  if (!options.partition_file.empty()) request.given = read_partition(options.partition_file);
  request.progress = [&terminal](const Progress& progress) {
    terminal.progress(stage_name(progress), progress.fraction);
    return !interrupted();
  };
  return request;
}

std::string options_markdown() {
  std::string text =
      "# Options of training\n\n"
      "`frr train`, `frr cv`, `frr path` and `frr demo` take these; `--preset paper` starts from "
      "the "
      "values\nof the column `paper` instead of `default`. Made by `frr options --markdown`.\n";
  std::string_view group;
  for (const Option& option : option_table()) {
    if (option.group != group) {
      group = option.group;
      text += "\n## " + std::string(group) +
              "\n\n| option | default | paper | range | meaning |\n|---|---|---|---|---|\n";
    }
    text += "| `--" + std::string(option.name) + "` | " + get_option(preset("default"), option) +
            " | " + get_option(preset("paper"), option) + " | " + cell(range_text(option)) + " | " +
            cell(std::string(option.help)) +
            (option.shapes_result ? "" : " (does not change the model)") + " |\n";
  }
  return text;
}

}  // namespace frr::cli
