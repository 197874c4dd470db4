// Progress, interruption and the time limit of one training.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string_view>
#include <utility>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

// The name of the stage for progress messages.
inline std::string_view stage_name(Progress::Stage stage) {
  switch (stage) {
    case Progress::Stage::partition:
      return "placing labels";
    case Progress::Stage::gradient:
      return "learning";
    case Progress::Stage::polish:
      return "polishing rules";
    case Progress::Stage::tune:
      return "tuning labels";
    case Progress::Stage::done:
      break;
  }
  return "finishing";
}

class Control {
 public:
  Control(ProgressCallback callback, double time_limit)
      : callback_(std::move(callback)), start_(Clock::now()), limit_(time_limit) {}

  // For work that runs in parallel with that of `other`. It can be interrupted, but only `other`
  // reports progress, so that the reports do not depend on which of the two is faster.
  static Control beside(Control& other) { return Control(&other); }

  // Safe to call from several threads. Throws Error{interrupted} if the callback asks to stop.
  void report(const Progress& progress) {
    if (other_ != nullptr) return other_->check_interrupt();
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    // Polishing and tuning alternate, but the fraction shown must never fall.
    const double reached = std::max(shown_.fraction, progress.fraction);
    shown_ = progress;
    shown_.fraction = reached;
    call();
  }
  void report(Progress::Stage stage, double fraction) {
    report({.stage = stage, .fraction = fraction});
  }

  // True once the fraction `share` of the time limit has passed. Early stages stop after a
  // fraction, so that later ones have time left. A stage that stops early leaves a valid result.
  [[nodiscard]] bool out_of_time(double share = 1) const {
    if (other_ != nullptr) return other_->out_of_time(share);
    return limit_ > 0 &&
           std::chrono::duration<double>(Clock::now() - start_).count() > share * limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  explicit Control(Control* other) : other_(other) {}

  void check_interrupt() {
    if (other_ != nullptr) return other_->check_interrupt();
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    call();
  }
  void call() {
    if (!callback_(shown_)) throw Error(ErrorKind::interrupted, "training was interrupted");
  }

  ProgressCallback callback_;
  Clock::time_point start_;
  double limit_ = 0;
  Progress shown_;
  std::mutex mutex_;
  Control* other_ = nullptr;
};

}  // namespace frr::internal
