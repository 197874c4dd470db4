// Requests to shards and their answers as bytes (frr/shards.hpp): the typed requests of
// rows/row_source.hpp between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rows/row_source.hpp"

namespace frr::internal {

struct ShardRequest {
  enum class Kind : std::uint8_t {
    survey,  // RowSource::survey
    sample,  // RowSource::sample
    worth,   // RowSource::rule_scores
    count,   // RowSource::decision_counts
    loss,    // RowSource::loss_sums
  };
  Kind kind = Kind::survey;
  ColumnRoles roles;
  SampleRequest sample;  // kind sample
  // worth, count, loss
  std::string model;       // the rules as JSON
  double most_weight = 1;  // of all rows
  // worth
  double margin = 0;
  std::vector<BorderTrial> trials;
  // loss
  std::vector<double> point;
  std::int32_t fraction_bits = 0;

  [[nodiscard]] std::string bytes() const;
  static ShardRequest from(std::string_view bytes);
};

// The number of rows and the shards that have answered: a sum over shards that shows whether a
// shard is missing, was added twice or has other rows than before.
struct Attendance {
  std::uint64_t rows = 0, shards = 0;
  void add(std::uint64_t shard, std::uint64_t count);
  bool operator==(const Attendance&) const = default;
};

struct ShardAnswer {
  ShardRequest::Kind kind = ShardRequest::Kind::survey;
  std::uint64_t request = 0;  // checksum of the request that is answered
  Attendance attendance;
  Survey survey;
  std::vector<SampledRows> parts;  // kind sample
  std::vector<std::int64_t> sums;  // worth, count, loss

  void add(ShardAnswer other);
  [[nodiscard]] std::string bytes() const;
  static ShardAnswer from(std::string_view bytes);
};

// Throw Error{data} if no rows could have given the answer. `rows`: of all shards.
void check_survey(const ShardAnswer& answer);
void check_sample(const std::vector<SampledRows>& parts, std::uint64_t rows);
void check_scores(const std::vector<std::int64_t>& sums, const ScoreRequest& request);
void check_counts(const std::vector<std::int64_t>& counts, const RuleBase& rules,
                  std::uint64_t rows);
void check_losses(const std::vector<std::int64_t>& sums, const LossRequest& request,
                  std::uint64_t rows);

}  // namespace frr::internal
