// train() of a table and of shards.
#include <utility>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "data/row_order.hpp"
#include "frr/frr.hpp"
#include "frr/shards.hpp"
#include "model/decider.hpp"
#include "shards/sharded.hpp"
#include "train/learner.hpp"
#include "train/options.hpp"

namespace frr {
using namespace internal;

RuleBase internal::learn(const Table& table, const Dataset& data,
                         std::span<const std::uint32_t> chosen, const TrainRequest& request,
                         Control& control) {
  const Settings& settings = request.settings;
  const auto most = static_cast<std::size_t>(settings.search_rows);
  if (chosen.size() > most) return learn_sampled(table, data, chosen, request, control);
  std::span<const double> repetitions, weights(request.row_weights);
  if (!weights.empty() && are_repetitions(weights, chosen, most)) std::swap(repetitions, weights);
  const std::vector<std::uint32_t> rows =
      ordered_rows(table, data, chosen, repetitions, weights, thread_count(settings.threads));
  RuleBase base = learn_rules(table, data, rows, weights, request, rows.size(), control);
  const ColumnMap map(base, table);
  const auto count = [&](RuleBase& own) { set_statistics(own, map, data.labels, rows); };
  finish(base, count, settings, control);
  return base;
}

RuleBase train(const Table& table, const TrainRequest& request) {
  const FloatMode mode(Denormals::keep);
  validate(request.settings);
  Control control(request.progress, request.settings.time_limit);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<std::uint32_t> rows = training_rows(table, data, request);
  return learn(table, data, rows, request, control);
}

RuleBase train(Shards& shards, const ShardedTraining& training) {
  const FloatMode mode(Denormals::keep);
  const TrainRequest& request = training.request;
  validate(request.settings);
  if (request.target.empty()) fail_usage("say which column is the target");
  if (!request.rows.empty() || !request.row_weights.empty()) {
    fail_usage("of shards no rows can be chosen, and their weights stand in a column");
  }
  Control control(request.progress, request.settings.time_limit);
  return learn_from_shards(shards, training, control);
}

}  // namespace frr
