#include "train/training_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "frr/error.hpp"
#include "model/policy.hpp"
#include "search/objective.hpp"

namespace frr::internal {
namespace {

// The product of two numbers above 0, fraction * 2^exponent with a fraction from 1/4 to 1: in a
// double it could overflow, or underflow to 0.
struct Product {
  Product(double x, double y) {
    int of_x = 0, of_y = 0;
    fraction = std::frexp(x, &of_x) * std::frexp(y, &of_y);
    exponent = of_x + of_y;
  }
  double fraction;
  int exponent;
};

// The weight of each row, row weight times class weight (if any are given), up to a factor. It is
// at least 2^-100 of the largest one: a lighter row could weigh 0 as a float, and a group of rows
// that weigh nothing has no class shares.
std::vector<double> relative_weights(std::span<const std::uint32_t> rows,
                                     std::span<const double> given, std::span<const int> labels,
                                     std::span<const double> of_class) {
  constexpr int lightest = -100;
  std::vector<Product> products;
  products.reserve(rows.size());
  int most = std::numeric_limits<int>::min();
  for (const std::uint32_t row : rows) {
    products.emplace_back(given.empty() ? 1.0 : given[row],
                          of_class.empty() ? 1 : of_class[static_cast<std::size_t>(labels[row])]);
    most = std::max(most, products.back().exponent);
  }
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const Product& product : products) {
    weights.push_back(
        std::max(std::ldexp(1.0, lightest), std::ldexp(product.fraction, product.exponent - most)));
  }
  return weights;
}

// Scaled to a mean of 1.
std::vector<double> mean_one(std::vector<double> weights) {
  const double scale =
      static_cast<double>(weights.size()) / std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight *= scale;
  return weights;
}

void check_points(const Settings& settings, std::size_t classes) {
  if (settings.points == 0) return;
  if (settings.semantics != Semantics::additive) {
    fail_usage("--points makes a scorecard of additive rules: add --semantics additive");
  }
  if (classes != 2) {
    fail_usage("--points needs two classes, and there are " + std::to_string(classes) +
               ": train without it, or merge classes");
  }
}

}  // namespace

std::vector<double> class_weights(const Dataset& data, const TrainRequest& request) {
  std::vector<double> weights(data.classes.size(), 1.0);
  for (const auto& [name, weight] : request.class_weights) {
    const auto found = std::find(data.classes.begin(), data.classes.end(), name);
    if (found == data.classes.end()) {
      fail_usage("a weight is given for the class '" + name + "', which does not occur" +
                 did_you_mean(name, data.classes));
    }
    if (!(weight > 0) || weight > 1e100) {
      fail_usage("the weight of the class '" + name + "' is not a number above 0 and up to 1e100");
    }
    weights[static_cast<std::size_t>(found - data.classes.begin())] = weight;
  }
  return weights;
}

std::vector<std::uint32_t> training_rows(const Table& table, const Dataset& data,
                                         const TrainRequest& request) {
  check_policy(request.policy, data.classes);
  check_points(request.settings, data.classes.size());
  if (!request.row_weights.empty() && request.row_weights.size() != table.rows) {
    fail_usage("there are " + std::to_string(request.row_weights.size()) + " row weights for " +
               std::to_string(table.rows) + " rows; give one per row");
  }
  for (std::size_t i = 0; i < request.row_weights.size(); ++i) {
    const double weight = request.row_weights[i];
    if (!(weight >= 0) || weight > 1e100) {
      fail_data("row " + std::to_string(i + 1) +
                ": its weight is not a number from 0 to 1e100; correct it or leave out the row");
    }
  }
  std::vector<std::uint32_t> rows;
  const std::size_t count = request.rows.empty() ? table.rows : request.rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = request.rows.empty() ? static_cast<std::uint32_t>(i) : request.rows[i];
    if (row >= table.rows) {
      fail_usage("row " + std::to_string(row) + " was asked for, but the table has " +
                 std::to_string(table.rows) + " rows");
    }
    const bool counts = request.row_weights.empty() || request.row_weights[row] > 0;
    if (data.labels[row] >= 0 && counts) rows.push_back(row);
  }
  const bool two = std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return data.labels[row] != data.labels[rows.front()];
  });
  if (!two) {
    fail_data(table.source + ": the rows to train on are all of one class of '" + data.target +
              "'; give rows of at least two classes");
  }
  return rows;
}

std::vector<float> row_weights(std::span<const std::uint32_t> rows, std::span<const double> given) {
  const std::vector<double> weights =
      mean_one(given.empty() ? std::vector<double>(rows.size(), 1.0)
                             : relative_weights(rows, given, {}, {}));
  return {weights.begin(), weights.end()};
}

std::vector<double> weights_by_class(const Dataset& data, std::span<const std::uint32_t> rows,
                                     std::span<const double> given) {
  std::vector<double> sums(data.classes.size(), 0);
  for (const std::uint32_t row : rows) {
    sums[static_cast<std::size_t>(data.labels[row])] += given.empty() ? 1 : given[row];
  }
  return sums;
}

Objective resolve_objective(const Settings& settings, std::span<const double> weights_by_class) {
  if (settings.objective != Objective::automatic) return settings.objective;
  const bool searched = settings.semantics == Semantics::sufficient && settings.polish;
  if (!searched || weights_by_class.size() != 2) return Objective::accuracy;
  constexpr double rare = 0.1;
  const double x = weights_by_class[0], y = weights_by_class[1];
  return std::min(x, y) < rare * (x + y) ? Objective::risk : Objective::accuracy;
}

std::vector<float> training_weights(const Dataset& data, std::span<const std::uint32_t> rows,
                                    std::span<const double> given, const TrainRequest& request) {
  const bool plain = given.empty() && request.class_weights.empty();
  std::vector<double> relative(rows.size(), 1.0);
  if (!plain) {
    relative = mean_one(relative_weights(rows, given, data.labels, class_weights(data, request)));
  }
  std::vector<float> weights;
  std::vector<double> by_class(data.classes.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = relative[i];
    weights.push_back(static_cast<float>(weight));
    by_class[static_cast<std::size_t>(data.labels[rows[i]])] += weight;
  }
  if (request.settings.class_weight == ClassWeight::none) return weights;
  const ClassBalance classes(by_class);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto c = static_cast<std::size_t>(data.labels[rows[i]]);
    weights[i] = static_cast<float>(classes.balanced(weights[i], c));
  }
  return weights;
}

}  // namespace frr::internal
