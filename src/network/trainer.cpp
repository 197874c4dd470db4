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
  Random random(seed);
  const Network<float> network(shape, network_rule(settings));
  Training training;
  training.parameters = Network<float>::initial(shape, random);
  const std::vector<float> packed = network.pack(training.parameters);

  const std::size_t n = inputs.rows();
  const int epochs = settings.epochs > 0 ? settings.epochs : automatic_epochs(n);
  const std::size_t batch = std::min<std::size_t>(static_cast<std::size_t>(settings.batch), n);
  const std::size_t batches = (n + batch - 1) / batch;
  const auto done = [&](int epoch, std::size_t batch_of_epoch) {
    return (epoch + static_cast<double>(batch_of_epoch) / static_cast<double>(batches)) / epochs;
  };
  const std::vector<float> relative = relative_weights(weights);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Replica> replicas;
  for (std::size_t w = 0; w < replica_count(batches); ++w)
    replicas.emplace_back(shape, settings, packed);
  const std::size_t rounds =
      (batches + replicas.size() * round_steps - 1) / (replicas.size() * round_steps);
  double best = std::numeric_limits<double>::infinity();
  int epochs_without_gain = 0;
  std::size_t since_report = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    random.shuffle(std::span(order));
    double total = 0;
    for (std::size_t round = 0; round < rounds && !training.cut_short; ++round) {
      const std::size_t first = round * batches / rounds, last = (round + 1) * batches / rounds;
      parallel_for(threads, replicas.size(), [&](std::size_t w) {
        const std::size_t share = last - first;
        replicas[w].loss = 0;
        for (std::size_t b = first + w * share / replicas.size();
             b < first + (w + 1) * share / replicas.size(); ++b) {
          // Batches differ by at most one row, so that the last one is not a tiny remainder.
          const std::size_t from = b * n / batches, to = (b + 1) * n / batches;
          const Batch<float> rows{&inputs, std::span(order).subspan(from, to - from), classes,
                                  relative};
          replicas[w].step(rows, settings, done(epoch, b));
        }
      });
      average(replicas);
      for (const Replica& replica : replicas) total += replica.loss;
      since_report += (last - first) * batch;
      if (since_report < rows_between_reports || round + 1 == rounds) continue;
      since_report = 0;
      control.report({Progress::Stage::gradient, 0.05 + 0.55 * done(epoch, last), epoch, epochs,
                      training.loss});
      training.cut_short = control.out_of_time(0.6);
    }
    if (training.cut_short) break;
    training.epochs = epoch + 1;
    training.loss = total / static_cast<double>(n);
    control.report({Progress::Stage::gradient, 0.05 + 0.55 * (epoch + 1) / epochs, epoch + 1,
                    epochs, training.loss});
    training.cut_short = control.out_of_time(0.6);
    epochs_without_gain = training.loss < best ? 0 : epochs_without_gain + 1;
    best = std::min(best, training.loss);
    if (settings.patience > 0 && epochs_without_gain >= settings.patience) break;
    if (training.cut_short) break;
  }
  network.unpack(replicas[0].packed, training.parameters);
  return training;
}

}  // namespace frr::internal
