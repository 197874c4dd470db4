// Partitions of small tables, and expectations about their labels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frr/frr.hpp"
#include "labels/partition.hpp"

namespace frr::internal::partition_sample {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Names = std::vector<std::string>;

struct Made {
  Partition partition;
  std::vector<std::string> notes;
};

inline Made make(Table table, const std::vector<int>& classes, const Settings& settings,
                 const std::vector<Feature>& given = {}) {
  std::vector<std::optional<std::string>> names;
  for (const int c : classes) names.emplace_back("k" + std::to_string(c));
  table.source = "t.csv";
  table.add_categorical("class", names);
  const Dataset data = make_dataset(table, "class");
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  Made result;
  result.partition = make_partition(table, data, rows, settings, given, result.notes);
  return result;
}

inline std::vector<int> halves(std::size_t rows) {
  std::vector<int> classes(rows);
  for (std::size_t i = 0; i < rows; ++i) classes[i] = 2 * i < rows ? 0 : 1;
  return classes;
}

inline Feature feature_of(const std::vector<double>& values, const Settings& settings,
                          std::vector<int> classes = {}) {
  Table table;
  table.add_numeric("x", values);
  table.add_numeric("other", [&] {
    std::vector<double> other(values.size());
    std::iota(other.begin(), other.end(), 0.0);
    return other;
  }());
  if (classes.empty()) classes = halves(values.size());
  const Made made = make(std::move(table), classes, settings);
  for (const Feature& feature : made.partition.features) {
    if (feature.name == "x") return feature;
  }
  return {};
}

inline Settings of(PartitionKind kind, int labels) {
  Settings settings;
  settings.partition = kind;
  settings.labels = labels;
  return settings;
}

inline std::vector<double> up_to(int last) {
  std::vector<double> values(static_cast<std::size_t>(last) + 1);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

inline void expect_shape(const Label& label, double a, double b, double c, double d) {
  const auto near = [](double x, double y) {
    return x == y || std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
  };
  const Trapezoid& t = label.shape;
  EXPECT_TRUE(near(t.a, a) && near(t.b, b) && near(t.c, c) && near(t.d, d))
      << label.name << ": " << t.a << " " << t.b << " " << t.c << " " << t.d;
}

inline Names names_of(const Feature& feature) {
  Names names;
  for (const Label& label : feature.labels) names.push_back(label.name);
  return names;
}

inline std::vector<Trapezoid> ranges_of(const Feature& feature) {
  std::vector<Trapezoid> shapes;
  for (const Label& label : feature.labels) {
    if (label.kind == LabelKind::range) shapes.push_back(label.shape);
  }
  return shapes;
}

inline void expect_ordered(const Feature& feature) {
  const auto shapes = ranges_of(feature);
  for (std::size_t v = 0; v < shapes.size(); ++v) {
    const Trapezoid& t = shapes[v];
    EXPECT_TRUE(t.a <= t.b && t.b <= t.c && t.c <= t.d) << v;
    const bool first = v == 0, last = v + 1 == shapes.size();
    EXPECT_EQ(std::isfinite(t.a) && std::isfinite(t.b), !first) << v;
    EXPECT_EQ(std::isfinite(t.c) && std::isfinite(t.d), !last) << v;
    if (first) continue;
    const Trapezoid& s = shapes[v - 1];
    EXPECT_TRUE(s.a <= t.a && s.b <= t.b && s.c <= t.c && s.d <= t.d) << v;
  }
}

inline void expect_sum_of_one(const Feature& feature, const std::vector<double>& at) {
  for (const double x : at) {
    double sum = 0;
    for (const Trapezoid& shape : ranges_of(feature)) sum += shape(x);
    EXPECT_NEAR(sum, 1, 1e-9) << "at " << x;
  }
}

}  // namespace frr::internal::partition_sample
