#include "search/additive_rules.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/polish.hpp"

namespace frr::internal {
namespace {

// Sums of scores by row and class, of all rules but one.
class ScoreSums {
 public:
  explicit ScoreSums(const Search& search)
      : search_(search), rows_(search.rows()), sums_(rows_.classes.size() * rows_.class_count, 0) {}

  void add_all_but(std::size_t except) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t r = 0; r < search_.rules().size(); ++r) {
      if (r == except) continue;
      const auto score = search_.score(r);
      const auto then = static_cast<std::size_t>(search_.rules()[r].then);
      for (std::size_t i = 0; i < score.size(); ++i) {
        sums_[i * rows_.class_count + then] += score_of_steps(score[i]);
      }
    }
  }

  // Weighted rows that are right if a rule of this class adds `weight` times `truth`.
  [[nodiscard]] double right_with(std::span<const double> truth, std::size_t then,
                                  double weight) const {
    double right = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double* sums = sums_.data() + i * rows_.class_count;
      int best = search_.otherwise();
      double top = 0;
      for (std::size_t c = 0; c < rows_.class_count; ++c) {
        const double sum = sums[c] + (c == then ? weight * truth[i] : 0);
        if (sum > top) top = sum, best = static_cast<int>(c);
      }
      if (best == rows_.classes[i]) right += static_cast<double>(rows_.weights[i]);
    }
    return right;
  }

 private:
  const Search& search_;
  const SearchRows& rows_;
  std::vector<double> sums_;
};

std::vector<double> truth_of(const Search& search, std::size_t r) {
  const auto score = search.score(r);
  const double weight = search.rules()[r].weight;
  std::vector<double> truth;
  truth.reserve(score.size());
  for (const float x : score) truth.push_back(score_of_steps(x) / weight);
  return truth;
}

}  // namespace

double fit_additive_rules(Search& search, const Settings& settings, Control& control) {
  constexpr double least = 1e-6;
  ScoreSums scores(search);
  const std::size_t classes = search.rows().class_count;
  bool improved = true;
  for (int sweep = 0; sweep < settings.sweeps && improved && !control.out_of_time(); ++sweep) {
    improved = false;
    for (std::size_t r = 0; r < search.rules().size();) {
      control.report(Progress::Stage::polish, 0.6);
      LabelRule rule = search.rules()[r];
      const std::vector<double> truth = truth_of(search, r);
      scores.add_all_but(r);
      const double cost = search.price() * static_cast<double>(rule.labels.size());
      const double now =
          scores.right_with(truth, static_cast<std::size_t>(rule.then), rule.weight) - cost;
      double best = now;
      for (std::size_t c = 0; c < classes; ++c) {
        for (int k = 0; k < weight_steps; ++k) {
          const double weight = score_of_steps(-k);
          const double objective = scores.right_with(truth, c, weight) - cost;
          if (objective > best + least) {
            best = objective;
            rule.then = static_cast<int>(c);
            rule.weight = weight;
          }
        }
      }
      if (scores.right_with(truth, 0, 0) >= best) {
        search.erase(r);
        search.choose_otherwise();
        improved = true;
        continue;
      }
      if (best > now + least) {
        search.replace(r, rule);
        improved = true;
      }
      ++r;
    }
  }
  const std::vector<double> none(search.rows().classes.size(), 0);
  scores.add_all_but(search.rules().size());
  const double objective =
      scores.right_with(none, 0, 0) - search.price() * static_cast<double>(search.conditions());
  std::vector<LabelRule> kept = search.rules();
  while (!search.rules().empty()) search.erase(search.rules().size() - 1);
  search.choose_otherwise();
  scores.add_all_but(0);
  const double alone = scores.right_with(none, 0, 0);
  if (alone >= objective) return alone;
  for (LabelRule& rule : kept) search.append(std::move(rule));
  search.choose_otherwise();
  return objective;
}

}  // namespace frr::internal
