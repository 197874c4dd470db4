// Time a row of the exported C code beside the library's own prediction, in one process, in turns.
//
//   speed MODEL ROWS   prints "library one many" in nanoseconds, the best of several rounds
//
// The inputs of the model are numbers; they come as random normal ones. Fails where a rule differs.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "model/decider.hpp"

extern "C" {
void decide_rows(const double* rows, std::size_t count, int* rules);
void decide_arrays(const double* const* columns, std::size_t count, int* rules);
}

namespace {

constexpr int rounds = 7;

// Of the processor: what other programs take in between does not count.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// In the order in which rules first ask for them, as the exported code holds them.
std::vector<std::string> inputs_of(const frr::RuleBase& base) {
  std::vector<std::string> names;
  for (const frr::Rule& rule : base.rules) {
    for (const frr::Condition& c : rule.conditions) {
      const auto& name = base.partition.features[static_cast<std::size_t>(c.feature)].name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

int main(int count, char** values) {
  if (count != 3) return 2;
  const frr::RuleBase base = frr::load(values[1]);
  const std::size_t rows = std::stoul(values[2]);
  const std::vector<std::string> names = inputs_of(base);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  frr::Table table;
  table.source = "random";
  std::vector<double> matrix(rows * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<double> column(rows);
    for (std::size_t row = 0; row < rows; ++row)
      column[row] = matrix[row * names.size() + i] = normal(random);
    table.add_numeric(names[i], column);
  }
  std::vector<const double*> columns;
  for (const frr::Column& column : table.columns) columns.push_back(column.values.data());

  std::vector<frr::Decision> decisions(rows);
  std::vector<int> one(rows), many(rows);
  double best[3] = {1e9, 1e9, 1e9};
  for (int round = 0; round < rounds; ++round) {
    const double now[3] = {
        seconds_of([&] { frr::decide_all(base, frr::ColumnMap(base, table), decisions, 1); }),
        seconds_of([&] { decide_rows(matrix.data(), rows, one.data()); }),
        seconds_of([&] { decide_arrays(columns.data(), rows, many.data()); })};
    for (int i = 0; i < 3; ++i) best[i] = std::min(best[i], now[i]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const int rule = decisions[row].rule + 1;
    if (one[row] == rule && many[row] == rule) continue;
    std::printf("row %zu: %d, %d instead of %d\n", row, one[row], many[row], rule);
    return 1;
  }
  for (const double seconds : best) std::printf("%.2f ", 1e9 * seconds / static_cast<double>(rows));
  std::printf("\n");
}
