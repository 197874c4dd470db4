// Learning from rows that other processes hold, on this machine or on others.
//
// If there are more than settings.search_rows rows, FRR learns from a sample and then asks all rows
// for sums, about ten times. Every shard receives the request and answers for its rows, and
// the answers are added. Requests contain the rules so far, answers contain counts: tens of
// kilobytes, and once each shard's part of the sample. The requests, in order:
//     survey     rows of each class, types of the columns, places of extreme and rare values
//     sample     the rows to learn from (below)
//     worth      how well the rules do; for each rule, and for the rule without each of its
//                conditions, the histogram that gives the best class and weight; and the gains of
//                moved borders between labels; repeated until nothing gains
//     loss       the log-loss of additive rules, and its derivatives by their biases and weights;
//                repeated until nothing gains (sufficient rules: worth)
//     count      the rows of each class that every rule decides and covers
//
// The sample decides where the labels of numeric columns are placed. Up to settings.search_rows
// rows, it contains all of them, and quantiles are exact. Of more rows, n = settings.search_rows
// are drawn regardless of their content. With probability 1 - delta, no quantile of a column is
// then off (Dvoretzky, Kiefer and Wolfowitz) by more than
//     eps = sqrt(ln(2 / delta) / (2 n))
// of the rows: with the default n = 131072, 0.45 % of the rows for delta = 1 %, and 0.74 % for
// delta = 1 in a million. Counts, weights and classes come from all rows and are exact.
//
// Answers are sums of whole numbers, and whether a row is in the sample depends only on its number
// among all rows. The model therefore does not depend on how the rows are divided into shards, on
// the order of the answers, or on whether a shard was asked twice. train(table) computes the same
// sums.
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
  // Sends the request to every shard and returns the sum of the answers.
  virtual std::string ask(const std::string& request) = 0;
};

// The answer of shard number `shard` (from 0 on), computed from its rows, which must be the same at
// every request. The same request and rows always give the same answer. A shard may have no rows.
// target_type: the caller's name for the type of the target, if any (see ShardSurvey). Throws
// Error{data} if the rows cannot be learned from; the message names the shard.
FRR_API std::string answer(std::string_view request, const TableView& rows, std::size_t shard,
                           int threads = 1, std::string_view target_type = {});

// The sum of one or more answers to the same request, in any order and grouping.
FRR_API std::string add_answers(std::span<const std::string> answers);

// The columns that the request reads; the view that answers it needs no others. Empty: all.
FRR_API std::vector<std::string> columns_asked(std::string_view request);

// What a request asks for.
struct ShardQuestion {
  std::string kind;  // "survey", "sample", "worth", "count" or "loss"
  std::string target;
  std::vector<std::string> categorical;  // ShardedTraining::categorical
};
FRR_API ShardQuestion question_of(std::string_view request);

// The columns and classes in the answer to the survey, for use before training ends.
struct ShardSurvey {
  std::vector<std::pair<std::string, bool>> columns;  // all, and whether they are categorical
  std::vector<std::string> classes;                   // by name, sorted as texts
  std::vector<std::string> target_types;  // of the shards with any class, distinct and sorted
};
FRR_API ShardSurvey survey_of(std::string_view answer);

struct ShardedTraining {
  TrainRequest request;                       // with `target`, without `rows` and `row_weights`
  std::string weight_column = {};             // of numbers >= 0; empty: all weights are 1
  std::vector<std::string> categorical = {};  // numeric columns whose values are categories
  std::string source = "<table>";             // name of the data
};
// The rule base that train(table) gives for a table of all shards in the order of their numbers,
// with the columns in the order of the first shard.
FRR_API RuleBase train(Shards& shards, const ShardedTraining& training);

}  // namespace frr
