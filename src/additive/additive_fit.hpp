// Biases and weights of additive rules, fitted by log-loss.
//
//     score_c = bias_c + sum over the rules r of class c of w_r t_r,   p = softmax(score)
//     loss    = - sum_i v_i log p_i(y_i) + ridge / 2 sum_r w_r^2,      w_r >= 0
//
// t_r is the truth of rule r, v_i the weight of row i. The loss is convex; Newton's method with an
// active set for the bounds w_r >= 0 finds its minimum.
//
// Classes without a rule share one score: only the shares of these classes among themselves in the
// training rows tell them apart. Such a group behaves as one class, whatever the number of classes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace frr::internal {

inline constexpr double additive_ridge = 1;

struct AdditiveRows {
  std::span<const int> classes;    // of each row
  std::span<const float> weights;  // of each row, > 0
  std::size_t class_count = 0;
};

// A rule, as far as the fit is concerned.
struct RuleTruth {
  int then = 0;
  std::span<const float> truth;  // of each row
};

// Which classes have a score of their own: those with rules, in ascending order; the others form
// the last group, if there are any. The last group's bias is the reference, 0.
class ClassGroups {
 public:
  // `class_weights`: of the rows of each class. `thens`: the class of each rule.
  ClassGroups(std::span<const double> class_weights, std::span<const int> thens);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(int c) const { return of_[static_cast<std::size_t>(c)]; }
  // The share of class c in the rows of its group; 1 for a class with rules.
  [[nodiscard]] double share(int c) const { return share_[static_cast<std::size_t>(c)]; }
  // The log-probabilities of the classes where no rule is true. `biases`: of all groups but the
  // last.
  [[nodiscard]] std::vector<double> class_biases(std::span<const double> biases) const;

 private:
  std::vector<std::size_t> of_;
  std::vector<double> share_;
  std::size_t count_ = 0;
};

struct AdditiveFit {
  std::vector<double> biases;   // one per class: log-probabilities where no rule is true
  std::vector<double> weights;  // one per rule
  double loss = 0;              // in nats, with the ridge
};

// Where Newton's method starts, and how close to the minimum it ends.
struct FitOptions {
  const AdditiveFit* start = nullptr;  // of the same rules, or of the first ones
  double next_weight = 0;              // start of the weights of further rules
  double tolerance = 1e-6;             // nats that the next step would gain at most
  int threads = 1;
};

AdditiveFit fit_additive(const AdditiveRows& rows, std::span<const RuleTruth> rules,
                         const FitOptions& options);

// p_i(c) of every row for each class in `classes`, class by class.
std::vector<std::vector<float>> additive_probabilities(const AdditiveRows& rows,
                                                       std::span<const RuleTruth> rules,
                                                       const AdditiveFit& fit,
                                                       std::span<const int> classes, int threads);

}  // namespace frr::internal
