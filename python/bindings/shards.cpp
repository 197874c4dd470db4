#include "shards.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "frr/shards.hpp"
#include "model.hpp"
#include "policy.hpp"
#include "rows/memory_plan.hpp"
#include "training.hpp"

namespace frr::python {
namespace {

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::bytes answer_of(const nb::bytes& request, const nb::list& list, std::size_t rows,
                    std::size_t shard, int threads, const std::string& target_type) {
  const Columns columns(list, rows);
  std::string text;
  {
    const nb::gil_scoped_release no_gil;
    text = answer(view_of(request), columns.view(), shard, threads, target_type);
  }
  return bytes_of(text);
}

nb::bytes sum_of(const nb::list& list) {
  std::vector<std::string> answers;
  for (const nb::handle item : list) {
    if (!nb::isinstance<nb::bytes>(item)) throw nb::type_error("an answer is not bytes");
    answers.emplace_back(view_of(nb::borrow<nb::bytes>(item)));
  }
  std::string text;
  {
    const nb::gil_scoped_release no_gil;
    text = add_answers(answers);
  }
  return bytes_of(text);
}

// Asks by calling a Python function on the waiting thread.
class CalledShards : public Shards {
 public:
  CalledShards(const nb::object& function, const Errands& errands)
      : function_(function), errands_(errands) {}

  std::string ask(const std::string& request) override {
    std::string sum;
    errands_([&] {
      const nb::object answer = function_(bytes_of(request));
      if (!nb::isinstance<nb::bytes>(answer)) {
        throw nb::type_error("ask must return bytes, the sum of the answers of all shards");
      }
      sum = view_of(nb::borrow<nb::bytes>(answer));
    });
    return sum;
  }

 private:
  const nb::object& function_;
  const Errands& errands_;
};

nb::object train_shards(const nb::object& ask, const std::string& target, const std::string& weight,
                        const std::vector<std::string>& categorical, const std::string& source,
                        const std::string& preset, const OptionTexts& options,
                        const std::vector<std::pair<std::string, double>>& class_weights,
                        const PolicyParts& policy, const std::string& partition,
                        const nb::object& progress) {
  ShardedTraining training;
  training.request.target = target;
  training.request.settings = make_settings(preset, options);
  training.request.class_weights = class_weights;
  training.request.policy = policy_request(policy);
  if (!partition.empty()) training.request.given = parse_partition(partition, "given partition");
  training.weight_column = weight;
  training.categorical = categorical;
  training.source = source;
  std::optional<RuleBase> base;
  std::vector<double> losses;
  run_interruptibly(
      [&](const ProgressCallback& callback, const Errands& errands) {
        training.request.progress = keeping_losses(losses, callback);
        CalledShards shards(ask, errands);
        base = train(shards, training);
      },
      progress);
  return make_model(std::move(*base), std::move(losses));
}

void add_memory(nb::module_& module) {
  module.def(
      "plan_memory",
      [](double memory, std::size_t columns, double row, double stream, std::size_t whole_rows,
         double resident, std::uint64_t rows, int search_rows, int readers) {
        const auto costs = internal::arrow_costs(columns, row, stream, whole_rows, resident);
        const internal::MemoryPlan plan =
            internal::plan_memory(memory, costs, rows, search_rows, readers);
        return nb::make_tuple(plan.shard_rows, plan.readers, plan.search_rows);
      },
      nb::arg("memory"), nb::arg("columns"), nb::arg("row"), nb::arg("stream"),
      nb::arg("whole_rows"), nb::arg("resident"), nb::arg("rows"), nb::arg("search_rows"),
      nb::arg("readers"));
  module.def(
      "plan_prediction",
      [](double memory, std::size_t columns, double row, double stream, std::size_t whole_rows,
         double resident, double result_row) {
        const auto costs = internal::arrow_costs(columns, row, stream, whole_rows, resident);
        return internal::plan_prediction(memory, costs, result_row);
      },
      nb::arg("memory"), nb::arg("columns"), nb::arg("row"), nb::arg("stream"),
      nb::arg("whole_rows"), nb::arg("resident"), nb::arg("result_row"));
}

}  // namespace

void add_shards(nb::module_& module) {
  add_memory(module);
  module.def("answer", &answer_of, nb::arg("request"), nb::arg("columns"), nb::arg("rows"),
             nb::arg("shard"), nb::arg("threads"), nb::arg("target_type"));
  module.def("add_answers", &sum_of, nb::arg("answers"));
  module.def("columns_asked",
             [](const nb::bytes& request) { return columns_asked(view_of(request)); });
  module.def("question_of", [](const nb::bytes& request) {
    const ShardQuestion question = question_of(view_of(request));
    return nb::make_tuple(question.kind, question.target, question.categorical);
  });
  module.def("read_survey", [](const nb::bytes& answer) {
    const ShardSurvey survey = survey_of(view_of(answer));
    return nb::make_tuple(survey.columns, survey.classes, survey.target_types);
  });
  module.def("train_shards", &train_shards, nb::arg("ask"), nb::arg("target"), nb::arg("weight"),
             nb::arg("categorical"), nb::arg("source"), nb::arg("preset"), nb::arg("options"),
             nb::arg("class_weights"), nb::arg("policy"), nb::arg("partition"),
             nb::arg("progress").none());
}

}  // namespace frr::python
