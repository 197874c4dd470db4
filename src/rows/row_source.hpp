// All rows of a training, wherever they are: typed requests to them, and their answers. Sums are of
// whole numbers, so they do not depend on how the rows are divided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frr/view.hpp"
#include "rows/rule_sums.hpp"
#include "rows/sample.hpp"
#include "rows/survey.hpp"

namespace frr::internal {

class RowSource {
 public:
  explicit RowSource(ColumnRoles roles) : roles_(std::move(roles)) {}
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  [[nodiscard]] const ColumnRoles& roles() const { return roles_; }

  // The survey comes first. The rows must stay the same.
  virtual Survey survey() = 0;
  virtual std::vector<SampledRows> sample(const SampleRequest& request) = 0;
  virtual std::vector<std::int64_t> rule_scores(const ScoreRequest& request) = 0;
  // `most_weight`: of all rows.
  virtual std::vector<std::int64_t> decision_counts(const RuleBase& rules, double most_weight) = 0;
  virtual std::vector<std::int64_t> loss_sums(const LossRequest& request) = 0;

 private:
  ColumnRoles roles_;
};

// Rows that this process can read, one shard after another.
class LocalSource : public RowSource {
 public:
  using RowSource::RowSource;

  Survey survey() override;
  std::vector<SampledRows> sample(const SampleRequest& request) override;
  std::vector<std::int64_t> rule_scores(const ScoreRequest& request) override;
  std::vector<std::int64_t> decision_counts(const RuleBase& rules, double most_weight) override;
  std::vector<std::int64_t> loss_sums(const LossRequest& request) override;

 protected:
  using Visitor = std::function<void(const TableView& rows, std::size_t shard)>;

 private:
  // Calls `visit` once for each shard, on one or several threads. `columns`: the only ones that
  // are read; empty: all.
  virtual void visit_shards(const std::vector<std::string>& columns, const Visitor& visit) = 0;
};

// The rows of a view, in shards of 65536 rows.
class TableSource : public LocalSource {
 public:
  TableSource(TableView view, ColumnRoles roles, int threads)
      : LocalSource(std::move(roles)), view_(std::move(view)), threads_(threads) {}

 private:
  void visit_shards(const std::vector<std::string>& columns, const Visitor& visit) override;

  TableView view_;
  int threads_;
};

}  // namespace frr::internal
