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

// Often enough to stop within a fraction of a second, seldom enough to cost nothing.
constexpr std::size_t rows_between_reports = 4096;

constexpr std::size_t most_replicas = 4;
// That a replica makes alone.
constexpr std::size_t round_steps = 8;

struct Replica {
  Replica(const NetworkShape& shape, const Settings& settings, const std::vector<float>& start)
      : network(shape, network_rule(settings)),
        packed(start),
        gradient(start.size()),
        adam(start.size()) {}

  void step(const Batch<float>& rows, const Settings& settings, double done) {
    const FloatMode mode(Denormals::flush);
    const float own = network.packed_gradient(packed, schedule(settings, done), rows, gradient);
    adam.step(packed, gradient, learning_rate(settings, done));
    loss += static_cast<double>(rows.rows.size()) * static_cast<double>(own);
  }

  Network<float> network;
  std::vector<float> packed, gradient;
  Adam adam;
  double loss = 0;  // sum over the rows of the round
  // Replicas are worked on at the same time: their last fields must not share a cache line.
  std::array<char, 64> apart = {};
};

// All go on from the mean of where they are.
void average(std::span<Replica> replicas) {
  if (replicas.size() == 1) return;
  std::vector<float>& mean = replicas[0].packed;
  for (const Replica& other : replicas.subspan(1)) add(mean, other.packed);
  for (float& x : mean) x /= static_cast<float>(replicas.size());
  for (Replica& other : replicas.subspan(1)) other.packed = mean;
}

}  // namespace

std::size_t replicas(std::size_t batches) {
  return std::clamp<std::size_t>(batches / round_steps, 1, most_replicas);
}

int automatic_epochs(std::size_t rows) {
  const double rows_worth = 40000.0;
  return static_cast<int>(std::clamp(rows_worth / static_cast<double>(rows), 7.0, 120.0));
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
  const double mean_weight =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(n);
  std::vector<float> relative(weights.begin(), weights.end());
  for (float& weight : relative) weight = static_cast<float>(weight / mean_weight);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Replica> team;
  for (std::size_t w = 0; w < replicas(batches); ++w) team.emplace_back(shape, settings, packed);
  const std::size_t rounds =
      (batches + team.size() * round_steps - 1) / (team.size() * round_steps);
  double best = std::numeric_limits<double>::infinity();
  int waited = 0;
  std::size_t since_report = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    random.shuffle(std::span(order));
    double total = 0;
    for (std::size_t round = 0; round < rounds && !training.cut_short; ++round) {
      const std::size_t first = round * batches / rounds, last = (round + 1) * batches / rounds;
      parallel_for(threads, team.size(), [&](std::size_t w) {
        const std::size_t share = last - first;
        team[w].loss = 0;
        for (std::size_t b = first + w * share / team.size();
             b < first + (w + 1) * share / team.size(); ++b) {
          // Rows are dealt so that the last batch is not a remainder of one or two.
          const std::size_t from = b * n / batches, to = (b + 1) * n / batches;
          const Batch<float> rows{.inputs = &inputs,
                                  .rows = std::span(order).subspan(from, to - from),
                                  .classes = classes,
                                  .weights = relative};
          team[w].step(rows, settings, done(epoch, b));
        }
      });
      average(team);
      for (const Replica& replica : team) total += replica.loss;
      since_report += (last - first) * batch;
      if (since_report < rows_between_reports || round + 1 == rounds) continue;
      since_report = 0;
      control.report({.stage = Progress::Stage::gradient,
                      .fraction = 0.05 + 0.55 * done(epoch, last),
                      .epoch = epoch,
                      .epochs = epochs,
                      .loss = training.loss});
      training.cut_short = control.out_of_time(0.6);
    }
    if (training.cut_short) break;
    training.epochs = epoch + 1;
    training.loss = total / static_cast<double>(n);
    control.report({.stage = Progress::Stage::gradient,
                    .fraction = 0.05 + 0.55 * (epoch + 1) / epochs,
                    .epoch = epoch + 1,
                    .epochs = epochs,
                    .loss = training.loss});
    training.cut_short = control.out_of_time(0.6);
    waited = training.loss < best ? 0 : waited + 1;
    best = std::min(best, training.loss);
    if (training.cut_short || (settings.patience > 0 && waited >= settings.patience)) break;
  }
  network.unpack(team[0].packed, training.parameters);
  return training;
}

}  // namespace frr::internal
