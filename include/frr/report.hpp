// The report page, which explains a rule base to people: one self-contained HTML file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frr/api.hpp"
#include "frr/rulebase.hpp"

namespace frr {

struct ReportRequest {
  std::string data = {};        // name of the data, shown on the page; empty: table.source
  std::string model = {};       // name of the model, likewise; may be empty
  std::string made = {};        // date of the page, shown as it is; may be empty
  std::string model_date = {};  // of the model, likewise
  // Accuracy of each fold of a cross-validation, in percent. If empty, `why_not` gives the reason,
  // in a sentence.
  std::vector<double> fold_accuracies = {};
  std::string why_not = {};
  // Columns to show with the rows, in addition to those that the rules read.
  std::vector<std::string> show = {};
  // If the page would be longer, it shows a random sample of the rows and says how many. All counts
  // are of all rows.
  std::size_t max_bytes = 950'000;
  int threads = 0;  // 0: all cores
};

// `table` must have every feature that the rules read. If it also has the target, the page shows
// how often the rules are right. Throws Error{data} for a column that is absent or of the wrong
// type.
FRR_API std::string report_page(const RuleBase& base, const Table& table,
                                const ReportRequest& request);

// Whether every rule decides as many rows of each class in `table` as in the training data: then
// they are, as far as can be known, the same rows.
FRR_API bool is_training_data(const RuleBase& base, const Table& table);

// Classes of `table` that the model does not know, often because they are spelled differently, and
// the number of rows of each.
FRR_API std::map<std::string, std::size_t> unknown_targets(const RuleBase& base,
                                                           const Table& table);

}  // namespace frr
