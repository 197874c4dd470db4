#include "rows/row_source.hpp"

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"

namespace frr::internal {
namespace {

using Sums = std::vector<std::int64_t>;

void add_sums(Sums& sums, const Sums& other) {
  if (sums.empty()) sums.assign(other.size(), 0);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other[i];
}

TableView rows_between(const TableView& whole, std::size_t from, std::size_t to) {
  TableView part = whole;
  part.rows = to - from;
  for (ColumnView& column : part.columns) {
    if (column.type == ColumnType::categorical) {
      column.codes += from;
    } else {
      column.numbers.data = static_cast<const char*>(column.numbers.data) +
                            static_cast<std::ptrdiff_t>(from) * column.numbers.stride;
    }
  }
  return part;
}

}  // namespace

Survey LocalSource::survey() {
  Survey sum;
  std::mutex mutex;
  visit_shards({}, [&](const TableView& rows, std::size_t shard) {
    Survey survey = survey_rows(rows, roles(), shard, 1);
    const std::lock_guard lock(mutex);
    sum.add(std::move(survey));
  });
  return sum;
}

std::vector<SampledRows> LocalSource::sample(const SampleRequest& request) {
  std::vector<SampledRows> parts;
  std::mutex mutex;
  visit_shards({}, [&](const TableView& rows, std::size_t shard) {
    SampledRows part = sample_rows(rows, roles(), request, shard);
    const std::lock_guard lock(mutex);
    parts.push_back(std::move(part));
  });
  return parts;
}

Sums LocalSource::rule_scores(const ScoreRequest& request) {
  Sums sums;
  std::mutex mutex;
  visit_shards(columns_read(request.rules, roles()), [&](const TableView& rows, std::size_t shard) {
    const Sums scores = score_rules(rows, roles(), request, shard, 1);
    const std::lock_guard lock(mutex);
    add_sums(sums, scores);
  });
  return sums;
}

Sums LocalSource::decision_counts(const RuleBase& rules, double most_weight) {
  Sums sums;
  std::mutex mutex;
  visit_shards(columns_read(rules, roles()), [&](const TableView& rows, std::size_t shard) {
    const Sums counts = count_decisions(rows, roles(), rules, most_weight, shard, 1);
    const std::lock_guard lock(mutex);
    add_sums(sums, counts);
  });
  return sums;
}

Sums LocalSource::loss_sums(const LossRequest& request) {
  Sums sums;
  std::mutex mutex;
  visit_shards(columns_read(request.rules, roles()), [&](const TableView& rows, std::size_t shard) {
    const Sums losses = sum_losses(rows, roles(), request, shard, 1);
    const std::lock_guard lock(mutex);
    add_sums(sums, losses);
  });
  return sums;
}

void TableSource::visit_shards(const std::vector<std::string>& columns, const Visitor& visit) {
  constexpr std::size_t shard_rows = 65536;
  TableView view = view_;
  if (!columns.empty()) {
    std::erase_if(view.columns, [&](const ColumnView& column) {
      return std::find(columns.begin(), columns.end(), column.name) == columns.end();
    });
  }
  const std::size_t shards = std::max<std::size_t>(1, (view.rows + shard_rows - 1) / shard_rows);
  parallel_for(threads_, shards, [&](std::size_t shard) {
    const std::size_t from = shard * shard_rows, to = std::min(view.rows, from + shard_rows);
    visit(rows_between(view, from, to), shard);
  });
}

}  // namespace frr::internal
