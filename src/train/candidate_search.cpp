#include "train/candidate_search.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "model/column_map.hpp"
#include "network/extract.hpp"
#include "network/trainer.hpp"
#include "search/polish.hpp"
#include "search/rule_scores.hpp"
#include "search/tune.hpp"
#include "search/vote.hpp"

namespace frr::internal {
namespace {

// ---- Gradient descent ---------------------------------------------------------------------------

// A step costs rules x classes for each row, and rules can name few of very many classes.
constexpr std::size_t most_descent_classes = 128;

// The classes that gradient descent sees: all, or those that weigh most; of equals the first ones.
// Ascending.
std::vector<int> descent_classes(const Task& task) {
  std::vector<int> classes(task.class_names.size());
  std::iota(classes.begin(), classes.end(), 0);
  const std::size_t most =
      std::max(most_descent_classes, static_cast<std::size_t>(task.settings.rules) + 1);
  if (classes.size() <= most) return classes;
  std::vector<double> weight(classes.size(), 0);
  for (std::size_t i = 0; i < task.learned; ++i) {
    weight[static_cast<std::size_t>(task.classes[i])] += static_cast<double>(task.weights[i]);
  }
  std::stable_sort(classes.begin(), classes.end(), [&](int x, int y) {
    return weight[static_cast<std::size_t>(x)] > weight[static_cast<std::size_t>(y)];
  });
  classes.resize(most);
  std::sort(classes.begin(), classes.end());
  return classes;
}

// The rows that gradient descent sees: the first task.learned ones, of these classes.
struct DescentRows {
  SparseRows<float> inputs;
  std::vector<int> classes;  // places in the classes given
  std::vector<float> weights;

  DescentRows(const Task& task, std::span<const int> of, const Memberships& memberships,
              int threads)
      : inputs(sparse_rows<float>(memberships, task.learned, threads)) {
    std::vector<int> place(task.class_names.size(), -1);
    for (std::size_t k = 0; k < of.size(); ++k) {
      place[static_cast<std::size_t>(of[k])] = static_cast<int>(k);
    }
    SparseRows<float> kept;
    const bool some = of.size() < place.size();
    for (std::size_t i = 0; i < task.learned; ++i) {
      const int descended = place[static_cast<std::size_t>(task.classes[i])];
      if (descended < 0) continue;
      classes.push_back(descended);
      weights.push_back(task.weights[i]);
      if (!some) continue;
      const auto row = inputs.of_row(i);
      kept.entries.insert(kept.entries.end(), row.begin(), row.end());
      kept.start.push_back(kept.entries.size());
    }
    if (some) inputs = std::move(kept);
  }
};

NetworkShape shape_of(const Task& task, std::size_t classes) {
  NetworkShape shape;
  shape.rules = static_cast<std::size_t>(task.settings.rules);
  shape.slots = static_cast<std::size_t>(task.settings.conditions);
  shape.classes = classes;
  for (const Feature& feature : task.partition.features) {
    shape.first.push_back(shape.first.back() + feature.labels.size());
  }
  return shape;
}

Training descend(const Task& task, std::size_t classes, const DescentRows& rows, std::uint64_t seed,
                 int threads, Control& control) {
  if (!task.settings.gradient) return {};
  return train_network(shape_of(task, classes), rows.inputs, rows.classes, rows.weights,
                       task.settings, seed, threads, control);
}

// ---- Search -------------------------------------------------------------------------------------

// Whether network and extracted rules agree is a check of the program; it needs no more rows.
constexpr std::size_t rows_to_compare = 16384;

// Polish and tuning from rules and labels on.
class Searching {
 public:
  Searching(const Task& task, Candidate from, Memberships memberships, std::uint64_t seed,
            int threads)
      : task_(task),
        result_(std::move(from)),
        memberships_(std::move(memberships)),
        search_({.memberships = &memberships_,
                 .classes = task.classes,
                 .weights = task.weights,
                 .class_count = task.class_names.size()},
                task.settings, std::move(result_.rules), threads),
        random_(seed ^ 0x5ea2c4ULL),
        input_{&task.source, task.rows, task.fixed},
        threads_(threads) {}
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;

  // How far the rules, as they are, agree with the network that they come from.
  void compare(std::span<const HardRule> hard) {
    RuleBase extracted = make_rulebase(task_.partition, task_.labels, search_.rules(),
                                       search_.otherwise(), task_.settings);
    extracted.classes = task_.class_names;
    const ColumnMap map(extracted, task_.table);
    result_.agreement =
        agreement(network_rule(task_.settings), hard, extracted, task_.labels, map,
                  task_.real.first(std::min(task_.real.size(), rows_to_compare)), threads_);
  }

  bool polish_rules(Control& control) {
    return task_.settings.polish && polish(search_, task_.settings, random_, threads_, control);
  }
  bool tune_borders(Control& control) {
    const bool moved = task_.settings.tune && tune(search_, result_.partition, memberships_, input_,
                                                   task_.settings, threads_, control);
    search_.choose_otherwise();
    return moved;
  }
  // Both alternately.
  void run(Control& control) {
    const int rounds = task_.settings.tune ? 3 : 1;
    for (int round = 0; round < rounds; ++round) {
      const bool polished = polish_rules(control);
      if (!tune_borders(control) && (round > 0 || !polished)) break;
    }
    if (task_.settings.tune) polish_rules(control);
  }

  Candidate finish(Control& control) {
    const bool votes = task_.settings.semantics == Semantics::additive && task_.settings.polish;
    result_.cut_short = result_.cut_short || control.out_of_time();
    result_.objective = votes ? fit_votes(search_, task_.settings, control) : search_.objective();
    result_.rules = search_.rules();
    result_.otherwise = search_.otherwise();
    return std::move(result_);
  }

 private:
  const Task& task_;
  Candidate result_;
  Memberships memberships_;
  Search search_;
  Random random_;
  TuneInput input_;
  int threads_;
};

// `classes`: those that the training saw.
Candidate conclude(const Task& task, const Training& training, std::span<const int> classes,
                   Memberships memberships, std::uint64_t seed, int threads, Control& control) {
  Candidate start;
  start.partition = task.partition;
  start.epochs = training.epochs;
  start.cut_short = training.cut_short;
  std::vector<HardRule> hard;
  if (task.settings.gradient) {
    const Network<float> network(shape_of(task, classes.size()), network_rule(task.settings));
    hard = network.hard_rules(training.parameters);
    for (HardRule& rule : hard) rule.then = static_cast<std::size_t>(classes[rule.then]);
    start.rules = extract_rules(hard);
  }
  Searching searching(task, std::move(start), std::move(memberships), seed, threads);
  if (task.settings.gradient) searching.compare(hard);
  if (task.settings.semantics == Semantics::sufficient) searching.run(control);
  return searching.finish(control);
}

// ---- Subsamples
// --------------------------------------------------------------------------------------

constexpr std::size_t most_subsamples = 4;
constexpr std::size_t subsample_rows = 16384;

std::size_t subsamples_of(const Task& task) {
  const Settings& settings = task.settings;
  const bool searched =
      settings.gradient && settings.polish && settings.semantics == Semantics::sufficient;
  const bool made_up = &task.source != &task.table;
  if (!searched || made_up) return 1;

  return std::clamp<std::size_t>(task.rows.size() / subsample_rows, 1, most_subsamples);
}

// What a candidate is worth on all rows of the task, as its own search counts it.
double value_on_all(const Task& task, const Candidate& candidate, int threads) {
  RuleBase base = make_rulebase(candidate.partition, task.labels, candidate.rules,
                                candidate.otherwise, task.settings);
  base.classes = task.class_names;
  std::vector<int> classes(task.table.rows, -1);
  std::vector<std::int64_t> units(task.table.rows, 0);
  const float most = *std::max_element(task.weights.begin(), task.weights.end());
  double weight = 0, unit = 0;
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    const auto row_units =
        weight_units(static_cast<double>(task.weights[i]), static_cast<double>(most));
    classes[task.rows[i]] = task.classes[i];
    units[task.rows[i]] += row_units;  // a row may occur several times
    weight += static_cast<double>(task.weights[i]);
    unit += static_cast<double>(row_units);
  }
  const double margin = task.settings.margin;
  const std::vector<std::int64_t> sums =
      rule_score_sums(base, {}, margin, ColumnMap(base, task.table), classes, units, threads);
  const RuleScoreLayout places(base, margin, 0);
  double right = 0;
  for (std::size_t c = 0; c < base.classes.size(); ++c) {
    right += static_cast<double>(sums[places.right() + c]);
  }
  const double price = condition_price(task.settings, weight);
  return right / degree_units * weight / unit - price * static_cast<double>(base.size());
}

// Descent and search on the rows from `first` on; descent on `learned` of them.
Candidate run_on_subsample(const Task& task, std::size_t first, std::size_t learned,
                           std::uint64_t seed, Control& control) {
  const Task part{.table = task.table,
                  .real = task.real.subspan(first, subsample_rows),
                  .source = task.source,
                  .rows = task.rows.subspan(first, subsample_rows),
                  .class_names = task.class_names,
                  .settings = task.settings,
                  .partition = task.partition,
                  .labels = task.labels,
                  .learned = std::min(subsample_rows, learned),
                  .classes = task.classes.subspan(first, subsample_rows),
                  .weights = task.weights.subspan(first, subsample_rows),
                  .fixed = task.fixed};
  Memberships memberships(part.partition, part.source, part.rows, 1);
  const std::vector<int> classes = descent_classes(part);
  const Training training =
      descend(part, classes.size(), DescentRows(part, classes, memberships, 1), seed, 1, control);
  return conclude(part, training, classes, std::move(memberships), seed, 1, control);
}

Candidate run_on_subsamples(const Task& task, std::size_t subsamples, std::uint64_t seed,
                            int threads, Control& control) {
  std::vector<std::optional<Candidate>> found(subsamples);
  const std::size_t apart = task.rows.size() / subsamples;
  Control beside = Control::beside(control);
  parallel_for(threads, subsamples, [&](std::size_t h) {
    if (h > 0 && control.out_of_time()) return;
    found[h] = run_on_subsample(task, h * apart, task.learned / subsamples,
                                seed + 0xd1b54a32d192ed03ULL * h, h == 0 ? control : beside);
  });
  Candidate* best = nullptr;
  for (auto& candidate : found) {
    if (!candidate) continue;
    candidate->objective = value_on_all(task, *candidate, threads);
    if (best == nullptr || candidate->objective > best->objective) best = &*candidate;
  }
  Memberships memberships(best->partition, task.source, task.rows, threads);
  Searching searching(task, std::move(*best), std::move(memberships), seed, threads);
  // The rules are polished already, on fewer rows: one round gains what is left.
  searching.tune_borders(control);
  searching.polish_rules(control);
  return searching.finish(control);
}

}  // namespace

Candidate best_candidate(const Task& task, int threads, Control& control) {
  const Settings& settings = task.settings;
  const auto restarts = static_cast<std::size_t>(settings.restarts);
  const int threads_of_each = restarts > 1 ? 1 : threads;
  const auto seed = [&](std::size_t i) { return settings.seed + 0x9e3779b97f4a7c15ULL * i; };
  std::vector<std::optional<Candidate>> candidates(restarts);
  Control beside = Control::beside(control);
  const auto run = [&](const auto& work) {
    parallel_for(threads, restarts, [&](std::size_t i) {
      if (i == 0 || !control.out_of_time()) work(i, i == 0 ? control : beside);
    });
  };
  const std::size_t subsamples = subsamples_of(task);
  if (subsamples > 1) {
    run([&](std::size_t i, Control& progress) {
      candidates[i] = run_on_subsamples(task, subsamples, seed(i), threads_of_each, progress);
    });
  } else {
    const Memberships memberships(task.partition, task.source, task.rows, threads);
    const std::vector<int> classes = descent_classes(task);
    std::vector<std::optional<Training>> trainings(restarts);
    {
      const DescentRows rows(task, classes, memberships, threads);
      run([&](std::size_t i, Control& progress) {
        trainings[i] = descend(task, classes.size(), rows, seed(i), threads_of_each, progress);
      });
    }
    run([&](std::size_t i, Control& progress) {
      if (!trainings[i]) return;
      candidates[i] =
          conclude(task, *trainings[i], classes, memberships, seed(i), threads_of_each, progress);
    });
  }
  const auto best =
      std::max_element(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) {
        return y.has_value() && (!x.has_value() || x->objective < y->objective);
      });
  return std::move(**best);
}

}  // namespace frr::internal
