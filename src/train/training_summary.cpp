#include "train/training_summary.hpp"

#include "frr/error.hpp"
#include "train/options.hpp"
#include "train/training_rows.hpp"

namespace frr::internal {

TrainingSummary summarise(const Table& table, std::size_t rows, const TrainRequest& request,
                          const Candidate& best) {
  const Settings& settings = request.settings;
  TrainingSummary summary;
  summary.version = version();
  summary.source = table.source;
  summary.rows = rows;
  summary.settings = request.recorded;
  summary.settings.emplace_back("preset", settings.preset);
  for (const Option& option : option_table()) {
    if (option.shapes_result) {
      summary.settings.emplace_back(option.name, get_option(settings, option));
    }
  }
  summary.epochs = best.epochs;
  summary.agreement = best.agreement;
  summary.stopped_early = best.cut_short;
  return summary;
}

namespace {

// What follows from all rows if the rules are learned from a sample.
std::string of_all_rows(const Settings& settings) {
  if (settings.semantics == Semantics::additive) {
    return "; biases, weights and counts of the rules are of all rows";
  }
  if (settings.objective == Objective::risk) {
    return "; counts, probabilities and classes of the rules are of all rows";
  }
  return "; classes, weights and counts of the rules are of all rows, which also moved borders and "
         "dropped what is not worth its price";
}

}  // namespace

void note_samples(std::vector<std::string>& notes, const Settings& settings,
                  const RowCounts& counts, bool sampled) {
  const bool part = descends(settings) && counts.learned < counts.all;
  std::string note = "of " + std::to_string(counts.all) + " rows, ";
  if (part) note += "gradient descent saw " + std::to_string(counts.learned);
  if (part && sampled) note += " and ";
  if (sampled) {
    note += "the search for conditions and borders" + std::string(part ? " " : " saw ") +
            std::to_string(counts.searched);
  }
  note += std::string(", drawn at random (") + (part ? "--gradient-rows" : "") +
          (part && sampled ? ", " : "") + (sampled ? "--search-rows" : "") + ")";
  if (sampled) note += of_all_rows(settings);
  if (part || sampled) notes.push_back(note);
}

void note_objective(std::vector<std::string>& notes, Objective asked, Objective chosen) {
  if (asked != Objective::automatic || chosen != Objective::risk) return;
  notes.emplace_back(
      "one class has less than 10 % of the rows, so the rules are learned for the best "
      "probabilities (--objective risk)");
}

void note_classes(std::vector<std::string>& notes, const Settings& settings, std::size_t classes) {
  // Every rule gives one class, and ELSE one more.
  if (static_cast<std::size_t>(settings.rules) + 1 < classes) {
    notes.push_back("there are " + std::to_string(classes) + " classes but at most " +
                    std::to_string(settings.rules) +
                    " rules: some classes can never be predicted; allow more with --rules");
  }
}

std::vector<std::string> options_for_rules(const Settings& settings, Objective objective) {
  std::vector<std::string> options;
  const bool sufficient = settings.semantics == Semantics::sufficient;
  const bool accuracy = sufficient && objective == Objective::accuracy;
  if (accuracy) options.emplace_back("--objective risk");
  if (sufficient) options.emplace_back("--semantics additive");
  // Only the search for accuracy reads the rate.
  if (accuracy && settings.price_rate > 0) {
    options.emplace_back("--price 0 --price-rate 0");
  } else if (settings.price > 0) {
    options.emplace_back("--price 0");
  }
  return options;
}

std::vector<std::string> options_for_rules(const RuleBase& base) {
  Settings settings;
  for (const auto& [name, value] : base.summary.settings) {
    if (name != "objective" && name != "price" && name != "price-rate") continue;
    try {
      set_option(settings, find_option(name), value);
    } catch (const Error&) {
      continue;  // a model file may record anything; this is only advice
    }
  }
  settings.semantics = base.semantics;
  return options_for_rules(settings, resolve_objective(settings, base.class_rows));
}

std::string to_try(const std::vector<std::string>& options) {
  if (options.empty()) return "more columns or more rows";
  std::string text;
  for (std::size_t k = 0; k < options.size(); ++k) {
    if (k > 0) text += k + 1 == options.size() ? " or " : ", ";
    text += options[k];
  }
  return text;
}

}  // namespace frr::internal
