#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

#include "base/random.hpp"

namespace frr::bench {
using namespace internal;
namespace {

constexpr double noise = 0.1;

std::vector<std::uint32_t> labelled(const Dataset& data, std::size_t most, std::size_t batch) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    if (data.labels[i] >= 0) rows.push_back(static_cast<std::uint32_t>(i));
  }
  // Files are often sorted by class, but the first rows should represent all.
  Random random(1);
  random.shuffle(std::span(rows));
  if (most > 0 && rows.size() > most) rows.resize(most);
  if (rows.size() >= batch) rows.resize(rows.size() / batch * batch);
  return rows;
}

}  // namespace

Table generated_table(std::size_t rows, std::size_t columns, std::size_t classes) {
  Random random(rows * 31 + columns * 7 + classes);
  std::vector<std::vector<double>> values(columns, std::vector<double>(rows));
  std::vector<std::optional<std::string>> target(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (auto& column : values) column[i] = std::round(1e4 * random.normal()) / 1e4;
    const auto x = [&](std::size_t j) { return values[j % columns][i]; };
    const double z = x(0) + (x(1) > 0 ? x(2) : -x(2)) + 0.5 * std::abs(x(3));
    const double share = 1 / (1 + std::exp(-1.5 * z));
    auto c = static_cast<std::size_t>(share * static_cast<double>(classes));
    if (random.uniform() < noise) c = random.below(classes);
    target[i] = "k" + std::to_string(std::min(c, classes - 1));
  }
  Table table;
  table.source = "generated";
  for (std::size_t j = 0; j < columns; ++j) {
    table.add_numeric("x" + std::to_string(j), std::move(values[j]));
  }
  table.rows = rows;
  table.add_categorical("class", target);
  return table;
}

void write_csv(const Table& table, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    file << (j > 0 ? "," : "") << table.columns[j].name;
  }
  file << '\n';
  std::string line;
  char number[32];
  for (std::size_t i = 0; i < table.rows; ++i) {
    line.clear();
    for (const Column& column : table.columns) {
      if (column.type == ColumnType::categorical) {
        line += column.categories[static_cast<std::size_t>(column.codes[i])];
        continue;
      }
      std::snprintf(number, sizeof number, "%.4f,", column.values[i]);
      line += number;
    }
    file << line << '\n';
  }
  file.close();
  if (!file) fail_data("cannot write " + path);
}

Problem::Problem(Table source, Settings chosen, std::size_t most, std::size_t batch)
    : table(std::move(source)),
      settings(std::move(chosen)),
      data(make_dataset(table, "")),
      rows(labelled(data, most, batch)),
      partition(make_partition(table, data, rows, settings, {}, notes)),
      memberships(partition, table, rows, 1),
      inputs(sparse_rows<float>(memberships, memberships.rows())),
      weights(rows.size(), 1.0F) {
  for (const std::uint32_t row : rows) classes.push_back(data.labels[row]);
}

NetworkShape Problem::shape() const {
  NetworkShape shape;
  shape.rules = static_cast<std::size_t>(settings.rules);
  shape.slots = static_cast<std::size_t>(settings.conditions);
  shape.classes = data.classes.size();
  shape.first.assign(memberships.first().begin(), memberships.first().end());
  return shape;
}

}  // namespace frr::bench
