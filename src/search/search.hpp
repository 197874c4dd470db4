// The state that polish and tuning search over: a rule base in terms of membership columns, and
// what it is worth on the training rows.
//
// Scores are compared on a logarithmic scale whose unit is a factor 1.25 ("steps"). A row belongs
// to its true class to the degree
//     ramp(x) = clamp((x + margin) / (2 margin), 0, 1),   x = steps by which the best score of the
//                                                         true class exceeds the best of others,
// so that clear decisions count more than narrow ones (margin 0: a bare count of right rows). Where
// no rule has a positive score, the ELSE class decides wholly. Every sum is over rows.
//
// Conjunctions are kept in generator form: each label column holds the cost t(mu) of its membership
// (0 for 1, infinite for 0); a rule's cost is the sum over its labels (for minimum: the largest),
// and `steps_of` turns a cost into the steps by which the truth falls short of 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frr/settings.hpp"
#include "kernels/search_kernel.hpp"
#include "labels/label_rule.hpp"
#include "labels/membership.hpp"

namespace frr::internal {

inline constexpr float never = std::numeric_limits<float>::infinity();

// Cost and steps of one t-norm (with the root of the rule's truth).
class CostScale {
 public:
  CostScale(const TNorm& tnorm, double root);
  [[nodiscard]] float cost(float membership) const;
  [[nodiscard]] float join(float a, float b) const { return minimum_ ? (a > b ? a : b) : a + b; }
  [[nodiscard]] float steps(float cost) const;
  // steps(cost) == cost, the common case, for tight loops.
  [[nodiscard]] bool linear() const { return linear_; }
  // linear: cost(mu) == -factor() * log(mu).
  [[nodiscard]] float factor() const;
  [[nodiscard]] bool additive() const { return !minimum_; }

 private:
  TNorm tnorm_;
  bool minimum_, linear_;
  double inverse_root_;
};

// ramp() of a row whose true class scores `right` steps at best and other classes `wrong`; -never
// where no rule of that side covers it. `otherwise_right`: ELSE gives the true class.
inline double degree_right(float right, float wrong, bool otherwise_right, double margin) {
  if (right == -never && wrong == -never) return otherwise_right ? 1 : 0;
  if (right == -never) return 0;
  if (wrong == -never) return 1;
  const double lead = right - wrong;
  if (margin <= 0) return lead > 0 ? 1 : 0;
  const double x = (lead + margin) / (2 * margin);
  return x <= 0 ? 0 : x >= 1 ? 1 : x;
}

// log_1.25 of a weight in (0, 1].
float steps_of_weight(double weight);

// Training rows as the search sees them.
struct SearchRows {
  const Memberships* memberships = nullptr;
  std::span<const int> classes;
  std::span<const float> weights;  // one a row
  std::size_t class_count = 0;
};

class Search {
 public:
  Search(const SearchRows& rows, const Settings& settings, std::vector<LabelRule> rules,
         int threads = 1);

  [[nodiscard]] const std::vector<LabelRule>& rules() const { return rules_; }
  [[nodiscard]] int otherwise() const { return otherwise_; }
  [[nodiscard]] double price() const { return price_; }  // of a condition, in (weighted) rows
  [[nodiscard]] std::size_t conditions() const;
  [[nodiscard]] const SearchRows& rows() const { return rows_; }
  [[nodiscard]] const CostScale& scale() const { return scale_; }
  [[nodiscard]] std::span<const float> cost(std::size_t label) const { return costs_[label]; }
  [[nodiscard]] double margin() const { return margin_; }
  // Whether costs are kept in panels too (search_kernel.hpp): where steps simply add up.
  [[nodiscard]] bool panels() const { return scale_.linear() && margin_ > 0; }
  // The panel that holds this label.
  [[nodiscard]] const std::uint16_t* panel(std::size_t label) const {
    return panels_.data() + label / panel_width * panel_width * rows_.classes.size();
  }

  // Score of every row under rule r in steps (<= 0; -never where its truth is 0).
  [[nodiscard]] std::span<const float> score(std::size_t r) const { return scores_[r]; }

  void replace(std::size_t r, LabelRule rule);
  void append(LabelRule rule);
  void erase(std::size_t r);
  // Takes memberships of `label` anew (its border has moved); scores follow with `rescore`.
  void refresh(std::size_t label, int threads = 1);
  void rescore(std::size_t r);
  // ELSE becomes the class of most rows that no rule covers, or the most frequent one if all are
  // covered.
  void choose_otherwise();

  // Sum of ramps minus the price of all conditions.
  [[nodiscard]] double objective() const;
  // Best score and its class over all rules but `except` (rules_.size(): none is left out); ELSE
  // with -never where no rule covers the row.
  void best_of_others(std::size_t except, std::span<float> best, std::span<int> best_class) const;
  // The same of the rows from `first` on, as many as there is room for.
  void best_of_others(std::size_t except, std::size_t first, std::span<float> best,
                      std::span<int> best_class) const;
  [[nodiscard]] double correct() const;  // weighted rows that are right

 private:
  SearchRows rows_;
  CostScale scale_;
  double margin_, price_;
  std::vector<LabelRule> rules_;
  std::vector<std::vector<float>> scores_;
  std::vector<std::vector<float>> costs_;
  std::vector<std::uint16_t> panels_;
  int otherwise_ = 0;
};

}  // namespace frr::internal
