#include "network/extract.hpp"

#include <numeric>

#include "base/parallel.hpp"
#include "model/decider.hpp"
#include "model/inference.hpp"

namespace frr::internal {

std::vector<LabelRule> extract_rules(std::span<const HardRule> hard) {
  std::vector<LabelRule> rules;
  for (const HardRule& rule : hard) {
    if (!rule.labels.empty() && rule.weight > 0) {
      rules.push_back({rule.labels, static_cast<int>(rule.then), rule.weight});
    }
  }
  return rules;
}

RuleBase make_rulebase(const Partition& partition, const Memberships& memberships,
                       std::span<const LabelRule> rules, int otherwise, const Settings& settings) {
  RuleBase base;
  base.partition = partition;
  base.tnorm = settings.tnorm;
  base.semantics = settings.semantics;
  base.root = settings.root;
  base.otherwise = otherwise;
  for (const LabelRule& rule : rules) {
    Rule converted;
    converted.then = rule.then;
    converted.weight = rule.weight;
    for (const std::size_t d : rule.labels) {
      converted.conditions.push_back(memberships.condition(d));
    }
    base.rules.push_back(std::move(converted));
  }
  return base;
}

double agreement(const NetworkRule& network, std::span<const HardRule> hard, const RuleBase& base,
                 const Memberships& memberships, const ColumnMap& map,
                 std::span<const std::uint32_t> rows, int threads) {
  std::vector<std::size_t> same((rows.size() + block_rows - 1) / block_rows, 0);
  parallel_blocks(threads, rows.size(), block_rows, [&](std::size_t from, std::size_t to) {
    std::vector<double> degrees(memberships.labels(), 0);
    std::vector<Decision> decisions(to - from);
    Decider(base, map).decide(rows.subspan(from, to - from), decisions);
    for (std::size_t i = from; i < to; ++i) {
      for (const HardRule& rule : hard) {
        for (const std::size_t d : rule.labels) {
          const Condition c = memberships.condition(d);
          const Label& label = base.partition.features[static_cast<std::size_t>(c.feature)]
                                   .labels[static_cast<std::size_t>(c.label)];
          degrees[d] = membership(label, c.label, map.value(rows[i], c.feature));
        }
      }
      const int answer = hard_class(network, hard, base.classes.size(), degrees);
      const int predicted = decisions[i - from].predicted;
      if ((answer < 0 ? base.otherwise : answer) == predicted) ++same[from / block_rows];
    }
  });
  const auto all = static_cast<double>(std::accumulate(same.begin(), same.end(), std::size_t{0}));
  return rows.empty() ? 100.0 : 100.0 * all / static_cast<double>(rows.size());
}

}  // namespace frr::internal
