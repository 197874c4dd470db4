#include "parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace frr {
namespace {

TEST(ThreadCount, KeepsWhatIsAskedAndFindsAtLeastOne) {
  EXPECT_EQ(thread_count(1), 1);
  EXPECT_EQ(thread_count(7), 7);
  EXPECT_GE(thread_count(0), 1);
  EXPECT_GE(thread_count(-3), 1);
}

TEST(ParallelFor, RunsEveryTaskExactlyOnce) {
  for (const int threads : {0, 1, 2, 7, 50}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(threads, runs.size(), [&](std::size_t task) { ++runs[task]; });
    for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ParallelFor, RunsNothingForNoTasks) {
  parallel_for(4, 0, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, OneThreadRunsInOrderOnTheCaller) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(1, 5, [&](std::size_t task) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(task);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, NeverUsesMoreThreadsThanAsked) {
  std::atomic<int> running = 0, most = 0;
  parallel_for(3, 60, [&](std::size_t) {
    const int now = ++running;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
  });
  EXPECT_LE(most.load(), 3);
  EXPECT_GE(most.load(), 2);
}

TEST(ParallelFor, RethrowsTheExceptionOfTheSmallestTaskWithAnyNumberOfThreads) {
  for (int round = 0; round < 50; ++round)
    for (const int threads : {1, 2, 3, 8}) {
      try {
        parallel_for(threads, 100, [&](std::size_t task) {
          // The smaller one throws later, so that the larger one is usually caught first.
          if (task == 40) std::this_thread::sleep_for(std::chrono::microseconds(200));
          if (task >= 40) throw std::runtime_error(std::to_string(task));
        });
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "40");
      }
    }
}

TEST(ParallelFor, StartsNoTaskAfterAnExceptionHasBeenSeen) {
  for (const int threads : {1, 4}) {
    std::atomic<std::size_t> started = 0;
    EXPECT_THROW(parallel_for(threads, 1'000'000,
                              [&](std::size_t) {
                                ++started;
                                throw std::runtime_error("stop");
                              }),
                 std::runtime_error);
    EXPECT_LE(started.load(), static_cast<std::size_t>(threads));
  }
}

TEST(ParallelFor, MayBeNested) {
  std::atomic<int> count = 0;
  parallel_for(3, 4, [&](std::size_t) { parallel_for(3, 5, [&](std::size_t) { ++count; }); });
  EXPECT_EQ(count.load(), 20);
}

}  // namespace
}  // namespace frr
