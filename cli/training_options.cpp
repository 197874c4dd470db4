#include "training_options.hpp"

#include <variant>

#include "base/control.hpp"
#include "interrupt.hpp"

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

std::string progress_text(const Progress& progress) {
  std::string text(internal::stage_name(progress.stage));
  if (progress.stage == Progress::Stage::gradient) {
    text += ", epoch " + std::to_string(progress.epoch) + " of " + std::to_string(progress.epochs);
  }
  return text;
}

void write_rows(std::string& text, Tier tier, std::string_view group = {}) {
  text += "\n| option | default | paper | range | meaning |\n|---|---|---|---|---|\n";
  for (const Option& option : option_table()) {
    if (option.tier != tier || (!group.empty() && option.group != group)) continue;
    text += "| `--" + std::string(option.name) + "` | " + get_option(preset("default"), option) +
            " | " + get_option(preset("paper"), option) + " | " + range_text(option) + " | " +
            std::string(option.help) + " |\n";
  }
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
               .help = "Initial values of all training options: default, or paper for the "
                       "published method [default default]",
               .group = "Training"},
              options.preset);
  for (const Option& option : option_table()) {
    command.add({.name = "--" + std::string(option.name),
                 .type = type_name(option),
                 .help = std::string(option.help) + " [" + range_text(option) + "; " +
                         default_text(option) + "]",
                 .group = option.tier == Tier::basic ? "Training"
                                                     : "Advanced: " + std::string(option.group),
                 .advanced = option.tier == Tier::advanced},
                [&options, &option](const std::string& text) {
                  options.chosen.emplace_back(&option, text);
                });
  }
  command.add({.name = "--partition-file",
               .type = "FILE",
               .help = "JSON file that defines the labels of some columns: {\"features\": "
                       "{\"bmi\": {\"normal\": [18, 19, 24, 25], ...}}}",
               .group = "Training"},
              options.partition_file);
  add_decision_options(command, options.decisions);
  command.arguments.push_back({.name = "--help-all",
                               .help = "Show this help with all advanced options",
                               .kind = Argument::Kind::help_all});
}

TrainRequest make_request(const TrainingOptions& options, Terminal& terminal) {
  TrainRequest request;
  request.settings = options.settings();
  request.policy = options.decisions.request();
  if (!options.partition_file.empty()) request.given = read_partition(options.partition_file);
  request.progress = [&terminal](const Progress& progress) {
    terminal.progress(progress_text(progress), progress.fraction);
    return !interrupted();
  };
  return request;
}

std::string options_markdown() {
  std::string text =
      "# Options of training\n\n"
      "`frr train`, `frr cv`, `frr path` and `frr demo` take these options. The column `default` "
      "lists the values\nof `--preset default`, and the column `paper` those of `--preset paper`. "
      "This page is the output of\n`frr options --markdown`.\n\n"
      "## Basic options\n";
  write_rows(text, Tier::basic);
  text +=
      "\n## Advanced options\n\n"
      "`--help-all` shows them. In Python, pass them in `advanced`, with underscores in their "
      "names:\n`FRRClassifier(advanced={\"learning_rate\": 0.1})`.\n";
  std::string_view group;
  for (const Option& option : option_table()) {
    if (option.tier == Tier::basic || option.group == group) continue;
    group = option.group;
    text += "\n### " + std::string(group) + "\n";
    write_rows(text, Tier::advanced, group);
  }
  return text;
}

}  // namespace frr::cli
