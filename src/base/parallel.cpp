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
// a waiting thread spins for a while before it sleeps. It yields its processor meanwhile: the
// thread that it waits for may need it.
template <typename Ready>
bool spin_until(Ready ready) {
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
      : tasks_(tasks), body_(body), vacancies_(helpers) {}

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

  // Called by a thread of the pool, whose mode is that of the thread which started it.
  void help() noexcept {
    const FloatMode mode(mode_);
    work();
  }

  // Called by the pool, under its lock.
  bool join() {
    if (vacancies_ == 0 || next_.load() >= tasks_) return false;
    --vacancies_;
    working_.fetch_add(1);
    return true;
  }
  void leave() {
    working_.fetch_sub(1);
    working_.notify_one();
  }
  void wait_for_helpers() {
    if (spin_until([&] { return working_.load() == 0; })) return;
    for (int left = working_.load(); left != 0; left = working_.load()) working_.wait(left);
  }

  // Moves the error out of the run: if a helper releases the run last, it must not destroy the
  // exception while the caller handles it.
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
  std::size_t vacancies_;  // helpers that may still join
  std::atomic<std::size_t> next_ = 0;
  std::atomic<int> working_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t error_task_ = 0;
};

// Threads that help with all open runs. A caller works, too, and waits only for helpers that have
// joined its run, so it never waits for a helper that did not start.
class Pool {
 public:
  // The pool of this process. A forked process gets a new one, because it has none of the threads.
  // Pools are never destroyed: their threads live as long as the process.
  static Pool& instance() {
    static std::atomic<Pool*> current = nullptr;
    Pool* pool = current.load();
    while (pool == nullptr || pool->process_ != ::getpid()) {
      auto created = std::make_unique<Pool>(pool);
      if (current.compare_exchange_strong(pool, created.get())) pool = created.release();
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

  // No helper joins the run after this.
  void close(const std::shared_ptr<Run>& run) {
    const std::lock_guard lock(mutex_);
    std::erase(runs_, run);
  }

 private:
  void grow(std::size_t helpers) {
    try {
      for (; threads_ < helpers; ++threads_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      // The system has no more threads: the existing ones do all the work.
    }
  }

  [[noreturn]] void help() {
    for (;;) {
      const unsigned calls = calls_.load();
      while (const std::shared_ptr<Run> run = next_run()) {
        run->help();
        run->leave();
      }
      if (spin_until([&] { return calls_.load() != calls; })) continue;
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

  // The pool of the parent process: unused, but kept reachable for leak checkers.
  [[maybe_unused]] Pool* previous_;
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
  // Shared, because a helper may still be leaving the run when all tasks are done.
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
