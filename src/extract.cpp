#include "extract.hpp"

#include "decider.hpp"

namespace frr {

std::vector<SearchRule> extract_rules(std::span<const HardRule> hard) {
  std::vector<SearchRule> rules;
  for (const HardRule& rule : hard) {
    if (!rule.labels.empty() && rule.weight > 0) {
      rules.push_back({rule.labels, static_cast<int>(rule.then), rule.weight});
    }
  }
  return rules;
}

RuleBase make_rulebase(const Partition& partition, const Memberships& memberships,
                       std::span<const SearchRule> rules, int otherwise, const Settings& settings) {
  RuleBase base;
  base.partition = partition;
  base.tnorm = settings.tnorm;
  base.semantics = settings.semantics;
  base.root = settings.root;
  base.otherwise = otherwise;
  for (const SearchRule& rule : rules) {
    Rule readable;
    readable.then = rule.then;
    readable.weight = rule.weight;
    for (const std::size_t d : rule.labels) readable.conditions.push_back(memberships.condition(d));
    base.rules.push_back(std::move(readable));
  }
  return base;
}

double agreement(const NetworkRule& network, std::span<const HardRule> hard, const RuleBase& base,
                 const Memberships& memberships, const Binding& binding,
                 std::span<const std::uint32_t> rows) {
  std::vector<double> degrees(memberships.labels(), 0);
  std::vector<Decision> decisions(rows.size());
  Decider(base, binding).decide(rows, decisions);
  std::size_t same = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const HardRule& rule : hard) {
      for (const std::size_t d : rule.labels) {
        const Condition c = memberships.condition(d);
        const Label& label = base.partition.features[static_cast<std::size_t>(c.feature)]
                                 .labels[static_cast<std::size_t>(c.label)];
        degrees[d] = membership(label, c.label, binding.value(rows[i], c.feature));
      }
    }
    const int answer = hard_class(network, hard, base.classes.size(), degrees);
    if ((answer < 0 ? base.otherwise : answer) == decisions[i].predicted) ++same;
  }
  return rows.empty() ? 100.0
                      : 100.0 * static_cast<double>(same) / static_cast<double>(rows.size());
}

}  // namespace frr
