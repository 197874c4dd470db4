#include "data/row_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "base/parallel.hpp"

namespace frr::internal {
namespace {

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) * 0x9e3779b97f4a7c15ULL;
  return state ^ (state >> 29);
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t state = text.size();
  for (const char c : text) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

std::uint64_t hash_of(double number) {
  if (number != number) return 1;                     // whatever its bits
  return std::bit_cast<std::uint64_t>(number + 0.0);  // -0 is 0
}

struct Place {
  std::uint64_t hash;
  std::uint32_t row;
};

void add_column(const Column& column, std::span<Place> places) {
  if (column.type == ColumnType::numeric) {
    for (Place& place : places) place.hash = mixed(place.hash, hash_of(column.values[place.row]));
    return;
  }
  // Codes depend on the order of the rows, names do not.
  std::vector<std::uint64_t> of_code;
  for (const std::string& category : column.categories) of_code.push_back(hash_of(category));
  for (Place& place : places) {
    const std::int32_t code = column.codes[place.row];
    const bool missing = code == Column::missing_code;
    place.hash = mixed(place.hash, missing ? 0 : of_code[static_cast<std::size_t>(code)]);
  }
}

}  // namespace

bool are_repetitions(std::span<const double> weights, std::span<const std::uint32_t> rows,
                     std::size_t most) {
  double sum = 0;
  for (const std::uint32_t row : rows) {
    if (std::floor(weights[row]) != weights[row]) return false;
    sum += weights[row];
  }
  return sum <= static_cast<double>(most);
}

std::vector<std::uint32_t> ordered_rows(const Table& table, const Dataset& data,
                                        std::span<const std::uint32_t> rows,
                                        std::span<const double> repetitions,
                                        std::span<const double> weights, int threads) {
  std::vector<Place> places(rows.size());
  parallel_blocks(threads, rows.size(), 16 * block_rows, [&](std::size_t from, std::size_t to) {
    const auto block = std::span(places).subspan(from, to - from);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::uint32_t row = rows[from + i];
      block[i] = {mixed(0, static_cast<std::uint64_t>(data.labels[row])), row};
    }
    for (const std::size_t index : data.features) add_column(table.columns[index], block);
  });
  std::sort(places.begin(), places.end(), [&](const Place& x, const Place& y) {
    if (x.hash != y.hash) return x.hash < y.hash;
    if (!weights.empty() && weights[x.row] != weights[y.row]) {
      return weights[x.row] < weights[y.row];
    }
    return x.row < y.row;
  });
  std::vector<std::uint32_t> result;
  for (const Place& place : places) {
    const double times = repetitions.empty() ? 1 : repetitions[place.row];
    result.insert(result.end(), static_cast<std::size_t>(times), place.row);
  }
  return result;
}

}  // namespace frr::internal
