#include "shards/sharded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "data/class_names.hpp"
#include "data/row_order.hpp"
#include "frr/shards.hpp"
#include "model/decider.hpp"
#include "shards/byte_stream.hpp"
#include "shards/refit_on_all_rows.hpp"
#include "shards/shard_messages.hpp"
#include "shards/shard_rows.hpp"
#include "train/learner.hpp"

namespace frr::internal {
namespace {

// ---- A table as shards --------------------------------------------------------------------------

TableView part_of(const TableView& whole, std::size_t from, std::size_t to) {
  TableView part = whole;
  part.rows = to - from;
  for (ColumnView& column : part.columns) {
    if (column.type == ColumnType::categorical) {
      column.codes += from;
    } else {
      column.numbers.data = static_cast<const char*>(column.numbers.data) +
                            static_cast<std::ptrdiff_t>(from) * column.numbers.stride;
    }
  }
  return part;
}

class TableShards : public Shards {
 public:
  TableShards(TableView view, int threads) : view_(std::move(view)), threads_(threads) {}

  std::string ask(const std::string& request) override {
    const std::size_t count = std::max<std::size_t>(1, (view_.rows + part_rows - 1) / part_rows);
    std::vector<std::string> answers(count);
    parallel_for(threads_, count, [&](std::size_t i) {
      const std::size_t from = i * part_rows, to = std::min(view_.rows, from + part_rows);
      answers[i] = answer(request, part_of(view_, from, to), i);
    });
    return add_answers(answers);
  }

 private:
  static constexpr std::size_t part_rows = 65536;
  TableView view_;
  int threads_;
};

// ---- The side that asks -------------------------------------------------------------------------

std::uint64_t counted_rows(const ShardAnswer& survey) {
  std::uint64_t rows = 0;
  for (const auto& [name, own] : survey.classes) rows += own.rows;
  return rows;
}

class ShardedLearner {
 public:
  ShardedLearner(Shards& shards, ShardedTraining training, Control& control)
      : shards_(shards),
        training_(std::move(training)),
        settings_(training_.request.settings),
        control_(control) {}

  RuleBase learn() {
    look();
    record_categorical();
    const auto most = static_cast<std::uint64_t>(settings_.search_rows);
    counted_ = counted_rows(survey_);
    // So few rows that the ones that do not count may come, too.
    if (counted_ <= most && rows_ <= 4 * most) return learn_from_all();
    Sample sample = draw(false);
    TrainRequest request = training_.request;
    request.row_weights = std::move(sample.weights);
    Dataset data = make_dataset(sample.table, request.target, sample.numbers);
    note_unlabelled(data);
    const std::vector<std::uint32_t> chosen = training_rows(sample.table, data, request);
    if (counted_ <= most) return internal::learn(sample.table, data, chosen, request, control_);
    const std::vector<std::uint32_t> rows = ordered_rows(
        sample.table, data, chosen, {}, request.row_weights, thread_count(settings_.threads));
    RuleBase base =
        learn_rules(sample.table, data, rows, request.row_weights, request, counted_, control_);
    if (settings_.semantics == Semantics::sufficient) {
      settle_rules(base, data, values_to_tune(base, sample.table, rows));
    }
    finish(
        base, [&](RuleBase& own) { count(own); }, settings_, control_);
    return base;
  }

 private:
  [[nodiscard]] ShardRequest request_for(ShardRequest::Kind kind) const {
    ShardRequest request;
    request.kind = kind;
    request.target = training_.request.target;
    request.weight = training_.weight_column;
    request.categorical = training_.categorical;
    request.most_weight = survey_.most_weight;
    request.margin = settings_.margin;
    return request;
  }
  ShardAnswer ask(const ShardRequest& request) {
    const std::string bytes = request.bytes();
    ShardAnswer answer = ShardAnswer::from(shards_.ask(bytes));
    if (answer.kind != request.kind || answer.request != check_sum(bytes)) {
      fail_data("the answers are to another request");
    }
    const bool first = request.kind == ShardRequest::Kind::survey;
    if (!first && answer.attendance != survey_.attendance) {
      fail_data("the answers are of " + std::to_string(answer.attendance.rows) +
                " rows, those to the survey were of " + std::to_string(survey_.attendance.rows) +
                ", or of other shards; each shard must answer once, always with the same rows");
    }
    return answer;
  }

  [[nodiscard]] std::string where() const {
    return (training_.source.empty() ? "<table>" : training_.source) + ": the target '" +
           training_.request.target + "'";
  }

  void look() {
    control_.report(Progress::Stage::partition, 0);
    survey_ = ask(request_for(ShardRequest::Kind::survey));
    check_survey(survey_);
    for (const auto& [shard, count] : survey_.rows) {
      if (shard != first_.size()) {
        fail_data("shard " + std::to_string(first_.size()) + " has not answered; number the " +
                  "shards 0, 1, 2 and so on");
      }
      first_.push_back(rows_);
      rows_ += count;
    }
    if (survey_.classes.size() >= most_surveyed_classes) {
      fail_data(where() + " has more than 1000 different values. FRR learns classes: group the " +
                "values, or choose another target.");
    }
    if (survey_.classes.empty()) fail_data(where() + " is given in no row");
    if (counted_rows(survey_) == 0) fail_data(where() + ": every row has the weight 0");
    // Sums are counted in up to 2^24 parts of a row.
    if (!training_.weight_column.empty() && rows_ > (std::uint64_t{1} << 38)) {
      fail_data("of more than 2^38 rows weights cannot be counted");
    }
    for (const std::string& name : training_.categorical) {
      const bool is = std::any_of(survey_.columns.begin(), survey_.columns.end(),
                                  [&](const SurveyedColumn& own) { return own.name == name; });
      if (!is) fail_usage("there is no column '" + name + "' to be categorical");
    }
  }

  // What a table knows from how it was read.
  void record_categorical() {
    std::string names;
    for (const SurveyedColumn& column : survey_.columns) {
      const bool forced = std::find(training_.categorical.begin(), training_.categorical.end(),
                                    column.name) != training_.categorical.end();
      if (forced && !column.categorical) names += (names.empty() ? "" : ",") + column.name;
    }
    auto& recorded = training_.request.recorded;
    const bool is_recorded = std::any_of(recorded.begin(), recorded.end(), [](const auto& own) {
      return own.first == "categorical";
    });
    if (!names.empty() && !is_recorded) recorded.insert(recorded.begin(), {"categorical", names});
  }

  Sample draw(bool everything) {
    ShardRequest request = request_for(ShardRequest::Kind::sample);
    request.first = first_;
    request.everything = everything;
    auto wanted = std::numeric_limits<std::uint64_t>::max();
    if (!everything) {
      wanted = static_cast<std::uint64_t>(settings_.search_rows);
      draw_rows(request, wanted, counted_, settings_.seed);
      request.besides = rows_with_rarities(survey_, request, first_);
      if (counted_ <= wanted) wanted += request.besides.size();  // those that do not count
    }
    std::vector<SampledRows> parts = ask(request).parts;
    check_sample(parts, rows_);
    return make_sample(std::move(parts), survey_.columns, request, wanted, training_.source);
  }

  RuleBase learn_from_all() {
    Sample all = draw(true);
    TrainRequest request = training_.request;
    request.row_weights = std::move(all.weights);
    const Dataset data = make_dataset(all.table, request.target);
    return internal::learn(all.table, data, training_rows(all.table, data, request), request,
                           control_);
  }

  void note_unlabelled(Dataset& data) const {
    const auto unlabelled = static_cast<std::size_t>(survey_.unlabelled);
    if (unlabelled > 0)
      data.notes.insert(data.notes.begin(), unlabelled_note(unlabelled, rows_, data.target));
  }

  ShardRequest with_model(ShardRequest::Kind kind, const RuleBase& base) const {
    ShardRequest request = request_for(kind);
    RuleBase bare = base;
    bare.summary = {};
    const Statistics none{std::vector<double>(base.classes.size(), 0), 0};
    bare.otherwise_statistics = none;
    for (Rule& rule : bare.rules) rule.statistics = none;
    request.model = to_json(bare);
    return request;
  }

  // Of the features whose borders may move.
  SampledValues values_to_tune(const RuleBase& base, const Table& sample,
                               std::span<const std::uint32_t> rows) const {
    constexpr std::size_t enough = 32768;
    SampledValues values(base.partition.features.size());
    if (!settings_.tune) return values;
    std::vector<char> read(values.size(), 0);
    for (const Rule& rule : base.rules) {
      for (const Condition& own : rule.conditions) read[static_cast<std::size_t>(own.feature)] = 1;
    }
    const auto& given = training_.request.given;
    parallel_for(settings_.threads, values.size(), [&](std::size_t j) {
      const Feature& feature = base.partition.features[j];
      const bool fixed = std::any_of(given.begin(), given.end(),
                                     [&](const Feature& own) { return own.name == feature.name; });
      if (read[j] == 0 || fixed || feature.type != ColumnType::numeric) return;
      const Column& column = *sample.find(feature.name);
      for (const std::uint32_t row : rows.first(std::min(rows.size(), enough))) {
        if (!column.is_missing(row)) values[j].push_back(column.values[row]);
      }
      std::sort(values[j].begin(), values[j].end());
    });
    return values;
  }

  void settle_rules(RuleBase& base, const Dataset& data, SampledValues values) {
    SettleInput input;
    input.values = std::move(values);
    input.sums = [&](const RuleBase& own, std::span<const BorderTrial> trials) {
      ShardRequest request = with_model(ShardRequest::Kind::worth, own);
      request.trials.assign(trials.begin(), trials.end());
      return ask(request).sums;
    };
    input.class_weights = class_weights(data, training_.request);
    for (const std::string& name : data.classes) {
      const auto found = survey_.classes.find(name);
      input.class_rows.push_back(
          found == survey_.classes.end() ? 0 : static_cast<double>(found->second.rows));
    }
    settle(base, input, settings_, control_);
  }

  void count(RuleBase& base) {
    control_.report(Progress::Stage::polish, 0.98);
    const std::vector<std::int64_t> counts = ask(with_model(ShardRequest::Kind::count, base)).sums;
    if (counts.size() != decision_count_size(base)) fail_answer("its counts are of other rules");
    const auto most = static_cast<std::int64_t>(rows_);
    const bool possible = std::all_of(counts.begin(), counts.end(),
                                      [&](std::int64_t x) { return x >= 0 && x <= most; });
    if (!possible) fail_answer("it counts other rows than there are");
    set_statistics(base, counts);
  }

  Shards& shards_;
  ShardedTraining training_;
  const Settings& settings_;
  Control& control_;
  ShardAnswer survey_;
  std::vector<std::uint64_t> first_;  // number of the first row of each shard
  std::uint64_t rows_ = 0, counted_ = 0;
};

}  // namespace

RuleBase learn_from_shards(Shards& shards, const ShardedTraining& training, Control& control) {
  return ShardedLearner(shards, training, control).learn();
}

RuleBase learn_sampled(const Table& table, const Dataset& data,
                       std::span<const std::uint32_t> chosen, const TrainRequest& request,
                       Control& control) {
  ShardedTraining training{.request = request, .source = table.source};
  training.request.target = data.target;
  training.request.rows.clear();
  training.request.row_weights.clear();
  TableView view(table);
  std::vector<double> weights;
  if (!request.rows.empty() || !request.row_weights.empty()) {
    weights.assign(table.rows, 0);
    for (const std::uint32_t row : chosen) {
      weights[row] = request.row_weights.empty() ? 1 : request.row_weights[row];
    }
    // A name that no column has.
    training.weight_column = "weight";
    while (table.find(training.weight_column) != nullptr) training.weight_column += '_';
    view.columns.emplace_back(training.weight_column, NumberView{.data = weights.data()});
  }
  TableShards shards(std::move(view), request.settings.threads);
  return ShardedLearner(shards, training, control).learn();
}

}  // namespace frr::internal
