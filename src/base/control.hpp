// Progress, cancelling and the time limit of one training.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {

class Control {
 public:
  Control(ProgressCallback callback, double time_limit)
      : callback_(std::move(callback)), start_(Clock::now()), limit_(time_limit) {}

  // For work beside that of `other`, which alone tells how far it is: else what is told would
  // depend on which is faster.
  static Control beside(Control& other) { return Control(&other); }

  // Safe to call from several threads. Throws Error{interrupted} if the callback asks to stop.
  void report(const Progress& progress) {
    if (other_ != nullptr) return other_->report_again();
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    // Polish and tuning take turns: what is shown only grows.
    const double reached = std::max(shown_.fraction, progress.fraction);
    shown_ = progress;
    shown_.fraction = reached;
    call();
  }
  void report(Progress::Stage stage, double fraction) {
    report({.stage = stage, .fraction = fraction});
  }

  // True once the time limit has passed; from then on work is cut short, never wrong. Stages that
  // come before others are given a share of the limit.
  [[nodiscard]] bool out_of_time(double share = 1) const {
    if (other_ != nullptr) return other_->out_of_time(share);
    return limit_ > 0 &&
           std::chrono::duration<double>(Clock::now() - start_).count() > share * limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  explicit Control(Control* other) : other_(other) {}

  void report_again() {
    if (other_ != nullptr) return other_->report_again();
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
