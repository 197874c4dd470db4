#include "train/learner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/visible_text.hpp"
#include "data/examples.hpp"
#include "data/row_order.hpp"
#include "labels/partition.hpp"
#include "labels/screen.hpp"
#include "model/decider.hpp"
#include "network/extract.hpp"
#include "train/candidate_search.hpp"
#include "train/options.hpp"

namespace frr::internal {
namespace {

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

// The product of two numbers above 0, fraction * 2^exponent with a fraction from 1/4 to 1: in a
// double it could overflow, or underflow to 0.
struct Product {
  Product(double x, double y) {
    int of_x = 0, of_y = 0;
    fraction = std::frexp(x, &of_x) * std::frexp(y, &of_y);
    exponent = of_x + of_y;
  }
  double fraction;
  int exponent;
};

// What each row weighs, row weight times class weight, up to a factor. Lighter rows than
// 2^-100 of the heaviest get that much: in the floats that follow they could become 0, and a
// group of rows of no weight has no shares of classes.
std::vector<double> relative_weights(const Dataset& data, std::span<const std::uint32_t> rows,
                                     std::span<const double> given,
                                     std::span<const double> of_class) {
  constexpr int lightest = -100;
  std::vector<Product> products;
  products.reserve(rows.size());
  int most = std::numeric_limits<int>::min();
  for (const std::uint32_t row : rows) {
    products.emplace_back(given.empty() ? 1.0 : given[row],
                          of_class[static_cast<std::size_t>(data.labels[row])]);
    most = std::max(most, products.back().exponent);
  }
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const Product& own : products) {
    weights.push_back(
        std::max(std::ldexp(1.0, lightest), std::ldexp(own.fraction, own.exponent - most)));
  }
  return weights;
}

// `given`: one a row of the table, or none. Only their proportions count.
std::vector<float> row_weights(const Dataset& data, std::span<const std::uint32_t> rows,
                               std::span<const double> given, const TrainRequest& request) {
  const bool plain = given.empty() && request.class_weights.empty();
  std::vector<double> relative(rows.size(), 1.0);
  double scale = 1;
  if (!plain) {
    relative = relative_weights(data, rows, given, class_weights(data, request));
    const double sum = std::accumulate(relative.begin(), relative.end(), 0.0);
    scale = static_cast<double>(rows.size()) / sum;
  }
  std::vector<float> weights;
  std::vector<double> by_class(data.classes.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = scale * relative[i];
    weights.push_back(static_cast<float>(weight));
    by_class[static_cast<std::size_t>(data.labels[rows[i]])] += weight;
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

// The columns whose rows are enlarged: all features, or those that screening has left.
std::vector<std::size_t> enlarged_columns(const Table& table, const Dataset& data,
                                          const Partition& partition, bool screened) {
  std::vector<std::size_t> columns = data.features;
  if (!screened) return columns;
  std::unordered_set<std::string_view> left;
  for (const Feature& feature : partition.features) left.insert(feature.name);
  std::erase_if(columns, [&](std::size_t i) { return !left.contains(table.columns[i].name); });
  return columns;
}

struct RowCounts {
  std::size_t all, searched, learned;
};

// Which rows each stage looked at, where that were not all of them. `sampled`: the rows searched
// are a sample of all.
void note_samples(std::vector<std::string>& notes, const Settings& settings,
                  const RowCounts& counts, bool sampled) {
  const bool part = settings.gradient && counts.learned < counts.all;
  std::string note = "of " + std::to_string(counts.all) + " rows, ";
  if (part) note += "gradient descent saw " + std::to_string(counts.learned);
  if (part && sampled) note += " and ";
  if (sampled) {
    note += "the search for conditions and borders" + std::string(part ? " " : " saw ") +
            std::to_string(counts.searched);
  }
  note += std::string(", drawn at random (") + (part ? "--gradient-rows" : "") +
          (part && sampled ? ", " : "") + (sampled ? "--search-rows" : "") + ")";
  if (sampled) {
    note +=
        "; classes, weights and counts of the rules are of all rows, which also moved borders "
        "and dropped what is not worth its price";
  }
  if (part || sampled) notes.push_back(note);
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
                     Control& control) {
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
  const bool screened =
      screen_features(partition, table, data, rows, static_cast<std::size_t>(settings.max_features),
                      threads) > 0;
  if (screened) {
    notes.push_back("of " + std::to_string(columns) + " columns the " +
                    std::to_string(settings.max_features) +
                    " that tell most about the class are used (--max-features)");
  }
  const bool sampled = rows.size() < all;
  Settings enlarging = settings;
  if (sampled) enlarging.augment = 0;  // there are more real rows than these
  const Examples examples =
      make_examples(table, data, enlarged_columns(table, data, partition, screened), rows,
                    row_weights(data, rows, weights, request), enlarging, threads, control);
  const Table& source = examples.enlarged ? *examples.enlarged : table;
  // The examples are in random order: the first ones are a sample.
  const std::size_t searched = examples.rows.size();
  const std::size_t learned = std::min(searched, static_cast<std::size_t>(settings.gradient_rows));
  const Memberships labels(partition, source, {}, 1);
  note_samples(notes, settings, {std::max(all, searched), searched, learned}, sampled);
  std::vector<bool> fixed;
  for (const Feature& feature : partition.features) {
    fixed.push_back(std::any_of(request.given.begin(), request.given.end(),
                                [&](const Feature& own) { return own.name == feature.name; }));
  }
  const Task task{table,     rows,   source,  examples.rows,    data.classes,     settings,
                  partition, labels, learned, examples.classes, examples.weights, std::move(fixed)};
  const Attempt best = best_attempt(task, threads, control);
  RuleBase base = make_rulebase(best.partition, labels, best.rules, best.otherwise, settings);
  base.target = data.target;
  base.missing = request.missing;
  base.classes = data.classes;
  base.summary = summarise(table, all, request, best);
  for (std::string& note : notes) note = visible_text(note);
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

}  // namespace frr::internal
