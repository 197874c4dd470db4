#include "model.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/float_mode.hpp"
#include "base/missing_codes.hpp"
#include "base/parallel.hpp"
#include "columns.hpp"
#include "data/dataset.hpp"
#include "evaluate/same_training.hpp"
#include "frr/frr.hpp"
#include "labels/partition.hpp"
#include "model/decider.hpp"
#include "model/explain.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"
#include "policy.hpp"
#include "training.hpp"
#include "validation/choose_policy.hpp"

namespace frr::python {
using namespace internal;
namespace {

using Classes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename Number, std::size_t Dimensions>
using Result = nb::ndarray<Number, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t task_rows = 16384;  // per task of a thread

// Calls body(first row, decisions) for all rows, in parallel.
template <typename Body>
void decide_rows(const RuleBase& base, const ColumnMap& map, int threads, const Body& body) {
  constexpr std::size_t at_once = 16 * Decider::block_rows;
  parallel_blocks(threads, map.rows(), task_rows, [&](std::size_t from, std::size_t to) {
    const FloatMode mode(Denormals::keep);
    Decider decider(base, map);
    decider.refuse_infinite();
    Decision decisions[at_once];
    for (std::size_t first = from; first < to; first += at_once) {
      const auto some = std::span(decisions).first(std::min(at_once, to - first));
      decider.decide(first, some);
      body(first, std::span<const Decision>(some));
    }
  });
}

void check_room(std::size_t room, std::size_t needed) {
  if (room != needed) fail_usage("the array for the result has the wrong size");
}

void refuse_infinite(const FeatureValue& value, const std::string& name, std::size_t row) {
  if (!std::isinf(value.number)) return;
  fail_data("column '" + name + "' is infinite in row " + std::to_string(row) +
            " (the first is row 0); give a finite number, or NaN for a missing value");
}

// `positions` must be a permutation.
void check_positions(Labels positions, std::size_t classes) {
  check_room(positions.shape(0), classes);
  std::vector<bool> taken(classes, false);
  for (std::size_t c = 0; c < classes; ++c) {
    const std::int64_t place = positions.data()[c];
    if (place < 0 || static_cast<std::size_t>(place) >= classes ||
        taken[static_cast<std::size_t>(place)]) {
      fail_usage("the positions of the classes are not a permutation");
    }
    taken[static_cast<std::size_t>(place)] = true;
  }
}

// Writes values by class in the order of the caller, who chooses the first of equals: if that is
// not `favoured`, which is one of the largest, its value is raised by the smallest possible step.
void place(std::span<const double> values, Labels positions, std::size_t favoured, double* out) {
  for (std::size_t c = 0; c < values.size(); ++c) out[positions.data()[c]] = values[c];
  double& own = out[positions.data()[favoured]];
  const double* first = std::max_element(out, out + values.size());
  if (first != &own && own == *first) own = std::nextafter(own, HUGE_VAL);
}

// The same rules without costs or a threshold: the most probable class is predicted.
RuleBase without_policy(const RuleBase& base) {
  RuleBase plain = base;
  plain.policy = {};
  apply_policy(plain);
  return plain;
}

std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

// The score of each class under base.policy, from the logarithms of its probabilities: the class
// with the largest one is predicted.
void add_policy(const RuleBase& base, const ScorePolicy& policy, int predicted,
                std::vector<double>& scores) {
  if (policy.by_offsets()) {
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += policy.offset(c);
  }
  double& own = scores[index_of(predicted)];
  const double most = *std::max_element(scores.begin(), scores.end());
  const auto rivals = std::count(scores.begin(), scores.end(), most);
  if (own < most || (rivals > 1 && base.classes.size() > 1)) own = std::nextafter(most, HUGE_VAL);
}

// Makes the values missing that equal a code, as reading a file does.
void clear_missing(const std::vector<std::string>& codes, Table& table) {
  const MissingCodes missing(codes);
  if (missing.empty()) return;
  for (Column& column : table.columns) {
    for (double& value : column.values) {
      if (missing.contains(value)) value = std::numeric_limits<double>::quiet_NaN();
    }
    for (std::int32_t& code : column.codes) {
      if (code != Column::missing_code &&
          missing.contains(column.categories[static_cast<std::size_t>(code)])) {
        code = Column::missing_code;
      }
    }
  }
}

class Model {
 public:
  explicit Model(RuleBase base, std::vector<double> losses = {})
      : base_(std::move(base)), losses_(std::move(losses)) {}

  [[nodiscard]] const RuleBase& base() const { return base_; }
  [[nodiscard]] const std::vector<double>& losses() const { return losses_; }

  // `labels`: 64 bits to write for each class, whose meaning the caller knows.
  void predict(const nb::list& list, Labels labels, Result<std::int64_t, 1> out,
               int threads) const {
    const Columns columns(list, out.shape(0));
    check_room(labels.shape(0), base_.classes.size());
    const nb::gil_scoped_release no_gil;
    decide_rows(base_, ColumnMap(base_, columns.view()), threads,
                [&](std::size_t first, std::span<const Decision> decisions) {
                  std::int64_t* to = out.data() + first;
                  for (const Decision& decision : decisions) {
                    *to++ = labels.data()[decision.predicted];
                  }
                });
  }

  void apply(const nb::list& list, Result<std::int64_t, 1> out, int threads) const {
    const Columns columns(list, out.shape(0));
    const nb::gil_scoped_release no_gil;
    decide_rows(base_, ColumnMap(base_, columns.view()), threads,
                [&](std::size_t first, std::span<const Decision> decisions) {
                  std::int64_t* to = out.data() + first;
                  for (const Decision& decision : decisions) *to++ = decision.rule + 1;
                });
  }

  // The probabilities for ELSE and then for each rule; sufficient semantics. `positions`: the place
  // of each class in the result.
  void rule_probabilities(Labels positions, Result<double, 2> out) const {
    const std::size_t classes = base_.classes.size();
    check_positions(positions, classes);
    check_room(out.shape(0), base_.rules.size() + 1);
    check_room(out.shape(1), classes);
    const RuleBase plain = without_policy(base_);
    for (int rule = Decision::otherwise; rule < static_cast<int>(base_.rules.size()); ++rule) {
      const int then = rule < 0 ? plain.otherwise : plain.rules[index_of(rule)].then;
      place(probabilities(base_, rule), positions, index_of(then),
            out.data() + index_of(rule + 1) * classes);
    }
  }

  void predict_proba(const nb::list& list, Labels positions, Result<double, 2> out,
                     int threads) const {
    const Columns columns(list, out.shape(0));
    const std::size_t classes = base_.classes.size();
    check_room(out.shape(1), classes);
    check_positions(positions, classes);
    const nb::gil_scoped_release no_gil;
    const RuleBase plain = without_policy(base_);
    const ColumnMap map(plain, columns.view());
    std::vector<std::vector<double>> of_rule;
    for (int rule = Decision::otherwise; rule < static_cast<int>(base_.rules.size()); ++rule) {
      of_rule.push_back(probabilities(plain, rule));
    }
    const bool additive = plain.semantics == Semantics::additive;
    decide_rows(plain, map, threads, [&](std::size_t first, std::span<const Decision> decisions) {
      double* to = out.data() + first * classes;
      for (std::size_t i = 0; i < decisions.size(); ++i, to += classes) {
        const std::size_t favoured = index_of(decisions[i].predicted);
        if (additive) {
          place(row_probabilities(plain, map, first + i).of_class, positions, favoured, to);
        } else {
          place(of_rule[index_of(decisions[i].rule + 1)], positions, favoured, to);
        }
      }
    });
  }

  // Scores by class, the logarithms of the probabilities up to a constant; costs and thresholds are
  // added. That of the predicted class is strictly the highest.
  void decision_scores(const nb::list& list, Result<double, 2> out, int threads) const {
    const Columns columns(list, out.shape(0));
    const std::size_t classes = base_.classes.size();
    check_room(out.shape(1), classes);
    const nb::gil_scoped_release no_gil;
    const ColumnMap map(base_, columns.view());
    const ScorePolicy policy(base_.policy, classes);
    std::vector<std::vector<double>> of_rule;
    for (int rule = Decision::otherwise; rule < static_cast<int>(base_.rules.size()); ++rule) {
      std::vector<double>& scores = of_rule.emplace_back(probabilities(base_, rule));
      for (double& score : scores) {
        score = std::log(std::max(score, std::numeric_limits<double>::min()));
      }
    }
    const std::vector<bool> used = base_.used_features();
    decide_rows(base_, map, threads, [&](std::size_t first, std::span<const Decision> decisions) {
      std::vector<FeatureValue> row(used.size());
      std::vector<double> scores;
      for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (base_.semantics == Semantics::sufficient) {
          scores = of_rule[index_of(decisions[i].rule + 1)];
        } else {
          for (std::size_t f = 0; f < used.size(); ++f) {
            if (used[f]) row[f] = map.value(first + i, static_cast<int>(f));
          }
          scores = score_sums(base_, row);
        }
        add_policy(base_, policy, decisions[i].predicted, scores);
        std::copy(scores.begin(), scores.end(), out.data() + (first + i) * classes);
      }
    });
  }

  void referred(const nb::list& list, Result<bool, 1> out, int threads) const {
    const Columns columns(list, out.shape(0));
    const nb::gil_scoped_release no_gil;
    const ColumnMap map(base_, columns.view());
    decide_rows(base_, map, threads, [&](std::size_t first, std::span<const Decision> decisions) {
      for (std::size_t row = first; row < first + decisions.size(); ++row) {
        const auto [shares, covered] = row_probabilities(base_, map, row);
        out.data()[row] = refers(base_.policy, shares, covered);
      }
    });
  }

  // A model with the same rules and probabilities that decides by another policy. `keep`: costs and
  // threshold remain those of this model.
  [[nodiscard]] Model decide(const PolicyParts& parts, bool keep) const {
    Model changed = *this;
    DecisionPolicy policy = make_policy(base_, policy_request(parts));
    if (keep) {
      if (base_.policy.threshold && policy.positive != base_.policy.positive) {
        fail_usage(
            "the threshold of the model is for another class: give a threshold for this one");
      }
      policy.costs = base_.policy.costs;
      policy.threshold = base_.policy.threshold;
      policy.target = base_.policy.target;
    }
    changed.set_policy(policy);
    return changed;
  }

  // The same with a policy that has a target, whose threshold is chosen on these rows. `columns`
  // contain the target and, where they are known, all features of the model.
  [[nodiscard]] Model choose(const nb::list& list, std::size_t rows,
                             const std::optional<Weights>& weights, const PolicyParts& parts,
                             int threads) const {
    Table table = Columns(list, rows).copy("X");
    clear_missing(base_.missing, table);
    RuleBase weighted = base_;
    std::erase_if(weighted.summary.settings,
                  [](const auto& setting) { return setting.first == "weight-column"; });
    if (weights) {
      check_room(weights->shape(0), rows);
      Column& column = table.columns.emplace_back();
      column.name = "weight";
      while (std::count_if(table.columns.begin(), table.columns.end(),
                           [&](const Column& other) { return other.name == column.name; }) > 1) {
        column.name += '_';
      }
      column.values.assign(weights->data(), weights->data() + rows);
      weighted.summary.settings.emplace_back("weight-column", column.name);
    }
    PolicyChoice choice;
    run_interruptibly(
        [&](const ProgressCallback& callback, const Errands&) {
          choice = choose_policy(weighted, table, policy_request(parts), threads, callback);
        },
        nb::none());
    Model changed = *this;
    std::vector<std::string>& notes = changed.base_.summary.notes;
    notes.insert(notes.end(), choice.notes.begin(), choice.notes.end());
    changed.set_policy(choice.policy);
    return changed;
  }

  // Membership degrees; the columns are the labels of all features.
  void memberships(const nb::list& list, Result<double, 2> out, int threads) const {
    const Columns columns(list, out.shape(0));
    check_room(out.shape(1), base_.partition.label_count());
    const nb::gil_scoped_release no_gil;
    const ColumnMap map(base_, columns.view(), true);
    parallel_blocks(threads, map.rows(), task_rows, [&](std::size_t from, std::size_t to) {
      const FloatMode mode(Denormals::keep);
      for (std::size_t row = from; row < to; ++row) {
        double* place = out.data() + row * out.shape(1);
        for (std::size_t f = 0; f < base_.partition.features.size(); ++f) {
          const auto& labels = base_.partition.features[f].labels;
          const FeatureValue value = map.value(row, static_cast<int>(f));
          refuse_infinite(value, base_.partition.features[f].name, row);
          for (std::size_t v = 0; v < labels.size(); ++v) {
            *place++ = membership(labels[v], static_cast<int>(v), value);
          }
        }
      }
    });
  }

  // `columns` may contain the target. Without accuracies of folds, the page shows `why_not`.
  [[nodiscard]] std::string report(const nb::list& list, std::size_t rows,
                                   std::vector<std::string> show, std::string data,
                                   std::string made, std::vector<double> accuracies,
                                   std::string why_not, int threads) const {
    const Columns columns(list, rows);
    const nb::gil_scoped_release no_gil;
    ReportRequest request;
    request.data = std::move(data);
    request.made = std::move(made);
    request.show = std::move(show);
    request.why_not = std::move(why_not);
    request.threads = threads;
    request.fold_accuracies = std::move(accuracies);
    return report_page(base_, columns.copy("X"), request);
  }

  // Bytes, because one format is binary.
  [[nodiscard]] nb::bytes export_to(std::string format, std::string name, std::string dialect,
                                    std::string table, std::string as, std::string prefix,
                                    bool float32, bool rule_set) const {
    ExportRequest request;
    request.format = std::move(format);
    request.name = std::move(name);
    request.dialect = std::move(dialect);
    request.table = std::move(table);
    request.as = std::move(as);
    request.prefix = std::move(prefix);
    request.float32 = float32;
    request.rule_set = rule_set;
    const std::string content = export_model(base_, request);
    return nb::bytes(content.data(), content.size());
  }

  // Accuracy of each fold in percent, as `frr report` computes it: by training again, as the model
  // records it, on the other folds. `columns`: all features of the model, and the target.
  [[nodiscard]] std::vector<double> cross_validate(
      const nb::list& list, std::size_t rows, int folds,
      std::vector<std::pair<std::string, double>> class_weights, const std::string& partition,
      int threads) const {
    TrainRequest request = same_training(base_);
    request.class_weights = std::move(class_weights);
    if (!partition.empty()) request.given = parse_partition(partition, "given partition");
    request.settings.threads = threads;
    Table table = Columns(list, rows).copy("X");
    clear_missing(base_.missing, table);
    CrossValidation result;
    run_interruptibly(
        [&](const ProgressCallback& callback, const Errands&) {
          request.progress = callback;
          result = frr::cross_validate(table, request, folds);
        },
        nb::none());
    std::vector<double> accuracies;
    for (const FoldResult& fold : result.folds) accuracies.push_back(fold.accuracy);
    return accuracies;
  }

  [[nodiscard]] double training_cost(std::size_t rows) const {
    return checked_cost(base_, rows, "Use cross_val_score instead.");
  }

  [[nodiscard]] bool learned_from(const nb::list& list, std::size_t rows) const {
    const Columns columns(list, rows);
    const nb::gil_scoped_release no_gil;
    return is_training_data(base_, columns.copy("X"));
  }

  // One tuple per row, as described in _core.pyi.
  nb::list explain(const nb::list& list, std::size_t rows) const {
    const Columns columns(list, rows);
    const ColumnMap map(base_, columns.view());
    const std::vector<bool> used = base_.used_features();
    nb::list result;
    for (std::size_t row = 0; row < rows; ++row) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      for (std::size_t f = 0; f < used.size(); ++f) {
        if (!used[f]) continue;
        refuse_infinite(map.value(row, static_cast<int>(f)), base_.partition.features[f].name, row);
      }
      const Explanation why = internal::explain(base_, map, row);
      nb::list changes;
      for (const Change& change : why.changes) {
        changes.append(nb::make_tuple(name_of(change.feature), change.from, change.to,
                                      change.distance, change.predicted, change.rule + 1));
      }
      nb::list applied;
      for (const RuleTruth& rule : why.rules) {
        if (rule.truth > 0) applied.append(truth_tuple(rule));
      }
      result.append(nb::make_tuple(why.decision.predicted, why.decision.rule + 1,
                                   why.decision.score, why.probabilities, truth_tuple(why.winner),
                                   truth_tuple(why.runner_up), why.margin, changes,
                                   why.changes_complete, why.referred, why.scores, applied));
    }
    return result;
  }

 private:
  void set_policy(const DecisionPolicy& policy) {
    if (base_.nats_per_point && policy.positive != base_.policy.positive) {
      for (Rule& rule : base_.rules) rule.points = -rule.points;
    }
    base_.policy = policy;
    apply_policy(base_);
  }
  [[nodiscard]] const std::string& name_of(int feature) const {
    return base_.partition.features[static_cast<std::size_t>(feature)].name;
  }
  [[nodiscard]] nb::object truth_tuple(const std::optional<RuleTruth>& truth) const {
    if (!truth) return nb::none();
    nb::list conditions;
    for (const ConditionTruth& part : truth->conditions) {
      const Feature& feature =
          base_.partition.features[static_cast<std::size_t>(part.condition.feature)];
      conditions.append(nb::make_tuple(
          feature.name, feature.labels[static_cast<std::size_t>(part.condition.label)].name,
          part.membership, part.value));
    }
    return nb::make_tuple(truth->rule + 1, truth->truth, truth->score, conditions);
  }

  RuleBase base_;
  std::vector<double> losses_;
};

void check_classes(const Classes& classes, std::size_t rows, std::size_t class_count) {
  if (classes.shape(0) != rows) fail_usage("there must be one class per row");
  const auto end = static_cast<std::int32_t>(class_count);
  if (std::any_of(classes.data(), classes.data() + rows,
                  [&](std::int32_t code) { return code < 0 || code >= end; })) {
    fail_usage("a row has a class that is not among the " + std::to_string(class_count) +
               " classes");
  }
}

// The examples as a table whose last column is the class.
Table training_table(const nb::list& list, const Classes& classes,
                     std::vector<std::string> class_names, const std::string& target,
                     const std::string& source) {
  check_classes(classes, classes.shape(0), class_names.size());
  std::vector<std::string> sorted = class_names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    fail_usage("two classes have the same name");
  }
  if (target.empty()) fail_usage("the target needs a name");
  const Columns columns(list, classes.shape(0));
  Table table = columns.copy(source);
  if (table.find(target) != nullptr) {
    fail_usage("there is a column named '" + target + "', like the target; rename one of them");
  }
  Column& column = table.columns.emplace_back();
  column.name = target;
  column.type = ColumnType::categorical;
  column.codes.assign(classes.data(), classes.data() + table.rows);
  column.categories = std::move(class_names);
  return table;
}

Model train_model(const nb::list& columns, const Classes& classes,
                  std::vector<std::string> class_names, const std::string& target,
                  const std::string& source, const std::string& preset, const OptionTexts& options,
                  const OptionTexts& recorded, const std::optional<Weights>& weights,
                  const std::vector<std::pair<std::string, double>>& class_weights,
                  const PolicyParts& policy, const std::string& partition,
                  const nb::object& progress) {
  TrainRequest request;
  request.policy = policy_request(policy);
  request.target = target;
  request.settings = make_settings(preset, options);
  request.recorded = recorded;
  request.class_weights = class_weights;
  if (!partition.empty()) request.given = parse_partition(partition, "given partition");
  if (weights) request.row_weights.assign(weights->data(), weights->data() + weights->shape(0));
  const Table table = training_table(columns, classes, std::move(class_names), target, source);
  std::optional<RuleBase> base;
  std::vector<double> losses;
  run_interruptibly(
      [&](const ProgressCallback& callback, const Errands&) {
        request.progress = keeping_losses(losses, callback);
        base = train(table, request);
      },
      progress);
  return Model(std::move(*base), std::move(losses));
}

// A model with the labels of the columns and without rules. Without classes, all rows are of one
// class.
Model fit_partition(const nb::list& list, std::size_t rows, const std::optional<Classes>& classes,
                    std::size_t class_count, const OptionTexts& options, const std::string& given,
                    int threads) {
  if (list.size() == 0) fail_usage("there are no columns");
  constexpr std::size_t most_classes = 1000;
  if (class_count > most_classes) fail_usage("more than 1000 classes");
  if (classes) check_classes(*classes, rows, class_count);
  const Columns columns(list, rows);
  const Settings settings = make_settings("default", options);
  const std::vector<Feature> given_labels =
      given.empty() ? std::vector<Feature>() : parse_partition(given, "given partition");
  const Table table = columns.copy("X");
  RuleBase base;
  {
    const nb::gil_scoped_release no_gil;
    Dataset data;
    data.labels.assign(rows, 0);
    if (classes) data.labels.assign(classes->data(), classes->data() + rows);
    for (std::size_t c = 0; c < std::max<std::size_t>(class_count, 2); ++c) {
      data.classes.push_back(std::to_string(c));
    }
    data.features.resize(table.columns.size());
    std::iota(data.features.begin(), data.features.end(), std::size_t{0});
    std::vector<std::uint32_t> all(rows);
    std::iota(all.begin(), all.end(), 0U);
    base.target = "class";
    base.classes = data.classes;
    base.partition = make_partition(table, data, all, settings, given_labels, base.summary.notes,
                                    thread_count(threads));
    base.otherwise_statistics.class_rows.assign(base.classes.size(), 0.0);
    base.summary.version = version();
  }
  return Model(std::move(base));
}

}  // namespace

nb::object make_model(RuleBase base, std::vector<double> losses) {
  return nb::cast(Model(std::move(base), std::move(losses)));
}

void add_model(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def("predict", &Model::predict, nb::arg("columns"), nb::arg("labels").noconvert(),
           nb::arg("out").noconvert(), nb::arg("threads"))
      .def("apply", &Model::apply, nb::arg("columns"), nb::arg("out").noconvert(),
           nb::arg("threads"))
      .def("predict_proba", &Model::predict_proba, nb::arg("columns"),
           nb::arg("positions").noconvert(), nb::arg("out").noconvert(), nb::arg("threads"))
      .def("rule_probabilities", &Model::rule_probabilities, nb::arg("positions").noconvert(),
           nb::arg("out").noconvert())
      .def("referred", &Model::referred, nb::arg("columns"), nb::arg("out").noconvert(),
           nb::arg("threads"))
      .def("decide", &Model::decide, nb::arg("policy"), nb::arg("keep"))
      .def("choose", &Model::choose, nb::arg("columns"), nb::arg("rows"), nb::arg("weights").none(),
           nb::arg("policy"), nb::arg("threads"))
      .def("decision_scores", &Model::decision_scores, nb::arg("columns"),
           nb::arg("out").noconvert(), nb::arg("threads"))
      .def("memberships", &Model::memberships, nb::arg("columns"), nb::arg("out").noconvert(),
           nb::arg("threads"))
      .def("explain", &Model::explain, nb::arg("columns"), nb::arg("rows"))
      .def("report", &Model::report, nb::arg("columns"), nb::arg("rows"), nb::arg("show"),
           nb::arg("data"), nb::arg("made"), nb::arg("accuracies"), nb::arg("why_not"),
           nb::arg("threads"))
      .def("export_to", &Model::export_to, nb::arg("format"), nb::arg("name"), nb::arg("dialect"),
           nb::arg("table"), nb::arg("as_"), nb::arg("prefix"), nb::arg("float32"),
           nb::arg("rule_set"))
      .def("cross_validate", &Model::cross_validate, nb::arg("columns"), nb::arg("rows"),
           nb::arg("folds"), nb::arg("class_weights"), nb::arg("partition"), nb::arg("threads"))
      .def("training_cost", &Model::training_cost, nb::arg("rows"))
      .def_prop_ro("uses_partition_file",
                   [](const Model& model) {
                     return !recorded_setting(model.base(), "partition-file").empty();
                   })
      .def("learned_from", &Model::learned_from, nb::arg("columns"), nb::arg("rows"))
      .def("to_json", [](const Model& model) { return to_json(model.base()); })
      .def("to_text", [](const Model& model) { return to_text(model.base()); })
      .def("to_markdown", [](const Model& model) { return to_markdown(model.base()); })
      .def("save", [](const Model& model, const std::string& path) { save(model.base(), path); })
      .def("__getstate__",
           [](const Model& model) { return std::pair(to_json(model.base()), model.losses()); })
      .def("__setstate__",
           [](Model& model, const std::pair<std::string, std::vector<double>>& state) {
             new (&model) Model(from_json(state.first), state.second);
           })
      .def_prop_ro("losses", &Model::losses)
      .def_prop_ro("classes", [](const Model& model) { return model.base().classes; })
      .def_prop_ro("base_rates", [](const Model& model) { return base_rates(model.base()); })
      .def_prop_ro("positive",
                   [](const Model& model) -> std::string {
                     const int positive = model.base().policy.positive;
                     return positive < 0 ? "" : model.base().classes[index_of(positive)];
                   })
      .def_prop_ro("refers", [](const Model& model) { return model.base().policy.refer > 0; })
      .def_prop_ro("target", [](const Model& model) { return model.base().target; })
      .def_prop_ro("used_features", [](const Model& model) {
        const std::vector<bool> used = model.base().used_features();
        std::vector<std::string> names;
        for (std::size_t f = 0; f < used.size(); ++f) {
          if (used[f]) names.push_back(model.base().partition.features[f].name);
        }
        return names;
      });
  module.def("train", &train_model, nb::arg("columns"), nb::arg("classes"), nb::arg("class_names"),
             nb::arg("target"), nb::arg("source"), nb::arg("preset"), nb::arg("options"),
             nb::arg("recorded"), nb::arg("weights").none(), nb::arg("class_weights"),
             nb::arg("policy"), nb::arg("partition"), nb::arg("progress").none());
  module.def("fit_partition", &fit_partition, nb::arg("columns"), nb::arg("rows"),
             nb::arg("classes").none(), nb::arg("class_count"), nb::arg("options"),
             nb::arg("given"), nb::arg("threads"));
  module.def("export_formats", [] {
    std::vector<std::pair<std::string, std::string>> formats;
    for (const ExportFormat& format : export_formats()) {
      formats.emplace_back(format.name, format.summary);
    }
    return formats;
  });
  module.def("from_json", [](const std::string& text, const std::string& source) {
    return Model(from_json(text, source));
  });
}

}  // namespace frr::python
