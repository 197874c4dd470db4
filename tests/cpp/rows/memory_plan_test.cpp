#include "rows/memory_plan.hpp"

#include <gtest/gtest.h>

#include <string>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

TEST(MemoryPlan, FillsWhatItIsGivenAndNeverMore) {
  for (const std::size_t columns : {1, 20, 1000}) {
    std::size_t rows = 0;
    for (const std::size_t megabytes : {1000, 2000, 8000}) {
      const std::size_t bytes = megabytes << 20;
      const MemoryPlan plan = plan_memory(bytes, columns, 131072, 2);
      EXPECT_LE(plan.search_rows, 131072);
      EXPECT_GE(static_cast<std::size_t>(plan.search_rows), rows);
      rows = static_cast<std::size_t>(plan.search_rows);
      // 72 bytes a cell learned from, 32 a cell of the two pieces at hand.
      EXPECT_LE(rows * columns * 72 + 2 * plan.piece_rows * columns * 32, bytes);
      EXPECT_GE(plan.piece_rows, 64U);
    }
  }
  // 131072 rows of 20 columns want 189 MB: less gives fewer rows, down to 1000.
  EXPECT_EQ(plan_memory(std::size_t{400} << 20, 20, 131072, 1).search_rows, 131072);
  const int few = plan_memory(std::size_t{100} << 20, 20, 131072, 1).search_rows;
  EXPECT_LT(few, 131072);
  EXPECT_GT(few, 40000);
}

TEST(MemoryPlan, TooLittleIsRefusedWithWhatWouldDo) {
  for (const std::size_t columns : {1, 20, 5000}) {
    try {
      plan_memory(std::size_t{1} << 20, columns, 131072, 2);
      FAIL() << "no error";
    } catch (const Error& error) {
      const std::string text = error.what();
      const std::size_t give = text.find("give ");
      ASSERT_NE(give, std::string::npos) << text;
      const std::size_t enough = std::stoul(text.substr(give + 5));
      EXPECT_GE(plan_memory(enough * 1000000, columns, 131072, 2).search_rows, 1000) << text;
    }
  }
}

}  // namespace
}  // namespace frr::internal
