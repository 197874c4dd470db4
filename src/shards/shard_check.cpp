// check_survey and check_sample of shard_messages.hpp.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "shards/byte_stream.hpp"
#include "shards/shard_messages.hpp"

namespace frr {
using namespace internal;
namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 62U;

void check_place(const ShardAnswer& survey, const RowPlace& place) {
  const auto shard = survey.rows.find(place.shard);
  if (shard == survey.rows.end() || place.row >= shard->second) {
    fail_answer("it names a row that there is not");
  }
}

void check_end(const ShardAnswer& survey, const std::optional<SurveyedColumn::End>& end) {
  if (!end) return;
  if (!std::isfinite(end->value)) fail_answer("an end of a column is not finite");
  check_place(survey, end->place);
}

}  // namespace

void internal::check_survey(const ShardAnswer& survey) {
  std::uint64_t rows = 0;
  for (const auto& [shard, count] : survey.rows) {
    if (count > most_rows - rows) fail_answer("it has too many rows");
    rows += count;
  }
  if (rows != survey.attendance.rows) fail_answer("its shards have other rows than it counts");
  std::uint64_t left = rows;
  const auto take = [&](std::uint64_t count) {
    if (count > left) fail_answer("its classes have more rows than its shards");
    left -= count;
  };
  take(survey.unlabelled);
  for (const auto& [name, own] : survey.classes) {
    take(own.rows);
    for (const RowPlace& place : own.places) check_place(survey, place);
    if (own.idle) check_place(survey, *own.idle);
  }
  const bool counted = std::any_of(survey.classes.begin(), survey.classes.end(),
                                   [](const auto& own) { return own.second.rows > 0; });
  const bool weighs = survey.most_weight > 0 && survey.most_weight <= 1e100;
  if (counted && !weighs) fail_answer("its heaviest row does not weigh from 0 to 1e100");
  std::set<std::string_view> names;
  for (const SurveyedColumn& column : survey.columns) {
    if (!names.insert(column.name).second) {
      fail_answer("it has the column '" + column.name + "' twice");
    }
    check_end(survey, column.low);
    check_end(survey, column.high);
    if (column.missing) check_place(survey, *column.missing);
  }
}

void internal::check_sample(const std::vector<SampledRows>& parts, std::uint64_t rows) {
  std::vector<std::uint64_t> numbers;
  for (const SampledRows& part : parts) {
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
    for (const Column& column : part.columns) {
      const bool infinite = std::any_of(column.values.begin(), column.values.end(),
                                        [](double x) { return std::isinf(x); });
      if (infinite) fail_answer("the column '" + column.name + "' holds an infinite number");
    }
  }
  std::sort(numbers.begin(), numbers.end());
  if (std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end()) {
    fail_answer("it gives a row twice");
  }
  if (!numbers.empty() && numbers.back() >= rows) fail_answer("it names a row that there is not");
}

}  // namespace frr
