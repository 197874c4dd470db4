#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace frr {
namespace {

// What the threads of one parallel_for share.
class Run {
 public:
  Run(std::size_t tasks, const std::function<void(std::size_t)>& body)
      : tasks_(tasks), body_(body) {}

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

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void keep(std::size_t task, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    stopped_.store(true);
    if (error_ && error_task_ < task) return;
    error_ = std::move(error);
    error_task_ = task;
  }

  std::size_t tasks_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t error_task_ = 0;
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
  Run run(tasks, body);
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(workers - 1);
    try {
      for (std::size_t i = 1; i < workers; ++i) helpers.emplace_back([&run] { run.work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those at hand do all the work.
    }
    run.work();
  }
  run.rethrow();
}

}  // namespace frr
