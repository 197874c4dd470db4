#include "additive/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "additive/additive_kernel.hpp"
#include "base/parallel.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t beam_width = 6;
constexpr std::size_t slice_rows = 512;
constexpr double most_start_weight = 3;  // more is for the fit to find

// A conjunction in the beam.
struct Conjunct {
  std::vector<std::size_t> labels;  // ascending
  double gradient = 0;
  double half_curvature = 0;
  double gain = 0;
  std::vector<float> product;  // T over its memberships; empty until it is extended
};

class ClassSearch {
 public:
  ClassSearch(const CandidateSearch& search, int then, std::span<const float> probability)
      : search_(search),
        then_(then),
        two_sided_(search.rows.class_count == 2),
        gradient_(probability.size()),
        curvature_(probability.size()) {
    for (std::size_t i = 0; i < probability.size(); ++i) {
      const float p = probability[i], weight = search.rows.weights[i];
      gradient_[i] = weight * ((search.rows.classes[i] == then ? 1.0F : 0.0F) - p);
      curvature_[i] = weight * p * (1 - p);
      curvature_sum_ += static_cast<double>(curvature_[i]);
    }
  }

  // Appends what the beam has held at any length.
  void run(std::vector<AdditiveCandidate>& found) const {
    std::vector<Conjunct> beam(1);
    for (std::size_t length = 1; length <= search_.most_conditions; ++length) {
      std::vector<Conjunct> next;
      for (Conjunct& from : beam) extend(from, next);
      keep_best(next);
      if (next.empty()) break;
      beam = std::move(next);
      for (const Conjunct& conjunct : beam) found.push_back(candidate(conjunct));
    }
  }

 private:
  // All conjunctions with one label more.
  void extend(Conjunct& from, std::vector<Conjunct>& next) const {
    const Memberships& memberships = search_.memberships;
    fill_product(from);
    const std::vector<std::size_t> labels = further_labels(from);
    std::vector<Conjunct> found(labels.size());
    const bool much = labels.size() * memberships.rows() > 50000;
    parallel_for(much ? search_.threads : 1, labels.size(), [&](std::size_t k) {
      value(found[k], sums(from.product, memberships.column(labels[k])));
      if (found[k].gain <= from.gain) return;
      found[k].labels = from.labels;
      found[k].labels.insert(
          std::upper_bound(found[k].labels.begin(), found[k].labels.end(), labels[k]), labels[k]);
    });
    for (Conjunct& conjunct : found) {
      if (!conjunct.labels.empty()) next.push_back(std::move(conjunct));
    }
  }

  void fill_product(Conjunct& conjunct) const {
    conjunct.product.assign(search_.memberships.rows(), 1.0F);
    for (const std::size_t d : conjunct.labels) {
      search_.conjunction.join(conjunct.product.data(), search_.memberships.column(d).data(),
                               conjunct.product.size());
    }
  }

  // Of features that the conjunction does not read.
  [[nodiscard]] std::vector<std::size_t> further_labels(const Conjunct& conjunct) const {
    const Memberships& memberships = search_.memberships;
    std::vector<bool> read(memberships.features(), false);
    for (const std::size_t d : conjunct.labels) read[memberships.feature_of(d)] = true;
    std::vector<std::size_t> labels;
    for (std::size_t d = 0; d < memberships.labels(); ++d) {
      if (!read[memberships.feature_of(d)]) labels.push_back(d);
    }
    return labels;
  }

  [[nodiscard]] TruthSums sums(std::span<const float> product,
                               std::span<const float> membership) const {
    TruthSums result;
    float truth[slice_rows];
    for (std::size_t first = 0; first < product.size(); first += slice_rows) {
      const std::size_t count = std::min(slice_rows, product.size() - first);
      std::copy_n(product.data() + first, count, truth);
      search_.conjunction.join(truth, membership.data() + first, count);
      search_.conjunction.take_root(truth, count);
      add_truth_sums(truth, gradient_.data() + first, curvature_.data() + first, count, result);
    }
    return result;
  }

  void value(Conjunct& conjunct, const TruthSums& sums) const {
    conjunct.gradient = sums.gradient;
    if (sums.gradient <= 0 && !two_sided_) return;
    const double of_bias =
        curvature_sum_ > 0 ? sums.cross_curvature * sums.cross_curvature / curvature_sum_ : 0;
    conjunct.half_curvature = std::max(sums.curvature - of_bias, 0.0) + additive_ridge;
    conjunct.gain = sums.gradient * sums.gradient / (2 * conjunct.half_curvature);
  }

  // Of equal gain the first one found; the same conjunction may have been found in several ways.
  static void keep_best(std::vector<Conjunct>& conjuncts) {
    std::stable_sort(conjuncts.begin(), conjuncts.end(), [](const Conjunct& x, const Conjunct& y) {
      return x.gain != y.gain ? x.gain > y.gain : x.labels < y.labels;
    });
    std::vector<Conjunct> kept;
    for (Conjunct& conjunct : conjuncts) {
      const bool known = std::any_of(kept.begin(), kept.end(), [&](const Conjunct& other) {
        return other.labels == conjunct.labels;
      });
      if (!known) kept.push_back(std::move(conjunct));
      if (kept.size() == beam_width) break;
    }
    conjuncts = std::move(kept);
  }

  [[nodiscard]] AdditiveCandidate candidate(const Conjunct& conjunct) const {
    AdditiveCandidate result;
    result.rule.labels = conjunct.labels;
    result.rule.then = conjunct.gradient > 0 ? then_ : 1 - then_;
    result.rule.weight =
        std::min(std::abs(conjunct.gradient) / conjunct.half_curvature, most_start_weight);
    result.gain = conjunct.gain;
    return result;
  }

  const CandidateSearch& search_;
  int then_;
  bool two_sided_;
  std::vector<float> gradient_, curvature_;
  double curvature_sum_ = 0;
};

}  // namespace

std::vector<AdditiveCandidate> find_candidates(const CandidateSearch& search,
                                               std::span<const int> classes,
                                               std::span<const std::vector<float>> probabilities,
                                               std::size_t count) {
  std::vector<AdditiveCandidate> found;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    ClassSearch(search, classes[k], probabilities[k]).run(found);
  }
  const auto net = [&](const AdditiveCandidate& candidate) {
    return candidate.gain - search.price * static_cast<double>(candidate.rule.labels.size());
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& x, const auto& y) { return net(x) > net(y); });
  std::erase_if(found, [&](const auto& candidate) { return net(candidate) <= 0; });
  if (found.size() > count) found.resize(count);
  return found;
}

}  // namespace frr::internal
