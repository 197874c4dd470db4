#include "frr/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evaluate/evaluate.hpp"
#include "model/column_map.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

using Counts = std::vector<std::vector<std::size_t>>;

// Decisions of sample::patients on these rows: ill (glucose high, old), well (low), ELSE well
// (high, young), ill (missing, f), well.
Table five_patients() {
  return sample::patient_table({150, 80, 150, sample::nan, 90}, {60, 50, 20, 50, 30},
                               {"m", "f", "f", "f", "m"});
}

TEST(Evaluate, CountsByHand) {
  const RuleBase base = sample::patients();
  const Table table = five_patients();
  const ColumnMap map(base, table);
  // True: ill, ill, well, ill, well. Right: rows 0, 2, 3, 4.
  const Evaluation result = evaluate(base, map, std::vector<int>{1, 1, 0, 1, 0});
  EXPECT_EQ(result.confusion, (Counts{{2, 0}, {1, 2}}));
  EXPECT_DOUBLE_EQ(result.accuracy, 80);
  EXPECT_DOUBLE_EQ(result.balanced_accuracy, 100 * (1 + 2.0 / 3) / 2);
}

TEST(Evaluate, RowsWithoutAClassAndRowsNotChosenAreSkipped) {
  const RuleBase base = sample::patients();
  const Table table = five_patients();
  const ColumnMap map(base, table);
  const Evaluation some = evaluate(base, map, std::vector<int>{1, -1, 0, -1, 1});
  EXPECT_EQ(some.confusion, (Counts{{1, 0}, {1, 1}}));
  EXPECT_NEAR(some.accuracy, 200.0 / 3, 1e-9);
  const std::vector<std::uint32_t> rows = {0, 1};
  const Evaluation chosen = evaluate(base, map, std::vector<int>{1, 1, 0, 1, 0}, rows);
  EXPECT_EQ(chosen.confusion, (Counts{{0, 0}, {1, 1}}));
  EXPECT_DOUBLE_EQ(chosen.accuracy, 50);
}

TEST(Evaluate, BalancedAccuracyIsOverTheClassesThatOccur) {
  const RuleBase base = sample::patients();
  const Table table = five_patients();
  const ColumnMap map(base, table);
  const Evaluation only_ill = evaluate(base, map, std::vector<int>{1, 1, -1, 1, -1});
  EXPECT_NEAR(only_ill.balanced_accuracy, 200.0 / 3, 1e-9);
  const Evaluation none = evaluate(base, map, std::vector<int>{-1, -1, -1, -1, -1});
  EXPECT_EQ(none.accuracy, 0);
  EXPECT_EQ(none.balanced_accuracy, 0);
}

}  // namespace
}  // namespace frr::internal
