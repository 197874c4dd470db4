// The functions of frr/shards.hpp.
#include "frr/shards.hpp"

#include <array>
#include <utility>

#include "base/control.hpp"
#include "base/float_mode.hpp"
#include "rows/large_training.hpp"
#include "shards/byte_stream.hpp"
#include "shards/encoded_source.hpp"
#include "shards/shard_messages.hpp"

namespace frr {
using namespace internal;

std::string answer(std::string_view bytes, const TableView& rows, std::size_t shard, int threads,
                   std::string_view target_type) {
  const FloatMode mode(Denormals::keep);
  const ShardRequest request = ShardRequest::from(bytes);
  ShardAnswer answer;
  answer.kind = request.kind;
  answer.request = check_sum(bytes);
  answer.attendance.add(shard, rows.rows);
  const auto rules = [&] { return from_json(request.model, "<rules>"); };
  switch (request.kind) {
    case ShardRequest::Kind::survey:
      answer.survey = survey_rows(rows, request.roles, shard, threads, target_type);
      break;
    case ShardRequest::Kind::sample:
      if (rows.rows > 0) {
        answer.parts.push_back(sample_rows(rows, request.roles, request.sample, shard));
      }
      break;
    case ShardRequest::Kind::worth: {
      const RuleBase base = rules();
      const ScoreRequest scores{base, request.most_weight, request.margin, request.trials};
      answer.sums = score_rules(rows, request.roles, scores, shard, threads);
      break;
    }
    case ShardRequest::Kind::count:
      answer.sums =
          count_decisions(rows, request.roles, rules(), request.most_weight, shard, threads);
      break;
    case ShardRequest::Kind::loss: {
      const RuleBase base = rules();
      const LossRequest losses{base, request.point, request.most_weight, request.fraction_bits};
      answer.sums = sum_losses(rows, request.roles, losses, shard, threads);
      break;
    }
  }
  return answer.bytes();
}

std::string add_answers(std::span<const std::string> answers) {
  if (answers.empty()) fail_data("there are no answers to add: are there no shards?");
  ShardAnswer sum = ShardAnswer::from(answers.front());
  for (const std::string& other : answers.subspan(1)) sum.add(ShardAnswer::from(other));
  return sum.bytes();
}

ShardQuestion question_of(std::string_view bytes) {
  const ShardRequest request = ShardRequest::from(bytes);
  constexpr std::array kinds{"survey", "sample", "worth", "count", "loss"};
  return {kinds[static_cast<std::size_t>(request.kind)], request.roles.target,
          request.roles.categorical};
}

ShardSurvey survey_of(std::string_view bytes) {
  const ShardAnswer answer = ShardAnswer::from(bytes);
  if (answer.kind != ShardRequest::Kind::survey) fail_usage("this is not the answer to a survey");
  ShardSurvey survey;
  for (const SurveyedColumn& column : answer.survey.columns) {
    survey.columns.emplace_back(column.name, column.categorical);
  }
  for (const auto& [name, surveyed] : answer.survey.classes) survey.classes.push_back(name);
  survey.target_types.assign(answer.survey.target_types.begin(), answer.survey.target_types.end());
  return survey;
}

std::vector<std::string> columns_asked(std::string_view bytes) {
  const ShardRequest request = ShardRequest::from(bytes);
  const bool all =
      request.kind == ShardRequest::Kind::survey || request.kind == ShardRequest::Kind::sample;
  if (all) return {};
  return columns_read(from_json(request.model, "<rules>"), request.roles);
}

RuleBase train(Shards& shards, const ShardedTraining& training) {
  EncodedSource source(shards,
                       {training.request.target, training.weight_column, training.categorical});
  return train(source, training.request, training.source);
}

}  // namespace frr
