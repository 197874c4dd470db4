#include "rows/memory_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

// A plan of training on a CSV file of unknown length.
MemoryPlan csv_plan(double bytes, std::size_t columns, int readers = 1) {
  return plan_memory(bytes, csv_costs(columns), std::numeric_limits<std::uint64_t>::max(), 131072,
                     readers);
}

// By hand: two shards per reader, the sample and what is fixed.
double bytes_of(const MemoryPlan& plan, const MemoryCosts& costs) {
  const auto rows =
      static_cast<double>(2 * plan.shard_rows * static_cast<std::size_t>(plan.readers));
  return costs.fixed + rows * costs.shard_row + plan.readers * costs.reader +
         plan.search_rows * costs.sample_row;
}

TEST(MemoryPlan, NeverExceedsTheMemoryAndMoreMemoryNeverGivesASmallerSample) {
  for (const std::size_t columns : {1, 20, 1000}) {
    int rows = 0;
    for (const double megabytes : {200, 500, 1000, 2000, 8000, 20000}) {
      const MemoryPlan plan = csv_plan(megabytes * 1e6, columns, 3);
      EXPECT_LE(bytes_of(plan, csv_costs(columns)), megabytes * 1e6);
      EXPECT_LE(plan.search_rows, 131072);
      EXPECT_GE(plan.search_rows, rows);
      rows = plan.search_rows;
      EXPECT_GE(plan.shard_rows, 64U);
      EXPECT_LE(plan.readers, 3);
    }
  }
}

// By hand: 131072 rows of 20 columns at 72 bytes per cell are 189 MB, the program takes 17 MB, and
// the smallest shards 0.1 MB.
TEST(MemoryPlan, TakesTheWantedSampleIfThereIsRoomElseASmallerOne) {
  EXPECT_EQ(csv_plan(400e6, 20).search_rows, 131072);
  EXPECT_EQ(csv_plan(400e6, 20).shard_rows, 65536U);
  EXPECT_EQ(csv_plan(215e6, 20).search_rows, 131072);
  const int few = csv_plan(100e6, 20).search_rows;
  EXPECT_LT(few, 83e6 / 1440);
  EXPECT_GT(few, 0.7 * 83e6 / 1440);
}

TEST(MemoryPlan, ReservesMemoryOnlyForExistingRowsAndCountsUnusableOnes) {
  const MemoryCosts costs = arrow_costs(20, 400, 60e6, 0, 220e6);
  EXPECT_EQ(plan_memory(400e6, costs, 5000, 131072, 4).search_rows, 131072);
  EXPECT_LT(plan_memory(400e6, costs, 1000000000, 131072, 4).search_rows, 131072);
  // A sample of 1000 of 4000 rows brings 3000 unusable ones along, at 640 bytes each; of 4001 none.
  const auto needed = [&](std::uint64_t rows) {
    double low = 0, high = 1e9;
    while (high - low > 1) {
      const double middle = (low + high) / 2;
      try {
        plan_memory(middle, costs, rows, 1000, 1);
        high = middle;
      } catch (const Error&) {
        low = middle;
      }
    }
    return high;
  };
  EXPECT_NEAR(needed(4000) - needed(4001), 3000 * 640, 2);
}

TEST(MemoryPlan, RejectsTooLittleMemoryWithAnAmountThatIsEnough) {
  for (const std::size_t columns : {1, 20, 5000}) {
    try {
      csv_plan(1e6, columns, 2);
      FAIL() << "no error";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("1MB is too little memory"), std::string::npos) << text;
      const std::size_t give = text.find("give ");
      ASSERT_NE(give, std::string::npos) << text;
      const double enough = std::stod(text.substr(give + 5)) * 1e6;
      EXPECT_GE(csv_plan(enough, columns, 2).search_rows, 1000) << text;
    }
  }
}

TEST(MemoryPlan, PredictionFitsTwoReadersAndThreeResults) {
  const MemoryCosts costs = arrow_costs(20, 400, 10e6, 0, 220e6);
  const std::size_t rows = plan_prediction(500e6, costs, 100);
  const auto bytes = [&](double shard) {
    return 244e6 + 2 * (2 * shard * 400 + 18e6) + 3 * shard * 100;
  };
  EXPECT_LE(bytes(static_cast<double>(rows)), 500e6);
  EXPECT_TRUE(rows == 65536 || bytes(2 * static_cast<double>(rows)) > 500e6);
  EXPECT_THROW(plan_prediction(200e6, costs, 100), Error);
}

}  // namespace
}  // namespace frr::internal
