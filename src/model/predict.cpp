#include <algorithm>

#include "base/parallel.hpp"
#include "frr/frr.hpp"
#include "model/column_map.hpp"
#include "model/decider.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"

namespace frr {

std::vector<Decision> predict(const RuleBase& base, const Table& table, int threads) {
  return internal::decide_all(base, internal::ColumnMap(base, table), threads);
}

std::vector<double> predict_proba(const RuleBase& base, const Table& table, int threads) {
  const internal::ColumnMap map(base, table);
  const std::size_t classes = base.classes.size();
  std::vector<double> result(map.rows() * classes);
  const auto place = [&](std::size_t row, const std::vector<double>& shares) {
    std::ranges::copy(shares, result.begin() + static_cast<std::ptrdiff_t>(row * classes));
  };
  if (base.semantics == Semantics::additive) {
    internal::parallel_blocks(threads, map.rows(), internal::block_rows,
                              [&](std::size_t from, std::size_t to) {
                                for (std::size_t row = from; row < to; ++row)
                                  place(row, internal::row_probabilities(base, map, row).of_class);
                              });
    return result;
  }
  const std::vector<double> otherwise = probabilities(base, Decision::otherwise);
  std::vector<std::vector<double>> of_rule;
  for (std::size_t r = 0; r < base.rules.size(); ++r)
    of_rule.push_back(probabilities(base, static_cast<int>(r)));
  const std::vector<Decision> decisions = internal::decide_all(base, map, threads);
  for (std::size_t row = 0; row < decisions.size(); ++row) {
    const int rule = decisions[row].rule;
    place(row, rule < 0 ? otherwise : of_rule[static_cast<std::size_t>(rule)]);
  }
  return result;
}

std::vector<bool> referred(const RuleBase& base, const Table& table, int threads) {
  std::vector<bool> result(table.rows, false);
  if (!(base.policy.refer > 0)) return result;
  const internal::ColumnMap map(base, table);
  std::vector<char> refers(table.rows);  // threads must not share bits
  internal::parallel_blocks(
      threads, map.rows(), internal::block_rows, [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) {
          const auto [shares, covered] = internal::row_probabilities(base, map, row);
          refers[row] = internal::refers(base.policy, shares, covered) ? 1 : 0;
        }
      });
  for (std::size_t row = 0; row < refers.size(); ++row) result[row] = refers[row] != 0;
  return result;
}

}  // namespace frr
