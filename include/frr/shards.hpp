// Learning from rows that are not in one table: on other machines, or in files larger than memory.
//
// Of more than settings.search_rows rows, learning looks at a sample; then it asks all rows for
// sums, about ten times. A request goes to every shard, each answers for its own rows, and the
// answers are added. Requests hold the rules so far, answers hold counts: tens of kilobytes, and
// once each shard's part of the sample.
//
// Answers are sums of whole numbers, and whether a row is in the sample follows from its number in
// the whole: so the model does not depend on how the rows are cut into shards, on the order in
// which answers come, or on whether one was asked twice. train(table) does the same with the table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frr/frr.hpp"
#include "frr/view.hpp"

namespace frr {

// All rows, wherever they are.
class Shards {
 public:
  virtual ~Shards() = default;
  // Has every shard answer the request and gives the sum of the answers.
  virtual std::string ask(const std::string& request) = 0;
};

// What shard number `shard` (from 0 on) answers for its rows. The same request and rows always give
// the same answer. Throws Error{data} where they cannot be learned from.
std::string answer(std::string_view request, const TableView& rows, std::size_t shard,
                   int threads = 1);

// The sum of answers to one request, in any order.
std::string add_answers(std::span<const std::string> answers);

// Which columns the request asks about; others need not be in the view that answers it. None: all.
std::vector<std::string> columns_asked(std::string_view request);

struct ShardedTraining {
  TrainRequest request;  // with `target`, without `rows` and `row_weights`
  std::string weight_column = {};  // of numbers >= 0; empty: every row counts 1
  std::string source = "<table>";  // name of the data
};
RuleBase train(Shards& shards, const ShardedTraining& training);

}  // namespace frr
