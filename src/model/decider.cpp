#include "model/decider.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "base/float_mode.hpp"
#include "base/huge_pages.hpp"
#include "base/parallel.hpp"
#include "frr/error.hpp"
#include "model/inference.hpp"

namespace frr::internal {
namespace {

// Rows that one thread decides at a time: enough to outweigh the cost of starting it.
std::size_t task_rows(const RuleBase& base) {
  const bool quick = base.root == 1 && (base.tnorm.kind == TNormKind::product ||
                                        base.tnorm.kind == TNormKind::minimum);
  return std::size_t{quick ? 16384U : 1024U};
}

}  // namespace

Decider::Decider(const RuleBase& base, const ColumnMap& map, const DecisionKernel& kernel)
    : base_(base),
      kernel_(kernel),
      policy_(base.policy, base.classes.size()),
      input_of_(base.partition.features.size(), -1) {
  thens_.push_back(base.otherwise);
  for (const Rule& rule : base.rules) {
    thens_.push_back(rule.then);
    ReadRule& read = rules_.emplace_back();
    for (const Condition& c : rule.conditions) read.labels.push_back(add_label(map, c));
  }
  const bool additive = base.semantics == Semantics::additive;
  const std::size_t leads = additive ? base.classes.size() : 1;
  degrees_.resize(labels_.size() * block_rows);
  for (ReadRule& rule : rules_) {
    for (const std::size_t label : rule.labels) {
      rule.degrees.push_back(degrees_.data() + label * block_rows);
    }
  }
  truth_.resize(block_rows);
  sums_.resize(additive ? leads * block_rows : 0);
  scores_.resize(leads * block_rows);
  leaders_.resize(leads * block_rows);
  const bool empty_rule = std::any_of(rules_.begin(), rules_.end(),
                                      [](const ReadRule& rule) { return rule.labels.empty(); });
  if (additive || base.tnorm.kind != TNormKind::product || base.root != 1 || empty_rule) return;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    products_.push_back({rules_[r].degrees, base.rules[r].weight});
  }
}

void Decider::observe(Observer observer) {
  observer_ = std::move(observer);
  products_.clear();  // the truth of each rule is needed
}

std::size_t Decider::add_input(const ColumnMap& map, int feature) {
  int& index = input_of_[static_cast<std::size_t>(feature)];
  if (index >= 0) return static_cast<std::size_t>(index);
  index = static_cast<int>(inputs_.size());
  inputs_.push_back({.column = map.column(feature),
                     .labels = map.category_labels(feature),
                     .values = nullptr,
                     .copied = {}});
  return inputs_.size() - 1;
}

// Rules that read the same label share its degrees.
std::size_t Decider::add_label(const ColumnMap& map, const Condition& condition) {
  const std::size_t input = add_input(map, condition.feature);
  const Feature& feature = base_.partition.features[static_cast<std::size_t>(condition.feature)];
  const Label* label = &feature.labels[static_cast<std::size_t>(condition.label)];
  const auto found = std::find_if(labels_.begin(), labels_.end(),
                                  [&](const ReadLabel& other) { return other.label == label; });
  if (found != labels_.end()) return static_cast<std::size_t>(found - labels_.begin());
  labels_.push_back({input, label, static_cast<double>(condition.label)});
  return labels_.size() - 1;
}

void Decider::decide(std::size_t first, std::span<Decision> out) {
  const FloatMode mode(Denormals::keep);
  for (std::size_t done = 0; done < out.size(); done += block_rows) {
    count_ = std::min(block_rows, out.size() - done);
    for (Input& input : inputs_) {
      // The kernels read whole steps, so the last rows are copied to where more may be read after
      // them.
      const double* plain = input.column.numbers.plain();
      if (input.column.type == ColumnType::numeric && plain != nullptr && count_ == block_rows) {
        input.values = plain + first + done;
      } else if (input.column.type == ColumnType::numeric) {
        input.copied.resize(block_rows);
        input.values = input.copied.data();
        input.column.numbers.copy_block(first + done, count_, input.copied.data());
      } else {
        load(input, count_, [&](std::size_t i) { return first + done + i; });
      }
      if (refuse_infinite_) check_finite(input, first + done);
    }
    decide_block(out.subspan(done, count_));
  }
}

void Decider::decide(std::span<const std::uint32_t> rows, std::span<Decision> out) {
  const FloatMode mode(Denormals::keep);
  for (std::size_t done = 0; done < out.size(); done += block_rows) {
    count_ = std::min(block_rows, out.size() - done);
    for (Input& input : inputs_) {
      load(input, count_, [&](std::size_t i) { return rows[done + i]; });
    }
    decide_block(out.subspan(done, count_));
  }
}

template <typename RowOf>
void Decider::load(Input& input, std::size_t count, const RowOf& row_of) {
  const ColumnView& column = input.column;
  input.copied.resize(block_rows);
  input.values = input.copied.data();
  if (column.type == ColumnType::numeric) {
    return column.numbers.copy(count, row_of, input.copied.data());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t code = column.codes[row_of(i)];
    input.copied[i] = code == Column::missing_code ? std::numeric_limits<double>::quiet_NaN()
                                                   : input.labels[static_cast<std::size_t>(code)];
  }
}

void Decider::check_finite(const Input& input, std::size_t first) const {
  const std::size_t whole = count_ / step_rows * step_rows;
  const auto rest = std::span(input.values + whole, count_ - whole);
  const bool in_rest =
      std::any_of(rest.begin(), rest.end(), [](double x) { return std::isinf(x); });
  if (!in_rest && !kernel_.any_infinite(input.values, whole)) return;
  std::size_t row = 0;
  while (!std::isinf(input.values[row])) ++row;
  fail_data("column '" + std::string(input.column.name) + "' is infinite in row " +
            std::to_string(first + row) +
            " (the first is row 0); give a finite number, or NaN for a missing value");
}

void Decider::fill_degrees(const ReadLabel& read, double* degrees) const {
  const Input& input = inputs_[read.input];
  const bool numeric = input.column.type == ColumnType::numeric;
  switch (read.label->kind) {
    case LabelKind::range:
      if (numeric) return kernel_.range_degrees(read.label->shape, input.values, degrees, count_);
      break;
    case LabelKind::category:
      if (!numeric) return kernel_.category_degrees(read.category, input.values, degrees, count_);
      break;
    case LabelKind::missing:
      return kernel_.missing_degrees(input.values, degrees, count_);
  }
  // A column of the other type fits the feature only if all its values are missing.
  std::fill_n(degrees, count_, 0.0);
}

void Decider::fill_truth(const ReadRule& rule) {
  const std::size_t many = rule.degrees.size();
  double* const truth = truth_.data();
  if (many == 0) {
    std::fill_n(truth, count_, 1.0);
  } else if (many == 1 || base_.tnorm.kind == TNormKind::product) {
    kernel_.multiply(rule.degrees, truth, count_);
  } else if (base_.tnorm.kind == TNormKind::minimum) {
    kernel_.minimum(rule.degrees, truth, count_);
  } else {
    std::vector<double> degrees(many);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t k = 0; k < many; ++k) degrees[k] = rule.degrees[k][i];
      truth[i] = conjunction(base_.tnorm, degrees);
    }
  }
  if (base_.root == 1) return;
  for (std::size_t i = 0; i < count_; ++i) {
    if (truth[i] != 0) truth[i] = std::pow(truth[i], 1 / base_.root);
  }
}

void Decider::score_rules() {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = base_.rules[r];
    fill_truth(rules_[r]);
    if (observer_) observer_(r, {truth_.data(), count_});
    std::size_t own_lead = 0;
    if (base_.semantics == Semantics::additive) {
      own_lead = static_cast<std::size_t>(rule.then);
      kernel_.add_vote(rule.weight, truth_.data(), sums_.data() + own_lead * block_rows, count_);
    }
    kernel_.take_lead(rule.weight, truth_.data(), static_cast<std::int64_t>(r), lead(own_lead),
                      count_);
  }
}

void Decider::decide_block(std::span<Decision> out) {
  for (std::size_t label = 0; label < labels_.size(); ++label) {
    fill_degrees(labels_[label], degrees_.data() + label * block_rows);
  }
  std::fill(scores_.begin(), scores_.end(), 0.0);
  std::fill(leaders_.begin(), leaders_.end(), std::int64_t{Decision::otherwise});
  if (base_.semantics == Semantics::additive) {
    for (std::size_t c = 0; c < base_.classes.size(); ++c) {
      std::fill_n(sums_.data() + c * block_rows, block_rows,
                  base_.biases.empty() ? 0 : base_.biases[c]);
    }
  }
  if (products_.empty()) {
    score_rules();
  } else {
    kernel_.lead_of_products(products_, lead(0), count_);
  }
  base_.semantics == Semantics::additive ? decide_additive(out) : decide_sufficient(out);
}

void Decider::decide_sufficient(std::span<Decision> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    static_assert(Decision::otherwise == -1);
    const std::int64_t rule = leaders_[i];
    out[i] = {thens_[static_cast<std::size_t>(rule + 1)], static_cast<int>(rule), scores_[i]};
  }
}

void Decider::decide_additive(std::span<Decision> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int predicted = policy_.predict(sums_.data() + i, block_rows);
    const std::size_t at = static_cast<std::size_t>(predicted) * block_rows + i;
    out[i] = {predicted, static_cast<int>(leaders_[at]), scores_[at]};
  }
}

std::vector<Decision> decide_all(const RuleBase& base, const ColumnMap& map, int threads) {
  std::vector<Decision> decisions;
  reserve_large_pages(decisions, map.rows());
  decisions.resize(map.rows());
  decide_all(base, map, decisions, threads);
  return decisions;
}

void decide_all(const RuleBase& base, const ColumnMap& map, std::span<Decision> out, int threads) {
  if (out.size() != map.rows()) {
    fail_usage("there is room for " + std::to_string(out.size()) + " decisions of " +
               std::to_string(map.rows()) + " rows; give one place a row");
  }
  parallel_blocks(threads, out.size(), task_rows(base), [&](std::size_t from, std::size_t to) {
    Decider(base, map).decide(from, out.subspan(from, to - from));
  });
}

}  // namespace frr::internal
