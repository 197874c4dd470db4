#include "base/float_mode.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "model/decider.hpp"
#include "model/explain.hpp"
#include "model/inference.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

#if defined(__x86_64__)

constexpr unsigned denormal_operand = 0x02, underflow = 0x10, all_flags = 0x3f;
constexpr unsigned flush_and_upward = 0x8000 | 0x0040 | 0x4000;
constexpr unsigned initial = 0x1f80;  // of a process

unsigned raised() { return __builtin_ia32_stmxcsr() & (denormal_operand | underflow); }
void clear_flags() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~all_flags); }

// Another mode during a test.
class CallersMode {
 public:
  explicit CallersMode(unsigned bits) : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(bits);
  }
  ~CallersMode() { __builtin_ia32_ldmxcsr(before_); }
  CallersMode(const CallersMode&) = delete;
  CallersMode& operator=(const CallersMode&) = delete;

 private:
  unsigned before_;
};

Table table_of(std::size_t rows) {
  Random random(3);
  return random_table::make(random, {.rows = rows, .numeric = 6, .categorical = 2, .classes = 3});
}

TrainRequest on_one_thread() {
  TrainRequest request;
  request.settings.threads = 1;  // the flags are those of the calling thread
  return request;
}

// Volatile, so that the compiler does not compute it.
float half_of_smallest_normal() {
  volatile float smallest = 0x1p-126F;
  return smallest * 0.5F;
}

TEST(FloatMode, FlushesDenormalsOnlyWhileItLives) {
  EXPECT_GT(half_of_smallest_normal(), 0);
  {
    const FloatMode flush(Denormals::flush);
    EXPECT_EQ(half_of_smallest_normal(), 0);
    {
      const FloatMode keep(Denormals::keep);
      EXPECT_GT(half_of_smallest_normal(), 0);
    }
    EXPECT_EQ(half_of_smallest_normal(), 0);
  }
  EXPECT_GT(half_of_smallest_normal(), 0);
}

TEST(FloatMode, RestoresTheCallersMode) {
  const CallersMode caller(initial | flush_and_upward);
  { const FloatMode keep(Denormals::keep); }
  { const FloatMode flush(Denormals::flush); }
  EXPECT_EQ(__builtin_ia32_stmxcsr() & ~all_flags, initial | flush_and_upward);
}

TEST(FloatMode, DropsOnlyTheFlagsOfFlushing) {
  clear_flags();
  {
    const FloatMode flush(Denormals::flush);
    half_of_smallest_normal();
  }
  EXPECT_EQ(raised(), 0U);
  {
    const FloatMode keep(Denormals::keep);
    volatile float x = half_of_smallest_normal() * 0.7F;
    static_cast<void>(x);
  }
  EXPECT_EQ(raised(), denormal_operand | underflow);
}

TEST(FloatMode, ParallelForUsesTheCallersModeOnAllThreads) {
  for (const unsigned mode : {initial | flush_and_upward, initial}) {
    const CallersMode caller(mode);
    std::vector<FloatMode::Bits> seen(64);
    parallel_for(4, seen.size(), [&](std::size_t task) {
      seen[task] = FloatMode::current();
      std::this_thread::sleep_for(
          std::chrono::milliseconds(1));  // other threads take some tasks, too
    });
    EXPECT_EQ(seen, std::vector<FloatMode::Bits>(seen.size(), mode));
  }
}

// Partition, forest, gradient descent, search and tuning.
TEST(FloatMode, TrainingNeverComputesWithDenormals) {
  const Table table = table_of(400);
  for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
    for (const char* tnorm : {"product", "minimum", "hamacher", "aczel-alsina:2"}) {
      TrainRequest request = on_one_thread();
      request.settings.semantics = semantics;
      request.settings.tnorm = parse_tnorm(tnorm);
      clear_flags();
      train(table, request);
      EXPECT_EQ(raised(), 0U) << tnorm;
    }
  }
}

TEST(FloatMode, TrainingOnASampleNeverComputesWithDenormals) {
  TrainRequest request = on_one_thread();
  request.settings.search_rows = 1000;
  const Table table = table_of(3000);
  clear_flags();
  train(table, request);
  EXPECT_EQ(raised(), 0U);
}

TEST(FloatMode, TheCallersModeDoesNotChangeTheModel) {
  for (const int threads : {1, 4}) {
    TrainRequest request;
    request.settings.threads = threads;
    request.settings.search_rows = 1000;
    for (const std::size_t rows : {300, 2000}) {
      const Table table = table_of(rows);
      const std::string plain = to_json(train(table, request));
      for (const unsigned mode : {flush_and_upward, 0x2000U, 0x6000U}) {
        const CallersMode caller(initial | mode);
        EXPECT_EQ(to_json(train(table, request)), plain) << mode;
      }
    }
  }
}

// IF x IS high THEN b ELSE a; x is high to a degree of 2^-1073, which is denormal.
TEST(FloatMode, TheCallersModeDoesNotChangeADecision) {
  RuleBase base;
  base.classes = {"a", "b"};
  Label high;
  high.name = "high";
  high.kind = LabelKind::range;
  high.shape = {0, 0x1p+1, 10, 11};
  base.partition.features.push_back({.name = "x", .labels = {high}});
  base.rules.push_back({.conditions = {{0, 0}}, .then = 1, .weight = 1, .statistics = {}});
  Table table;
  table.add_numeric("x", {0x1p-1072});
  const ColumnMap map(base, table);
  const CallersMode caller(initial | flush_and_upward);
  EXPECT_EQ(decide(base, map, 0).predicted, 1);
  EXPECT_EQ(decide_all(base, map, 1)[0].predicted, 1);
  EXPECT_EQ(explain(base, map, 0).decision.predicted, 1);
}

#endif

}  // namespace
}  // namespace frr::internal
