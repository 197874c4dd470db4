// One format: what it is called and what writes it. Each stands in a file of its own.
#pragma once

#include <string>
#include <string_view>

#include "frr/export.hpp"
#include "plan.hpp"

namespace frr::internal {

struct Writer {
  ExportFormat format;
  // Which members of ExportRequest it heeds; others must be empty.
  bool has_name = false, has_dialect = false, has_table = false, has_float32 = false,
       has_rule_set = false;
  // What it can hold besides sufficient semantics with the product, the minimum, Lukasiewicz' and
  // Hamacher's t-norm, which need no more than arithmetic.
  bool powers = false;    // Aczel-Alsina's t-norm, and roots other than 1
  bool additive = false;  // sums of classes
  bool document = false;  // for people to read, not for a machine to decide with
  std::string (*write)(const RuleBase& base, const Plan& plan, const ExportRequest& request);
};

const Writer& c_writer();
const Writer& python_writer();
const Writer& javascript_writer();
const Writer& sql_writer();
const Writer& onnx_writer();
const Writer& pmml_writer();
const Writer& markdown_writer();
const Writer& latex_writer();
const Writer& html_writer();

// "Made by FRR 1.2.3 from model.json: 7 rules that decide 'diagnosis'.", for the top of a file.
std::string origin_text(const Plan& plan, const ExportRequest& request);

// The shortest spelling that reads back as the same double, always with a point or an exponent.
std::string double_text(double value);

}  // namespace frr::internal
