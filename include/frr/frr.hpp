// FRR learns readable classifiers from tables of examples.
//
//   frr::Table table = frr::read_csv_file("patients.csv", {});
//   frr::RuleBase rules = frr::train(table, {.target = "diagnosis"});
//   std::cout << frr::to_text(rules);
//   frr::save(rules, "model.json");
//
// The functions below and the headers included here are the public API; frr/shards.hpp adds
// learning from distributed rows. There is no global state: any number of threads may predict with
// one rule base. Every failure is an frr::Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frr/api.hpp"
#include "frr/error.hpp"
#include "frr/evaluate.hpp"
#include "frr/explain.hpp"
#include "frr/export.hpp"
#include "frr/metrics.hpp"
#include "frr/report.hpp"
#include "frr/rulebase.hpp"
#include "frr/settings.hpp"
#include "frr/table.hpp"
#include "frr/version.hpp"

namespace frr {

FRR_API std::string_view version();  // "1.2.3"

// ---- Learning -----------------------------------------------------------------------------------

struct Progress {
  enum class Stage { partition, gradient, polish, tune, done };
  Stage stage = Stage::partition;
  double fraction = 0;  // of the whole training, [0, 1]
  int epoch = 0;        // gradient stage: epochs finished, of `epochs`
  int epochs = 0;
  double loss = 0;  // gradient stage: mean loss of the last epoch
};
// Called from the training threads, one call at a time. Return false to stop: train then throws
// Error{interrupted}.
using ProgressCallback = std::function<bool(const Progress&)>;

struct TrainRequest {
  std::string target = {};  // column to predict; empty: the last one
  Settings settings = {};
  std::vector<Feature> given = {};  // labels that the user defines; see read_partition
  // One per row of the table, >= 0; empty: all 1. A row of weight 0 is ignored. A whole number
  // repeats its row (up to settings.search_rows rows in all). Other weights affect learning and
  // statistics by their proportions, while the placement of labels counts rows.
  std::vector<double> row_weights = {};
  // An additional weight > 0 for each class named; 1 for others. Probabilities do not depend on
  // it, but unless `policy` gives costs or a threshold, an error costs as much as the weight of its
  // true class.
  std::vector<std::pair<std::string, double>> class_weights = {};
  PolicyRequest policy = {};
  std::vector<std::uint32_t> rows = {};  // train on these rows only; empty: all
  // Codes for a missing value, as in CsvOptions::missing; the model then applies them, too.
  std::vector<std::string> missing = {};
  // Other settings that shaped the table, such as reading options: written to the model unchanged.
  std::vector<std::pair<std::string, std::string>> recorded = {};
  ProgressCallback progress = {};
};

// Learns a rule base of at most settings.rules rules of at most settings.conditions conditions.
// Rows whose target is missing are left out. On one machine, the same rows, request and version
// give the same rule base, bit for bit, with any number of threads and with the rows in any order
// (in the same order if there are more than settings.search_rows). For rows that are not in one
// table, see frr/shards.hpp.
FRR_API RuleBase train(const Table& table, const TrainRequest& request);

// The class of each row of `table` as an index of `classes` (-1: missing or another name).
FRR_API std::vector<int> class_indices(const Table& table, std::string_view target,
                                       const std::vector<std::string>& classes);

// For each fold, trains on the rows of the other folds and tests on the rows of this one. `folds`
// holds the fold number of each row of the table (see stratified_folds, read_folds). Folds are
// trained in parallel. If the policy has a target, each training chooses its threshold without the
// rows it is tested on. `replicates`: for the intervals of the metrics, as in MetricsRequest.
FRR_API CrossValidation cross_validate(const Table& table, const TrainRequest& request,
                                       std::span<const int> folds,
                                       std::optional<int> replicates = 0);
// The same with K stratified folds shuffled by settings.seed.
FRR_API CrossValidation cross_validate(const Table& table, const TrainRequest& request, int folds,
                                       std::optional<int> replicates = 0);

// Cross-validates with at most 1, 2, ... settings.rules rules, on the same folds. Each point equals
// the result of cross_validate with its budget. The time limit applies to each training. `by`
// selects the recommended number of rules; unset: log-loss for additive rules and for the objective
// `risk`, else accuracy.
FRR_API AccuracyPath accuracy_path(const Table& table, const TrainRequest& request,
                                   std::span<const int> folds, std::optional<PathMetric> by = {},
                                   std::optional<int> replicates = 0);
// The same with K stratified folds shuffled by settings.seed.
FRR_API AccuracyPath accuracy_path(const Table& table, const TrainRequest& request, int folds,
                                   std::optional<PathMetric> by = {},
                                   std::optional<int> replicates = 0);

// ---- Predicting ---------------------------------------------------------------------------------

// The decision for each row. Columns are matched by name, in any order; the table may have others.
// Throws Error{data} if a column that the rules read is absent or of the wrong type. `threads`: 0
// means all cores; the number never changes the result.
FRR_API std::vector<Decision> predict(const RuleBase& base, const Table& table, int threads = 0);

// The probability of each class c for each row: element row * base.classes.size() + c. Those of a
// row sum to 1. Unless base.policy has costs or a threshold, predict() returns the most probable
// class, the first of equals.
FRR_API std::vector<double> predict_proba(const RuleBase& base, const Table& table,
                                          int threads = 0);

// ---- Files --------------------------------------------------------------------------------------

// Writes the model as readable JSON, and reads it. from_json and load validate everything; `source`
// names the text in messages. save replaces `path` atomically.
FRR_API std::string to_json(const RuleBase& base);
FRR_API RuleBase from_json(std::string_view text, const std::string& source = "<model>");
FRR_API void save(const RuleBase& base, const std::string& path);
FRR_API RuleBase load(const std::string& path);

// Labels that the user defines: {"features": {"bmi": {"underweight": [null, null, 18, 19], ...}}}.
// Each label is a trapezoid [a, b, c, d], null an open end. See docs/reference/partition.md.
FRR_API std::vector<Feature> parse_partition(std::string_view text,
                                             const std::string& source = "<partition>");
FRR_API std::vector<Feature> read_partition(const std::string& path);

// The rule base as text for people: one rule per line, "IF a IS low AND b IS high THEN c  (...)".
FRR_API std::string to_text(const RuleBase& base);
FRR_API std::string to_markdown(const RuleBase& base);

// Writes `content` to a temporary file next to `path`, then renames it: the file is the old one or
// the new one at any moment. Throws Error{data} with the system's reason.
FRR_API void write_file(const std::string& path, std::string_view content);
// The whole file; Error{data} if it cannot be read or is longer than `limit` bytes. "-": standard
// input.
FRR_API std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

}  // namespace frr
