#include "evaluate.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "columns.hpp"
#include "evaluate/metrics_report.hpp"
#include "evaluate/predictions.hpp"
#include "evaluate/row_groups.hpp"
#include "frr/frr.hpp"
#include "training.hpp"

namespace frr::python {
using namespace internal;
namespace {

using Classes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shares = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_codes(const Classes& codes, std::size_t rows, std::size_t classes, int least) {
  const auto end = static_cast<std::int32_t>(classes);
  if (codes.shape(0) != rows ||
      std::any_of(codes.data(), codes.data() + rows,
                  [&](std::int32_t code) { return code < least || code >= end; })) {
    fail_usage("there is not one class for each row");
  }
}

std::vector<RowGroups> groups_of(const TableView& view, const std::string& source) {
  std::vector<RowGroups> groups;
  for (const ColumnView& column : view.columns)
    groups.push_back(row_groups(column, view.rows, source));
  return groups;
}

std::string evaluate(const Classes& truth, const Classes& predicted, const Shares& shares,
                     const std::vector<std::string>& class_names,
                     const std::vector<double>& prior_rows, const std::optional<Flags>& referred,
                     const std::optional<Weights>& weights, const std::string& positive,
                     const nb::list& group_columns, const std::string& target, std::uint64_t seed,
                     int threads) {
  const std::size_t rows = truth.shape(0), classes = class_names.size();
  check_codes(truth, rows, classes, -1);
  check_codes(predicted, rows, classes, 0);
  if (shares.shape(0) != rows || shares.shape(1) != classes)
    fail_usage("there is not one probability for each row and class");
  std::vector<char> flags;
  if (referred) {
    if (referred->shape(0) != rows) fail_usage("there is not one referral for each row");
    flags.assign(referred->data(), referred->data() + rows);
  }
  const Columns columns(group_columns, rows);
  MetricsRequest request;
  request.positive = positive;
  request.seed = seed;
  request.threads = threads;
  if (weights) request.row_weights.assign(weights->data(), weights->data() + weights->shape(0));
  std::string json;
  run_interruptibly(
      [&](const ProgressCallback& callback, const Errands&) {
        request.progress = [&](double fraction) { return callback({.fraction = fraction}); };
        const Predictions predictions = distinct_predictions(
            classes, {predicted.data(), rows}, {shares.data(), rows * classes}, flags);
        const std::span<const int> actual(truth.data(), rows);
        MetricsReport report = measure(Evaluated{predictions, actual, class_names, prior_rows, "y"},
                                       groups_of(columns.view(), "by"), request);
        report.target = target;
        json = to_json(report, "X");
      },
      nb::none());
  return json;
}

}  // namespace

void add_evaluate(nb::module_& module) {
  module.def("evaluate", &evaluate, nb::arg("truth"), nb::arg("predicted"), nb::arg("shares"),
             nb::arg("class_names"), nb::arg("prior_rows"), nb::arg("referred").none(),
             nb::arg("weights").none(), nb::arg("positive"), nb::arg("groups"), nb::arg("target"),
             nb::arg("seed"), nb::arg("threads"));
}

}  // namespace frr::python
