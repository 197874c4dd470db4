#include "labels/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/parallel.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

double information(const Feature& feature, const Column& column, std::span<const int> labels,
                   std::size_t class_count, std::span<const std::uint32_t> rows) {
  std::vector<double> of_class(class_count, 0), counts(class_count);
  std::vector<float> degrees(rows.size());
  double sum = 0;
  std::vector<std::vector<double>> table;
  for (const Label& label : feature.labels) {
    fill_memberships(degrees, label, column, rows);
    std::fill(counts.begin(), counts.end(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      counts[static_cast<std::size_t>(labels[rows[i]])] += static_cast<double>(degrees[i]);
    }
    for (std::size_t c = 0; c < class_count; ++c) of_class[c] += counts[c];
    table.push_back(counts);
  }
  const double all = std::accumulate(of_class.begin(), of_class.end(), 0.0);
  for (const std::vector<double>& row : table) {
    const double of_label = std::accumulate(row.begin(), row.end(), 0.0);
    for (std::size_t c = 0; c < class_count; ++c) {
      if (row[c] > 0) sum += row[c] * std::log(row[c] * all / (of_label * of_class[c]));
    }
  }
  return all > 0 ? sum / static_cast<double>(rows.size()) : 0;
}

std::size_t screen_features(Partition& partition, const Table& table, const Dataset& data,
                            std::span<const std::uint32_t> rows, std::size_t limit, int threads) {
  std::vector<Feature>& features = partition.features;
  if (features.size() <= limit) return 0;
  std::unordered_map<std::string_view, const Column*> columns;
  for (const Column& column : table.columns) columns.emplace(column.name, &column);
  std::vector<double> scores(features.size());
  parallel_for(threads, features.size(), [&](std::size_t j) {
    scores[j] = information(features[j], *columns.at(features[j].name), data.labels,
                            data.classes.size(), rows);
  });
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return scores[x] > scores[y]; });
  order.resize(limit);
  std::sort(order.begin(), order.end());
  std::vector<Feature> kept;
  kept.reserve(limit);
  for (const std::size_t j : order) kept.push_back(std::move(features[j]));
  const std::size_t left_out = features.size() - limit;
  features = std::move(kept);
  return left_out;
}

}  // namespace frr::internal
