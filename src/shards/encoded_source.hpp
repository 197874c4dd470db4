// Rows that other processes hold: the requests of a RowSource as bytes, sent to all shards, and
// their answers.
#pragma once

#include <cstdint>
#include <vector>

#include "frr/shards.hpp"
#include "rows/row_source.hpp"
#include "shards/shard_messages.hpp"

namespace frr::internal {

// Throws Error{data} for an answer that no rows could have given, and for an answer from other rows
// than those of the survey.
class EncodedSource : public RowSource {
 public:
  EncodedSource(Shards& shards, ColumnRoles roles) : RowSource(std::move(roles)), shards_(shards) {}

  Survey survey() override;
  std::vector<SampledRows> sample(const SampleRequest& request) override;
  std::vector<std::int64_t> rule_scores(const ScoreRequest& request) override;
  std::vector<std::int64_t> decision_counts(const RuleBase& rules, double most_weight) override;
  std::vector<std::int64_t> loss_sums(const LossRequest& request) override;

 private:
  [[nodiscard]] ShardRequest request_of(ShardRequest::Kind kind) const;
  [[nodiscard]] ShardRequest request_with(ShardRequest::Kind kind, const RuleBase& rules) const;
  ShardAnswer ask(const ShardRequest& request);

  Shards& shards_;
  Attendance attendance_;  // of the survey
  double most_weight_ = 1;
};

}  // namespace frr::internal
