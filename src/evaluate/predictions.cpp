#include "evaluate/predictions.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/parallel.hpp"
#include "frr/error.hpp"
#include "model/decider.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"

namespace frr::internal {
namespace {

Predictions rule_predictions(const RuleBase& base, std::span<const Decision> decisions) {
  Predictions result;
  result.classes = base.classes.size();
  for (int rule = Decision::otherwise; rule < static_cast<int>(base.rules.size()); ++rule) {
    const bool otherwise = rule == Decision::otherwise;
    result.predicted.push_back(otherwise ? base.otherwise
                                         : base.rules[static_cast<std::size_t>(rule)].then);
    const std::vector<double> shares = probabilities(base, rule);
    result.probabilities.insert(result.probabilities.end(), shares.begin(), shares.end());
    if (base.policy.refer > 0) {
      result.referred.push_back(refers(base.policy, shares, !otherwise) ? 1 : 0);
    }
  }
  result.of_row.reserve(decisions.size());
  for (const Decision& decision : decisions)
    result.of_row.push_back(static_cast<std::uint32_t>(decision.rule - Decision::otherwise));
  return result;
}

}  // namespace

Predictions distinct_predictions(std::size_t classes, std::span<const int> predicted,
                                 std::span<const double> probabilities,
                                 std::span<const char> referred) {
  if (probabilities.size() != predicted.size() * classes)
    fail_usage("the probabilities do not have one value for each row and class");
  Predictions result;
  result.classes = classes;
  result.of_row.reserve(predicted.size());
  // Bytes of the class, the probabilities and the referral.
  std::unordered_map<std::string, std::uint32_t> known;
  std::string bytes(sizeof(int) + classes * sizeof(double) + 1, '\0');
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const std::span<const double> row_shares = probabilities.subspan(row * classes, classes);
    std::memcpy(bytes.data(), &predicted[row], sizeof(int));
    std::memcpy(bytes.data() + sizeof(int), row_shares.data(), row_shares.size_bytes());
    if (!referred.empty()) bytes.back() = referred[row];
    const auto next = static_cast<std::uint32_t>(result.predicted.size());
    const auto [found, is_new] = known.try_emplace(bytes, next);
    if (is_new) {
      result.predicted.push_back(predicted[row]);
      result.probabilities.insert(result.probabilities.end(), row_shares.begin(), row_shares.end());
      if (!referred.empty()) result.referred.push_back(referred[row]);
    }
    result.of_row.push_back(found->second);
  }
  return result;
}

namespace {

// `row_of`: the row of each decision.
template <typename RowOf>
Predictions predictions_of(const RuleBase& base, const ColumnMap& map,
                           std::span<const Decision> decisions, const RowOf& row_of, int threads) {
  if (base.semantics == Semantics::sufficient) return rule_predictions(base, decisions);
  const std::size_t classes = base.classes.size();
  std::vector<int> predicted;
  predicted.reserve(decisions.size());
  for (const Decision& decision : decisions) predicted.push_back(decision.predicted);
  std::vector<double> shares(decisions.size() * classes);
  std::vector<char> referred(base.policy.refer > 0 ? decisions.size() : 0);
  parallel_blocks(threads, decisions.size(), block_rows, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto [row_shares, covered] = row_probabilities(base, map, row_of(i));
      std::ranges::copy(row_shares, shares.begin() + static_cast<std::ptrdiff_t>(i * classes));
      if (!referred.empty()) referred[i] = refers(base.policy, row_shares, covered) ? 1 : 0;
    }
  });
  return distinct_predictions(classes, predicted, shares, referred);
}

}  // namespace

Predictions model_predictions(const RuleBase& base, const ColumnMap& map, int threads) {
  return predictions_of(
      base, map, decide_all(base, map, threads), [](std::size_t i) { return i; }, threads);
}

Predictions model_predictions(const RuleBase& base, const ColumnMap& map,
                              std::span<const std::uint32_t> rows) {
  std::vector<Decision> decisions(rows.size());
  Decider decider(base, map);
  decider.decide(rows, decisions);
  return predictions_of(
      base, map, decisions, [&](std::size_t i) { return rows[i]; }, 1);
}

Predictions joined(std::span<const Predictions> parts) {
  Predictions result;
  for (const Predictions& part : parts) {
    const auto first = static_cast<std::uint32_t>(result.predicted.size());
    result.classes = part.classes;
    result.predicted.insert(result.predicted.end(), part.predicted.begin(), part.predicted.end());
    result.probabilities.insert(result.probabilities.end(), part.probabilities.begin(),
                                part.probabilities.end());
    result.referred.insert(result.referred.end(), part.referred.begin(), part.referred.end());
    for (const std::uint32_t i : part.of_row) result.of_row.push_back(first + i);
  }
  return result;
}

}  // namespace frr::internal
