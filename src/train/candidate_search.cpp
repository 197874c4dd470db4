#include "train/candidate_search.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "network/trainer.hpp"
#include "train/descent_rows.hpp"
#include "train/refinement.hpp"
#include "train/subsamples.hpp"

namespace frr::internal {

Candidate best_candidate(const Task& task, int threads, Control& control) {
  const Settings& settings = task.settings;
  // Without gradient descent, every start gives the same rules.
  const bool random = descends(settings) || settings.semantics == Semantics::sufficient;
  const auto restarts = static_cast<std::size_t>(random ? settings.restarts : 1);
  const int threads_of_each = restarts > 1 ? 1 : threads;
  const auto seed = [&](std::size_t i) { return settings.seed + 0x9e3779b97f4a7c15ULL * i; };
  std::vector<std::optional<Candidate>> candidates(restarts);
  Control beside = Control::beside(control);
  const auto run = [&](const auto& work) {
    parallel_for(threads, restarts, [&](std::size_t i) {
      if (i == 0 || !control.out_of_time()) work(i, i == 0 ? control : beside);
    });
  };
  const std::size_t subsamples = subsample_count(task);
  if (subsamples > 1) {
    run([&](std::size_t i, Control& progress) {
      candidates[i] = best_of_subsamples(task, subsamples, seed(i), threads_of_each, progress);
    });
  } else {
    const Memberships memberships(task.partition, task.source, task.rows, threads);
    const std::vector<int> classes = descent_classes(task);
    std::vector<std::optional<Training>> trainings(restarts);
    {
      const DescentRows rows(task, classes, memberships, threads);
      run([&](std::size_t i, Control& progress) {
        trainings[i] = descends(settings)
                           ? train_network(rows.shape, rows.inputs, rows.classes, rows.weights,
                                           settings, seed(i), threads_of_each, progress)
                           : Training{};
      });
    }
    run([&](std::size_t i, Control& progress) {
      if (!trainings[i]) return;
      candidates[i] = extract_and_refine(task, *trainings[i], classes, memberships, seed(i),
                                         threads_of_each, progress);
    });
  }
  const auto best =
      std::max_element(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) {
        return y.has_value() && (!x.has_value() || x->objective < y->objective);
      });
  return std::move(**best);
}

}  // namespace frr::internal
