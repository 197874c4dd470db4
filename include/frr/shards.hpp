// Learning from rows that are not in one table: on other machines, or in files larger than memory.
//
// Of more than settings.search_rows rows, learning looks at a sample; then it asks all rows for
// sums, about ten times. A request goes to every shard, each answers for its own rows, and the
// answers are added. Requests hold the rules so far, answers hold counts: tens of kilobytes, and
// once each shard's part of the sample. The questions, in order:
//     survey     rows of each class, types of the columns, where extreme and rare values are
//     sample     the rows to learn from: a sketch of the values of every column (below)
//     worth      what the rules are worth; for each the histogram from which its best class and
//                weight follow, also without each of its conditions; and the scores of other places
//                of the borders between labels; until nothing gains
//     count      how many rows of each class every rule decides and covers
//
// The sample decides where the labels of numbers are placed. Of up to settings.search_rows rows it
// is all of them: quantiles are exact. Of more rows it is n = settings.search_rows of them, drawn
// without regard to what they hold, so that (Dvoretzky, Kiefer and Wolfowitz) with probability
// 1 - delta every quantile of every value of one column is off by a share of at most
//     eps = sqrt(ln(2 / delta) / (2 n))
// of the rows: with the default n = 131072, 0.45 % of the rows for delta = 1 %, and 0.74 % for
// delta = 1 in a million. Counts, weights and classes are of all rows, and exact.
//
// Answers are sums of whole numbers, and whether a row is in the sample follows from its number in
// the whole: so the model does not depend on how the rows are cut into shards, on the order in
// which answers come, or on whether one was asked twice. train(table) does the same with the table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frr/api.hpp"
#include "frr/frr.hpp"
#include "frr/view.hpp"

namespace frr {

// All rows, wherever they are.
class FRR_API Shards {
 public:
  virtual ~Shards() = default;
  // Has every shard answer the request and gives the sum of the answers.
  virtual std::string ask(const std::string& request) = 0;
};

// What shard number `shard` (from 0 on) answers for its rows, which must be the same every time.
// The same request and rows always give the same answer. A shard may be without rows. target_type:
// what the caller calls the type of the target, if anything (see ShardSurvey). Throws Error{data}
// where the rows cannot be learned from; the message names the shard.
FRR_API std::string answer(std::string_view request, const TableView& rows, std::size_t shard,
                           int threads = 1, std::string_view target_type = {});

// The sum of answers to one request, in any order and grouping; at least one.
FRR_API std::string add_answers(std::span<const std::string> answers);

// Which columns the request asks about; others need not be in the view that answers it. None: all.
FRR_API std::vector<std::string> columns_asked(std::string_view request);

// What else is to be known of a request.
struct ShardQuestion {
  std::string kind;  // "survey", "sample", "worth" or "count"
  std::string target;
  std::vector<std::string> categorical;  // ShardedTraining::categorical
};
FRR_API ShardQuestion question_of(std::string_view request);

// What the answer to the survey tells, for those who want to know before the end.
struct ShardSurvey {
  std::vector<std::pair<std::string, bool>> columns;  // all, and whether they hold names
  std::vector<std::string> classes;                   // by name, sorted as texts
  std::vector<std::string> target_types;  // the different ones of shards with any class, sorted
};
FRR_API ShardSurvey survey_of(std::string_view answer);

struct ShardedTraining {
  TrainRequest request;                       // with `target`, without `rows` and `row_weights`
  std::string weight_column = {};             // of numbers >= 0; empty: every row counts 1
  std::vector<std::string> categorical = {};  // columns of numbers that are names
  std::string source = "<table>";             // name of the data
};
// The same rule base as train(table) gives for the rows of all shards, one after the other by the
// shards' numbers, the columns in the order of the first shard.
FRR_API RuleBase train(Shards& shards, const ShardedTraining& training);

}  // namespace frr
