// The progress of several trainings as one.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "frr/frr.hpp"

namespace frr::internal {

// The mean of their fractions, weighted by how long they take. Refers to the callback.
class JointProgress {
 public:
  JointProgress(const ProgressCallback& callback, std::vector<double> weights)
      : callback_(callback), weights_(std::move(weights)), fractions_(weights_.size(), 0) {
    for (const double weight : weights_) all_ += weight;
  }
  JointProgress(const JointProgress&) = delete;
  JointProgress& operator=(const JointProgress&) = delete;

  // The callback of one training; none if there is none to call.
  [[nodiscard]] ProgressCallback of(std::size_t training) {
    if (!callback_) return {};
    return [this, training](const Progress& progress) { return report(training, progress); };
  }

 private:
  bool report(std::size_t training, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    done_ += weights_[training] * (progress.fraction - fractions_[training]);
    fractions_[training] = progress.fraction;
    Progress joint = progress;
    joint.fraction = done_ / all_;
    return callback_(joint);
  }

  const ProgressCallback& callback_;
  std::vector<double> weights_, fractions_;
  double all_ = 0, done_ = 0;
  std::mutex mutex_;
};

}  // namespace frr::internal
