#include "additive/additive_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "additive/additive_kernel.hpp"
#include "additive/newton.hpp"
#include "base/parallel.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t task_rows = 4096;  // whose sums one thread takes
constexpr std::size_t slice_rows = 256;  // worked on at a time, so that they stay in the cache
constexpr double rounding = 1e-7;     // relative error of a loss that is summed in single precision
constexpr double least_share = 1e-9;  // of a class that no row has

// The variables of the fit: biases of all groups but the last, then the weights of the rules.
struct Variables {
  std::size_t groups, rules;
  [[nodiscard]] std::size_t biases() const { return groups - 1; }
  [[nodiscard]] std::size_t count() const { return biases() + rules; }
};

// Arrays of one slice of rows, one per class group or variable.
class Slices {
 public:
  explicit Slices(std::size_t count) : values_(count * slice_rows), arrays_(count) {
    for (std::size_t k = 0; k < count; ++k) arrays_[k] = values_.data() + k * slice_rows;
  }
  [[nodiscard]] float* operator[](std::size_t k) const { return arrays_[k]; }
  [[nodiscard]] std::span<float* const> all() const { return arrays_; }

 private:
  std::vector<float> values_;
  std::vector<float*> arrays_;
};

// Of each class.
std::vector<double> weight_of_classes(const AdditiveRows& rows) {
  std::vector<double> weight(rows.class_count, 0);
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    weight[static_cast<std::size_t>(rows.classes[i])] += static_cast<double>(rows.weights[i]);
  }
  return weight;
}

std::vector<int> thens_of(std::span<const RuleTruth> rules) {
  std::vector<int> thens;
  for (const RuleTruth& rule : rules) thens.push_back(rule.then);
  return thens;
}

class Problem {
 public:
  Problem(const AdditiveRows& rows, std::span<const RuleTruth> rules)
      : rows_(rows),
        rules_(rules),
        groups_(weight_of_classes(rows), thens_of(rules)),
        variables_{groups_.count(), rules.size()} {
    for (const RuleTruth& rule : rules) group_.push_back(groups_.of(rule.then));
    for (std::size_t i = 0; i < rows.classes.size(); ++i) {
      const double share = groups_.share(rows.classes[i]);
      if (share < 1) loss_of_shares_ -= static_cast<double>(rows.weights[i]) * std::log(share);
    }
  }

  [[nodiscard]] const ClassGroups& groups() const { return groups_; }
  [[nodiscard]] const Variables& variables() const { return variables_; }

  // Probabilities of all groups on the rows from `from` on, as many as fit into `probabilities`.
  void fill_probabilities(std::span<const double> point, std::size_t from, std::size_t count,
                          std::span<float* const> probabilities) const {
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      const double bias = g < variables_.biases() ? point[g] : 0;
      std::fill_n(probabilities[g], count, static_cast<float>(bias));
    }
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const auto weight = static_cast<float>(point[variables_.biases() + r]);
      if (weight == 0) continue;
      add_scaled(probabilities[group_[r]], rules_[r].truth.data() + from, weight, count);
    }
    softmax(probabilities, count);
  }

  [[nodiscard]] Derivatives derivatives(std::span<const double> point, int threads) const {
    const std::size_t rows = rows_.classes.size();
    const std::size_t tasks = (rows + task_rows - 1) / task_rows;
    std::vector<Derivatives> parts(tasks, Derivatives(variables_.count()));
    parallel_for(threads, tasks, [&](std::size_t task) {
      const std::size_t from = task * task_rows;
      add_rows(point, from, std::min(rows, from + task_rows), parts[task]);
    });
    Derivatives sum(variables_.count());
    sum.loss = loss_of_shares_;
    for (const Derivatives& part : parts) sum.add(part);
    for (std::size_t k = variables_.biases(); k < variables_.count(); ++k) {
      sum.loss += additive_ridge / 2 * point[k] * point[k];
      sum.gradient[k] += additive_ridge * point[k];
      sum.hessian[k * variables_.count() + k] += additive_ridge;
    }
    return sum;
  }

 private:
  [[nodiscard]] std::size_t group_of_variable(std::size_t k) const {
    return k < variables_.biases() ? k : group_[k - variables_.biases()];
  }

  void add_rows(std::span<const double> point, std::size_t from, std::size_t to,
                Derivatives& sum) const {
    const std::size_t count = variables_.count();
    const Slices probability(groups_.count()), residual(groups_.count());
    // With f the variable's factor in the score of its group (1 for a bias, t for a weight):
    const Slices weighted(count);  // v f p
    const Slices plain(count);     // f p
    const Slices rest(count);      // f (1 - p)
    float of_class[slice_rows], ones[slice_rows];
    std::fill_n(ones, slice_rows, 1.0F);
    for (std::size_t first = from; first < to; first += slice_rows) {
      const std::size_t rows = std::min(slice_rows, to - first);
      const float* row_weight = rows_.weights.data() + first;
      fill_probabilities(point, first, rows, probability.all());
      for (std::size_t g = 0; g < groups_.count(); ++g) {
        for (std::size_t i = 0; i < rows; ++i) residual[g][i] = row_weight[i] * probability[g][i];
      }
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t g = groups_.of(rows_.classes[first + i]);
        of_class[i] = probability[g][i];
        residual[g][i] -= row_weight[i];
      }
      sum.loss -= log_sum(of_class, row_weight, rows);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t g = group_of_variable(k);
        const float* factor =
            k < variables_.biases() ? ones : rules_[k - variables_.biases()].truth.data() + first;
        for (std::size_t i = 0; i < rows; ++i) {
          plain[k][i] = factor[i] * probability[g][i];
          weighted[k][i] = row_weight[i] * plain[k][i];
          rest[k][i] = factor[i] - plain[k][i];
        }
        sum.gradient[k] += static_cast<double>(dot(factor, residual[g], rows));
        for (std::size_t j = 0; j <= k; ++j) {
          const bool same = group_of_variable(j) == g;
          const float product = dot(weighted[k], same ? rest[j] : plain[j], rows);
          sum.hessian[k * count + j] += static_cast<double>(same ? product : -product);
        }
      }
    }
  }

  const AdditiveRows& rows_;
  std::span<const RuleTruth> rules_;
  ClassGroups groups_;
  std::vector<std::size_t> group_;  // of each rule
  Variables variables_;
  double loss_of_shares_ = 0;  // of the classes within their groups
};

AdditiveFit result_of(const Problem& problem, std::span<const double> point, double loss) {
  const std::size_t biases = problem.variables().biases();
  AdditiveFit fit;
  fit.loss = loss;
  fit.biases = problem.groups().class_biases(point.first(biases));
  fit.weights.assign(point.begin() + static_cast<std::ptrdiff_t>(biases), point.end());
  return fit;
}

std::vector<double> start_point(const Problem& problem, const AdditiveRows& rows,
                                const FitOptions& options) {
  const Variables& variables = problem.variables();
  // exp(bias) of a group adds up over its classes; without a start, they are as frequent as in the
  // training rows.
  std::vector<double> mass(variables.groups, 0);
  if (options.start != nullptr) {
    for (std::size_t c = 0; c < rows.class_count; ++c) {
      mass[problem.groups().of(static_cast<int>(c))] += std::exp(options.start->biases[c]);
    }
  } else {
    for (std::size_t i = 0; i < rows.classes.size(); ++i) {
      mass[problem.groups().of(rows.classes[i])] += static_cast<double>(rows.weights[i]);
    }
  }
  std::vector<double> point;
  for (std::size_t g = 0; g < variables.biases(); ++g) {
    point.push_back(std::log(std::max(mass[g], least_share) / std::max(mass.back(), least_share)));
  }
  for (std::size_t r = 0; r < variables.rules; ++r) {
    const bool known = options.start != nullptr && r < options.start->weights.size();
    point.push_back(known ? options.start->weights[r] : options.next_weight);
  }
  return point;
}

}  // namespace

ClassGroups::ClassGroups(std::span<const double> class_weights, std::span<const int> thens)
    : of_(class_weights.size()), share_(class_weights.size(), 1) {
  std::vector<bool> named(class_weights.size(), false);
  for (const int then : thens) named[static_cast<std::size_t>(then)] = true;
  for (std::size_t c = 0; c < named.size(); ++c) {
    if (named[c]) of_[c] = count_++;
  }
  if (std::find(named.begin(), named.end(), false) == named.end()) return;
  double sum = 0;
  for (std::size_t c = 0; c < named.size(); ++c) sum += named[c] ? 0 : class_weights[c];
  for (std::size_t c = 0; c < named.size(); ++c) {
    if (named[c]) continue;
    of_[c] = count_;
    share_[c] = sum > 0 ? std::max(class_weights[c] / sum, least_share) : 1;
  }
  ++count_;
}

std::vector<double> ClassGroups::class_biases(std::span<const double> biases) const {
  std::vector<double> group(count_, 0);
  std::copy(biases.begin(), biases.end(), group.begin());
  const double top = *std::max_element(group.begin(), group.end());
  double sum = 0;
  for (const double bias : group) sum += std::exp(bias - top);
  std::vector<double> result;
  for (std::size_t c = 0; c < of_.size(); ++c) {
    result.push_back(group[of_[c]] - top - std::log(sum) + std::log(share_[c]));
  }
  return result;
}

AdditiveFit fit_additive(const AdditiveRows& rows, std::span<const RuleTruth> rules,
                         const FitOptions& options) {
  const Problem problem(rows, rules);
  const auto derivatives = [&](std::span<const double> point) {
    return problem.derivatives(point, options.threads);
  };
  const Minimum minimum = minimise(start_point(problem, rows, options), derivatives,
                                   {.bounded_from = problem.variables().biases(),
                                    .tolerance = options.tolerance,
                                    .rounding = rounding});
  return result_of(problem, minimum.point, minimum.at.loss);
}

std::vector<std::vector<float>> additive_probabilities(const AdditiveRows& rows,
                                                       std::span<const RuleTruth> rules,
                                                       const AdditiveFit& fit,
                                                       std::span<const int> classes, int threads) {
  const Problem problem(rows, rules);
  const ClassGroups& groups = problem.groups();
  const std::vector<double> point =
      start_point(problem, rows, {.start = &fit, .next_weight = 0, .tolerance = 0, .threads = 1});
  std::vector<std::vector<float>> result(classes.size(), std::vector<float>(rows.classes.size()));
  parallel_blocks(threads, rows.classes.size(), task_rows, [&](std::size_t from, std::size_t to) {
    const Slices probability(groups.count());
    for (std::size_t first = from; first < to; first += slice_rows) {
      const std::size_t count = std::min(slice_rows, to - first);
      problem.fill_probabilities(point, first, count, probability.all());
      for (std::size_t k = 0; k < classes.size(); ++k) {
        const float* group = probability[groups.of(classes[k])];
        const auto share = static_cast<float>(groups.share(classes[k]));
        for (std::size_t i = 0; i < count; ++i) result[k][first + i] = share * group[i];
      }
    }
  });
  return result;
}

}  // namespace frr::internal
