#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/huge_pages.hpp"
#include "base/parallel.hpp"

namespace frr::internal {
namespace {

const double log_step = std::log(step_factor);

// For a large lambda (-log x)^lambda exceeds the range of a float, but the t-norm is close to the
// minimum: its logarithm differs by at most 7% for three conditions. The search uses the minimum.
bool near_minimum(const TNorm& tnorm) {
  return tnorm.kind == TNormKind::aczel_alsina && tnorm.lambda > 16;
}

template <typename Range>
double total(const Range& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

}  // namespace

CostScale::CostScale(const TNorm& tnorm, double root)
    : tnorm_(tnorm),
      minimum_(tnorm.kind == TNormKind::minimum || near_minimum(tnorm)),
      linear_(tnorm.kind == TNormKind::product ||
              (tnorm.kind == TNormKind::aczel_alsina && tnorm.lambda == 1)),
      inverse_root_(1 / root) {}

float CostScale::cost(float membership) const {
  const double x = membership;
  if (x >= 1) return 0;
  if (minimum_) return x > 0 ? static_cast<float>(-std::log(x) / log_step * inverse_root_) : never;
  switch (tnorm_.kind) {
    case TNormKind::product:
    case TNormKind::minimum:
      break;
    case TNormKind::lukasiewicz:
      return static_cast<float>(1 - x);
    case TNormKind::hamacher:
      return x > 0 ? static_cast<float>((1 - x) / x) : never;
    case TNormKind::aczel_alsina:
      if (linear_) break;
      return x > 0 ? static_cast<float>(std::pow(-std::log(x), tnorm_.lambda)) : never;
  }
  return x > 0 ? static_cast<float>(-std::log(x) / log_step * inverse_root_) : never;
}

float CostScale::factor() const { return static_cast<float>(inverse_root_ / log_step); }

float CostScale::steps(float cost) const {
  if (linear_ || minimum_) return cost;
  const double y = cost;
  double negative_log = y;
  switch (tnorm_.kind) {
    case TNormKind::lukasiewicz:
      negative_log = y < 1 ? -std::log1p(-y) : HUGE_VAL;
      break;
    case TNormKind::hamacher:
      negative_log = std::log1p(y);
      break;
    case TNormKind::aczel_alsina:
      negative_log = std::pow(y, 1 / tnorm_.lambda);
      break;
    case TNormKind::product:
    case TNormKind::minimum:
      break;
  }
  return static_cast<float>(negative_log / log_step * inverse_root_);
}

Search::Search(const SearchRows& rows, const Settings& settings, std::vector<LabelRule> rules,
               int threads)
    : rows_(rows),
      scale_(settings.tnorm, settings.root),
      margin_(settings.margin),
      price_(condition_price(settings, total(rows.weights))),
      rules_(std::move(rules)) {
  costs_.resize(rows_.memberships->labels());
  if (panels()) {
    const std::size_t size = panel_count(costs_.size()) * panel_width * rows_.classes.size();
    reserve_large_pages(panels_, size);
    panels_.assign(size, cost_never);
  }
  parallel_blocks(threads, costs_.size(), panel_width, [&](std::size_t from, std::size_t to) {
    for (std::size_t d = from; d < to; ++d) refresh(d);
  });
  scores_.resize(rules_.size());
  for (std::size_t r = 0; r < rules_.size(); ++r) rescore(r);
  choose_otherwise();
}

std::size_t Search::conditions() const {
  std::size_t count = 0;
  for (const LabelRule& rule : rules_) count += rule.labels.size();
  return count;
}

void Search::replace(std::size_t r, LabelRule rule) {
  rules_[r] = std::move(rule);
  rescore(r);
}

void Search::append(LabelRule rule) {
  rules_.push_back(std::move(rule));
  scores_.emplace_back();
  rescore(rules_.size() - 1);
}

void Search::erase(std::size_t r) {
  rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(r));
  scores_.erase(scores_.begin() + static_cast<std::ptrdiff_t>(r));
}

void Search::refresh(std::size_t label, int threads) {
  std::vector<float>& all = costs_[label];
  all.resize(rows_.classes.size());
  const std::size_t panel = label / panel_width * panel_width;
  const std::size_t width = panel_width_of(label, costs_.size());
  parallel_blocks(threads, all.size(), block_rows, [&](std::size_t from, std::size_t to) {
    const std::span<float> column = std::span(all).subspan(from, to - from);
    std::copy_n(rows_.memberships->column(label).data() + from, column.size(), column.begin());
    if (scale_.linear()) {
      costs_of(column, scale_.factor());
    } else {
      for (float& x : column) x = scale_.cost(x);
    }
    if (!panels()) return;
    std::uint16_t* panel_costs =
        panels_.data() + panel * all.size() + from * width + (label - panel);
    for (std::size_t i = 0; i < column.size(); ++i) panel_costs[i * width] = panel_cost(column[i]);
  });
}

void Search::rescore(std::size_t r) {
  const LabelRule& rule = rules_[r];
  std::vector<float>& score = scores_[r];
  const float weight = steps_of_weight(rule.weight);
  if (scale_.linear()) {
    score.assign(rows_.classes.size(), weight);
    for (const std::size_t d : rule.labels) subtract(score, cost(d).data());
    return;
  }
  score.assign(rows_.classes.size(), 0);
  for (const std::size_t d : rule.labels) {
    const auto column = cost(d);
    for (std::size_t i = 0; i < score.size(); ++i) score[i] = scale_.join(score[i], column[i]);
  }
  for (float& x : score) x = weight - scale_.steps(x);
}

void Search::choose_otherwise() {
  std::vector<double> uncovered(rows_.class_count, 0), all(rows_.class_count, 0);
  for (std::size_t i = 0; i < rows_.classes.size(); ++i) {
    const auto y = static_cast<std::size_t>(rows_.classes[i]);
    all[y] += 1;  // unweighted: if all rows are covered, the most frequent class is the best guess
    const bool covered = std::any_of(scores_.begin(), scores_.end(),
                                     [&](const auto& score) { return score[i] > -never; });
    if (!covered) uncovered[y] += rows_.weights[i];
  }
  otherwise_ = choose_otherwise_class(uncovered, all);
}

void Search::best_of_others(std::size_t except, std::span<float> best,
                            std::span<int> best_class) const {
  best_of_others(except, 0, best, best_class);
}

void Search::best_of_others(std::size_t except, std::size_t first, std::span<float> best,
                            std::span<int> best_class) const {
  std::fill(best.begin(), best.end(), -never);
  std::fill(best_class.begin(), best_class.end(), otherwise_);
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (r == except) continue;
    take_best(scores_[r].data() + first, rules_[r].then, best, best_class.data());
  }
}

double Search::objective() const {
  const std::size_t n = rows_.classes.size();
  std::vector<float> right(n, -never), wrong(n, -never);
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      float& side = rules_[r].then == rows_.classes[i] ? right[i] : wrong[i];
      side = std::max(side, scores_[r][i]);
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += rows_.weights[i] *
           degree_right(right[i], wrong[i], otherwise_ == rows_.classes[i], margin_);
  }
  return sum - price_ * static_cast<double>(conditions());
}

double Search::correct() const {
  const std::size_t n = rows_.classes.size();
  std::vector<float> best(n);
  std::vector<int> best_class(n);
  best_of_others(rules_.size(), best, best_class);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += best_class[i] == rows_.classes[i] ? rows_.weights[i] : 0;
  return sum;
}

}  // namespace frr::internal
