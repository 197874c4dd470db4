// What a model records about its training: version, settings, figures and notes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "train/candidate.hpp"

namespace frr::internal {

// `rows`: the number of training rows; the table may be a sample of them.
TrainingSummary summarise(const Table& table, std::size_t rows, const TrainRequest& request,
                          const Candidate& best);

struct RowCounts {
  std::size_t all, searched, learned;
};
// Adds a note on how many rows each stage looked at, if not all of them. `sampled`: the rows
// searched are a sample of all.
void note_samples(std::vector<std::string>& notes, const Settings& settings,
                  const RowCounts& counts, bool sampled);

// Adds a note if the objective is `risk` and the user has not asked for it.
void note_objective(std::vector<std::string>& notes, Objective asked, Objective chosen);
// Adds a note if there are more classes than the rules can give.
void note_classes(std::vector<std::string>& notes, const Settings& settings, std::size_t classes);

// ---- If no rule was worth its price ------------------------------------------------------------

// Options of another training that may find rules where one with these settings found none, best
// first: "--objective risk". `objective`: the one that was used, never `automatic`.
std::vector<std::string> options_for_rules(const Settings& settings, Objective objective);
// The same for a model, from the settings that it records. A setting that it does not record is
// taken to be the default.
std::vector<std::string> options_for_rules(const RuleBase& base);

// "--objective risk, --semantics additive or --price 0"
std::string to_try(const std::vector<std::string>& options);

}  // namespace frr::internal
