#include <cmath>
#include <nlohmann/json.hpp>

#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "io/json_writer.hpp"

namespace frr {
using namespace internal;
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json ends(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return nullptr;
  return Json::array({low, high});
}

// Figures, then under "intervals" theirs.
template <typename Struct, std::size_t size>
void add_figures(const Struct& value, const Struct& low, const Struct& high,
                 const Figure<Struct> (&figures)[size], Json& object) {
  Json intervals = Json::object();
  for (const Figure<Struct>& figure : figures) {
    object[figure.key] = number(value.*figure.value);
    intervals[figure.key] = ends(low.*figure.value, high.*figure.value);
  }
  object["intervals"] = std::move(intervals);
}

Json classes_json(const MetricsReport& report) {
  Json result = Json::object();
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    Json entry = {{"rows", report.class_rows[c]}};
    add_figures(report.metrics.value.classes[c], report.metrics.low.classes[c],
                report.metrics.high.classes[c], class_figures, entry);
    add_member(result, report.classes[c], std::move(entry));
  }
  return result;
}

// Whole numbers where they count rows.
Json confusion_json(const MetricsReport& report) {
  Json result = Json::array();
  for (const std::vector<double>& row : report.confusion) {
    Json line = Json::array();
    for (const double weight : row)
      line.push_back(report.weighted ? Json(weight) : Json(static_cast<std::size_t>(weight)));
    result.push_back(std::move(line));
  }
  return result;
}

Json roc_json(const MetricsReport& report) {
  if (report.roc.empty()) return nullptr;
  Json result = Json::array();
  for (const RocPoint& point : report.roc) {
    result.push_back({{"threshold", number(point.threshold)},
                      {"false_positive_rate", point.false_positive_rate},
                      {"true_positive_rate", point.true_positive_rate}});
  }
  return result;
}

Json grouping_json(const Grouping& grouping) {
  Json groups = Json::array();
  for (const Group& group : grouping.groups) {
    Json entry = {{"group", group.name ? Json(*group.name) : Json(nullptr)}, {"rows", group.rows}};
    add_figures(group.metrics.value, group.metrics.low, group.metrics.high, group_figures, entry);
    groups.push_back(std::move(entry));
  }
  Json gaps = Json::object();
  for (const Figure<GroupMetrics>& figure : group_figures)
    gaps[figure.key] = number(grouping.gaps.*figure.value);
  return {{"groups", std::move(groups)}, {"gaps", std::move(gaps)}};
}

}  // namespace

std::string to_json(const MetricsReport& report, const std::string& dataset) {
  Json result = {
      {"dataset", dataset},
      {"target", report.target},
      {"classes", report.classes},
      {"positive", report.positive ? Json(report.classes[*report.positive]) : Json(nullptr)},
      {"rows", report.rows},
      {"weight", report.weight}};
  add_figures(report.metrics.value, report.metrics.low, report.metrics.high, overall_figures,
              result);
  result["by_class"] = classes_json(report);
  result["confusion"] = confusion_json(report);
  result["roc"] = roc_json(report);
  Json by = Json::object();
  for (const Grouping& grouping : report.groupings)
    add_member(by, grouping.column, grouping_json(grouping));
  result["by"] = std::move(by);
  result["bootstrap"] = {{"replicates", report.replicates}, {"seed", report.seed}};
  result["notes"] = report.notes;
  return visible_json(result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

}  // namespace frr
