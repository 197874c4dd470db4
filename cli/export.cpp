// frr export: writes the model for another engine or a document.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "frr/frr.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace frr::cli {
namespace {

constexpr const char* examples =
    "  frr export --list                              list the formats\n"
    "  frr export model.json --to sql --table visits -o decide.sql\n"
    "  frr export model.json --to c --name triage -o triage.h\n"
    "  frr export model.json --to onnx -o model.onnx\n";

struct Export {
  std::string model, output;
  ExportRequest request;
  bool list = false;

  void run();
};

std::string format_list() {
  std::size_t width = 0;
  for (const ExportFormat& format : export_formats()) width = std::max(width, format.name.size());
  std::string text;
  for (const ExportFormat& format : export_formats()) {
    text += std::string(format.name) + std::string(width + 2 - format.name.size(), ' ') +
            std::string(format.summary) + "\n";
  }
  return text;
}

void Export::run() {
  if (list) return write_output(output, format_list());
  if (model.empty()) fail_usage("MODEL is missing: give a model file of frr train, or --list");
  if (request.format.empty())
    fail_usage("--to is missing: name a format; frr export --list shows them");
  check_output(output);
  keep_inputs(output, {model});
  const RuleBase base = load(model);
  request.source = model == "-" ? "" : std::filesystem::path(model).filename().string();
  const std::string content = export_model(base, request);
  const bool to_stdout = output.empty() || output == "-";
  if (to_stdout && stdout_is_terminal() && content.find('\0') != std::string::npos) {
    fail_usage("the format " + request.format + " is binary; give a file with -o");
  }
  write_output(output, content);
}

}  // namespace

Command export_command() {
  Command command("export",
                  "Writes the model for another engine, which then makes the same decisions",
                  examples);
  auto exporter = std::make_shared<Export>();
  ExportRequest& request = exporter->request;
  command.add({.name = "MODEL", .help = "Model file of frr train; - is standard input"},
              exporter->model);
  command.add({.name = "--to", .type = "FORMAT", .help = "Format; --list shows them"},
              request.format);
  command.add({.name = "--list", .help = "Show the formats and exit"}, exporter->list);
  command.add({.name = "--output",
               .letter = 'o',
               .type = "FILE",
               .help = "File for the result [default: standard output]"},
              exporter->output);
  command.add(
      {.name = "--name",
       .type = "NAME",
       .help = "c, python, javascript: name of the function [default: decide]; sql: name of "
               "the view [default: decisions]"},
      request.name);
  command.add({.name = "--dialect",
               .type = "NAME",
               .help = "sql: duckdb, postgresql, spark or sqlite [default: duckdb]"},
              request.dialect);
  command.add({.name = "--table",
               .type = "NAME",
               .help = "sql: table or view that contains the rows [default: data]"},
              request.table);
  command.add({.name = "--as",
               .type = "FORM",
               .help = "sql: select for a query, view to create a view [default: select]"},
              request.as);
  command.add(
      {.name = "--prefix",
       .type = "TEXT",
       .help = "sql: prefix for the names of the columns that are added, such as prediction"},
      request.prefix);
  command.add({.name = "--float32", .help = "onnx: numeric inputs are 32-bit floats"},
              request.float32);
  command.add({.name = "--rule-set", .help = "pmml: write a RuleSetModel instead of a TreeModel"},
              request.rule_set);
  command.action = [exporter] { exporter->run(); };
  return command;
}

}  // namespace frr::cli
