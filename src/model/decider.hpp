// Decides many rows: block by block, and within a block label by label and rule by rule, so that
// each step is vector code. The decisions equal those of decide() in inference.hpp, bit for bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "kernels/decision_kernel.hpp"
#include "model/column_map.hpp"

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
  // Per rule: the number of rows so far that it covers. Counted only on request.
  void count_coverage();
  [[nodiscard]] std::span<const std::size_t> coverage() const { return coverage_; }
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
  std::vector<std::size_t> coverage_;
};

std::vector<Decision> decide_all(const RuleBase& base, const ColumnMap& map, int threads = 0);
// The same into existing memory: one element per row.
void decide_all(const RuleBase& base, const ColumnMap& map, std::span<Decision> out,
                int threads = 0);

// For ELSE and then each rule: the number of rows of each class that it decides, and the number of
// all rows that it covers. Rows of an unknown class (-1) do not count; `rows` selects those that do
// (empty: all).
std::vector<std::int64_t> decision_counts(const RuleBase& base, const ColumnMap& map,
                                          std::span<const int> classes,
                                          std::span<const std::uint32_t> rows, int threads);
inline std::size_t decision_count_size(const RuleBase& base) {
  return (base.rules.size() + 1) * (base.classes.size() + 1);
}
void set_statistics(RuleBase& base, std::span<const std::int64_t> counts);
// Counts the training rows that each rule and ELSE decide and cover. `classes` holds the class
// index of each row (-1: unknown, skipped); `rows` selects the rows that count (empty: all).
void set_statistics(RuleBase& base, const ColumnMap& map, std::span<const int> classes,
                    std::span<const std::uint32_t> rows);

// Calls body(row, decision), in order, for `rows` (empty: all) from number `from` to `to` whose
// class is known (>= 0).
template <typename Body>
void for_each_decision(Decider& decider, std::span<const int> classes,
                       std::span<const std::uint32_t> rows, std::size_t from, std::size_t to,
                       const Body& body) {
  std::uint32_t known[Decider::block_rows];
  Decision decisions[Decider::block_rows];
  std::size_t count = 0;
  const auto flush = [&] {
    decider.decide({known, count}, {decisions, count});
    for (std::size_t i = 0; i < count; ++i) body(known[i], decisions[i]);
    count = 0;
  };
  for (std::size_t i = from; i < to; ++i) {
    const std::uint32_t row = rows.empty() ? static_cast<std::uint32_t>(i) : rows[i];
    if (classes[row] < 0) continue;
    known[count++] = row;
    if (count == Decider::block_rows) flush();
  }
  flush();
}
template <typename Body>
void for_each_decision(Decider& decider, std::span<const int> classes,
                       std::span<const std::uint32_t> rows, const Body& body) {
  for_each_decision(decider, classes, rows, 0, rows.empty() ? classes.size() : rows.size(), body);
}

}  // namespace frr::internal
