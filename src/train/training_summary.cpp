#include "train/training_summary.hpp"

#include "train/options.hpp"

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
  const bool part = settings.gradient && counts.learned < counts.all;
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

}  // namespace frr::internal
