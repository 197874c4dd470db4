// stratified_folds and read_folds of evaluate.hpp.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"
#include "frr/evaluate.hpp"
#include "frr/frr.hpp"

namespace frr {
using namespace internal;

// The rows of each class are shuffled and dealt like cards, each class continuing where the
// previous one ended. Folds therefore differ by at most one row in all and by at most one row of
// each class.
std::vector<int> stratified_folds(std::span<const int> classes, int folds, std::uint64_t seed) {
  const auto labelled = static_cast<std::size_t>(
      std::count_if(classes.begin(), classes.end(), [](int label) { return label >= 0; }));
  if (folds < 2) {
    fail_usage("cross-validation needs at least 2 folds, not " + std::to_string(folds));
  }
  if (static_cast<std::size_t>(folds) > labelled) {
    fail_usage(std::to_string(folds) + " folds are too many for " + std::to_string(labelled) +
               " rows with a class; ask for fewer");
  }
  const int last = *std::max_element(classes.begin(), classes.end());
  std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(last) + 1);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (classes[row] >= 0) rows[static_cast<std::size_t>(classes[row])].push_back(row);
  }
  Random random(seed);
  std::vector<int> fold_of(classes.size(), -1);
  int next = 0;
  for (std::vector<std::size_t>& of_class : rows) {
    random.shuffle(std::span(of_class));
    for (const std::size_t row : of_class) {
      fold_of[row] = next;
      next = (next + 1) % folds;
    }
  }
  return fold_of;
}

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

int fold_number(std::string_view text, const std::string& path, std::size_t line) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec == std::errc() && result.ptr == end && number >= 0) return number;
  constexpr std::size_t longest = 40;
  fail_data(
      path + ", line " + std::to_string(line) + ": '" + std::string(text.substr(0, longest)) +
      "' is not a fold number. The file must have one whole number (0 or more) per line, one " +
      "line per row of the table, and no header.");
}

}  // namespace

std::vector<int> read_folds(const std::string& path, std::size_t rows) {
  if (path == "-") fail_usage("folds cannot be read from standard input; give a file");
  const std::string content = read_file(path);
  std::string_view rest = content;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  const std::size_t last = rest.find_last_not_of(" \t\r\n");
  rest = rest.substr(0, last == std::string_view::npos ? 0 : last + 1);
  std::vector<int> folds;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    folds.push_back(fold_number(trimmed(rest.substr(0, end)), path, line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (folds.size() != rows) {
    fail_data(path + " holds " + std::to_string(folds.size()) +
              " fold numbers, but the table has " + std::to_string(rows) +
              " rows. It needs one line per row, in the order of the table.");
  }
  if (std::all_of(folds.begin(), folds.end(), [&](int fold) { return fold == folds.front(); })) {
    fail_data(path + ": all rows are in the same fold. Cross-validation needs at least two.");
  }
  return folds;
}

}  // namespace frr
