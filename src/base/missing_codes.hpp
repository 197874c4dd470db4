// Which cells are missing values: built-in texts, and codes that the user names, such as -9.
//
// Files and columns in memory follow the same rules:
//   - in a column of numbers, a number that equals a code is missing, however it is written;
//   - in a column of categories, a text that equals a code exactly is missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frr::internal {

// `text` without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

// "", ?, NA, N/A, NaN and null in any case. `text` is trimmed.
bool means_missing(std::string_view text);

class MissingCodes {
 public:
  MissingCodes() = default;
  explicit MissingCodes(const std::vector<std::string>& codes);

  [[nodiscard]] bool empty() const { return texts_.empty(); }
  [[nodiscard]] bool contains(std::string_view text) const;  // `text` is trimmed
  [[nodiscard]] bool contains(double number) const;
  // The codes that are numbers.
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<std::string> texts_;
  std::vector<double> numbers_;
};

}  // namespace frr::internal
