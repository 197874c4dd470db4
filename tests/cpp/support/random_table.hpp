// Random labelled tables and rules, and the state of a search on them, for tests.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "data/dataset.hpp"
#include "frr/frr.hpp"
#include "labels/membership.hpp"
#include "labels/partition.hpp"
#include "search/search.hpp"

namespace frr::internal::random_table {

struct Shape {
  std::size_t rows = 60, numeric = 3, categorical = 1, classes = 2;
  double missing = 0;         // fraction of missing values
  double missing_target = 0;  // fraction of rows without a class
};

// Numbers of different kinds: normal, tied, skewed over many powers of ten, two values.
inline double random_number(Random& random, std::size_t kind) {
  switch (kind % 4) {
    case 0:
      return random.normal();
    case 1:
      return static_cast<double>(random.below(5)) * 0.1;
    case 2:
      return std::exp(8 * random.normal());
    default:
      return random.uniform() < 0.85 ? 0.0 : 1.0;
  }
}

// The class follows the first column with some noise, so that there is something to learn. Every
// class has a row, and the target is the last column, "class".
inline Table make(Random& random, const Shape& shape) {
  Table table;
  table.source = "random.csv";
  std::vector<double> first;
  for (std::size_t j = 0; j < shape.numeric; ++j) {
    const std::size_t kind = j == 0 ? 0 : random.below(4);
    std::vector<double> values;
    for (std::size_t i = 0; i < shape.rows; ++i) {
      values.push_back(random_number(random, kind));
      if (j == 0) first.push_back(values.back());
      if (random.uniform() < shape.missing)
        values.back() = std::numeric_limits<double>::quiet_NaN();
    }
    table.add_numeric("x" + std::to_string(j), std::move(values));
  }
  for (std::size_t j = 0; j < shape.categorical; ++j) {
    const std::size_t categories = 2 + random.below(6);
    std::vector<std::optional<std::string>> values;
    for (std::size_t i = 0; i < shape.rows; ++i) {
      // The first two rows differ: no column is constant.
      values.emplace_back("v" + std::to_string(i < 2 ? i : random.below(categories)));
      if (i >= 2 && random.uniform() < shape.missing) values.back().reset();
    }
    table.add_categorical("c" + std::to_string(j), values);
  }
  std::vector<std::optional<std::string>> target;
  const auto classes = static_cast<double>(shape.classes);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    const double at = first.empty() ? random.uniform() : 0.5 + 0.25 * first[i];
    const double noisy = random.uniform() < 0.15 ? random.uniform() : at;
    auto c = static_cast<std::size_t>(std::min(std::max(noisy, 0.0) * classes, classes - 1));
    if (i < shape.classes) c = i;
    target.emplace_back("k" + std::to_string(c));
    if (i >= shape.classes && random.uniform() < shape.missing_target) target.back().reset();
  }
  table.add_categorical("class", target);
  return table;
}

// The training rows of polishing and tuning: all labelled rows of the table.
struct Problem {
  Table table;
  Settings settings;
  Dataset data;
  std::vector<std::uint32_t> rows;
  std::vector<std::string> notes;
  Partition partition;
  Memberships memberships;
  std::vector<int> classes;
  std::vector<float> weights;

  Problem(Table source, Settings problem_settings, const std::vector<Feature>& given = {})
      : table(std::move(source)),
        settings(std::move(problem_settings)),
        data(make_dataset(table, "")),
        rows(labelled(data)),
        partition(make_partition(table, data, rows, settings, given, notes)),
        memberships(partition, table, rows, 1) {
    for (const std::uint32_t row : rows) classes.push_back(data.labels[row]);
    weights.assign(rows.size(), 1.0F);
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] SearchRows search_rows() const {
    return {.memberships = &memberships,
            .classes = classes,
            .weights = weights,
            .class_count = data.classes.size()};
  }

 private:
  static std::vector<std::uint32_t> labelled(const Dataset& data) {
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      if (data.labels[i] >= 0) rows.push_back(static_cast<std::uint32_t>(i));
    }
    return rows;
  }
};

// Rules of 1 to `max_conditions` conditions on distinct features, with weights 1.25^-k.
inline std::vector<LabelRule> random_rules(Random& random, const Problem& problem,
                                           std::size_t count, std::size_t max_conditions) {
  std::vector<LabelRule> rules;
  const Memberships& memberships = problem.memberships;
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<std::size_t> features(memberships.features());
    for (std::size_t j = 0; j < features.size(); ++j) features[j] = j;
    random.shuffle<std::size_t>(features);
    LabelRule rule;
    const std::size_t length = 1 + random.below(std::min(max_conditions, features.size()));
    for (std::size_t k = 0; k < length; ++k) {
      const auto first = memberships.first();
      const std::size_t j = features[k];
      rule.labels.push_back(first[j] + random.below(first[j + 1] - first[j]));
    }
    rule.then = static_cast<int>(random.below(problem.data.classes.size()));
    rule.weight = std::pow(1.25, -static_cast<double>(random.below(8)));
    rules.push_back(std::move(rule));
  }
  return rules;
}

inline std::vector<TNorm> all_tnorms() {
  return {{TNormKind::product, 1},      {TNormKind::minimum, 1},     {TNormKind::aczel_alsina, 1},
          {TNormKind::aczel_alsina, 3}, {TNormKind::lukasiewicz, 1}, {TNormKind::hamacher, 1}};
}

}  // namespace frr::internal::random_table
