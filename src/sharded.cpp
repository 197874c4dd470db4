#include "sharded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "class_names.hpp"
#include "decider.hpp"
#include "frr/shards.hpp"
#include "learner.hpp"
#include "parallel.hpp"
#include "row_order.hpp"
#include "settle.hpp"
#include "shard_messages.hpp"
#include "shard_rows.hpp"

namespace frr {
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
  for (const auto& own : survey.classes) rows += own.second;
  return rows;
}

class ShardedLearner {
 public:
  ShardedLearner(Shards& shards, const ShardedTraining& training, Control& control)
      : shards_(shards),
        training_(training),
        settings_(training.request.settings),
        control_(control) {}

  // `classes`: those of a larger table of which these are some rows, or none.
  RuleBase learn(const std::vector<std::string>& classes) {
    look();
    const std::uint64_t counted = counted_rows(survey_);
    if (classes.empty() && counted <= static_cast<std::uint64_t>(settings_.search_rows)) {
      return learn_from_all();
    }
    const Sample sample = draw(counted);
    TrainRequest request = training_.request;
    request.row_weights = sample.weights;
    Dataset data = make_dataset(sample.table, request.target, sample.numbers);
    if (!classes.empty()) {
      data.classes = classes;
      data.labels = class_indices(sample.table, data.target, classes);
    }
    note_unlabelled(data);
    const std::vector<std::uint32_t> rows =
        ordered_rows(sample.table, data, training_rows(sample.table, data, request), {},
                     thread_count(settings_.threads));
    RuleBase base =
        learn_rules(sample.table, data, rows, sample.weights, request, counted, control_);
    if (settings_.semantics == Semantics::sufficient) settle_rules(base, data);
    finish(base, [&](RuleBase& own) { count(own); }, settings_, control_);
    return base;
  }

 private:
  [[nodiscard]] ShardRequest request_for(ShardRequest::Kind kind) const {
    ShardRequest request;
    request.kind = kind;
    request.target = training_.request.target;
    request.weight = training_.weight_column;
    request.most_weight = survey_.most_weight;
    request.margin = settings_.margin;
    return request;
  }
  ShardAnswer ask(const ShardRequest& request) {
    return ShardAnswer::from(shards_.ask(request.bytes()));
  }

  void look() {
    control_.report(Progress::Stage::partition, 0);
    survey_ = ask(request_for(ShardRequest::Kind::survey));
    if (survey_.sums.empty()) fail_data(training_.source + ": there are no shards");
    for (const auto& own : survey_.rows) {
      if (own.first != first_.size()) {
        fail_data("shard " + std::to_string(first_.size()) + " has not answered; number the " +
                  "shards 0, 1, 2 and so on");
      }
      first_.push_back(rows_);
      rows_ += own.second;
    }
    if (survey_.classes.size() >= most_surveyed_classes) {
      fail_data(training_.source + ": the target '" + training_.request.target +
                "' has more than 1000 different values. Is it the right column? If so, group its "
                "values.");
    }
    if (rows_ == 0) fail_data(training_.source + " has no rows");
    if (counted_rows(survey_) == 0) {
      fail_data(training_.source + ": the target '" + training_.request.target +
                "' is given in no row that counts");
    }
  }

  Sample draw(std::uint64_t counted) {
    ShardRequest request = request_for(ShardRequest::Kind::sample);
    request.first = first_;
    request.seed = settings_.seed ^ 0x5a3b1e0fULL;
    request.below = every_row;
    const double share =
        static_cast<double>(settings_.search_rows) / static_cast<double>(counted);
    if (counted > 0 && share < 1) request.below = static_cast<std::uint64_t>(std::ldexp(share, 64));
    return make_sample(ask(request).parts, request, training_.source);
  }

  // So few rows that they are learned from as one table.
  RuleBase learn_from_all() {
    Sample all = draw(0);
    TrainRequest request = training_.request;
    request.row_weights = std::move(all.weights);
    return train(all.table, request);
  }

  void note_unlabelled(Dataset& data) const {
    const auto unlabelled = static_cast<std::size_t>(survey_.sums.front());
    if (unlabelled > 0)
      data.notes.insert(data.notes.begin(), unlabelled_note(unlabelled, rows_, data.target));
  }

  ShardRequest with_rules(ShardRequest::Kind kind, const RuleBase& base) const {
    ShardRequest request = request_for(kind);
    RuleBase bare = base;
    bare.summary = {};
    const Statistics none{std::vector<double>(base.classes.size(), 0), 0};
    bare.otherwise_statistics = none;
    for (Rule& rule : bare.rules) rule.statistics = none;
    request.model = to_json(bare);
    return request;
  }

  void settle_rules(RuleBase& base, const Dataset& data) {
    SettleInput input;
    input.sums = [&](const RuleBase& own) {
      return ask(with_rules(ShardRequest::Kind::worth, own)).sums;
    };
    input.class_weights = class_weights(data, training_.request);
    for (const std::string& name : data.classes) {
      const auto found = survey_.classes.find(name);
      input.class_rows.push_back(
          found == survey_.classes.end() ? 0 : static_cast<double>(found->second));
    }
    settle(base, input, settings_, control_);
  }

  void count(RuleBase& base) {
    control_.report(Progress::Stage::polish, 0.98);
    const std::vector<std::int64_t> counts =
        ask(with_rules(ShardRequest::Kind::count, base)).sums;
    if (counts.size() != (base.rules.size() + 1) * (base.classes.size() + 1)) {
      throw Error(ErrorKind::internal, "shards gave counts of other rules");
    }
    set_statistics(base, counts);
  }

  Shards& shards_;
  const ShardedTraining& training_;
  const Settings& settings_;
  Control& control_;
  ShardAnswer survey_;
  std::vector<std::uint64_t> first_;  // number of the first row of each shard
  std::uint64_t rows_ = 0;
};

}  // namespace

RuleBase train(Shards& shards, const ShardedTraining& training) {
  const TrainRequest& request = training.request;
  validate(request.settings);
  if (request.target.empty()) fail_usage("say which column is the target");
  if (!request.rows.empty() || !request.row_weights.empty()) {
    fail_usage("of shards no rows can be chosen, and their weights stand in a column");
  }
  Control control(request.progress, request.settings.time_limit);
  return ShardedLearner(shards, training, control).learn({});
}

RuleBase learn_sampled(const Table& table, const Dataset& data,
                       std::span<const std::uint32_t> chosen, const TrainRequest& request,
                       Control& control) {
  ShardedTraining training{request, {}, table.source};
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
  return ShardedLearner(shards, training, control).learn(data.classes);
}

}  // namespace frr
