// The checks of shard_messages.hpp.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "additive/loss_sums.hpp"
#include "model/statistics.hpp"
#include "search/rule_scores.hpp"
#include "shards/byte_stream.hpp"
#include "shards/shard_messages.hpp"

namespace frr {
using namespace internal;
namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 62U;

void check_place(const Survey& survey, const RowPlace& place) {
  const auto shard = survey.rows.find(place.shard);
  if (shard == survey.rows.end() || place.row >= shard->second) {
    fail_answer("it names a row that does not exist");
  }
}

void check_end(const Survey& survey, const std::optional<SurveyedColumn::End>& end) {
  if (!end) return;
  if (!std::isfinite(end->value))
    fail_answer("the smallest or largest value of a column is not finite");
  check_place(survey, end->place);
}

}  // namespace

void internal::check_survey(const ShardAnswer& answer) {
  const Survey& survey = answer.survey;
  std::uint64_t rows = 0;
  for (const auto& [shard, count] : survey.rows) {
    if (count > most_rows - rows) fail_answer("it has too many rows");
    rows += count;
  }
  if (rows != answer.attendance.rows) fail_answer("it counts other rows than its shards have");
  std::uint64_t left = rows;
  const auto take = [&](std::uint64_t count) {
    if (count > left) fail_answer("its classes have more rows than its shards");
    left -= count;
  };
  take(survey.unlabelled);
  for (const auto& [name, surveyed] : survey.classes) {
    take(surveyed.rows);
    for (const RowPlace& place : surveyed.places) check_place(survey, place);
    if (surveyed.unused) check_place(survey, *surveyed.unused);
  }
  const bool weighs = survey.most_weight > 0 && survey.most_weight <= 1e100;
  if (survey.usable_rows() > 0 && !weighs)
    fail_answer("its largest weight is not a number above 0 and up to 1e100");
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
    fail_answer("it contains a row twice");
  }
  if (!numbers.empty() && numbers.back() >= rows) fail_answer("it names a row that does not exist");
}

void internal::check_scores(const std::vector<std::int64_t>& sums, const ScoreRequest& request) {
  const RuleScoreLayout layout(request.rules, request.margin, request.trials.size());
  if (sums.size() != layout.size()) fail_answer("its sums belong to other rules");
  bool any = false;
  for (std::size_t c = 0; c < request.rules.classes.size(); ++c) {
    const std::int64_t weight = sums[layout.all() + c];
    if (weight < 0) fail_answer("the weight of a class is negative");
    any = any || weight > 0;
  }
  if (!any) fail_answer("the weights of its rows sum to 0");
}

void internal::check_counts(const std::vector<std::int64_t>& counts, const RuleBase& rules,
                            std::uint64_t rows) {
  if (counts.size() != CountLayout(rules).size()) fail_answer("its counts belong to other rules");
  // A row counts at most 2^16 (weight_units).
  const auto most = static_cast<std::int64_t>(std::min(rows, most_rows >> 16U) << 16U);
  const bool possible = std::all_of(counts.begin(), counts.end(),
                                    [&](std::int64_t x) { return x >= 0 && x <= most; });
  if (!possible) fail_answer("it counts more rows than there are");
}

// The rounding of each row included, no row adds more than its weight times 2^fraction_bits times
// the largest loss, to a gradient 1, and to an entry of the Hessian 1/4.
void internal::check_losses(const std::vector<std::int64_t>& sums, const LossRequest& request,
                            std::uint64_t rows) {
  const LossLayout layout(request.rules);
  if (sums.size() != layout.size()) fail_answer("its sums belong to other rules");
  const auto most = static_cast<double>(std::min(rows, most_rows >> 16U) << 16U);
  double all = 0;
  for (std::size_t c = 0; c < request.rules.classes.size(); ++c) {
    const auto weight = static_cast<double>(sums[layout.all() + c]);
    if (weight < 0 || weight > most) fail_answer("it counts more rows than there are");
    all += weight;
  }
  if (!(all > 0)) fail_answer("the weights of its rows sum to 0");
  const double unit = std::ldexp(all, request.fraction_bits);
  const auto within = [&](std::size_t index, double low, double high) {
    const auto sum = static_cast<double>(sums[index]), rounding = static_cast<double>(rows);
    return sum >= low * unit - rounding && sum <= high * unit + rounding;
  };
  bool possible = within(layout.loss(), 0, most_row_loss);
  for (std::size_t k = 0; k < layout.variables(); ++k) {
    possible = possible && within(layout.gradient(k), -1, 1);
    for (std::size_t j = 0; j <= k; ++j) {
      possible = possible && within(layout.hessian(k, j), j == k ? 0 : -0.25, 0.25);
    }
  }
  if (!possible) fail_answer("no rows have the losses that it sums");
}

}  // namespace frr
