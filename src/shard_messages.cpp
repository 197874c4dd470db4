#include "shard_messages.hpp"

#include <algorithm>
#include <utility>

#include "archive.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr {
namespace {

// Processes of another version would answer another question.
void put_version(ByteWriter& out) { out.put(version()); }
void check_version(ByteReader& in) {
  const std::string other = in.text();
  if (other != version()) {
    fail_data("a shard is served by FRR " + other + " and another one by FRR " +
              std::string(version()) + "; install the same version on all machines");
  }
}

void put_column(ByteWriter& out, const Column& column) {
  out.put(std::string_view(column.name));
  out.put(static_cast<std::uint8_t>(column.type == ColumnType::categorical));
  if (column.type == ColumnType::numeric) {
    out.put(column.values);
  } else {
    out.put(column.codes);
    out.put(column.categories);
  }
}

Column get_column(ByteReader& in) {
  Column column;
  column.name = in.text();
  if (in.get<std::uint8_t>() == 0) {
    column.values = in.list<double>();
    return column;
  }
  column.type = ColumnType::categorical;
  column.codes = in.list<std::int32_t>();
  column.categories = in.list<std::string>();
  const auto known = static_cast<std::int32_t>(column.categories.size());
  for (const std::int32_t code : column.codes) {
    if (code < Column::missing_code || code >= known) fail_data("a message of a shard is damaged");
  }
  return column;
}

}  // namespace

std::string ShardRequest::bytes() const {
  ByteWriter out;
  put_version(out);
  out.put(static_cast<std::uint8_t>(kind));
  out.put(std::string_view(target));
  out.put(std::string_view(weight));
  out.put(first);
  out.put(seed);
  out.put(below);
  out.put(std::string_view(model));
  out.put(most_weight);
  out.put(margin);
  return out.take();
}

ShardRequest ShardRequest::from(std::string_view bytes) {
  ByteReader in(bytes);
  check_version(in);
  ShardRequest request;
  const auto kind = in.get<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::count)) fail_data("no shard knows this request");
  request.kind = static_cast<Kind>(kind);
  request.target = in.text();
  request.weight = in.text();
  request.first = in.list<std::uint64_t>();
  request.seed = in.get<std::uint64_t>();
  request.below = in.get<std::uint64_t>();
  request.model = in.text();
  request.most_weight = in.get<double>();
  request.margin = in.get<double>();
  return request;
}

void ShardAnswer::add(ShardAnswer other) {
  for (const auto& [shard, count] : other.rows) {
    if (!rows.emplace(shard, count).second) {
      fail_data("shard " + std::to_string(shard) + " has answered twice; number the shards 0, 1, " +
                "2 and so on, and add one answer of each");
    }
  }
  for (const auto& [name, count] : other.classes) classes[name] += count;
  while (classes.size() > most_surveyed_classes) classes.erase(std::prev(classes.end()));
  most_weight = std::max(most_weight, other.most_weight);
  std::move(other.parts.begin(), other.parts.end(), std::back_inserter(parts));
  if (sums.empty()) {
    sums = std::move(other.sums);
  } else if (!other.sums.empty()) {
    if (sums.size() != other.sums.size()) fail_data("answers to different requests were added");
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other.sums[i];
  }
}

std::string ShardAnswer::bytes() const {
  ByteWriter out;
  put_version(out);
  out.put(static_cast<std::uint64_t>(rows.size()));
  for (const auto& [shard, count] : rows) {
    out.put(shard);
    out.put(count);
  }
  out.put(static_cast<std::uint64_t>(classes.size()));
  for (const auto& [name, count] : classes) {
    out.put(std::string_view(name));
    out.put(count);
  }
  out.put(most_weight);
  out.put(static_cast<std::uint64_t>(parts.size()));
  for (const SampledRows& part : parts) {
    out.put(part.numbers);
    out.put(static_cast<std::uint64_t>(part.columns.size()));
    for (const Column& column : part.columns) put_column(out, column);
  }
  out.put(sums);
  return out.take();
}

ShardAnswer ShardAnswer::from(std::string_view bytes) {
  ByteReader in(bytes);
  check_version(in);
  ShardAnswer answer;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto shard = in.get<std::uint64_t>();
    answer.rows[shard] = in.get<std::uint64_t>();
  }
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::string name = in.text();
    answer.classes[name] = in.get<std::uint64_t>();
  }
  answer.most_weight = in.get<double>();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    SampledRows part;
    part.numbers = in.list<std::uint64_t>();
    for (auto columns = in.get<std::uint64_t>(); columns > 0; --columns) {
      part.columns.push_back(get_column(in));
      const Column& column = part.columns.back();
      const std::size_t rows = std::max(column.values.size(), column.codes.size());
      if (rows != part.numbers.size()) fail_data("a message of a shard is damaged");
    }
    answer.parts.push_back(std::move(part));
  }
  answer.sums = in.list<std::int64_t>();
  return answer;
}

}  // namespace frr
