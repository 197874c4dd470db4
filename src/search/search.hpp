// The state of polish and tuning: rules in terms of membership columns, and their objective on
// the training rows (objective.hpp).
//
// Conjunctions are computed in generator form: a label's column stores the cost t(mu) of each
// membership (0 for 1, infinite for 0), and a rule's cost is the sum over its labels (for minimum:
// the largest). CostScale::steps converts a cost to steps: truth = 1.25^-steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/settings.hpp"
#include "kernels/search_kernel.hpp"
#include "labels/label_rule.hpp"
#include "labels/membership.hpp"
#include "search/objective.hpp"

namespace frr::internal {

// Costs and steps for one t-norm and root.
class CostScale {
 public:
  CostScale(const TNorm& tnorm, double root);
  [[nodiscard]] float cost(float membership) const;
  [[nodiscard]] float join(float a, float b) const { return minimum_ ? (a > b ? a : b) : a + b; }
  [[nodiscard]] float steps(float cost) const;
  // Whether steps(cost) == cost, the common case.
  [[nodiscard]] bool linear() const { return linear_; }
  // If linear(): cost(mu) == -factor() * log(mu).
  [[nodiscard]] float factor() const;
  [[nodiscard]] bool additive() const { return !minimum_; }

 private:
  TNorm tnorm_;
  bool minimum_, linear_;
  double inverse_root_;
};

// The training rows of a search.
struct SearchRows {
  const Memberships* memberships = nullptr;
  std::span<const int> classes;
  std::span<const float> weights;
  std::size_t class_count = 0;
};

class Search {
 public:
  Search(const SearchRows& rows, const Settings& settings, std::vector<LabelRule> rules,
         int threads = 1);

  [[nodiscard]] const std::vector<LabelRule>& rules() const { return rules_; }
  [[nodiscard]] int otherwise() const { return otherwise_; }
  [[nodiscard]] double price() const { return price_; }  // of a condition, in weighted rows
  [[nodiscard]] std::size_t conditions() const;
  [[nodiscard]] const SearchRows& rows() const { return rows_; }
  [[nodiscard]] const CostScale& scale() const { return scale_; }
  [[nodiscard]] std::span<const float> cost(std::size_t label) const { return costs_[label]; }
  [[nodiscard]] double margin() const { return margin_; }
  // Whether costs are also stored in panels (search_kernel.hpp): if costs are steps that add up.
  [[nodiscard]] bool panels() const { return scale_.linear() && margin_ > 0; }
  // The panel with this label.
  [[nodiscard]] const std::uint16_t* panel(std::size_t label) const {
    return panels_.data() + label / panel_width * panel_width * rows_.classes.size();
  }

  // The score of rule r for every row, in steps: at most 0, or -never if its truth is 0.
  [[nodiscard]] std::span<const float> score(std::size_t r) const { return scores_[r]; }

  void replace(std::size_t r, LabelRule rule);
  void append(LabelRule rule);
  void erase(std::size_t r);
  // Recomputes the costs of `label` after its border has moved; call `rescore` for its rules.
  void refresh(std::size_t label, int threads = 1);
  void rescore(std::size_t r);
  void choose_otherwise();

  [[nodiscard]] double objective() const;
  // The best score and its class over all rules except `except` (rules().size(): over all rules);
  // ELSE with -never if no rule covers the row.
  void best_of_others(std::size_t except, std::span<float> best, std::span<int> best_class) const;
  // The same for the best.size() rows from `first` on.
  void best_of_others(std::size_t except, std::size_t first, std::span<float> best,
                      std::span<int> best_class) const;
  [[nodiscard]] double correct() const;  // total weight of the rows that are right

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
