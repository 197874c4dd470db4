// FRR: learns from a table of examples a classifier that a person can read.
//
//   frr::Table table = frr::read_csv_file("patients.csv", {});
//   frr::RuleBase rules = frr::train(table, {.target = "diagnosis"});
//   std::cout << frr::to_text(rules);
//   frr::save(rules, "model.json");
//
// The functions below are the whole public face; the types they speak of are in the headers
// included here. Everything is const-correct and free of global state: any number of threads may
// predict with one rule base. All failures are frr::Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frr/error.hpp"
#include "frr/evaluate.hpp"
#include "frr/explain.hpp"
#include "frr/export.hpp"
#include "frr/metrics.hpp"
#include "frr/report.hpp"
#include "frr/rulebase.hpp"
#include "frr/settings.hpp"
#include "frr/table.hpp"

namespace frr {

std::string_view version();  // "1.2.3"

// ---- Learning -----------------------------------------------------------------------------------

struct Progress {
  enum class Stage { partition, gradient, polish, tune, done };
  Stage stage = Stage::partition;
  double fraction = 0;  // of the whole training, [0, 1]
  int epoch = 0;        // gradient stage: epochs done, of `epochs`
  int epochs = 0;
  double loss = 0;  // gradient stage: mean loss of the last epoch
};
// Called from the training thread(s), one call at a time; return false to stop: train then throws
// Error{interrupted}.
using ProgressCallback = std::function<bool(const Progress&)>;

struct TrainRequest {
  std::string target = {};  // column to predict; empty: the last one
  Settings settings = {};
  std::vector<Feature> given = {};  // the user's own labels; see read_partition
  // One a row of the table, >= 0; empty: all 1. A row of weight 0 is absent. Whole numbers repeat
  // their rows (up to settings.search_rows in all); of others the proportions count in learning,
  // while labels are placed and statistics counted by rows.
  std::vector<double> row_weights = {};
  // Weight of each class by its name, > 0, besides; 1 for others. Counts stay counts of rows.
  std::vector<std::pair<std::string, double>> class_weights = {};
  std::vector<std::uint32_t> rows = {};  // train on these rows only; empty: all
  // Codes that mean a missing value, as in CsvOptions::missing, for the model to apply as well.
  std::vector<std::string> missing = {};
  // What else made the table, such as options of reading it: written to the model as they are.
  std::vector<std::pair<std::string, std::string>> recorded = {};
  ProgressCallback progress = {};
};

// Learns a rule base of at most settings.rules rules of at most settings.conditions conditions.
// Rows whose target is missing are left out. The same rows in any order (where there are more than
// settings.search_rows: in the same order), request and version give the same rule base, bit for
// bit, on one machine with any number of threads. Rows that are not in one table: frr/shards.hpp.
RuleBase train(const Table& table, const TrainRequest& request);

// Class index of every row of `table` by the names of `classes` (-1: missing or another name).
std::vector<int> class_indices(const Table& table, std::string_view target,
                               const std::vector<std::string>& classes);

// Trains once a fold on the rows of the other folds and tests on its own. `folds` holds one number
// a row of the table (see stratified_folds, read_folds); folds are trained in parallel.
CrossValidation cross_validate(const Table& table, const TrainRequest& request,
                               std::span<const int> folds);
// The same with K stratified folds shuffled by settings.seed.
CrossValidation cross_validate(const Table& table, const TrainRequest& request, int folds);

// Cross-validates with at most 1, 2, ... settings.rules rules, with the same folds for all. Each
// point has the folds that cross_validate gives for its budget; the time limit is that of one
// training.
AccuracyPath accuracy_path(const Table& table, const TrainRequest& request,
                           std::span<const int> folds);
// The same with K stratified folds shuffled by settings.seed.
AccuracyPath accuracy_path(const Table& table, const TrainRequest& request, int folds);

// ---- Predicting ---------------------------------------------------------------------------------

// The decision of every row. Columns are matched by name, in any order; the table may have others.
// Throws Error{data} if a column that the rules read is absent or of the wrong type. `threads`: 0
// means all processors; the number never changes the result.
std::vector<Decision> predict(const RuleBase& base, const Table& table, int threads = 0);

// The probability of every class on every row, row by row: element row * base.classes.size() + c.
// Those of a row sum to 1, and the class that predict() gives is strictly the most probable.
std::vector<double> predict_proba(const RuleBase& base, const Table& table, int threads = 0);

// ---- Files --------------------------------------------------------------------------------------

// The model as readable JSON, and back. from_json and load validate everything; `source` names the
// text in messages. save replaces `path` atomically.
std::string to_json(const RuleBase& base);
RuleBase from_json(std::string_view text, const std::string& source = "<model>");
void save(const RuleBase& base, const std::string& path);
RuleBase load(const std::string& path);

// The user's own labels: {"features": {"bmi": {"underweight": [null, null, 18, 19], ...}}}.
// Each label is a trapezoid [a, b, c, d], null an open end. See docs/reference/partition.md.
std::vector<Feature> parse_partition(std::string_view text,
                                     const std::string& source = "<partition>");
std::vector<Feature> read_partition(const std::string& path);

// The rule base as text for people: one rule a line, "IF a IS low AND b IS high THEN c  (...)".
std::string to_text(const RuleBase& base);
std::string to_markdown(const RuleBase& base);

// Writes `content` to a temporary name beside `path` and renames it: at any moment the file is the
// old one or the new one. Throws Error{data} with the system's reason.
void write_file(const std::string& path, std::string_view content);
// The whole file; Error{data} if it cannot be read or is longer than `limit` bytes. "-": stdin.
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

}  // namespace frr
