// Training on the rows of a table and on any rows.
#include <algorithm>
#include <utility>

#include "base/float_mode.hpp"
#include "frr/frr.hpp"
#include "rows/large_training.hpp"
#include "train/learner.hpp"
#include "train/training_rows.hpp"

namespace frr {
using namespace internal;

RuleBase internal::learn(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> rows, const TrainRequest& request,
                         Control& control) {
  if (rows.size() <= static_cast<std::size_t>(request.settings.search_rows)) {
    return learn_rows(table, data, rows, request, control);
  }
  TrainRequest of_all = request;
  of_all.target = data.target;
  of_all.rows.clear();
  of_all.row_weights.clear();
  ColumnRoles roles{.target = data.target};
  TableView view(table);
  std::string weight_column = "weight";
  std::vector<double> weights;
  // Of a cross-validation, `rows` are those of the other folds.
  const auto known = std::ranges::count_if(data.labels, [](int label) { return label >= 0; });
  if (rows.size() < static_cast<std::size_t>(known) || !request.rows.empty() ||
      !request.row_weights.empty()) {
    weights.assign(table.rows, 0);
    for (const std::uint32_t row : rows) {
      weights[row] = request.row_weights.empty() ? 1 : request.row_weights[row];
    }
    while (table.find(weight_column) != nullptr) weight_column += '_';
    view.columns.emplace_back(weight_column, NumberView{.data = weights.data()});
    roles.weight = weight_column;
  }
  TableSource source(std::move(view), std::move(roles), request.settings.threads);
  return learn_from_source(source, std::move(of_all), table.source, control);
}

RuleBase internal::train(RowSource& source, const TrainRequest& request, const std::string& name) {
  const FloatMode mode(Denormals::keep);
  validate(request.settings);
  if (request.target.empty()) fail_usage("say which column is the target");
  if (!request.rows.empty() || !request.row_weights.empty()) {
    fail_usage("sharded training does not support `rows` or `row_weights`; use a weight column");
  }
  if (request.policy.sensitivity || request.policy.specificity) {
    fail_usage(
        "training on rows that are not all in memory cannot choose the threshold for a sensitivity "
        "or specificity; train without it, then choose the threshold with frr decide");
  }
  Control control(request.progress, request.settings.time_limit);
  return learn_from_source(source, request, name, control);
}

}  // namespace frr
