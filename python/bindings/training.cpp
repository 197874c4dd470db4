#include "training.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "base/control.hpp"
#include "train/options.hpp"

namespace frr::python {
using namespace internal;
namespace {

constexpr std::chrono::milliseconds patience{50};

// State shared by the working and the waiting thread.
class Job {
 public:
  void run(const std::function<void(const ProgressCallback&, const Errands&)>& work) {
    std::exception_ptr error;
    try {
      work([this](const Progress& progress) { return note(progress); },
           [this](const std::function<void()>& errand) { send(errand); });
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = error;
    done_ = true;
    changed_.notify_all();
  }
  // Waits briefly for the end of the work or an errand; whether the work is done.
  bool wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return done_ || errand_ != nullptr; });
    return done_;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    errand_ = nullptr;
    changed_.notify_all();
  }
  // Runs the errand, if there is one.
  void run_errand() {
    const std::function<void()>* errand = nullptr;
    {
      const std::lock_guard lock(mutex_);
      errand = errand_;
    }
    if (errand == nullptr) return;
    {
      const nb::gil_scoped_acquire gil;
      (*errand)();
    }
    const std::lock_guard lock(mutex_);
    errand_ = nullptr;
    changed_.notify_all();
  }
  Progress progress() {
    const std::lock_guard lock(mutex_);
    return latest_;
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  bool note(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
    return !stopped_;
  }
  void send(const std::function<void()>& errand) {
    std::unique_lock lock(mutex_);
    if (!stopped_) {
      errand_ = &errand;
      changed_.notify_all();
      changed_.wait(lock, [&] { return errand_ == nullptr; });
    }
    if (stopped_) throw Error(ErrorKind::interrupted, "stopped");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Progress latest_;
  bool stopped_ = false, done_ = false;
  const std::function<void()>* errand_ = nullptr;  // waiting or running
  std::exception_ptr error_;
};

// Handles signals and reports progress. Throws nb::python_error.
void serve(Job& job, const nb::object& progress) {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (progress.is_none()) return;
  const Progress now = job.progress();
  progress(std::string(stage_name(now.stage)), now.fraction, now.epoch, now.epochs, now.loss);
}

}  // namespace

Settings make_settings(const std::string& preset, const OptionTexts& options) {
  Settings settings = frr::preset(preset);
  for (const auto& [name, text] : options) set_option(settings, find_option(name), text);
  validate(settings);
  return settings;
}

ProgressCallback keeping_losses(std::vector<double>& losses, const ProgressCallback& callback) {
  return [&losses, callback](const Progress& now) {
    if (now.stage == Progress::Stage::gradient && now.epoch > static_cast<int>(losses.size())) {
      losses.push_back(now.loss);
    }
    return callback(now);
  };
}

void run_interruptibly(const std::function<void(const ProgressCallback&, const Errands&)>& work,
                       const nb::object& progress) {
  Job job;
  std::exception_ptr raised;
  {
    const nb::gil_scoped_release no_gil;
    std::thread worker([&] { job.run(work); });
    while (!job.wait()) {
      if (raised) continue;
      try {
        job.run_errand();
        serve(job, progress);
      } catch (...) {
        raised = std::current_exception();
        job.stop();
      }
    }
    worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  job.rethrow();
}

}  // namespace frr::python
