// Exports of the rule base: for other engines, which then decide as FRR does, and for documents.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frr/api.hpp"
#include "frr/rulebase.hpp"

namespace frr {

struct ExportFormat {
  std::string_view name;     // "sql"
  std::string_view summary;  // one line, for users
};
FRR_API std::span<const ExportFormat> export_formats();

struct ExportRequest {
  std::string format;       // a name of export_formats()
  std::string source = {};  // name of the model, for the note at the top; may be empty
  // c, python, javascript: name of the function; empty: "decide". sql: name of the view; empty:
  // "decisions"
  std::string name = {};
  std::string dialect = {};  // sql: "sqlite", "duckdb", "postgresql" or "spark"; empty: "duckdb"
  std::string table = {};    // sql: table to read; empty: "data"
  std::string as = {};       // sql: "select" or "view"; empty: "select"
  std::string prefix = {};   // sql: prefix of the columns that it adds, such as prediction
  bool float32 = false;      // onnx: numeric inputs are 32-bit floats
  bool rule_set = false;     // pmml: a RuleSetModel instead of a TreeModel
};

// The content of the file (binary for onnx). Throws Error{usage} for an unknown format and for an
// option that the format does not have, Error{data} for a rule base that it cannot represent, with
// the reason.
FRR_API std::string export_model(const RuleBase& base, const ExportRequest& request);

}  // namespace frr
