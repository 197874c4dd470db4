// Decides many rows: block by block, and within a block label by label and rule by rule, so that
// each step is vector code. The decisions equal those of decide() in inference.hpp, bit for bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "kernels/decision_kernel.hpp"
#include "model/column_map.hpp"
#include "model/policy.hpp"

namespace frr::internal {

// Holds references to both arguments, and scratch memory: use one per thread.
class Decider {
 public:
  static constexpr std::size_t block_rows = 64;

  Decider(const RuleBase& base, const ColumnMap& map,
          const DecisionKernel& kernel = decision_kernel());
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  // Decides the rows first, first + 1, ...
  void decide(std::size_t first, std::span<Decision> out);
  // Decides `rows`; out.size() == rows.size().
  void decide(std::span<const std::uint32_t> rows, std::span<Decision> out);
  // From now on calls observer(rule, truths) for each rule and block, before the block's rows are
  // decided; truths: those of the rows, in order.
  using Observer = std::function<void(std::size_t rule, std::span<const double> truths)>;
  void observe(Observer observer);
  // From now on throws Error{data} for an infinite number: for columns that were not checked
  // before.
  void refuse_infinite() { refuse_infinite_ = true; }

 private:
  struct Input {
    ColumnView column;
    std::span<const int> labels;     // a categorical column: category code -> label or -1
    const double* values = nullptr;  // of the current block; NaN: missing
    std::vector<double> copied;      // if the column does not hold them in this form
  };
  struct ReadLabel {
    std::size_t input;
    const Label* label;
    double category;
  };
  struct ReadRule {
    std::vector<std::size_t> labels;     // into labels_, one per condition
    std::vector<const double*> degrees;  // of the current block, one per condition
  };

  std::size_t add_input(const ColumnMap& map, int feature);
  std::size_t add_label(const ColumnMap& map, const Condition& condition);
  template <typename RowOf>
  void load(Input& input, std::size_t count, const RowOf& row_of);
  void check_finite(const Input& input, std::size_t first) const;
  void fill_degrees(const ReadLabel& label, double* degrees) const;
  void fill_truth(const ReadRule& rule);
  void score_rules();
  void decide_block(std::span<Decision> out);
  void decide_sufficient(std::span<Decision> out) const;
  void decide_additive(std::span<Decision> out) const;
  [[nodiscard]] Lead lead(std::size_t index) {
    return {scores_.data() + index * block_rows, leaders_.data() + index * block_rows};
  }

  const RuleBase& base_;
  const DecisionKernel& kernel_;
  ScorePolicy policy_;
  std::vector<int> input_of_;  // per feature: into inputs_, or -1
  std::vector<Input> inputs_;
  std::vector<ReadLabel> labels_;
  std::vector<ReadRule> rules_;
  std::vector<int> thens_;             // class of ELSE, then of each rule
  std::vector<ProductRule> products_;  // of all rules, if their truths are plain products
  std::size_t count_ = 0;              // rows of the current block
  bool refuse_infinite_ = false;
  // [label][row], [row], and [class][row] (sufficient semantics: one lead for all classes)
  std::vector<double> degrees_, truth_, sums_, scores_;
  std::vector<std::int64_t> leaders_;
  Observer observer_;
};

std::vector<Decision> decide_all(const RuleBase& base, const ColumnMap& map, int threads = 0);
// The same into existing memory: one element per row.
void decide_all(const RuleBase& base, const ColumnMap& map, std::span<Decision> out,
                int threads = 0);

// Calls body(rows) for blocks of at most Decider::block_rows of `rows` (empty: all), in order, from
// number `from` to `to`. Rows of an unknown class (-1) are left out.
template <typename Body>
void for_each_known_block(std::span<const int> classes, std::span<const std::uint32_t> rows,
                          std::size_t from, std::size_t to, const Body& body) {
  std::uint32_t known[Decider::block_rows];
  std::size_t count = 0;
  for (std::size_t i = from; i < to; ++i) {
    const std::uint32_t row = rows.empty() ? static_cast<std::uint32_t>(i) : rows[i];
    if (classes[row] < 0) continue;
    known[count++] = row;
    if (count < Decider::block_rows) continue;
    body(std::span<const std::uint32_t>(known, count));
    count = 0;
  }
  if (count > 0) body(std::span<const std::uint32_t>(known, count));
}

// Calls body(row, decision), in order, for `rows` (empty: all) whose class is known (>= 0).
template <typename Body>
void for_each_decision(Decider& decider, std::span<const int> classes,
                       std::span<const std::uint32_t> rows, const Body& body) {
  for_each_known_block(classes, rows, 0, rows.empty() ? classes.size() : rows.size(),
                       [&](std::span<const std::uint32_t> block) {
                         Decision decisions[Decider::block_rows];
                         decider.decide(block, {decisions, block.size()});
                         for (std::size_t i = 0; i < block.size(); ++i) {
                           body(block[i], decisions[i]);
                         }
                       });
}

}  // namespace frr::internal
