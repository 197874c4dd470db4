// The search for sufficient rules by log-loss (outcome_loss.hpp). Its state is that of the search
// for accuracy (search/search.hpp); instead of one class, a row has a distribution over the classes
// as its target.
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "frr/settings.hpp"
#include "risk/outcome_loss.hpp"
#include "search/search.hpp"

namespace frr::internal {

// The targets of the rows and the price of a condition.
struct RiskTargets {
  std::vector<float> shares;  // [row][class], times the weight of the row
  std::vector<double> base_rates;
  double price = 0;  // of a condition, in nats
};

class RiskSearch {
 public:
  RiskSearch(Search& search, const RiskTargets& targets, const Settings& settings, int threads)
      : search_(search), targets_(targets), settings_(settings), threads_(threads) {}

  // - (log-loss of all rows + price of all conditions), in nats.
  [[nodiscard]] double objective() const;
  // Tries every replacement, addition and removal of a condition, every weight, every removal of a
  // rule, and new rules, until a sweep changes nothing. Returns whether anything changed.
  bool polish(Random& random, Control& control);
  // Sets the class of each rule to its most probable one; returns that of ELSE.
  int choose_classes();

 private:
  friend class RulePricer;
  // Who decides each row, and the sums by class of the rows of ELSE and then of each rule.
  // `except`: as if this rule did not exist.
  struct Assignment {
    std::vector<std::size_t> outcome;  // of each row: the rule that decides plus 1; 0: ELSE
    std::vector<float> best;           // the score of that rule, in steps
    std::vector<std::vector<double>> sums;
  };
  [[nodiscard]] Assignment assign(std::size_t except) const;
  [[nodiscard]] double objective_without(std::size_t except) const;
  [[nodiscard]] std::size_t classes() const { return targets_.base_rates.size(); }
  // Lowers all weights, so that a rule can also be stronger than the strongest one.
  void lower_weights();
  bool improve(std::size_t r);
  bool add_rules(Control& control);

  Search& search_;
  const RiskTargets& targets_;
  const Settings& settings_;
  int threads_;
};

}  // namespace frr::internal
