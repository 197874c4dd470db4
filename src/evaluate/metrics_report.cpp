#include "evaluate/metrics_report.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/text.hpp"
#include "evaluate/bootstrap.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "model/column_map.hpp"

namespace frr {
using namespace internal;
namespace {

// ---- Figures in one row, as the bootstrap takes them --------------------------------------------

template <typename Struct, std::size_t size>
void append(const Struct& metrics, const Figure<Struct> (&figures)[size],
            std::vector<double>& values) {
  for (const Figure<Struct>& figure : figures) values.push_back(metrics.*figure.value);
}

std::vector<double> flat(const Metrics& metrics) {
  std::vector<double> values;
  append(metrics, overall_figures, values);
  for (const ClassMetrics& one_class : metrics.classes) append(one_class, class_figures, values);
  return values;
}

// Takes the ends of the intervals in the same order. An undefined value has no interval.
class Ends {
 public:
  explicit Ends(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}

  template <typename Struct, std::size_t size>
  void take(const Struct& value, Struct& low, Struct& high, const Figure<Struct> (&figures)[size]) {
    for (const Figure<Struct>& figure : figures) {
      const Interval interval = intervals_.empty() ? Interval{} : intervals_[next_++];
      const bool defined = !std::isnan(value.*figure.value);
      low.*figure.value = defined ? interval.low : undefined;
      high.*figure.value = defined ? interval.high : undefined;
    }
  }

 private:
  std::vector<Interval> intervals_;  // empty: all undefined
  std::size_t next_ = 0;
};

Estimated<Metrics> estimate(const Scorer& scorer, const Resampling& resampling) {
  Estimated<Metrics> result{scorer.metrics(), {}, {}};
  Ends ends(resampling.replicates > 0 ? bootstrap(scorer, resampling, flat)
                                      : std::vector<Interval>());
  ends.take(result.value, result.low, result.high, overall_figures);
  const std::size_t classes = result.value.classes.size();
  result.low.classes.resize(classes);
  result.high.classes.resize(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    ends.take(result.value.classes[c], result.low.classes[c], result.high.classes[c],
              class_figures);
  }
  return result;
}

Estimated<GroupMetrics> estimate_group(const Scorer& scorer, std::optional<std::size_t> positive,
                                       const Resampling& resampling) {
  Estimated<GroupMetrics> result{group_metrics(scorer.metrics(), positive), {}, {}};
  const auto figures = [&](const Metrics& metrics) {
    std::vector<double> values;
    append(group_metrics(metrics, positive), group_figures, values);
    return values;
  };
  Ends ends(resampling.replicates > 0 ? bootstrap(scorer, resampling, figures)
                                      : std::vector<Interval>());
  ends.take(result.value, result.low, result.high, group_figures);
  return result;
}

// ---- Groups -------------------------------------------------------------------------------------

std::string named_counts(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

GroupMetrics gaps(const std::vector<Group>& groups) {
  GroupMetrics result;
  for (const Figure<GroupMetrics>& figure : group_figures) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    int defined = 0;
    for (const Group& group : groups) {
      const double value = group.metrics.value.*figure.value;
      if (std::isnan(value)) continue;
      ++defined;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    result.*figure.value = defined >= 2 ? high - low : undefined;
  }
  return result;
}

Grouping measure_groups(const Evaluated& evaluated, const RowGroups& groups,
                        const MetricsRequest& request, std::optional<std::size_t> positive,
                        const Resampling& resampling) {
  if (groups.of_row.size() != evaluated.truth.size())
    fail_usage("the groups of '" + groups.column + "' do not have one value for each row");
  std::vector<std::vector<std::uint32_t>> rows(groups.names.size());
  for (std::size_t row = 0; row < groups.of_row.size(); ++row)
    rows[static_cast<std::size_t>(groups.of_row[row])].push_back(static_cast<std::uint32_t>(row));
  Grouping result;
  result.column = groups.column;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (rows[g].empty()) continue;
    const Scorer scorer(evaluated.predictions, evaluated.truth, request.row_weights, positive,
                        rows[g]);
    if (scorer.rows() == 0) continue;
    result.groups.push_back(
        {groups.names[g], scorer.rows(), estimate_group(scorer, positive, resampling)});
  }
  result.gaps = gaps(result.groups);
  return result;
}

// Counts replicates of all tables; Error{interrupted} if the caller stops it.
class ReplicateProgress {
 public:
  ReplicateProgress(const std::function<bool(double)>& callback, std::size_t replicates)
      : callback_(callback), all_(replicates) {}
  void operator()() {
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!callback_(static_cast<double>(done_) / static_cast<double>(all_)))
      throw Error(ErrorKind::interrupted, "interrupted");
  }

 private:
  const std::function<bool(double)>& callback_;
  std::size_t all_, done_ = 0;
  std::mutex mutex_;
};

// ---- Rows and classes ---------------------------------------------------------------------------

std::optional<std::size_t> positive_class(const Evaluated& evaluated, const std::string& name) {
  const std::span<const std::string> names = evaluated.class_names;
  if (!name.empty()) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      fail_usage("the positive class '" + name + "' is not a class of the model" +
                 did_you_mean(name, names));
    return static_cast<std::size_t>(found - names.begin());
  }
  if (names.size() != 2) return {};
  std::vector<double> rows(evaluated.prior_rows.begin(), evaluated.prior_rows.end());
  if (rows.empty()) {
    rows.assign(2, 0);
    for (const int c : evaluated.truth)
      if (c >= 0) ++rows[static_cast<std::size_t>(c)];
  }
  return rows[0] < rows[1] ? 0 : 1;
}

void check_row_weights(std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return;
  if (weights.size() != rows) {
    fail_usage("there are " + named_counts(weights.size(), "row weight") + " for " +
               named_counts(rows, "row") + "; give one for each row");
  }
  constexpr double most = 1e100;  // as in training: products of sums of weights stay finite
  const bool usable = std::ranges::all_of(weights, [](double w) { return w >= 0 && w <= most; });
  if (!usable) fail_usage("row weights must be numbers from 0 to 1e100");
}

std::string quoted_list(std::span<const std::string> names, std::span<const std::size_t> chosen) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, chosen.size()); ++i)
    text += (i == 0 ? "'" : ", '") + names[chosen[i]] + "'";
  return text +
         (chosen.size() > most ? " and " + std::to_string(chosen.size() - most) + " more" : "");
}

// What is undefined, and why.
void add_notes(std::span<const std::string> names, MetricsReport& report) {
  std::vector<std::size_t> absent, present, unpredicted;
  for (std::size_t c = 0; c < names.size(); ++c) {
    (report.class_rows[c] == 0 ? absent : present).push_back(c);
    if (std::isnan(report.metrics.value.classes[c].ppv)) unpredicted.push_back(c);
  }
  if (present.size() == 1) {
    report.notes.push_back("all rows are of the class " + quoted_list(names, present) +
                           ": AUC, MCC, specificity, calibration slope and other figures that "
                           "compare classes are undefined");
  } else if (!absent.empty()) {
    report.notes.push_back("no row is of the class " + quoted_list(names, absent) +
                           ": its sensitivity and AUC are undefined, and means over the classes "
                           "leave it out");
  }
  if (!unpredicted.empty()) {
    report.notes.push_back("the class " + quoted_list(names, unpredicted) +
                           " is never predicted: its PPV is undefined");
  }
  if (present.size() > 1 && std::isnan(report.metrics.value.calibration_slope)) {
    report.notes.push_back(
        "the calibration slope is undefined: the probabilities are all equal, or they separate "
        "the outcomes without error");
  }
}

}  // namespace

MetricsReport internal::measure(const Evaluated& evaluated, std::span<const RowGroups> groups,
                                const MetricsRequest& request) {
  check_row_weights(request.row_weights, evaluated.truth.size());
  MetricsReport report;
  report.classes.assign(evaluated.class_names.begin(), evaluated.class_names.end());
  report.positive = positive_class(evaluated, request.positive);
  report.weighted = !request.row_weights.empty();
  const Scorer scorer(evaluated.predictions, evaluated.truth, request.row_weights, report.positive);
  report.rows = scorer.rows();
  if (report.rows == 0) {
    fail_data(evaluated.truth.empty()
                  ? evaluated.source + " has no rows to evaluate"
                  : "no row of " + evaluated.source +
                        " can be evaluated: none has a class of the model and a weight above 0");
  }
  report.weight = std::accumulate(scorer.weights().begin(), scorer.weights().end(), 0.0);
  report.class_rows = scorer.class_rows();
  report.replicates = request.replicates.value_or(usual_replicates(report.rows));
  report.seed = request.seed;
  std::size_t tables = 1;
  for (const RowGroups& column : groups) tables += column.names.size();
  ReplicateProgress progress(request.progress,
                             tables * static_cast<std::size_t>(report.replicates));
  const Resampling resampling{report.replicates, request.seed, request.threads,
                              [&progress] { progress(); }};
  report.metrics = estimate(scorer, resampling);
  report.confusion = scorer.confusion(scorer.weights());
  if (report.positive) report.roc = scorer.roc(*report.positive);
  for (const RowGroups& column : groups) {
    report.groupings.push_back(
        measure_groups(evaluated, column, request, report.positive, resampling));
  }
  add_notes(evaluated.class_names, report);
  return report;
}

MetricsReport measure(const RuleBase& base, const Table& table, const MetricsRequest& request) {
  require_column(table, base.target, "the true classes");
  std::vector<RowGroups> groups;
  for (const std::string& name : request.by) {
    const Column& column = require_column(table, name, "groups");
    groups.push_back(row_groups(ColumnView(column), table.rows, table.source));
  }
  const Predictions predictions = model_predictions(base, ColumnMap(base, table), request.threads);
  const std::vector<int> truth = class_indices(table, base.target, base.classes);
  const std::vector<double> prior = base_rates(base);
  MetricsRequest of_class = request;
  if (request.positive.empty() && base.policy.positive >= 0) {
    of_class.positive = base.classes[static_cast<std::size_t>(base.policy.positive)];
  }
  MetricsReport report =
      measure(Evaluated{predictions, truth, base.classes, prior, table.source}, groups, of_class);
  report.target = base.target;
  return report;
}

}  // namespace frr
