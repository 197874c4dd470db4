#include "additive/learn_additive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "additive/borders.hpp"
#include "additive/candidates.hpp"
#include "additive/points.hpp"
#include "additive/truth.hpp"
#include "labels/partition.hpp"
#include "search/tune.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t tried_candidates = 3;
constexpr std::size_t tried_borders = 2;
constexpr std::size_t most_classes = 8;  // that candidates are looked for, those fitted worst
constexpr int rounds = 2;                // of growing and moving borders
constexpr double rough = 0.02;           // tolerance of fits that only compare, in nats
constexpr double exact = 1e-7;
constexpr double least_gain = 1e-3;  // that is worth a change

struct Term {
  LabelRule rule;
  std::vector<float> truth;
};

class AdditiveSearch {
 public:
  AdditiveSearch(const AdditiveTask& task, Partition& partition, Memberships& memberships,
                 Control& control)
      : task_(task),
        partition_(partition),
        memberships_(memberships),
        control_(control),
        conjunction_(task.settings.tnorm, task.settings.root),
        grids_(partition.features.size()) {
    if (card()) make_labels_crisp();
    for (const LabelRule& rule : task.start) {
      if (!known(rule)) terms_.push_back({rule, conjunction_.truth(memberships_, rule.labels)});
    }
    fit_ = fitted(terms_, nullptr, rough);
  }

  AdditiveRules run() {
    for (int round = 0; round < rounds; ++round) {
      const bool grown = task_.settings.polish && grow();
      const bool moved = task_.settings.tune && move_borders();
      if (!grown && !moved) break;
    }
    if (task_.settings.polish) prune();
    drop_idle();
    fit_ = fitted(terms_, &fit_, exact);
    AdditiveRules result;
    if (card()) result.nats_per_point = round_weights();
    result.biases = fit_.biases;
    result.objective = -objective(terms_, fit_);
    for (std::size_t r = 0; r < terms_.size(); ++r) {
      result.rules.push_back(terms_[r].rule);
      result.rules.back().weight = fit_.weights[r];
    }
    return result;
  }

 private:
  [[nodiscard]] bool known(const LabelRule& rule) const {
    return std::ranges::any_of(terms_, [&](const Term& term) {
      return term.rule.then == rule.then &&
             std::ranges::is_permutation(term.rule.labels, rule.labels);
    });
  }

  [[nodiscard]] bool out_of_time() {
    control_.report(Progress::Stage::polish, 0.6);
    return control_.out_of_time();
  }

  [[nodiscard]] AdditiveFit fitted(const std::vector<Term>& terms, const AdditiveFit* start,
                                   double tolerance, double next_weight = 0) const {
    return fit_additive(task_.examples, truths_of(terms),
                        {.start = start,
                         .next_weight = next_weight,
                         .tolerance = tolerance,
                         .threads = task_.threads});
  }

  static std::vector<RuleTruth> truths_of(const std::vector<Term>& terms) {
    std::vector<RuleTruth> truths;
    truths.reserve(terms.size());
    for (const Term& term : terms) truths.push_back({term.rule.then, term.truth});
    return truths;
  }

  [[nodiscard]] double objective(const std::vector<Term>& terms, const AdditiveFit& fit) const {
    double conditions = 0;
    for (const Term& term : terms) conditions += static_cast<double>(term.rule.labels.size());
    return fit.loss + additive_price(task_.settings) * conditions;
  }

  [[nodiscard]] std::vector<std::vector<float>> probabilities(std::span<const int> classes) const {
    return additive_probabilities(task_.examples, truths_of(terms_), fit_, classes, task_.threads);
  }

  // ---- Growing ----------------------------------------------------------------------------------

  // Of two classes one stands for both. Of many, those whose rows have the largest loss.
  [[nodiscard]] std::vector<int> classes_to_explain() const {
    const std::size_t count = task_.examples.class_count;
    if (count == 2) return {1};
    std::vector<int> classes(count);
    std::iota(classes.begin(), classes.end(), 0);
    if (count <= most_classes) return classes;
    const std::vector<std::vector<float>> all = probabilities(classes);
    std::vector<double> loss(count, 0);
    for (std::size_t i = 0; i < task_.examples.classes.size(); ++i) {
      const auto c = static_cast<std::size_t>(task_.examples.classes[i]);
      loss[c] -= static_cast<double>(task_.examples.weights[i]) *
                 std::log(std::max(static_cast<double>(all[c][i]), 1e-30));
    }
    std::stable_sort(classes.begin(), classes.end(), [&](int x, int y) {
      return loss[static_cast<std::size_t>(x)] > loss[static_cast<std::size_t>(y)];
    });
    classes.resize(most_classes);
    std::sort(classes.begin(), classes.end());
    return classes;
  }

  bool grow() {
    bool grown = false;
    while (terms_.size() < static_cast<std::size_t>(task_.settings.rules) && !out_of_time()) {
      if (!add_rule()) break;
      grown = true;
    }
    return grown;
  }

  bool add_rule() {
    const std::vector<int> classes = classes_to_explain();
    const CandidateSearch search{
        .memberships = memberships_,
        .conjunction = conjunction_,
        .rows = task_.examples,
        .most_conditions = static_cast<std::size_t>(task_.settings.conditions),
        .price = additive_price(task_.settings),
        .threads = task_.threads};
    const std::vector<AdditiveCandidate> candidates =
        find_candidates(search, classes, probabilities(classes), tried_candidates);
    double best = objective(terms_, fit_) - least_gain;
    bool found = false;
    Term best_term;
    AdditiveFit best_fit;
    for (const AdditiveCandidate& candidate : candidates) {
      terms_.push_back({candidate.rule, conjunction_.truth(memberships_, candidate.rule.labels)});
      AdditiveFit fit = fitted(terms_, &fit_, rough, candidate.rule.weight);
      const double value = objective(terms_, fit);
      if (value < best) {
        best = value;
        best_fit = std::move(fit);
        best_term = std::move(terms_.back());
        found = true;
      }
      terms_.pop_back();
    }
    if (!found) return false;
    terms_.push_back(std::move(best_term));
    fit_ = std::move(best_fit);
    return true;
  }

  // ---- Moving borders ---------------------------------------------------------------------------

  bool move_borders() {
    bool moved = false;
    for (std::size_t j = 0; j < partition_.features.size(); ++j) {
      const Feature& feature = partition_.features[j];
      if (feature.type != ColumnType::numeric || task_.fixed[j]) continue;
      for (std::size_t b = 0; b < borders_of(feature).size(); ++b) {
        if (out_of_time()) return moved;
        const std::size_t left = memberships_.first()[j] + b;
        if (!readers(left).empty()) moved = move_border(j, b) || moved;
      }
    }
    return moved;
  }

  // The rules that read one of the two labels beside a border.
  [[nodiscard]] std::vector<std::size_t> readers(std::size_t left) const {
    std::vector<std::size_t> found;
    for (std::size_t r = 0; r < terms_.size(); ++r) {
      for (const std::size_t d : terms_[r].rule.labels) {
        if (d == left || d == left + 1) found.push_back(r);
      }
    }
    return found;
  }

  [[nodiscard]] bool reads(std::size_t r, std::size_t label) const {
    const std::vector<std::size_t>& labels = terms_[r].rule.labels;
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }

  // T over the conditions of rule r but the one on this label.
  [[nodiscard]] std::vector<float> without(std::size_t r, std::size_t label) const {
    std::vector<float> product(memberships_.rows(), 1.0F);
    for (const std::size_t d : terms_[r].rule.labels) {
      if (d != label)
        conjunction_.join(product.data(), memberships_.column(d).data(), product.size());
    }
    return product;
  }

  bool move_border(std::size_t j, std::size_t b) {
    Feature& feature = partition_.features[j];
    const Column& column = *task_.table.find(feature.name);
    const std::vector<Border> now = borders_of(feature);
    const double from = b == 0 ? -HUGE_VAL : now[b - 1].end;
    const double to = b + 1 == now.size() ? HUGE_VAL : now[b + 1].start;
    if (grids_[j].empty()) grids_[j] = tuning_grid(column, task_.rows, grid_points());
    const std::size_t left = memberships_.first()[j] + b;
    const std::vector<BorderChange> places = best_borders(
        border_rows(feature, b, left, now[b]), grids_[j], from, to, tried_borders, card());
    for (const BorderChange& place : places) {
      if (place.change > -least_gain) break;
      if (try_border(feature, j, b, left, place.border)) return true;
    }
    return false;
  }

  [[nodiscard]] int grid_points() const {
    return task_.settings.grid > 0 ? task_.settings.grid : automatic_grid(task_.rows.size());
  }

  [[nodiscard]] std::vector<BorderRow> border_rows(const Feature& feature, std::size_t b,
                                                   std::size_t left, const Border& border) const {
    const Column& column = *task_.table.find(feature.name);
    const Trapezoid falling{-HUGE_VAL, -HUGE_VAL, border.start, border.end};
    Trapezoid left_far = feature.labels[b].shape, right_far = feature.labels[b + 1].shape;
    left_far.c = left_far.d = HUGE_VAL;
    right_far.a = right_far.b = -HUGE_VAL;
    const std::size_t rows = task_.rows.size();
    // a_c of the classes whose rules read one of the labels.
    std::vector<int> classes;
    std::vector<std::vector<float>> effects;
    for (const std::size_t r : readers(left)) {
      const int then = terms_[r].rule.then;
      const auto known = std::find(classes.begin(), classes.end(), then);
      const auto k = static_cast<std::size_t>(known - classes.begin());
      if (known == classes.end()) {
        classes.push_back(then);
        effects.emplace_back(rows, 0.0F);
      }
      const bool falls = reads(r, left);
      std::vector<float> rest = without(r, falls ? left : left + 1);
      const Trapezoid& far = falls ? left_far : right_far;
      for (std::size_t i = 0; i < rows; ++i) {
        rest[i] *= static_cast<float>(far(column.values[task_.rows[i]]));
      }
      conjunction_.take_root(rest.data(), rows);
      const auto weight = static_cast<float>(falls ? fit_.weights[r] : -fit_.weights[r]);
      for (std::size_t i = 0; i < rows; ++i) effects[k][i] += weight * rest[i];
    }
    const std::vector<std::vector<float>> p = probabilities(classes);
    std::vector<BorderRow> result;
    result.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = column.values[task_.rows[i]];
      if (std::isnan(x)) continue;
      double mean = 0, square = 0, of_class = 0;
      for (std::size_t k = 0; k < classes.size(); ++k) {
        const auto effect = static_cast<double>(effects[k][i]);
        const auto share = static_cast<double>(p[k][i]);
        mean += share * effect;
        square += share * effect * effect;
        if (task_.examples.classes[i] == classes[k]) of_class = effect;
      }
      const auto weight = static_cast<double>(task_.examples.weights[i]);
      result.push_back({.value = x,
                        .membership = falling(x),
                        .slope = weight * (mean - of_class),
                        .curvature = weight * (square - mean * mean)});
    }
    return result;
  }

  // Moves the border if the refitted rules are better with it.
  bool try_border(Feature& feature, std::size_t j, std::size_t b, std::size_t left,
                  const Border& border) {
    const Column& column = *task_.table.find(feature.name);
    const Feature before = feature;
    set_border(feature, b, border);
    std::vector<std::vector<float>> old;
    const std::vector<std::size_t> moved = readers(left);
    for (const std::size_t side : {left, left + 1}) {
      std::vector<float> column_now(task_.rows.size());
      fill_memberships(column_now, feature.labels[side - memberships_.first()[j]], column,
                       task_.rows);
      for (const std::size_t r : moved) {
        if (!reads(r, side)) continue;
        std::vector<float> truth = without(r, side);
        conjunction_.join(truth.data(), column_now.data(), truth.size());
        conjunction_.take_root(truth.data(), truth.size());
        old.push_back(std::exchange(terms_[r].truth, std::move(truth)));
      }
    }
    AdditiveFit fit = fitted(terms_, &fit_, rough);
    if (fit.loss < fit_.loss - least_gain) {
      fit_ = std::move(fit);
      memberships_.refresh(feature, j, column, task_.rows, task_.threads);
      return true;
    }
    feature = before;
    std::size_t k = 0;
    for (const std::size_t side : {left, left + 1}) {
      for (const std::size_t r : moved) {
        if (reads(r, side)) terms_[r].truth = std::move(old[k++]);
      }
    }
    return false;
  }

  // ---- Pruning ----------------------------------------------------------------------------------

  void prune() {
    while (!terms_.empty() && !out_of_time()) {
      if (!prune_once()) break;
    }
  }

  // The change that lowers the objective most: a rule less, or a condition less.
  bool prune_once() {
    double best = objective(terms_, fit_) - least_gain;
    std::vector<Term> best_terms;
    AdditiveFit best_fit;
    bool found = false;
    const auto consider = [&](std::vector<Term> terms, const AdditiveFit& start) {
      AdditiveFit fit = fitted(terms, &start, rough);
      const double value = objective(terms, fit);
      if (value >= best) return;
      best = value;
      best_terms = std::move(terms);
      best_fit = std::move(fit);
      found = true;
    };
    for (std::size_t r = 0; r < terms_.size(); ++r) {
      std::vector<Term> terms = terms_;
      AdditiveFit start = fit_;
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(r));
      start.weights.erase(start.weights.begin() + static_cast<std::ptrdiff_t>(r));
      consider(std::move(terms), start);
      const std::size_t length = terms_[r].rule.labels.size();
      for (std::size_t k = 0; length > 1 && k < length; ++k) {
        terms = terms_;
        LabelRule& rule = terms[r].rule;
        rule.labels.erase(rule.labels.begin() + static_cast<std::ptrdiff_t>(k));
        terms[r].truth = conjunction_.truth(memberships_, rule.labels);
        consider(std::move(terms), fit_);
      }
    }
    if (!found) return false;
    terms_ = std::move(best_terms);
    fit_ = std::move(best_fit);
    return true;
  }

  void drop_idle() {
    for (std::size_t r = terms_.size(); r-- > 0;) {
      if (fit_.weights[r] > 0) continue;
      terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(r));
      fit_.weights.erase(fit_.weights.begin() + static_cast<std::ptrdiff_t>(r));
    }
  }

  // ---- Points -----------------------------------------------------------------------------------

  // A scorecard is learned, so that its rules are true or false.
  [[nodiscard]] bool card() const { return task_.settings.points > 0; }

  void make_labels_crisp() {
    for (std::size_t j = 0; j < partition_.features.size(); ++j) {
      Feature& feature = partition_.features[j];
      if (feature.type != ColumnType::numeric) continue;
      for (Label& label : feature.labels) make_crisp(label);
      memberships_.refresh(feature, j, *task_.table.find(feature.name), task_.rows, task_.threads);
    }
  }

  // Rounds the weights to points; returns the nats of a point, unless no rule is left.
  std::optional<double> round_weights() {
    std::vector<PointsRule> rules;
    for (std::size_t r = 0; r < terms_.size(); ++r) {
      const double sign = terms_[r].rule.then == 1 ? 1 : -1;
      rules.push_back(
          {terms_[r].truth, sign * fit_.weights[r],
           additive_price(task_.settings) * static_cast<double>(terms_[r].rule.labels.size())});
    }
    const Points card = fit_points(task_.examples, rules, task_.settings.points);
    for (std::size_t r = 0; r < terms_.size(); ++r) {
      fit_.weights[r] = std::abs(card.of_rule[r]) * card.nats_per_point;
    }
    drop_idle();
    fit_.loss = card.loss;
    const double more = std::log1p(std::exp(-std::abs(card.bias)));
    fit_.biases = {-std::max(card.bias, 0.0) - more, std::min(card.bias, 0.0) - more};
    if (terms_.empty()) return {};
    return card.nats_per_point;
  }

  const AdditiveTask& task_;
  Partition& partition_;
  Memberships& memberships_;
  Control& control_;
  Conjunction conjunction_;
  std::vector<Term> terms_;
  AdditiveFit fit_;
  std::vector<std::vector<double>> grids_;  // per feature, made when first needed
};

}  // namespace

AdditiveRules learn_additive(const AdditiveTask& task, Partition& partition,
                             Memberships& memberships, Control& control) {
  return AdditiveSearch(task, partition, memberships, control).run();
}

}  // namespace frr::internal
