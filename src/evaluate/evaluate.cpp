#include "evaluate/evaluate.hpp"

#include "frr/frr.hpp"
#include "model/decider.hpp"

namespace frr {
using namespace internal;
namespace {

void score(Evaluation& result) {
  std::size_t right = 0, all = 0, present = 0;
  double recall = 0;
  for (std::size_t c = 0; c < result.confusion.size(); ++c) {
    std::size_t of_class = 0;
    for (const std::size_t count : result.confusion[c]) of_class += count;
    if (of_class == 0) continue;
    ++present;
    right += result.confusion[c][c];
    all += of_class;
    recall += static_cast<double>(result.confusion[c][c]) / static_cast<double>(of_class);
  }
  if (all == 0) return;
  result.accuracy = 100 * static_cast<double>(right) / static_cast<double>(all);
  result.balanced_accuracy = 100 * recall / static_cast<double>(present);
}

}  // namespace

Evaluation internal::evaluate(const RuleBase& base, const ColumnMap& map,
                              std::span<const int> classes, std::span<const std::uint32_t> rows) {
  Evaluation result;
  const std::size_t count = base.classes.size();
  result.confusion.assign(count, std::vector<std::size_t>(count, 0));
  Decider decider(base, map);
  for_each_decision(decider, classes, rows, [&](std::size_t row, const Decision& decision) {
    ++result.confusion[static_cast<std::size_t>(classes[row])]
                      [static_cast<std::size_t>(decision.predicted)];
  });
  score(result);
  return result;
}

Evaluation evaluate(const RuleBase& base, const Table& table) {
  return internal::evaluate(base, ColumnMap(base, table),
                            class_indices(table, base.target, base.classes));
}

}  // namespace frr
