// The options of all commands that read a table, and the functions that read it.
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
  std::vector<std::string> numeric, categorical, ignore,
      missing;  // lists as the user wrote them: "a,b"
  std::string target;
  std::string weight_column;
};

// Adds the options of a training table.
void add_table_options(Command& command, DataOptions& data);
// Adds the options of a table to which a model is applied. The model knows its columns, so only the
// options of the file format have an effect. The others are accepted and ignored, so that users may
// repeat the options of training.
void add_model_data_options(Command& command, DataOptions& data);
// The same where rows have weights: --weight-column has its effect.
void add_evaluation_data_options(Command& command, DataOptions& data);

// The same for a command that may read a table: with --data FILE instead of an argument.
void add_optional_data_options(Command& command, DataOptions& data);

// The codes given with --missing.
std::vector<std::string> missing_codes(const DataOptions& data);

struct TrainingTable {
  Table table;                  // without the weight column
  std::vector<double> weights;  // empty if there is no such column
};
TrainingTable read_training_table(const DataOptions& data, Terminal& terminal);

// For a table that is read in pieces (csv_source.hpp): how, and the check of the weights in a
// piece.
CsvOptions training_table_options(const DataOptions& data, Terminal& terminal);
void check_weights(const Table& table, const std::string& name);
// Throws Error{usage} if the last of these columns would be both the target and the weights.
void check_last_column(const DataOptions& data, const std::vector<std::string>& names);

// The given options with their values, for the model to record.
std::vector<std::pair<std::string, std::string>> recorded_options(const DataOptions& data);

// Reads only the columns that the rules of `base` use, with the types that they had in training.
Table read_model_table(const DataOptions& data, const RuleBase& base, Terminal& terminal);
// For a report: reads also the columns `more`, and the target if the file has it.
Table read_report_table(const DataOptions& data, const RuleBase& base,
                        const std::vector<std::string>& more, Terminal& terminal);
// The names of all columns of a file, for messages. Empty for standard input, which can be read
// only once.
std::vector<std::string> column_names(const DataOptions& data, Terminal& terminal);
// Reads the target and all columns that the model knows, to repeat the training.
Table read_retraining_table(const DataOptions& data, const RuleBase& base, Terminal& terminal);
// Reads the columns that the rules read, and of the other columns of the training those that the
// file has: the target, features without rules and the recorded weight column.
Table read_decision_table(const DataOptions& data, const RuleBase& base, Terminal& terminal);
// Reads the same columns as read_model_table, and passes the rows to `body` in parts, as
// read_csv_parts does. Memory does not grow with the number of rows.
void read_model_parts(const DataOptions& data, const RuleBase& base, Terminal& terminal,
                      const std::function<void(const Table& part)>& body);

// Splits lists of names separated by commas. A name with a comma or quote is quoted as in CSV.
std::vector<std::string> split_names(const std::vector<std::string>& lists);

// The name of a data file without directory and extension.
std::string dataset_name(const std::string& path);

}  // namespace frr::cli
