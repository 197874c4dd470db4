#include "risk/learn_risk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "risk/risk_borders.hpp"
#include "risk/risk_search.hpp"
#include "risk/soft_targets.hpp"

namespace frr::internal {
namespace {

// Chosen on the tables of the study; see docs/explanation/method.md.
constexpr double price_factor = 2;  // nats per unit of settings.price and log(labels)
constexpr double margin = 2;        // in steps
constexpr int sweeps = 6;

std::vector<double> rates_of(const AdditiveRows& rows) {
  std::vector<double> rates(rows.class_count, 0);
  double all = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    const auto weight = static_cast<double>(rows.weights[i]);
    rates[static_cast<std::size_t>(rows.classes[i])] += weight;
    all += weight;
  }
  for (double& rate : rates) rate /= all;
  return rates;
}

// The more labels there are to choose from, the more a condition gains by chance.
double price_of(const Settings& settings, std::size_t labels) {
  return price_factor * settings.price *
         std::log(static_cast<double>(std::max<std::size_t>(labels, 2)));
}

struct Result {
  RiskRules rules;
  Partition partition;
};

Result search_from(std::vector<LabelRule> start, const AdditiveTask& task,
                   const RiskTargets& targets, const Settings& settings, Partition partition,
                   Memberships memberships, std::uint64_t seed, Control& control) {
  Search search(
      {&memberships, task.examples.classes, task.examples.weights, task.examples.class_count},
      settings, std::move(start), task.threads);
  RiskSearch risk(search, targets, settings, task.threads);
  Random random(seed ^ 0x5ea2c4ULL);
  TuneInput input{&task.table, task.rows, task.fixed};
  if (settings.polish) risk.polish(random, control);
  if (settings.tune && move_risk_borders(search, risk, targets, partition, memberships, input,
                                         settings, task.threads, control)) {
    if (settings.polish) risk.polish(random, control);
  }
  const int otherwise = risk.choose_classes();
  return {{search.rules(), otherwise, risk.objective()}, std::move(partition)};
}

}  // namespace

RiskRules learn_risk(const AdditiveTask& task, Partition& partition, Memberships memberships,
                     std::uint64_t seed, Control& control) {
  AdditiveTask additive_task = task;
  additive_task.start = {};
  AdditiveRules additive = learn_additive(additive_task, partition, memberships, control);
  const RiskTargets targets{.shares = soft_targets(task, partition, memberships, additive),
                            .base_rates = rates_of(task.examples),
                            .price = price_of(task.settings, memberships.labels())};
  for (LabelRule& rule : additive.rules) rule.weight = 1;
  Settings settings = task.settings;
  settings.margin = margin;
  settings.sweeps = sweeps;
  std::vector<std::vector<LabelRule>> starts = {{task.start.begin(), task.start.end()}};
  if (settings.polish) starts.insert(starts.end(), {{}, std::move(additive.rules)});
  Result best;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (k > 0 && control.out_of_time()) break;
    Result found = search_from(std::move(starts[k]), task, targets, settings, partition,
                               memberships, seed + k, control);
    if (k == 0 || found.rules.objective > best.rules.objective) best = std::move(found);
  }
  partition = std::move(best.partition);
  return std::move(best.rules);
}

}  // namespace frr::internal
