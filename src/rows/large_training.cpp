#include "rows/large_training.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "data/row_order.hpp"
#include "model/statistics.hpp"
#include "rows/refit_additive.hpp"
#include "rows/refit_on_all_rows.hpp"
#include "train/finish_rules.hpp"
#include "train/learner.hpp"
#include "train/training_rows.hpp"

namespace frr::internal {
namespace {

// The settings of a model that was trained on a table name such columns, too.
void record_categorical(TrainRequest& request, const Survey& survey, const ColumnRoles& roles) {
  std::string names;
  for (const SurveyedColumn& column : survey.columns) {
    const bool forced = is_categorical(column, roles) && !column.categorical;
    if (forced) names += (names.empty() ? "" : ",") + column.name;
  }
  auto& recorded = request.recorded;
  const bool is_recorded = std::any_of(recorded.begin(), recorded.end(), [](const auto& option) {
    return option.first == "categorical";
  });
  if (!names.empty() && !is_recorded) recorded.insert(recorded.begin(), {"categorical", names});
}

// What training needs to know of all rows.
class AllRows {
 public:
  AllRows(RowSource& source, const TrainRequest& request, const std::string& name)
      : source_(source),
        roles_(source.roles()),
        request_(request),
        settings_(request.settings),
        name_(name),
        survey_(source.survey()),
        usable_(survey_.usable_rows()) {
    number_shards();
    check_target();
    check_columns();
    // So few rows that the unusable ones may come, too.
    everything_ = !exceed_sample() && rows_ <= 4 * most_;
  }

  [[nodiscard]] const Survey& survey() const { return survey_; }
  [[nodiscard]] std::size_t usable() const { return usable_; }
  [[nodiscard]] bool exceed_sample() const { return usable_ > most_; }

  // The rows to learn from: all usable ones if the sample can hold them.
  Sample sample() {
    SampleRequest request;
    request.first = first_;
    request.everything = everything_;
    auto wanted = std::numeric_limits<std::uint64_t>::max();
    if (!everything_) {
      wanted = most_;
      draw_rows(request, wanted, usable_, settings_.seed);
      request.extra = rows_with_rarities(survey_, roles_, first_);
      if (!exceed_sample()) wanted += request.extra.size();  // some of them are not usable
    }
    return make_sample(source_.sample(request), survey_.columns, roles_, request, wanted, name_);
  }

  [[nodiscard]] Dataset dataset(const Sample& sample) const {
    if (everything_) return make_dataset(sample.table, request_.target);
    Dataset data = make_dataset(sample.table, request_.target, sample.numbers);
    const auto unlabelled = static_cast<std::size_t>(survey_.unlabelled);
    if (unlabelled > 0) {
      data.notes.insert(data.notes.begin(), unlabelled_note(unlabelled, rows_, data.target));
    }
    return data;
  }

  void refit(RuleBase& base, const Dataset& data, const Table& sample,
             std::span<const std::uint32_t> rows, Control& control) {
    RefitInput input;
    input.values = values_to_tune(base, sample, rows);
    input.rule_scores = [&](const RuleBase& rules, std::span<const BorderTrial> trials) {
      return source_.rule_scores({rules, survey_.most_weight, settings_.margin, trials});
    };
    input.class_weights = class_weights(data, request_);
    input.class_rows = class_rows(data);
    refit_on_all_rows(base, input, settings_, control);
  }

  void refit_by_loss(RuleBase& base, Control& control) {
    AdditiveRefitInput input;
    input.rows = usable_;
    input.loss_sums = [&](const RuleBase& rules, std::span<const double> point, int bits) {
      return source_.loss_sums({rules, point, survey_.most_weight, bits});
    };
    refit_additive(base, input, control);
  }

  // Of all rows. The survey does not sum weights: the sample estimates their mean in each class.
  [[nodiscard]] Objective objective(const Dataset& data, std::span<const std::uint32_t> rows,
                                    std::span<const double> weights) const {
    std::vector<double> by_class = class_rows(data);
    const std::vector<double> sampled = weights_by_class(data, rows, {});
    const std::vector<double> weighted = weights_by_class(data, rows, weights);
    for (std::size_t c = 0; c < by_class.size(); ++c) {
      if (sampled[c] > 0) by_class[c] *= weighted[c] / sampled[c];
    }
    return resolve_objective(settings_, by_class);
  }

  // Sets the statistics; returns the weight of the rows that are predicted correctly.
  double count(RuleBase& rules) {
    const auto counts = source_.decision_counts(rules, survey_.most_weight);
    return set_statistics(rules, counts, static_cast<double>(usable_));
  }

 private:
  // Usable rows of each class, unweighted.
  [[nodiscard]] std::vector<double> class_rows(const Dataset& data) const {
    std::vector<double> rows;
    for (const std::string& name : data.classes) {
      const auto found = survey_.classes.find(name);
      rows.push_back(found == survey_.classes.end() ? 0 : static_cast<double>(found->second.rows));
    }
    return rows;
  }

  [[nodiscard]] std::string the_target() const {
    return (name_.empty() ? "<table>" : name_) + ": the target '" + roles_.target + "'";
  }

  void number_shards() {
    for (const auto& [shard, count] : survey_.rows) {
      if (shard != first_.size()) {
        fail_data("shard " + std::to_string(first_.size()) + " has not answered; number the " +
                  "shards 0, 1, 2 and so on");
      }
      first_.push_back(rows_);
      rows_ += count;
    }
  }

  void check_target() const {
    if (survey_.classes.size() >= most_surveyed_classes) {
      fail_data(the_target() +
                " has more than 1000 different values. FRR learns classes: group the values, or "
                "choose another target.");
    }
    if (survey_.classes.empty()) fail_data(the_target() + " has no value in any row");
    if (usable_ == 0) fail_data(the_target() + ": every row has the weight 0");
  }

  void check_columns() const {
    // A row adds up to 2^24 to a sum.
    if (!roles_.weight.empty() && rows_ > (std::uint64_t{1} << 38)) {
      fail_data("there are more than 2^38 rows, too many for row weights; train without them");
    }
    for (const std::string& name : roles_.categorical) {
      const bool known =
          std::any_of(survey_.columns.begin(), survey_.columns.end(),
                      [&](const SurveyedColumn& column) { return column.name == name; });
      if (!known) fail_usage("categorical names the column '" + name + "', which does not exist");
    }
  }

  // Of the features whose borders may move.
  SampledValues values_to_tune(const RuleBase& base, const Table& sample,
                               std::span<const std::uint32_t> rows) const {
    constexpr std::size_t enough = 32768;
    SampledValues values(base.partition.features.size());
    if (!settings_.tune) return values;
    std::vector<char> read(values.size(), 0);
    for (const Rule& rule : base.rules) {
      for (const Condition& condition : rule.conditions) {
        read[static_cast<std::size_t>(condition.feature)] = 1;
      }
    }
    parallel_for(settings_.threads, values.size(), [&](std::size_t j) {
      const Feature& feature = base.partition.features[j];
      const bool fixed =
          std::any_of(request_.given.begin(), request_.given.end(),
                      [&](const Feature& given) { return given.name == feature.name; });
      if (read[j] == 0 || fixed || feature.type != ColumnType::numeric) return;
      const Column& column = *sample.find(feature.name);
      for (const std::uint32_t row : rows.first(std::min(rows.size(), enough))) {
        if (!column.is_missing(row)) values[j].push_back(column.values[row]);
      }
      std::sort(values[j].begin(), values[j].end());
    });
    return values;
  }

  RowSource& source_;
  const ColumnRoles& roles_;
  const TrainRequest& request_;
  const Settings& settings_;
  const std::string& name_;
  Survey survey_;
  std::uint64_t usable_;
  std::vector<std::uint64_t> first_;  // number of the first row of each shard
  std::uint64_t rows_ = 0;
  std::uint64_t most_ = static_cast<std::uint64_t>(settings_.search_rows);
  bool everything_ = false;
};

}  // namespace

RuleBase learn_from_source(RowSource& source, TrainRequest request, const std::string& name,
                           Control& control) {
  control.report(Progress::Stage::partition, 0);
  AllRows all(source, request, name);
  record_categorical(request, all.survey(), source.roles());
  Sample sample = all.sample();
  request.row_weights = std::move(sample.weights);
  const Dataset data = all.dataset(sample);
  const std::vector<std::uint32_t> chosen = training_rows(sample.table, data, request);
  if (!all.exceed_sample()) return learn_rows(sample.table, data, chosen, request, control);
  const Settings& settings = request.settings;
  const std::vector<std::uint32_t> rows = ordered_rows(
      sample.table, data, chosen, {}, request.row_weights, thread_count(settings.threads));
  const WholeData whole{all.usable(), all.objective(data, rows, request.row_weights)};
  RuleBase base =
      learn_rules(sample.table, data, rows, request.row_weights, request, whole, control);
  if (settings.semantics == Semantics::additive) {
    all.refit_by_loss(base, control);
  } else if (whole.objective == Objective::accuracy) {
    all.refit(base, data, sample.table, rows, control);
  }
  const auto count_rows = [&](RuleBase& rules) {
    control.report(Progress::Stage::polish, 0.98);
    return all.count(rules);
  };
  finish_rules(base, count_rows, request, class_weights(data, request), control);
  return base;
}

}  // namespace frr::internal
