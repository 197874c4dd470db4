#include "shards/shard_messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "frr/error.hpp"
#include "shards/byte_stream.hpp"

namespace frr::internal {
namespace {

constexpr std::string_view request_letters = "FRRq", answer_letters = "FRRa";

ShardRequest::Kind get_kind(ByteReader& in) {
  const auto kind = in.get<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(ShardRequest::Kind::count)) fail_damaged();
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

void put(ByteWriter& out, const SurveyedClass& own) {
  out.put(own.rows);
  out.put(static_cast<std::uint64_t>(own.places.size()));
  for (const RowPlace& place : own.places) put(out, place);
  put(out, own.idle);
}
SurveyedClass get_surveyed_class(ByteReader& in) {
  SurveyedClass own;
  own.rows = in.get<std::uint64_t>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) own.places.push_back(get_place(in));
  own.idle = get_optional_place(in);
  return own;
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

// ---- Adding -------------------------------------------------------------------------------------

template <typename T>
void take_first(std::optional<T>& own, const std::optional<T>& other) {
  if (other && (!own || *other < *own)) own = other;
}

void add_class(SurveyedClass& own, const SurveyedClass& other) {
  own.rows += other.rows;
  own.places.insert(own.places.end(), other.places.begin(), other.places.end());
  std::sort(own.places.begin(), own.places.end());
  if (own.places.size() > 2) own.places.resize(2);
  take_first(own.idle, other.idle);
}

void add_column(SurveyedColumn& own, const SurveyedColumn& other) {
  using End = SurveyedColumn::End;
  const auto take_end = [](std::optional<End>& end, const std::optional<End>& candidate,
                           double sign) {
    if (!candidate) return;
    const auto key = [&](const End& e) { return std::pair(sign * e.value, e.place); };
    if (!end || key(*candidate) < key(*end)) end = candidate;
  };
  own.numeric = own.numeric || other.numeric;
  own.categorical = own.categorical || other.categorical;
  take_end(own.low, other.low, 1);
  take_end(own.high, other.high, -1);
  take_first(own.missing, other.missing);
}

std::string shard_name(const std::map<std::uint64_t, std::uint64_t>& rows) {
  return rows.empty() ? "a shard" : "shard " + std::to_string(rows.begin()->first);
}

// Two sums in these bounds can be added.
void check_sums(const std::vector<std::int64_t>& sums) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  const bool fit = std::all_of(sums.begin(), sums.end(),
                               [](std::int64_t sum) { return sum >= -most && sum <= most; });
  if (!fit) fail_answer("its sums are too large");
}

using Positions = std::unordered_map<std::string_view, std::size_t>;
Positions positions_of(const std::vector<SurveyedColumn>& columns) {
  Positions positions;
  for (std::size_t i = 0; i < columns.size(); ++i) positions.emplace(columns[i].name, i);
  return positions;
}

void check_has(const ShardAnswer& answer, const Positions& its, const ShardAnswer& wanted) {
  for (const SurveyedColumn& column : wanted.columns) {
    if (its.contains(column.name)) continue;
    fail_data(shard_name(answer.rows) + " has no column '" + column.name + "', which " +
              shard_name(wanted.rows) + " has; all shards must have the same columns");
  }
}

// Columns may stand in another order in each shard. That of the shard with the lowest number
// stands, whatever the order of adding.
void add_columns(ShardAnswer& own, ShardAnswer& other) {
  if (other.columns.empty()) return;
  if (own.columns.empty()) {
    own.columns = std::move(other.columns);
    return;
  }
  check_has(own, positions_of(own.columns), other);
  check_has(other, positions_of(other.columns), own);
  if (other.rows.begin()->first < own.rows.begin()->first) std::swap(own.columns, other.columns);
  const Positions theirs = positions_of(other.columns);
  for (SurveyedColumn& column : own.columns) {
    add_column(column, other.columns[theirs.at(column.name)]);
  }
}

}  // namespace

std::string ShardRequest::bytes() const {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(kind));
  out.put(std::string_view(target));
  out.put(std::string_view(weight));
  out.put(categorical);
  out.put(first);
  out.put(seed);
  out.put(below);
  out.put(besides);
  out.put(static_cast<std::uint8_t>(everything));
  out.put(std::string_view(model));
  out.put(most_weight);
  out.put(margin);
  out.put(static_cast<std::uint64_t>(trials.size()));
  for (const BorderTrial& trial : trials) put(out, trial);
  return sealed(request_letters, out.take());
}

ShardRequest ShardRequest::from(std::string_view bytes) {
  ByteReader in(opened(request_letters, "a request to shards", bytes));
  ShardRequest request;
  request.kind = get_kind(in);
  request.target = in.text();
  request.weight = in.text();
  request.categorical = in.list<std::string>();
  request.first = in.list<std::uint64_t>();
  request.seed = in.get<std::uint64_t>();
  request.below = in.get<std::uint64_t>();
  request.besides = in.list<std::uint64_t>();
  request.everything = in.get<std::uint8_t>() != 0;
  request.model = in.text();
  request.most_weight = in.get<double>();
  request.margin = in.get<double>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    request.trials.push_back(get_trial(in));
  }
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
  if (rows.empty() != other.rows.empty()) fail_damaged();
  add_columns(*this, other);  // needs the shards of both
  for (const auto& [shard, count] : other.rows) {
    if (!rows.emplace(shard, count).second) {
      fail_data("shard " + std::to_string(shard) + " has answered twice; number the shards 0, 1, " +
                "2 and so on, and add one answer of each");
    }
  }
  unlabelled += other.unlabelled;
  for (const auto& [name, own] : other.classes) add_class(classes[name], own);
  while (classes.size() > most_surveyed_classes) classes.erase(std::prev(classes.end()));
  most_weight = std::max(most_weight, other.most_weight);
  target_types.merge(other.target_types);
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
  out.put(static_cast<std::uint64_t>(rows.size()));
  for (const auto& [shard, count] : rows) {
    out.put(shard);
    out.put(count);
  }
  out.put(unlabelled);
  out.put(static_cast<std::uint64_t>(classes.size()));
  for (const auto& [name, own] : classes) {
    out.put(std::string_view(name));
    put(out, own);
  }
  out.put(most_weight);
  out.put(static_cast<std::uint64_t>(columns.size()));
  for (const SurveyedColumn& column : columns) put(out, column);
  out.put(std::vector<std::string>(target_types.begin(), target_types.end()));
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
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto shard = in.get<std::uint64_t>();
    answer.rows[shard] = in.get<std::uint64_t>();
  }
  answer.unlabelled = in.get<std::uint64_t>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::string name = in.text();
    answer.classes[name] = get_surveyed_class(in);
  }
  answer.most_weight = in.get<double>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    answer.columns.push_back(get_surveyed_column(in));
  }
  for (std::string& type : in.list<std::string>()) answer.target_types.insert(std::move(type));
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
