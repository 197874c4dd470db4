#include "cost_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/number.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "csv/csv_row.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "io/json_reader.hpp"

namespace frr::cli {
using namespace internal;
namespace {

using Cost = PolicyRequest::Cost;

constexpr std::size_t most_bytes = std::size_t{1} << 24;
constexpr double most_cost = 1e9;
constexpr const char* remedy = "give a number above 0 and up to 1e9";

struct Line {
  std::size_t number = 0;  // of its first line in the file
  std::vector<std::string> fields;
};

std::string field_text(std::string_view text, const CsvField& field) {
  std::string result(text.substr(field.begin, field.end - field.begin));
  if (!field.doubled) return result;
  std::string plain;
  for (std::size_t i = 0; i < result.size(); ++i) {
    plain += result[i];
    if (result[i] == '"') ++i;
  }
  return plain;
}

// The most frequent of the delimiters in the first line.
char delimiter_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find_first_of("\r\n"));
  char best = ',';
  for (const char c : {',', ';', '\t', '|'})
    if (std::ranges::count(head, c) > std::ranges::count(head, best)) best = c;
  return best;
}

std::vector<Line> split_lines(std::string_view text, const std::string& path) {
  const RowSplitter splitter(delimiter_of(text));
  std::vector<Line> lines;
  std::size_t number = 1;
  CsvRow row;
  while (!text.empty()) {
    splitter.split(text, true, row);
    if (row.status != RowStatus::complete) {
      fail_data(path + ", line " + std::to_string(number + row.fault_line) +
                ": this is not a line of CSV; check its quotes");
    }
    Line line{.number = number, .fields = {}};
    for (const CsvField& field : row.fields) line.fields.push_back(field_text(text, field));
    const bool blank =
        std::ranges::all_of(line.fields, [](const std::string& field) { return field.empty(); });
    if (!blank) lines.push_back(std::move(line));
    number += row.line_ends;
    text.remove_prefix(row.length);
  }
  return lines;
}

class Matrix {
 public:
  Matrix(std::string_view text, const std::string& path)
      : path_(path), lines_(split_lines(text, path)) {
    if (lines_.size() < 2) {
      fail_data(path_ + ": give a matrix, such as\n  true,well,ill\n  well,0,1\n  ill,20,0");
    }
  }

  [[nodiscard]] std::vector<Cost> costs() const {
    check_names();
    std::vector<Cost> result;
    for (std::size_t r = 1; r < lines_.size(); ++r) {
      for (std::size_t d = 1; d < predicted().size(); ++d) add_cell(r, d, result);
    }
    return result;
  }

 private:
  [[nodiscard]] const std::vector<std::string>& predicted() const { return lines_[0].fields; }
  [[nodiscard]] const std::string& truth(std::size_t row) const { return lines_[row].fields[0]; }
  [[nodiscard]] std::string line(std::size_t row) const {
    return path_ + ", line " + std::to_string(lines_[row].number);
  }

  // Every class has one column and one line.
  void check_names() const {
    std::vector<std::string> names;
    for (std::size_t r = 1; r < lines_.size(); ++r) {
      if (std::ranges::count(names, truth(r)) > 0)
        fail_data(line(r) + ": the true class '" + truth(r) + "' has another line: remove one");
      if (std::ranges::count(predicted(), truth(r)) - (predicted()[0] == truth(r) ? 1 : 0) == 0) {
        fail_data(line(r) + ": there is no column for predicting the class '" + truth(r) +
                  "': add it to the header");
      }
      if (lines_[r].fields.size() > predicted().size()) {
        fail_data(line(r) + ": the line has " + std::to_string(lines_[r].fields.size()) +
                  " fields, the header has " + std::to_string(predicted().size()));
      }
      names.push_back(truth(r));
    }
    for (std::size_t d = 1; d < predicted().size(); ++d) {
      if (std::ranges::count(names, predicted()[d]) == 0) {
        fail_data(line(0) + ", column '" + predicted()[d] +
                  "': there is no line for the true class '" + predicted()[d] + "': add it");
      }
      if (std::find(predicted().begin() + 1, predicted().end(), predicted()[d]) !=
          predicted().begin() + static_cast<std::ptrdiff_t>(d)) {
        fail_data(line(0) + ": the column '" + predicted()[d] + "' occurs twice: remove one");
      }
    }
  }

  void add_cell(std::size_t row, std::size_t column, std::vector<Cost>& costs) const {
    const std::string& name = predicted()[column];
    const std::string place = line(row) + ", column '" + name + "'";
    const std::string text =
        column < lines_[row].fields.size() ? lines_[row].fields[column] : std::string();
    const bool right = name == truth(row);
    if (text.empty() && right) return;
    const std::string what = "cost of predicting '" + name + "' where '" + truth(row) + "' is true";
    if (text.empty()) fail_data(place + ": the " + what + " is missing: " + remedy);
    const ParsedNumber number = parse_number(text);
    if (number.kind == NumberKind::none)
      fail_data(place + ": '" + text + "' is not a number: " + remedy);
    if (right && number.value != 0)
      fail_data(place + ": a correct prediction costs " + text + ": write 0 or nothing");
    if (right) return;
    if (!(number.kind == NumberKind::finite && number.value > 0 && number.value <= most_cost))
      fail_data(place + ": the " + what + " is " + text + ": " + remedy);
    costs.push_back({truth(row), name, number.value, place});
  }

  const std::string& path_;
  std::vector<Line> lines_;
};

std::vector<Cost> json_costs(std::string_view text, const std::string& path) {
  const nlohmann::ordered_json value = parse_json(text, path);
  std::vector<Cost> costs;
  for (const auto& [truth, row] : JsonPlace(value, path).members()) {
    for (const auto& [predicted, place] : row.members()) {
      const double cost = place.number();
      const bool right = truth == predicted;
      if (right && cost != 0)
        place.fail("a correct prediction costs nothing: write 0, or leave it out");
      if (right) continue;
      if (!(cost > 0 && cost <= most_cost))
        place.fail("the cost is " + plain_number(cost) + ": " + remedy);
      costs.push_back(
          {truth, predicted, cost,
           path + ", \"" + truth + "\": {\"" + predicted + "\": " + plain_number(cost) + "}"});
    }
  }
  if (costs.empty())
    fail_data(path + ": give costs as {\"true class\": {\"predicted class\": cost}}");
  return costs;
}

}  // namespace

std::vector<Cost> read_costs(const std::string& path) {
  const std::string content = read_file(path, most_bytes);
  std::string_view text = content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_utf8(text)) fail_data(path + ": the file is not UTF-8 text: save it as UTF-8");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return json_costs(text, path);
  return Matrix(text, path).costs();
}

}  // namespace frr::cli
