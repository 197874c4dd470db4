#include "frr/export.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "frr/frr.hpp"
#include "names.hpp"
#include "writer.hpp"

namespace frr {
using namespace internal;
namespace {

const std::vector<const Writer*>& writers() {
  static const std::vector<const Writer*> all = {&c_writer(),           //
                                                 &python_writer(),      //
                                                 &javascript_writer(),  //
                                                 &sql_writer(),         //
                                                 &onnx_writer(),        //
                                                 &pmml_writer(),        //
                                                 &markdown_writer(),    //
                                                 &latex_writer(),       //
                                                 &html_writer()};
  return all;
}

const Writer& find_writer(const std::string& name) {
  std::vector<std::string> known;
  for (const Writer* writer : writers()) {
    if (writer->format.name == name) return *writer;
    known.emplace_back(writer->format.name);
  }
  std::string list;
  for (const std::string& format : known) list += (list.empty() ? "" : ", ") + format;
  fail_usage("there is no format '" + name + "' to export to; there are " + list);
}

void check_options(const Writer& writer, const ExportRequest& request) {
  const auto refuse = [&](bool has, bool given, std::string_view option) {
    if (has || !given) return;
    fail_usage("the format " + std::string(writer.format.name) + " has no option " +
               std::string(option));
  };
  refuse(writer.has_name, !request.name.empty(), "name");
  refuse(writer.has_dialect, !request.dialect.empty(), "dialect");
  refuse(writer.has_table, !request.table.empty(), "table");
  refuse(writer.has_table, !request.as.empty(), "as");
  refuse(writer.has_table, !request.prefix.empty(), "prefix");
  refuse(writer.has_float32, request.float32, "float32");
  refuse(writer.has_rule_set, request.rule_set, "rule-set");
}

// Formats that decide and support powers, for a message.
std::string with_powers() {
  std::string list;
  for (const Writer* writer : writers()) {
    if (writer->powers && !writer->document)
      list += (list.empty() ? "" : ", ") + std::string(writer->format.name);
  }
  return list;
}

void check_model(const Writer& writer, const RuleBase& base) {
  const std::string name(writer.format.name);
  const bool powers = base.tnorm.kind == TNormKind::aczel_alsina || base.root != 1;
  if (powers && !writer.powers) {
    fail_data("the format " + name + " cannot hold the t-norm " + to_string(base.tnorm) +
              (base.root == 1 ? "" : " with root " + shortest(base.root)) +
              ", which needs powers; these can: " + with_powers() +
              ". Or train with --tnorm product --root 1");
  }
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> result;
    for (const Writer* writer : writers()) result.push_back(writer->format);
    return result;
  }();
  return formats;
}

std::string export_model(const RuleBase& base, const ExportRequest& request) {
  const Writer& writer = find_writer(request.format);
  check_options(writer, request);
  check_model(writer, base);
  return writer.write(base, make_plan(base), request);
}

std::string internal::origin_text(const Plan& plan, const ExportRequest& request) {
  const std::size_t rules = plan.strengths.size();
  return "Made by FRR " + std::string(version()) +
         (request.source.empty() ? "" : " from " + comment_text(request.source)) + ": " +
         std::to_string(rules) + (rules == 1 ? " rule decides '" : " rules decide '") +
         comment_text(plan.target) + "'.";
}

std::string internal::double_text(double value) {
  std::string text = shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace frr
