#include "learner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "examples.hpp"
#include "extract.hpp"
#include "options.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "polish.hpp"
#include "row_order.hpp"
#include "screen.hpp"
#include "sharded.hpp"
#include "text.hpp"
#include "trainer.hpp"
#include "tune.hpp"
#include "vote.hpp"

namespace frr {
namespace {

// What every restart of one training shares.
struct Task {
  const Table& table;                   // the user's
  std::span<const std::uint32_t> real;  // rows of it
  const Table& source;                  // of the examples
  std::span<const std::uint32_t> rows;  // of `source`
  const std::string& target;
  const std::vector<std::string>& class_names;
  const Settings& settings;
  const Partition& partition;
  const Memberships& memberships;
  const SparseRows<float>& inputs;
  std::span<const int> classes;    // of `rows`
  std::span<const float> weights;  // of `rows`
  std::vector<bool> fixed;         // features whose labels the user gave
};

struct Attempt {
  Partition partition;
  std::vector<SearchRule> rules;
  int otherwise = 0;
  double objective = 0;
  int epochs = 0;
  bool cut_short = false;
  double agreement = 100;
};

// Whether network and extracted rules agree is a check of the program; it needs no more rows.
constexpr std::size_t rows_to_compare = 16384;

// Rules and borders, from the network's choices on.
Attempt search_from(const Task& task, std::span<const HardRule> hard, std::uint64_t seed,
                    int threads, Control& control) {
  const Settings& settings = task.settings;
  Attempt result;
  result.partition = task.partition;
  Memberships memberships = task.memberships;
  Search search({&memberships, task.classes, task.weights, task.class_names.size()}, settings,
                extract_rules(hard), threads);
  {
    RuleBase extracted =
        make_rulebase(task.partition, memberships, search.rules(), search.otherwise(), settings);
    extracted.classes = task.class_names;
    const Binding binding(extracted, task.table);
    result.agreement =
        agreement(network_rule(settings), hard, extracted, memberships, binding,
                  task.real.first(std::min(task.real.size(), rows_to_compare)), threads);
  }
  if (settings.semantics == Semantics::sufficient) {
    Random random(seed ^ 0x5ea2c4ULL);
    TuneInput input{&task.source, task.rows, task.fixed};
    const int rounds = settings.tune ? 3 : 1;
    for (int round = 0; round < rounds; ++round) {
      const bool polished = settings.polish && polish(search, settings, random, threads, control);
      const bool moved = settings.tune && tune(search, result.partition, memberships, input,
                                               settings, threads, control);
      search.choose_otherwise();
      if (!moved && (round > 0 || !polished)) break;
    }
    if (settings.polish && settings.tune) polish(search, settings, random, threads, control);
  }
  result.cut_short = control.out_of_time();
  result.objective = settings.semantics == Semantics::additive && settings.polish
                         ? fit_votes(search, settings, control)
                         : search.objective();
  result.rules = search.rules();
  result.otherwise = search.otherwise();
  return result;
}

NetworkShape shape_of(const Task& task) {
  return network_shape(task.partition, task.class_names.size(),
                       static_cast<std::size_t>(task.settings.rules),
                       static_cast<std::size_t>(task.settings.conditions));
}

Training descend(const Task& task, std::uint64_t seed, int threads, Control& control) {
  if (!task.settings.gradient) return {};
  const std::size_t rows = task.inputs.rows();
  return train_network(shape_of(task), task.inputs, task.classes.first(rows),
                       task.weights.first(rows), task.settings, seed, threads, control);
}

// What a row of each class weighs, in shares of the most, its own weight aside.
std::vector<float> class_shares(const Task& task, std::span<const double> given) {
  std::vector<double> shares(task.class_names.size(), 0);
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    const double own = given.empty() ? 1.0 : given[task.rows[i]];
    shares[static_cast<std::size_t>(task.classes[i])] = static_cast<double>(task.weights[i]) / own;
  }
  const double most = *std::max_element(shares.begin(), shares.end());
  std::vector<float> result;
  for (const double share : shares) result.push_back(static_cast<float>(share / most));
  return result;
}

// The last steps of gradient descent, on all rows.
void descend_on_all(const Task& task, std::vector<float> class_weights, const AllGradientSums& sums,
                    Training& training, Control& control) {
  RuleBase labels;
  labels.target = task.target;
  labels.classes = task.class_names;
  labels.partition = task.partition;
  labels.tnorm = task.settings.tnorm;
  labels.semantics = task.settings.semantics;
  labels.root = task.settings.root;
  GradientPoint point;
  point.rules = static_cast<std::uint32_t>(task.settings.rules);
  point.slots = static_cast<std::uint32_t>(task.settings.conditions);
  point.rule = network_rule(task.settings);
  point.class_weights = std::move(class_weights);
  Network<float> network(shape_of(task), point.rule);
  const auto whole = [&](std::span<const float> packed, const NetworkPoint& at,
                         std::span<float> gradient) {
    point.parameters.assign(packed.begin(), packed.end());
    point.point = at;
    return gradient_of_sums(network, point, sums(labels, point), gradient);
  };
  train_on_all(training, shape_of(task), task.settings, whole, control);
}

Attempt conclude(const Task& task, const Training& training, std::uint64_t seed, int threads,
                 Control& control) {
  std::vector<HardRule> hard;
  if (task.settings.gradient) {
    const Network<float> network(shape_of(task), network_rule(task.settings));
    hard = network.hard_rules(training.parameters);
  }
  Attempt result = search_from(task, hard, seed, threads, control);
  result.epochs = training.epochs;
  result.cut_short = result.cut_short || training.cut_short;
  return result;
}

// Rules that decide no training row tell a reader nothing. Returns whether there were any.
bool drop_idle_rules(RuleBase& base) {
  return std::erase_if(base.rules, [](const Rule& rule) { return rule.statistics.rows() == 0; }) >
         0;
}

// By class, then by the rows they decide: the order in which people read them. Returns whether that
// was another one.
bool order_rules(RuleBase& base) {
  const auto before = [](const Rule& x, const Rule& y) {
    if (x.then != y.then) return x.then < y.then;
    return x.statistics.rows() > y.statistics.rows();
  };
  if (std::is_sorted(base.rules.begin(), base.rules.end(), before)) return false;
  std::stable_sort(base.rules.begin(), base.rules.end(), before);
  return true;
}

// `given`: one a row of the table, or none. Only their proportions count.
std::vector<float> row_weights(const Dataset& data, std::span<const std::uint32_t> rows,
                               std::span<const double> given, const TrainRequest& request) {
  const std::vector<double> of_class = class_weights(data, request);
  double sum = 0;
  for (const std::uint32_t row : rows) {
    sum +=
        (given.empty() ? 1.0 : given[row]) * of_class[static_cast<std::size_t>(data.labels[row])];
  }
  const bool plain = given.empty() && request.class_weights.empty();
  const double scale = plain ? 1.0 : static_cast<double>(rows.size()) / sum;
  std::vector<float> weights;
  std::vector<double> by_class(data.classes.size(), 0);
  for (const std::uint32_t row : rows) {
    const double weight = scale * (given.empty() ? 1.0 : given[row]) *
                          of_class[static_cast<std::size_t>(data.labels[row])];
    weights.push_back(static_cast<float>(weight));
    by_class[static_cast<std::size_t>(data.labels[row])] += weight;
  }
  if (request.settings.class_weight == ClassWeight::none) return weights;
  const double all = std::accumulate(by_class.begin(), by_class.end(), 0.0);
  const auto present = static_cast<double>(
      std::count_if(by_class.begin(), by_class.end(), [](double x) { return x > 0; }));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double own = by_class[static_cast<std::size_t>(data.labels[rows[i]])];
    weights[i] = static_cast<float>(weights[i] * all / (present * own));
  }
  return weights;
}

TrainingSummary summarise(const Table& table, std::size_t rows, const TrainRequest& request,
                          const Attempt& best) {
  const Settings& settings = request.settings;
  TrainingSummary summary;
  summary.version = version();
  summary.source = table.source;
  summary.rows = rows;
  summary.settings = request.recorded;
  summary.settings.emplace_back("preset", settings.preset);
  for (const Option& option : option_table()) {
    if (option.shapes_result) {
      summary.settings.emplace_back(option.name, get_option(settings, option));
    }
  }
  summary.epochs = best.epochs;
  summary.agreement = best.agreement;
  summary.stopped_early = best.cut_short;
  return summary;
}

// Only the ratios of weights count, and a rule of weight 0.03 looks weak: the largest becomes 1.
// Ten digits are more than enough to tell rules apart, and short to read. Returns whether a weight
// has become another one.
bool scale_weights(RuleBase& base) {
  bool changed = false;
  double most = 0;
  for (const Rule& rule : base.rules) most = std::max(most, rule.weight);
  for (Rule& rule : base.rules) {
    char text[32];
    const auto written =
        std::to_chars(text, text + sizeof text, rule.weight / most, std::chars_format::general, 10);
    const double old = rule.weight;
    std::from_chars(text, written.ptr, rule.weight);
    changed = changed || rule.weight != old;
  }
  return changed;
}

}  // namespace

std::vector<double> class_weights(const Dataset& data, const TrainRequest& request) {
  std::vector<double> weights(data.classes.size(), 1.0);
  for (const auto& [name, weight] : request.class_weights) {
    const auto found = std::find(data.classes.begin(), data.classes.end(), name);
    if (found == data.classes.end()) {
      fail_usage("a weight is given for the class '" + name + "', which does not occur" +
                 did_you_mean(name, data.classes));
    }
    if (!(weight > 0) || weight > 1e100) {
      fail_usage("the weight of the class '" + name + "' is not a number above 0 and up to 1e100");
    }
    weights[static_cast<std::size_t>(found - data.classes.begin())] = weight;
  }
  return weights;
}

std::vector<std::uint32_t> training_rows(const Table& table, const Dataset& data,
                                         const TrainRequest& request) {
  if (!request.row_weights.empty() && request.row_weights.size() != table.rows) {
    fail_usage("there are " + std::to_string(request.row_weights.size()) + " row weights for " +
               std::to_string(table.rows) + " rows; give one a row");
  }
  for (std::size_t i = 0; i < request.row_weights.size(); ++i) {
    const double weight = request.row_weights[i];
    if (!(weight >= 0) || weight > 1e100) {
      fail_data("row " + std::to_string(i + 1) +
                ": its weight is not a number from 0 to 1e100; correct it or leave the row out");
    }
  }
  std::vector<std::uint32_t> rows;
  const std::size_t count = request.rows.empty() ? table.rows : request.rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = request.rows.empty() ? static_cast<std::uint32_t>(i) : request.rows[i];
    if (row >= table.rows) {
      fail_usage("row " + std::to_string(row) + " was asked for, but the table has " +
                 std::to_string(table.rows) + " rows");
    }
    const bool counts = request.row_weights.empty() || request.row_weights[row] > 0;
    if (data.labels[row] >= 0 && counts) rows.push_back(row);
  }
  const bool two = std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return data.labels[row] != data.labels[rows.front()];
  });
  if (!two) {
    fail_data(table.source + ": the rows to train on are all of one class of '" + data.target +
              "'; give rows of at least two classes");
  }
  return rows;
}

RuleBase learn_rules(const Table& table, const Dataset& data, std::span<const std::uint32_t> rows,
                     std::span<const double> weights, const TrainRequest& request, std::size_t all,
                     const AllGradientSums& sums, Control& control) {
  const Settings& settings = request.settings;
  const int threads = thread_count(settings.threads);
  std::vector<std::string> notes = data.notes;
  // Every rule gives one class, and ELSE one more.
  if (static_cast<std::size_t>(settings.rules) + 1 < data.classes.size()) {
    notes.push_back("there are " + std::to_string(data.classes.size()) + " classes but at most " +
                    std::to_string(settings.rules) +
                    " rules: some classes can never be predicted; allow more with --rules");
  }
  control.report(Progress::Stage::partition, 0);
  Partition partition = make_partition(table, data, rows, settings, request.given, notes, threads);
  const std::size_t columns = partition.features.size();
  if (screen_features(partition, table, data, rows, static_cast<std::size_t>(settings.max_features),
                      threads) > 0) {
    notes.push_back("of " + std::to_string(columns) + " columns the " +
                    std::to_string(settings.max_features) +
                    " that tell most about the class are used (--max-features)");
  }
  Settings enlarging = settings;
  if (rows.size() < all) enlarging.augment = 0;  // there are more real rows than these
  const Examples examples = make_examples(
      table, data, rows, row_weights(data, rows, weights, request), enlarging, threads, control);
  const Table& source = examples.enlarged ? *examples.enlarged : table;
  // The examples are in random order: the first ones are a sample.
  const std::size_t searched = examples.rows.size();
  const std::size_t learned = std::min(searched, static_cast<std::size_t>(settings.gradient_rows));
  const Memberships memberships(partition, source, examples.rows, threads);
  const SparseRows<float> inputs = sparse_rows<float>(memberships, learned, threads);
  if (learned < searched || rows.size() < all) {
    notes.push_back("of " + std::to_string(std::max(all, searched)) +
                    " rows, gradient descent saw " + std::to_string(learned) +
                    " and the search for conditions and borders " + std::to_string(searched) +
                    ", drawn at random (--gradient-rows, --search-rows); classes, weights and "
                    "counts of the rules are of all rows");
  }
  std::vector<bool> fixed;
  for (const Feature& feature : partition.features) {
    fixed.push_back(std::any_of(request.given.begin(), request.given.end(),
                                [&](const Feature& own) { return own.name == feature.name; }));
  }
  const Task task{
      table,    rows,      source,      examples.rows, data.target,      data.classes,
      settings, partition, memberships, inputs,        examples.classes, examples.weights,
      std::move(fixed)};

  const auto restarts = static_cast<std::size_t>(settings.restarts);
  const int own_threads = restarts > 1 ? 1 : threads;
  const auto seed = [&](std::size_t i) { return settings.seed + 0x9e3779b97f4a7c15ULL * i; };
  std::vector<std::optional<Training>> trainings(restarts);
  std::vector<std::optional<Attempt>> attempts(restarts);
  const auto work = [&](std::size_t i) {
    attempts[i] = conclude(task, *trainings[i], seed(i), own_threads, control);
  };
  const bool on_all = sums && settings.gradient && settings.full_steps > 0;
  parallel_for(threads, restarts, [&](std::size_t i) {
    if (i > 0 && control.out_of_time()) return;
    trainings[i] = descend(task, seed(i), own_threads, control);
    if (!on_all) work(i);
  });
  if (on_all) {
    // One after the other: shards are asked by one thread.
    for (auto& training : trainings) {
      if (training) descend_on_all(task, class_shares(task, weights), sums, *training, control);
    }
    parallel_for(threads, restarts, [&](std::size_t i) {
      if (trainings[i]) work(i);
    });
  }
  const auto best =
      std::max_element(attempts.begin(), attempts.end(), [](const auto& x, const auto& y) {
        return y.has_value() && (!x.has_value() || x->objective < y->objective);
      });

  RuleBase base =
      make_rulebase((*best)->partition, memberships, (*best)->rules, (*best)->otherwise, settings);
  base.target = data.target;
  base.classes = data.classes;
  base.summary = summarise(table, all, request, **best);
  base.summary.notes = std::move(notes);
  return base;
}

void finish(RuleBase& base, const std::function<void(RuleBase&)>& count, const Settings& settings,
            Control& control) {
  if (settings.polish && settings.semantics == Semantics::sufficient) {
    scale_weights(base);
    // Of equal scores the first rule decides, so putting the rules in order may leave some idle.
    do {
      count(base);
      if (order_rules(base)) count(base);
    } while (drop_idle_rules(base));
    if (scale_weights(base)) count(base);  // the heaviest may have been idle
  } else {
    count(base);
  }
  double right = base.otherwise_statistics.class_rows[static_cast<std::size_t>(base.otherwise)];
  for (const Rule& rule : base.rules) {
    right += rule.statistics.class_rows[static_cast<std::size_t>(rule.then)];
  }
  base.summary.train_accuracy = 100 * right / static_cast<double>(base.summary.rows);
  if (base.rules.empty()) {
    base.summary.notes.push_back(
        "no rule was worth its conditions: the model always gives '" +
        base.classes[static_cast<std::size_t>(base.otherwise)] +
        "'. Try --class-weight balanced if a class is rare, or a lower --price");
  }
  control.report(Progress::Stage::done, 1);
}

RuleBase learn(const Table& table, const Dataset& data, std::span<const std::uint32_t> chosen,
               const TrainRequest& request, Control& control) {
  const Settings& settings = request.settings;
  const auto most = static_cast<std::size_t>(settings.search_rows);
  if (chosen.size() > most) return learn_sampled(table, data, chosen, request, control);
  std::span<const double> repetitions, weights(request.row_weights);
  if (!weights.empty() && are_repetitions(weights, chosen, most)) std::swap(repetitions, weights);
  const std::vector<std::uint32_t> rows =
      ordered_rows(table, data, chosen, repetitions, thread_count(settings.threads));
  RuleBase base = learn_rules(table, data, rows, weights, request, rows.size(), {}, control);
  const Binding binding(base, table);
  const auto count = [&](RuleBase& own) { set_statistics(own, binding, data.labels, rows); };
  finish(base, count, settings, control);
  return base;
}

RuleBase train(const Table& table, const TrainRequest& request) {
  validate(request.settings);
  Control control(request.progress, request.settings.time_limit);
  const Dataset data = make_dataset(table, request.target);
  const std::vector<std::uint32_t> rows = training_rows(table, data, request);
  return learn(table, data, rows, request, control);
}

}  // namespace frr
