// The rule base for other engines, which decide with it as FRR does, and for documents.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frr/rulebase.hpp"

namespace frr {

struct ExportFormat {
  std::string_view name;     // "sql"
  std::string_view summary;  // one line for people
};
std::span<const ExportFormat> export_formats();

struct ExportRequest {
  std::string format;       // a name of export_formats()
  std::string source = {};  // of the model, for the note at the top; may be empty
  // c, python, javascript: of the function; empty: "decide". sql: of the view; empty: "decisions"
  std::string name = {};
  std::string dialect = {};  // sql: "sqlite", "duckdb", "postgresql" or "spark"; empty: "duckdb"
  std::string table = {};    // sql: what to read; empty: "data"
  std::string as = {};       // sql: "select" or "view"; empty: "select"
  std::string prefix = {};   // sql: before the names prediction, probability and rule
  bool float32 = false;      // onnx: numbers come in as 32 bit floats
  bool rule_set = false;     // pmml: a RuleSetModel instead of a TreeModel
};

// The whole content of the file, which is binary for onnx. Throws Error{usage} for a format that
// does not exist and for an option that the format does not have, Error{data} for a rule base that
// it cannot hold, with the reason.
std::string export_model(const RuleBase& base, const ExportRequest& request);

}  // namespace frr
