#include "frr/rulebase.hpp"

#include <set>

namespace frr {

std::size_t Partition::label_count() const {
  std::size_t count = 0;
  for (const Feature& feature : features) count += feature.labels.size();
  return count;
}

double Statistics::rows() const {
  double total = 0;
  for (const double count : class_rows) total += count;
  return total;
}

double Rule::confidence() const {
  const double total = statistics.rows();
  return total > 0 ? statistics.class_rows[static_cast<std::size_t>(then)] / total : 0;
}

std::size_t RuleBase::size() const {
  std::size_t count = 0;
  for (const Rule& rule : rules) count += rule.conditions.size();
  return count;
}

std::size_t RuleBase::unique_conditions() const {
  std::set<std::pair<int, int>> seen;
  for (const Rule& rule : rules)
    for (const Condition& c : rule.conditions) seen.emplace(c.feature, c.label);
  return seen.size();
}

std::string RuleBase::condition_text(const Condition& c) const {
  const Feature& feature = partition.features.at(static_cast<std::size_t>(c.feature));
  return feature.name + " IS " + feature.labels.at(static_cast<std::size_t>(c.label)).name;
}

std::string RuleBase::rule_text(const Rule& rule) const {
  std::string text;
  for (const Condition& condition : rule.conditions)
    text += (text.empty() ? "IF " : " AND ") + condition_text(condition);
  return text + " THEN " + classes.at(static_cast<std::size_t>(rule.then));
}

std::vector<bool> RuleBase::used_features() const {
  std::vector<bool> used(partition.features.size());
  for (const Rule& rule : rules)
    for (const Condition& c : rule.conditions) used[static_cast<std::size_t>(c.feature)] = true;
  return used;
}

}  // namespace frr
