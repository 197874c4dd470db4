// The page that explains a rule base to people: one HTML file that needs nothing else.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frr/rulebase.hpp"

namespace frr {

struct ReportRequest {
  std::string data = {};        // name of the data on the page; empty: table.source
  std::string model = {};       // name of the model on the page; may be empty
  std::string made = {};        // date of the page, as it is to be shown; may be empty
  std::string model_date = {};  // of the model, likewise
  // Percent of the rows of each fold of a cross-validation that were decided rightly; where it is
  // empty, `why_not` says why, in a sentence.
  std::vector<double> fold_accuracies = {};
  std::string why_not = {};
  std::vector<std::string> show = {};  // columns of the table that its rows are shown with, besides
  // Rows are left out, drawn at random, where the page would be longer. What is counted is counted
  // on all rows, and the page says how many it holds.
  std::size_t max_bytes = 950'000;
  int threads = 0;  // 0: all cores
};

// `table` needs every feature of the rules. With the target among its columns the page says how
// often the rules are right. Throws Error{data} for columns that do not fit or are not there.
std::string report_page(const RuleBase& base, const Table& table, const ReportRequest& request);

// Whether the rules decide as many rows of each class on `table` as on the rows they were learned
// from: then these are, as far as can be known, the same rows.
bool is_training_data(const RuleBase& base, const Table& table);

// Classes of `table` that the model does not know, with how many rows are of each: often a
// spelling.
std::map<std::string, std::size_t> unknown_targets(const RuleBase& base, const Table& table);

}  // namespace frr
