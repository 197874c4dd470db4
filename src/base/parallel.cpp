#include "base/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/float_mode.hpp"

namespace frr::internal {
namespace {

// Calls of parallel_for often follow each other within microseconds (the steps of a training), so
// whoever waits looks again for a while before it goes to sleep. It makes way where another thread
// wants its processor: that may be the one it waits for.
template <typename Ready>
bool soon(Ready ready) {
  constexpr auto patience = std::chrono::microseconds(500);
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - start < patience);
  return ready();
}

// What the threads of one parallel_for share.
class Run {
 public:
  Run(std::size_t tasks, const std::function<void(std::size_t)>& body, std::size_t helpers)
      : tasks_(tasks), body_(body), places_(helpers) {}

  void work() noexcept {
    // The stop flag is read before a task is taken, never after: a taken task always runs. Tasks
    // are taken in ascending order, so the smallest one that throws is always among those run.
    while (!stopped_.load()) {
      const std::size_t task = next_.fetch_add(1);
      if (task >= tasks_) return;
      try {
        body_(task);
      } catch (...) {
        keep(task, std::current_exception());
      }
    }
  }

  // By a thread of the pool, which has whatever mode the thread had that started it.
  void help() noexcept {
    const FloatMode mode(mode_);
    work();
  }

  // For the pool, under its lock.
  bool join() {
    if (places_ == 0 || next_.load() >= tasks_) return false;
    --places_;
    working_.fetch_add(1);
    return true;
  }
  void leave() {
    working_.fetch_sub(1);
    working_.notify_one();
  }
  void wait_for_helpers() {
    if (soon([&] { return working_.load() == 0; })) return;
    for (int left = working_.load(); left != 0; left = working_.load()) working_.wait(left);
  }

  // The caller takes the error with it: a helper that lets go of the run last must not be the one
  // to destroy what the caller's handler reads.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void keep(std::size_t task, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    stopped_.store(true);
    if (error_ && error_task_ < task) return;
    error_ = std::move(error);
    error_task_ = task;
  }

  FloatMode::Bits mode_ = FloatMode::current();  // of the caller
  std::size_t tasks_;
  const std::function<void(std::size_t)>& body_;
  std::size_t places_;  // helpers that may still join
  std::atomic<std::size_t> next_ = 0;
  std::atomic<int> working_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t error_task_ = 0;
};

// Threads that help with whatever runs are open. A caller works itself and waits only for helpers
// that have joined it, so it never hangs on a helper that does not come.
class Pool {
 public:
  // The pool of this process. After a fork there is a new one, without the threads of the old; none
  // is ever destroyed, because its threads live as long as the process.
  static Pool& instance() {
    static std::atomic<Pool*> current = nullptr;
    Pool* pool = current.load();
    while (pool == nullptr || pool->process_ != ::getpid()) {
      auto own = std::make_unique<Pool>(pool);
      if (current.compare_exchange_strong(pool, own.get())) pool = own.release();
    }
    return *pool;
  }

  explicit Pool(Pool* previous) : previous_(previous) {}

  void open(const std::shared_ptr<Run>& run, std::size_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      grow(helpers);
      runs_.push_back(run);
    }
    calls_.fetch_add(1);
    calls_.notify_all();
  }

  // After this no helper joins any more.
  void close(const std::shared_ptr<Run>& run) {
    const std::lock_guard lock(mutex_);
    std::erase(runs_, run);
  }

 private:
  void grow(std::size_t helpers) {
    try {
      for (; threads_ < helpers; ++threads_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      // The system gives no more threads: those at hand do all the work.
    }
  }

  [[noreturn]] void help() {
    for (;;) {
      const unsigned calls = calls_.load();
      while (const std::shared_ptr<Run> run = next_run()) {
        run->help();
        run->leave();
      }
      if (soon([&] { return calls_.load() != calls; })) continue;
      calls_.wait(calls);
    }
  }

  std::shared_ptr<Run> next_run() {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<Run>& run : runs_) {
      if (run->join()) return run;
    }
    return nullptr;
  }

  [[maybe_unused]] Pool*
      previous_;  // of the process that this one was forked from: not in use, not lost
  pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::vector<std::shared_ptr<Run>> runs_;
  std::size_t threads_ = 0;
  std::atomic<unsigned> calls_ = 0;
};

}  // namespace

int thread_count(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(int threads, std::size_t tasks,
                  const std::function<void(std::size_t task)>& body) {
  const std::size_t workers =
      std::min<std::size_t>(static_cast<std::size_t>(thread_count(threads)), tasks);
  if (workers <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  // Shared, because a helper may still be leaving it when all is done.
  const auto run = std::make_shared<Run>(tasks, body, workers - 1);
  Pool& pool = Pool::instance();
  pool.open(run, workers - 1);
  run->work();
  pool.close(run);
  run->wait_for_helpers();
  run->rethrow();
}

void parallel_blocks(int threads, std::size_t count, std::size_t block,
                     const std::function<void(std::size_t from, std::size_t to)>& body) {
  parallel_for(threads, (count + block - 1) / block,
               [&](std::size_t b) { body(b * block, std::min(count, (b + 1) * block)); });
}

}  // namespace frr::internal
