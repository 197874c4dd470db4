// One export format: its name and its implementation. Each is in a separate file.
#pragma once

#include <string>
#include <string_view>

#include "frr/export.hpp"
#include "plan.hpp"

namespace frr::internal {

struct Writer {
  ExportFormat format;
  // Which members of ExportRequest it supports; others must be empty.
  bool has_name = false, has_dialect = false, has_table = false, has_float32 = false,
       has_rule_set = false;
  // Whether it supports the Aczel-Alsina t-norm and roots other than 1. The product, minimum,
  // Lukasiewicz and Hamacher t-norms need only arithmetic.
  bool powers = false;
  bool document = false;  // for people to read, not for deciding
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

// The shortest spelling that reads back as the same double, always with a decimal point or an
// exponent.
std::string double_text(double value);

}  // namespace frr::internal
