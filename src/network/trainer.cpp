#include "network/trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "kernels/network_kernel.hpp"
#include "network/optimizer.hpp"

namespace frr::internal {

namespace {

// Frequent enough to stop within a fraction of a second, rare enough to cost nothing.
constexpr std::size_t rows_between_reports = 4096;

constexpr std::size_t max_replicas = 4;
constexpr std::size_t round_steps = 8;  // of each replica between two averages

struct Replica {
  Replica(const NetworkShape& shape, const Settings& settings, const std::vector<float>& start)
      : network(shape, network_rule(settings)),
        packed(start),
        gradient(start.size()),
        adam(start.size()) {}

  void step(const Batch<float>& rows, const Settings& settings, double done) {
    const FloatMode mode(Denormals::flush);
    const float mean_loss =
        network.packed_gradient(packed, schedule(settings, done), rows, gradient);
    adam.step(packed, gradient, learning_rate(settings, done));
    loss += static_cast<double>(rows.rows.size()) * static_cast<double>(mean_loss);
  }

  Network<float> network;
  std::vector<float> packed, gradient;
  Adam adam;
  double loss = 0;  // sum over the rows of the round
  // Keeps the fields of two replicas, which different threads write, in separate cache lines.
  std::array<char, 64> padding = {};
};

// The weights divided by their mean.
std::vector<float> relative_weights(std::span<const float> weights) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<float> relative(weights.begin(), weights.end());
  for (float& weight : relative) weight = static_cast<float>(weight / mean);
  return relative;
}

// Sets all replicas to their mean.
void average(std::span<Replica> replicas) {
  if (replicas.size() == 1) return;
  std::vector<float>& mean = replicas[0].packed;
  for (const Replica& other : replicas.subspan(1)) add(mean, other.packed);
  for (float& x : mean) x /= static_cast<float>(replicas.size());
  for (Replica& other : replicas.subspan(1)) other.packed = mean;
}

class Descent {
 public:
  Descent(const NetworkShape& shape, const SparseRows<float>& inputs, std::span<const int> classes,
          std::span<const float> weights, const Settings& settings, std::uint64_t seed, int threads,
          Control& control)
      : inputs_(inputs),
        classes_(classes),
        weights_(relative_weights(weights)),
        settings_(settings),
        threads_(threads),
        control_(control),
        random_(seed),
        network_(shape, network_rule(settings)),
        order_(inputs.rows()) {
    const std::size_t n = order_.size();
    epochs_ = settings.epochs > 0 ? settings.epochs : automatic_epochs(n);
    batch_ = std::min<std::size_t>(static_cast<std::size_t>(settings.batch), n);
    batches_ = (n + batch_ - 1) / batch_;
    std::iota(order_.begin(), order_.end(), 0U);
    training_.parameters = Network<float>::initial(shape, random_);
    const std::vector<float> packed = network_.pack(training_.parameters);
    for (std::size_t w = 0; w < replica_count(batches_); ++w) {
      replicas_.emplace_back(shape, settings, packed);
    }
    const std::size_t batches_of_round = replicas_.size() * round_steps;
    rounds_ = (batches_ + batches_of_round - 1) / batches_of_round;
  }

  Training run() {
    double best = std::numeric_limits<double>::infinity();
    int epochs_without_gain = 0;
    for (int epoch = 0; epoch < epochs_ && !training_.cut_short; ++epoch) {
      random_.shuffle(std::span(order_));
      if (!run_epoch(epoch)) break;
      epochs_without_gain = training_.loss < best ? 0 : epochs_without_gain + 1;
      best = std::min(best, training_.loss);
      if (settings_.patience > 0 && epochs_without_gain >= settings_.patience) break;
    }
    network_.unpack(replicas_[0].packed, training_.parameters);
    return std::move(training_);
  }

 private:
  // The fraction of all steps before a batch.
  [[nodiscard]] double done(int epoch, std::size_t batch) const {
    return (epoch + static_cast<double>(batch) / static_cast<double>(batches_)) / epochs_;
  }

  // False if the time limit cut the epoch short.
  bool run_epoch(int epoch) {
    double total = 0;
    for (std::size_t round = 0; round < rounds_; ++round) {
      const std::size_t first = round * batches_ / rounds_;
      const std::size_t last = (round + 1) * batches_ / rounds_;
      run_round(epoch, first, last);
      for (const Replica& replica : replicas_) total += replica.loss;
      since_report_ += (last - first) * batch_;
      if (since_report_ < rows_between_reports || round + 1 == rounds_) continue;
      since_report_ = 0;
      report(0.05 + 0.55 * done(epoch, last), epoch);
      if (training_.cut_short) return false;
    }
    training_.epochs = epoch + 1;
    training_.loss = total / static_cast<double>(order_.size());
    report(0.05 + 0.55 * (epoch + 1) / epochs_, epoch + 1);
    return true;
  }

  // The steps of the batches from `first` to `last`, divided among the replicas.
  void run_round(int epoch, std::size_t first, std::size_t last) {
    const std::size_t n = order_.size(), count = last - first;
    parallel_for(threads_, replicas_.size(), [&](std::size_t w) {
      replicas_[w].loss = 0;
      const std::size_t end = first + (w + 1) * count / replicas_.size();
      for (std::size_t b = first + w * count / replicas_.size(); b < end; ++b) {
        // Batches differ by at most one row, so that the last one is not a tiny remainder.
        const std::size_t from = b * n / batches_, to = (b + 1) * n / batches_;
        const Batch<float> rows{.inputs = &inputs_,
                                .rows = std::span(order_).subspan(from, to - from),
                                .classes = classes_,
                                .weights = weights_};
        replicas_[w].step(rows, settings_, done(epoch, b));
      }
    });
    average(replicas_);
  }

  void report(double fraction, int epochs_done) {
    control_.report({.stage = Progress::Stage::gradient,
                     .fraction = fraction,
                     .epoch = epochs_done,
                     .epochs = epochs_,
                     .loss = training_.loss});
    training_.cut_short = control_.out_of_time(0.6);
  }

  const SparseRows<float>& inputs_;
  std::span<const int> classes_;
  std::vector<float> weights_;
  const Settings& settings_;
  int threads_;
  Control& control_;
  Random random_;
  Network<float> network_;
  std::vector<std::uint32_t> order_;  // of the rows in this epoch
  std::vector<Replica> replicas_;
  int epochs_ = 0;
  std::size_t batch_ = 0, batches_ = 0, rounds_ = 0;  // rows per batch; per epoch
  std::size_t since_report_ = 0;                      // rows
  Training training_;
};

}  // namespace

std::size_t replica_count(std::size_t batches) {
  return std::clamp<std::size_t>(batches / round_steps, 1, max_replicas);
}

int automatic_epochs(std::size_t rows) {
  const double rows_to_visit = 40000.0;
  return static_cast<int>(std::clamp(rows_to_visit / static_cast<double>(rows), 7.0, 120.0));
}

NetworkPoint schedule(const Settings& settings, double done) {
  const auto linear = [&](double from, double to) { return from + (to - from) * done; };
  NetworkPoint point;
  point.beta = linear(settings.beta_start, settings.beta_end);
  point.gamma = linear(settings.gamma_start, settings.gamma_end);
  const bool smooth = settings.max_start > 0 && settings.max_end > 0;
  point.sharpness =
      smooth ? settings.max_start * std::pow(settings.max_end / settings.max_start, done) : 0;
  return point;
}

double learning_rate(const Settings& settings, double done) {
  if (!settings.cosine) return settings.learning_rate;
  return settings.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

Training train_network(const NetworkShape& shape, const SparseRows<float>& inputs,
                       std::span<const int> classes, std::span<const float> weights,
                       const Settings& settings, std::uint64_t seed, int threads,
                       Control& control) {
  return Descent(shape, inputs, classes, weights, settings, seed, threads, control).run();
}

}  // namespace frr::internal
