#include "shards/encoded_source.hpp"

#include <string>
#include <utility>

#include "frr/frr.hpp"
#include "shards/byte_stream.hpp"

namespace frr::internal {

ShardRequest EncodedSource::request_of(ShardRequest::Kind kind) const {
  ShardRequest request;
  request.kind = kind;
  request.roles = roles();
  request.most_weight = most_weight_;
  return request;
}

ShardRequest EncodedSource::request_with(ShardRequest::Kind kind, const RuleBase& rules) const {
  ShardRequest request = request_of(kind);
  RuleBase bare = rules;
  bare.summary = {};
  bare.class_rows.clear();
  bare.nats_per_point.reset();  // rules have points only when they are finished
  const Statistics none{std::vector<double>(bare.classes.size(), 0), 0};
  bare.otherwise_statistics = none;
  for (Rule& rule : bare.rules) rule.statistics = none;
  request.model = to_json(bare);
  return request;
}

ShardAnswer EncodedSource::ask(const ShardRequest& request) {
  const std::string bytes = request.bytes();
  ShardAnswer answer = ShardAnswer::from(shards_.ask(bytes));
  if (answer.kind != request.kind || answer.request != check_sum(bytes)) {
    fail_data("the answers belong to another request");
  }
  const bool first = request.kind == ShardRequest::Kind::survey;
  if (!first && answer.attendance != attendance_) {
    fail_data("the answers cover " + std::to_string(answer.attendance.rows) +
              " rows and the survey covered " + std::to_string(attendance_.rows) +
              ", or other shards answered; each shard must answer once, always with the same rows");
  }
  return answer;
}

Survey EncodedSource::survey() {
  ShardAnswer answer = ask(request_of(ShardRequest::Kind::survey));
  check_survey(answer);
  attendance_ = answer.attendance;
  most_weight_ = answer.survey.most_weight;
  return std::move(answer.survey);
}

std::vector<SampledRows> EncodedSource::sample(const SampleRequest& request) {
  ShardRequest encoded = request_of(ShardRequest::Kind::sample);
  encoded.sample = request;
  std::vector<SampledRows> parts = ask(encoded).parts;
  check_sample(parts, attendance_.rows);
  return parts;
}

std::vector<std::int64_t> EncodedSource::rule_scores(const ScoreRequest& request) {
  ShardRequest encoded = request_with(ShardRequest::Kind::worth, request.rules);
  encoded.margin = request.margin;
  encoded.trials.assign(request.trials.begin(), request.trials.end());
  std::vector<std::int64_t> sums = ask(encoded).sums;
  check_scores(sums, request);
  return sums;
}

std::vector<std::int64_t> EncodedSource::decision_counts(const RuleBase& rules,
                                                         double most_weight) {
  ShardRequest request = request_with(ShardRequest::Kind::count, rules);
  request.most_weight = most_weight;
  std::vector<std::int64_t> counts = ask(request).sums;
  check_counts(counts, rules, attendance_.rows);
  return counts;
}

std::vector<std::int64_t> EncodedSource::loss_sums(const LossRequest& request) {
  ShardRequest encoded = request_with(ShardRequest::Kind::loss, request.rules);
  encoded.most_weight = request.most_weight;
  encoded.point.assign(request.point.begin(), request.point.end());
  encoded.fraction_bits = request.fraction_bits;
  std::vector<std::int64_t> sums = ask(encoded).sums;
  check_losses(sums, request, attendance_.rows);
  return sums;
}

}  // namespace frr::internal
