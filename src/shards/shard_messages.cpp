#include "shards/shard_messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frr/error.hpp"
#include "shards/byte_stream.hpp"

namespace frr::internal {
namespace {

constexpr std::string_view request_letters = "FRRq", answer_letters = "FRRa";

ShardRequest::Kind get_kind(ByteReader& in) {
  const auto kind = in.get<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(ShardRequest::Kind::loss)) fail_damaged();
  return static_cast<ShardRequest::Kind>(kind);
}

void put(ByteWriter& out, const RowPlace& place) {
  out.put(place.shard);
  out.put(place.row);
}
RowPlace get_place(ByteReader& in) {
  const auto shard = in.get<std::uint64_t>();
  return {shard, in.get<std::uint64_t>()};
}

void put(ByteWriter& out, const std::optional<RowPlace>& place) {
  out.put(static_cast<std::uint8_t>(place.has_value()));
  if (place) put(out, *place);
}
std::optional<RowPlace> get_optional_place(ByteReader& in) {
  if (in.get<std::uint8_t>() == 0) return std::nullopt;
  return get_place(in);
}

void put(ByteWriter& out, const std::optional<SurveyedColumn::End>& end) {
  out.put(static_cast<std::uint8_t>(end.has_value()));
  if (!end) return;
  out.put(end->value);
  put(out, end->place);
}
std::optional<SurveyedColumn::End> get_end(ByteReader& in) {
  if (in.get<std::uint8_t>() == 0) return std::nullopt;
  const auto value = in.get<double>();
  return SurveyedColumn::End{value, get_place(in)};
}

void put(ByteWriter& out, const SurveyedColumn& column) {
  out.put(std::string_view(column.name));
  out.put(static_cast<std::uint8_t>((column.numeric ? 1 : 0) + (column.categorical ? 2 : 0)));
  put(out, column.low);
  put(out, column.high);
  put(out, column.missing);
}
SurveyedColumn get_surveyed_column(ByteReader& in) {
  SurveyedColumn column;
  column.name = in.text();
  const auto types = in.get<std::uint8_t>();
  column.numeric = (types & 1U) != 0;
  column.categorical = (types & 2U) != 0;
  column.low = get_end(in);
  column.high = get_end(in);
  column.missing = get_optional_place(in);
  return column;
}

void put(ByteWriter& out, const SurveyedClass& surveyed) {
  out.put(surveyed.rows);
  out.put(static_cast<std::uint64_t>(surveyed.places.size()));
  for (const RowPlace& place : surveyed.places) put(out, place);
  put(out, surveyed.unused);
}
SurveyedClass get_surveyed_class(ByteReader& in) {
  SurveyedClass surveyed;
  surveyed.rows = in.get<std::uint64_t>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    surveyed.places.push_back(get_place(in));
  }
  surveyed.unused = get_optional_place(in);
  return surveyed;
}

void put(ByteWriter& out, const Survey& survey) {
  out.put(static_cast<std::uint64_t>(survey.rows.size()));
  for (const auto& [shard, count] : survey.rows) {
    out.put(shard);
    out.put(count);
  }
  out.put(survey.unlabelled);
  out.put(static_cast<std::uint64_t>(survey.classes.size()));
  for (const auto& [name, surveyed] : survey.classes) {
    out.put(std::string_view(name));
    put(out, surveyed);
  }
  out.put(survey.most_weight);
  out.put(static_cast<std::uint64_t>(survey.columns.size()));
  for (const SurveyedColumn& column : survey.columns) put(out, column);
  out.put(std::vector<std::string>(survey.target_types.begin(), survey.target_types.end()));
}
Survey get_survey(ByteReader& in) {
  Survey survey;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto shard = in.get<std::uint64_t>();
    survey.rows[shard] = in.get<std::uint64_t>();
  }
  survey.unlabelled = in.get<std::uint64_t>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::string name = in.text();
    survey.classes[name] = get_surveyed_class(in);
  }
  survey.most_weight = in.get<double>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    survey.columns.push_back(get_surveyed_column(in));
  }
  for (std::string& type : in.list<std::string>()) survey.target_types.insert(std::move(type));
  return survey;
}

void put(ByteWriter& out, const Column& column) {
  out.put(std::string_view(column.name));
  out.put(static_cast<std::uint8_t>(column.type == ColumnType::categorical));
  if (column.type == ColumnType::numeric) {
    out.put(column.values);
  } else {
    out.put(column.codes);
    out.put(column.categories);
  }
}

Column get_column(ByteReader& in, std::size_t rows) {
  Column column;
  column.name = in.text();
  if (in.get<std::uint8_t>() == 0) {
    column.values = in.list<double>();
    if (column.values.size() != rows) fail_damaged();
    return column;
  }
  column.type = ColumnType::categorical;
  column.codes = in.list<std::int32_t>();
  column.categories = in.list<std::string>();
  const auto known = static_cast<std::int32_t>(column.categories.size());
  const bool fits = std::all_of(column.codes.begin(), column.codes.end(), [&](std::int32_t code) {
    return code >= Column::missing_code && code < known;
  });
  if (column.codes.size() != rows || !fits) fail_damaged();
  return column;
}

void put(ByteWriter& out, const BorderTrial& trial) {
  out.put(trial.feature);
  out.put(trial.border);
  out.put(trial.start);
  out.put(trial.end);
}
BorderTrial get_trial(ByteReader& in) {
  BorderTrial trial;
  trial.feature = in.get<std::uint32_t>();
  trial.border = in.get<std::uint32_t>();
  trial.start = in.get<double>();
  trial.end = in.get<double>();
  return trial;
}

// Two sums within these bounds can be added.
void check_sums(const std::vector<std::int64_t>& sums) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  const bool fit = std::all_of(sums.begin(), sums.end(),
                               [](std::int64_t sum) { return sum >= -most && sum <= most; });
  if (!fit) fail_answer("its sums are too large");
}

}  // namespace

std::string ShardRequest::bytes() const {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(kind));
  out.put(std::string_view(roles.target));
  out.put(std::string_view(roles.weight));
  out.put(roles.categorical);
  out.put(sample.first);
  out.put(sample.seed);
  out.put(sample.below);
  out.put(sample.extra);
  out.put(static_cast<std::uint8_t>(sample.everything));
  out.put(std::string_view(model));
  out.put(most_weight);
  out.put(margin);
  out.put(static_cast<std::uint64_t>(trials.size()));
  for (const BorderTrial& trial : trials) put(out, trial);
  out.put(point);
  out.put(fraction_bits);
  return sealed(request_letters, out.take());
}

ShardRequest ShardRequest::from(std::string_view bytes) {
  ByteReader in(opened(request_letters, "a request to shards", bytes));
  ShardRequest request;
  request.kind = get_kind(in);
  request.roles.target = in.text();
  request.roles.weight = in.text();
  request.roles.categorical = in.list<std::string>();
  request.sample.first = in.list<std::uint64_t>();
  request.sample.seed = in.get<std::uint64_t>();
  request.sample.below = in.get<std::uint64_t>();
  request.sample.extra = in.list<std::uint64_t>();
  request.sample.everything = in.get<std::uint8_t>() != 0;
  request.model = in.text();
  request.most_weight = in.get<double>();
  request.margin = in.get<double>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    request.trials.push_back(get_trial(in));
  }
  request.point = in.list<double>();
  request.fraction_bits = in.get<std::int32_t>();
  if (!in.rest().empty()) fail_damaged();
  return request;
}

void Attendance::add(std::uint64_t shard, std::uint64_t count) {
  std::uint64_t word = (shard + 1) * 0x9e3779b97f4a7c15ULL;
  word = (word ^ (word >> 32U) ^ count) * 0xd1b54a32d192ed03ULL;
  rows += count;
  shards += word ^ (word >> 29U);
}

void ShardAnswer::add(ShardAnswer other) {
  if (kind != other.kind || request != other.request) {
    fail_data("answers to different requests were added");
  }
  attendance.rows += other.attendance.rows;
  attendance.shards += other.attendance.shards;
  if (kind == ShardRequest::Kind::survey) survey.add(std::move(other.survey));
  std::move(other.parts.begin(), other.parts.end(), std::back_inserter(parts));
  if (sums.empty()) sums.assign(other.sums.size(), 0);
  if (sums.size() != other.sums.size()) fail_data("answers to different requests were added");
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other.sums[i];
  check_sums(sums);
}

std::string ShardAnswer::bytes() const {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(kind));
  out.put(request);
  out.put(attendance.rows);
  out.put(attendance.shards);
  put(out, survey);
  out.put(static_cast<std::uint64_t>(parts.size()));
  for (const SampledRows& part : parts) {
    out.put(part.numbers);
    out.put(static_cast<std::uint64_t>(part.columns.size()));
    for (const Column& column : part.columns) put(out, column);
  }
  out.put(sums);
  return sealed(answer_letters, out.take());
}

ShardAnswer ShardAnswer::from(std::string_view bytes) {
  ByteReader in(opened(answer_letters, "an answer of a shard", bytes));
  ShardAnswer answer;
  answer.kind = get_kind(in);
  answer.request = in.get<std::uint64_t>();
  answer.attendance.rows = in.get<std::uint64_t>();
  answer.attendance.shards = in.get<std::uint64_t>();
  answer.survey = get_survey(in);
  if (answer.kind == ShardRequest::Kind::survey && answer.survey.rows.empty()) fail_damaged();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    SampledRows part;
    part.numbers = in.list<std::uint64_t>();
    for (auto columns = in.get<std::uint64_t>(); columns > 0; --columns) {
      part.columns.push_back(get_column(in, part.numbers.size()));
    }
    answer.parts.push_back(std::move(part));
  }
  answer.sums = in.list<std::int64_t>();
  check_sums(answer.sums);
  if (!in.rest().empty()) fail_damaged();
  return answer;
}

}  // namespace frr::internal
