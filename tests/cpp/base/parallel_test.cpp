#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace frr::internal {
namespace {

TEST(ThreadCount, ReturnsTheRequestOrAtLeastOne) {
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

TEST(ParallelFor, RunsInOrderOnTheCallerWithOneThread) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(1, 5, [&](std::size_t task) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(task);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, NeverUsesMoreThreadsThanRequested) {
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

TEST(ParallelFor, StartsNoTaskAfterAnException) {
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

TEST(ParallelBlocks, CoverEveryNumberOnceInBlocksOfTheGivenSize) {
  for (const std::size_t count : {0, 1, 9, 10, 11, 25}) {
    for (const int threads : {1, 3}) {
      std::vector<std::atomic<int>> seen(count);
      parallel_blocks(threads, count, 10, [&](std::size_t from, std::size_t to) {
        EXPECT_EQ(from % 10, 0U);
        EXPECT_EQ(to, std::min(count, from + 10));
        for (std::size_t i = from; i < to; ++i) ++seen[i];
      });
      for (const auto& times : seen) EXPECT_EQ(times.load(), 1);
    }
  }
}

TEST(ParallelFor, HandlesManyShortCallsFromTwoThreads) {
  constexpr int calls = 5000;
  const auto call_often = [](std::size_t tasks, std::size_t* wrong) {
    for (int call = 0; call < calls; ++call) {
      std::vector<int> runs(tasks, 0);
      parallel_for(2, tasks, [&](std::size_t task) { ++runs[task]; });
      if (runs != std::vector<int>(tasks, 1)) ++*wrong;
    }
  };
  std::size_t first_wrong = 0, second_wrong = 0;
  std::thread other(call_often, std::size_t{3}, &second_wrong);
  call_often(2, &first_wrong);
  other.join();
  EXPECT_EQ(first_wrong, 0U);
  EXPECT_EQ(second_wrong, 0U);
}

// A fork may leave the threads and locks of sanitizers in any state.
#ifdef FRR_TEST_SANITIZED
#define FRR_NO_FORK
#endif

#ifndef FRR_NO_FORK
// Whether two tasks run at the same time: each waits a while for the other.
bool runs_side_by_side() {
  std::atomic<int> started = 0;
  std::atomic<bool> met = true;
  parallel_for(2, 2, [&](std::size_t) {
    ++started;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(300);
    while (started < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (started < 2) met = false;
  });
  return met;
}

// True (exit status 0) if a child process runs all tasks several times with a helper.
int status_of_child() {
  const pid_t child = ::fork();
  if (child != 0) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
  ::alarm(600);  // ends a child that hangs
  if (!runs_side_by_side()) ::_exit(2);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(2, 50, [&](std::size_t task) { sum += static_cast<int>(task); });
    if (sum != 1225) ::_exit(1);
  }
  ::_exit(0);
}

TEST(ParallelFor, WorksInAChildAfterFork) {
  std::atomic<int> count = 0;
  parallel_for(2, 50, [&](std::size_t) { ++count; });  // its threads are not in the child
  EXPECT_EQ(status_of_child(), 0);
  parallel_for(2, 50, [&](std::size_t) { ++count; });
  EXPECT_EQ(count.load(), 100);
}

TEST(ParallelFor, WorksInAChildForkedWhileThreadsAreBusy) {
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) parallel_for(2, 4, [](std::size_t) {});
  });
  for (int round = 0; round < 10; ++round) EXPECT_EQ(status_of_child(), 0);
  stop = true;
  other.join();
}
#endif

}  // namespace
}  // namespace frr::internal
