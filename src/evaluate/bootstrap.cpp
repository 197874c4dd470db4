#include "evaluate/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace frr::internal {
namespace {

constexpr double confidence = 0.95;

// Of ascending values, at least one; `share` from 0 to 1.
double percentile(std::span<const double> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double rest = place - static_cast<double>(below);
  return values[below] + rest * (values[above] - values[below]);
}

Interval interval(std::vector<double> values) {
  const std::size_t replicates = values.size();
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty() || 2 * values.size() < replicates) return {};
  std::ranges::sort(values);
  return {percentile(values, (1 - confidence) / 2), percentile(values, (1 + confidence) / 2)};
}

}  // namespace

int usual_replicates(std::size_t rows) {
  constexpr std::size_t usual = 1000, fewest = 100, work = 200'000'000;
  return static_cast<int>(std::clamp(work / std::max<std::size_t>(rows, 1), fewest, usual));
}

std::vector<Interval> bootstrap(
    const Scorer& scorer, const Resampling& resampling,
    const std::function<std::vector<double>(const Metrics& metrics)>& figures) {
  const auto replicates = static_cast<std::size_t>(resampling.replicates);
  std::vector<std::vector<double>> drawn(replicates);  // [replicate][figure]
  parallel_for(resampling.threads, replicates, [&](std::size_t replicate) {
    // Seeds that differ in one bit give unrelated generators.
    Random random(resampling.seed * 0x9e3779b97f4a7c15ULL + replicate);
    std::vector<double> weights(scorer.cells(), 0);
    for (std::size_t i = 0; i < scorer.rows(); ++i)
      scorer.add_row(random.below(scorer.rows()), weights);
    drawn[replicate] = figures(scorer.metrics(weights));
    if (resampling.after_replicate) resampling.after_replicate();
  });
  std::vector<Interval> result(figures(scorer.metrics()).size());
  for (std::size_t figure = 0; figure < result.size(); ++figure) {
    std::vector<double> values;
    values.reserve(replicates);
    for (const std::vector<double>& replicate : drawn) values.push_back(replicate[figure]);
    result[figure] = interval(std::move(values));
  }
  return result;
}

}  // namespace frr::internal
