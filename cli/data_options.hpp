// The options of every command that reads a table, and the reading itself.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "frr/frr.hpp"
#include "terminal.hpp"

namespace frr::cli {

struct DataOptions {
  std::string path;
  std::string delimiter;
  std::vector<std::string> numeric, categorical, ignore, missing;  // lists as given: "a,b"
  std::string target;
  std::string weight_column;
};

// For training: everything.
void add_table_options(Command& command, DataOptions& data);
// For data that a model reads: the model knows its columns, so only the form of the file is asked.
// The other options of training are accepted without effect, so that they may be repeated.
void add_model_data_options(Command& command, DataOptions& data);
// The same where rows have weights: --weight-column has its effect.
void add_evaluation_data_options(Command& command, DataOptions& data);

// Codes of missing values that --missing names.
std::vector<std::string> missing_codes(const DataOptions& data);

struct TrainingTable {
  Table table;                  // without the column of row weights
  std::vector<double> weights;  // empty if there is no such column
};
TrainingTable read_training_table(const DataOptions& data, Terminal& terminal);

// For a table that is read in pieces (csv_shards.hpp): how, and the check of the weights in a
// piece.
CsvOptions training_table_options(const DataOptions& data, Terminal& terminal);
void check_weights(const Table& table, const std::string& name);
// Throws Error{usage} where the last one of these columns would be both target and weight.
void check_last_column(const DataOptions& data, const std::vector<std::string>& names);

// The options as given, by name, to be written to the model.
std::vector<std::pair<std::string, std::string>> recorded_options(const DataOptions& data);

// Only the columns that the rules of `base` use, as the types they had in training.
Table read_model_table(const DataOptions& data, const RuleBase& base, Terminal& terminal);
// The same with the target, if it is there, and `more`: for a report.
Table read_report_table(const DataOptions& data, const RuleBase& base,
                        const std::vector<std::string>& more, Terminal& terminal);
// The names of all columns of a file, for messages; of standard input, which can be read only once,
// none.
std::vector<std::string> column_names(const DataOptions& data, Terminal& terminal);
// All columns that the model knows, and the target: what it can be learned from again.
Table read_relearning_table(const DataOptions& data, const RuleBase& base, Terminal& terminal);
// The same as read_model_table in parts, each handed to `body` in turn as by read_csv_parts, so
// that any number of rows fits in memory.
void read_model_parts(const DataOptions& data, const RuleBase& base, Terminal& terminal,
                      const std::function<void(const Table& part)>& body);

// Names separated by commas; a name that holds a comma or quote is quoted as in CSV.
std::vector<std::string> split_names(const std::vector<std::string>& lists);

// The name of a data file without directory and extension.
std::string dataset_name(const std::string& path);

}  // namespace frr::cli
