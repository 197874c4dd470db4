// Progress, cancelling and the time limit of one training.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr {

class Control {
 public:
  Control(ProgressCallback callback, double time_limit)
      : callback_(std::move(callback)), start_(Clock::now()), limit_(time_limit) {}

  // Safe to call from several threads. Throws Error{interrupted} if the callback asks to stop.
  void report(const Progress& progress) {
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    // Polish and tuning take turns, and restarts run side by side: what is shown only grows.
    reached_ = std::max(reached_, progress.fraction);
    Progress shown = progress;
    shown.fraction = reached_;
    if (!callback_(shown)) throw Error(ErrorKind::interrupted, "training was interrupted");
  }
  void report(Progress::Stage stage, double fraction) { report({stage, fraction, 0, 0, 0}); }

  // True once the time limit has passed; from then on work is cut short, never wrong. Stages that
  // come before others are given a share of the limit.
  [[nodiscard]] bool out_of_time(double share = 1) const {
    return limit_ > 0 &&
           std::chrono::duration<double>(Clock::now() - start_).count() > share * limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  ProgressCallback callback_;
  Clock::time_point start_;
  double limit_;
  double reached_ = 0;
  std::mutex mutex_;
};

}  // namespace frr
