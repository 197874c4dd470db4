#include "trainer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "optimizer.hpp"

namespace frr {

namespace {

// Often enough to stop within a fraction of a second, seldom enough to cost nothing.
constexpr std::size_t rows_between_reports = 4096;

}  // namespace

int automatic_epochs(std::size_t rows) {
  const double rows_worth = 60000.0;
  return static_cast<int>(std::clamp(rows_worth / static_cast<double>(rows), 10.0, 120.0));
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
  Network<float> network(shape, network_rule(settings));
  Training training;
  training.parameters = Network<float>::initial(shape, random);
  std::vector<float> packed = network.pack(training.parameters);
  std::vector<float> gradient(packed.size());

  const std::size_t n = inputs.rows();
  const int epochs = settings.epochs > 0 ? settings.epochs : automatic_epochs(n);
  const std::size_t batch = std::min<std::size_t>(static_cast<std::size_t>(settings.batch), n);
  const std::size_t batches = (n + batch - 1) / batch;
  const double steps = static_cast<double>(batches) * epochs;
  const double mean_weight =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(n);
  std::vector<float> relative(weights.begin(), weights.end());
  for (float& weight : relative) weight = static_cast<float>(weight / mean_weight);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  // What the leader of the team alone keeps, but for `stop`, which the others read after a meeting.
  double best = std::numeric_limits<double>::infinity(), total = 0;
  int waited = 0;
  std::size_t since_report = 0;
  bool stop = false;
  const auto after_epoch = [&](int epoch) {
    training.epochs = epoch + 1;
    training.loss = total / static_cast<double>(n);
    control.report({Progress::Stage::gradient, 0.05 + 0.55 * (epoch + 1) / epochs, epoch + 1,
                    epochs, training.loss});
    training.cut_short = control.out_of_time(0.6);
    waited = training.loss < best ? 0 : waited + 1;
    best = std::min(best, training.loss);
    stop = training.cut_short || (settings.patience > 0 && waited >= settings.patience);
  };
  run_team(network.useful_members(batch, threads), [&](const Member& member) {
    const bool leads = member.index == 0;
    const std::vector<Adam::Range> ranges = network.own_ranges(member);
    Adam adam(packed.size());
    for (int epoch = 0; epoch < epochs; ++epoch) {
      if (leads) random.shuffle(std::span(order)), total = 0;
      for (std::size_t b = 0; b < batches; ++b) {
        member.meet();
        if (stop) return;
        // Rows are dealt so that the last batch is not a remainder of one or two.
        const std::size_t from = b * n / batches, to = (b + 1) * n / batches;
        const double done =
            (static_cast<double>(epoch) * static_cast<double>(batches) + static_cast<double>(b)) /
            steps;
        const Batch<float> rows{&inputs, std::span(order).subspan(from, to - from), classes,
                                relative};
        const float loss =
            network.packed_gradient(packed, schedule(settings, done), rows, gradient, member);
        adam.step(packed, gradient, learning_rate(settings, done), ranges);
        if (!leads) continue;
        total += static_cast<double>(to - from) * static_cast<double>(loss);
        since_report += to - from;
        if (since_report < rows_between_reports || b + 1 == batches) continue;
        since_report = 0;
        control.report(
            {Progress::Stage::gradient, 0.05 + 0.55 * done, epoch, epochs, training.loss});
        stop = training.cut_short = control.out_of_time(0.6);
      }
      if (leads) after_epoch(epoch);
    }
  });
  network.unpack(packed, training.parameters);
  return training;
}

}  // namespace frr
