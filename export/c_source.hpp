// The C header under construction: its text and the names in it, which all parts share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "frr/export.hpp"
#include "plan.hpp"

namespace frr::internal {

class CSource {
 public:
  // Throws Error{data} for texts that C cannot represent.
  CSource(const Plan& plan, const ExportRequest& request);

  // Appends a template, in which NAME is replaced by the name of the function. Text from the data
  // is appended by add_text.
  void add(std::string_view text);
  void add_text(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Fields of the structs, one per input.
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] bool is_number(std::size_t input) const {
    return plan_.inputs[input].type == ColumnType::numeric;
  }
  // `value`, an expression for a value of this input, with missing-value codes replaced by NaN.
  [[nodiscard]] std::string cleaned(std::size_t input, const std::string& value) const {
    return is_number(input) && !plan_.missing.numbers.empty() ? name_ + "_number(" + value + ")"
                                                              : value;
  }
  // Whether one rule decides each case; otherwise sums do.
  [[nodiscard]] bool sufficient() const { return plan_.semantics == Semantics::sufficient; }

 private:
  const Plan& plan_;
  std::string name_;
  std::vector<std::string> fields_;
  std::string out_;
};

// "d3"
std::string numbered(std::string_view name, std::size_t index);

}  // namespace frr::internal
