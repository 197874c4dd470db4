// The rule base: the model that people read and that predicts. Plain data; the network that it was
// extracted from is discarded.
//
// A row's membership in label v of feature j is mu[j,v] in [0,1]. Rule r with conditions (j,v)
// and weight w_r in (0,1] has the score
//     s_r = w_r * T(mu[j,v] over its conditions)^(1/root),
// where T is the t-norm. Sufficient semantics: the rule with the largest positive score decides
// (the first of equals). Additive semantics: the class with the largest sum of scores is predicted
// (the first of equals). If no rule has a positive score, the ELSE class is predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frr/api.hpp"
#include "frr/settings.hpp"
#include "frr/table.hpp"

namespace frr {

// A label on a number: its degree is 0 up to a, rises to 1 at b, is 1 up to c, and falls to 0 at d.
// a = b = -infinity is an open left shoulder, c = d = +infinity an open right one. a = b (or c = d)
// is a crisp border: the value on it belongs to the label on its right. NaN belongs to no
// trapezoid, an infinity to an open shoulder.
struct Trapezoid {
  double a, b, c, d;
  [[nodiscard]] double operator()(double x) const {
    if (!(x >= a) || (x >= d && d < std::numeric_limits<double>::infinity())) return 0.0;
    if (x < b) return (x - a) / (b - a);
    if (x > c) return (d - x) / (d - c);
    return 1.0;
  }
};

enum class LabelKind {
  range,     // a trapezoid on a numeric feature
  category,  // one value of a categorical feature
  missing,   // the value is missing
};

struct Label {
  std::string name;  // distinct within its feature; for a category, the category itself
  LabelKind kind = LabelKind::range;
  Trapezoid shape{};  // for a range
};

struct Feature {
  std::string name;
  ColumnType type = ColumnType::numeric;
  std::vector<Label> labels = {};  // ranges in ascending order, then `missing` if training had any
  double low = 0, high = 0;        // numeric: range of the training values
  double spread = 0;               // numeric: distance between their 5th and 95th percentile
};

struct Partition {
  std::vector<Feature> features;
  [[nodiscard]] FRR_API std::size_t label_count() const;  // D, over all features
};

struct Condition {
  int feature = 0;
  int label = 0;
  bool operator==(const Condition&) const = default;
};

// Training rows that a rule (or ELSE) decides, by class.
struct Statistics {
  std::vector<double> class_rows;  // one entry per class
  double coverage = 0;             // rows on which the rule's truth is positive
  [[nodiscard]] FRR_API double rows() const;
};

struct Rule {
  std::vector<Condition> conditions;  // at least one, features distinct
  int then = 0;                       // class index
  double weight = 1;                  // (0, 1]
  Statistics statistics = {};
  [[nodiscard]] FRR_API double confidence()
      const;  // fraction of the rows it decides that are of its class
};

// How a model was trained: enough to train it again.
struct TrainingSummary {
  std::string version;  // of FRR
  std::string source;   // name of the training data
  std::size_t rows = 0;
  std::vector<std::pair<std::string, std::string>>
      settings;                // every option that affects the result
  int epochs = 0;              // epochs of gradient descent
  double train_accuracy = 0;   // percent
  double agreement = 0;        // percent of rows on which the network and its extracted rules agree
  bool stopped_early = false;  // the time limit cut training short
  std::vector<std::string> notes;  // sentences: columns left out, categories without label, ...
};

struct RuleBase {
  std::string target;
  std::vector<std::string> classes;
  // Codes for a missing value, such as "-9". In a numeric feature, numbers that equal one are
  // missing; in a categorical feature, texts.
  std::vector<std::string> missing;
  Partition partition;
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1;
  std::vector<Rule> rules;
  int otherwise = 0;  // the ELSE class
  Statistics otherwise_statistics;
  TrainingSummary summary;

  [[nodiscard]] FRR_API std::size_t size() const;               // conditions in all rules
  [[nodiscard]] FRR_API std::size_t unique_conditions() const;  // distinct (feature, label) pairs
  [[nodiscard]] FRR_API std::string condition_text(const Condition& c) const;  // "glucose IS high"
  // "IF glucose IS high AND age IS old THEN ill"
  [[nodiscard]] FRR_API std::string rule_text(const Rule& rule) const;
  // Per feature: whether a rule reads it.
  [[nodiscard]] FRR_API std::vector<bool> used_features() const;
};

struct Decision {
  static constexpr int otherwise = -1;
  int predicted = 0;     // class index
  int rule = otherwise;  // index of the rule that decides; additive: the strongest of its class
  double score = 0;      // of that rule
};

// Sufficient semantics: the probability of each class if `rule` decides (Decision::otherwise:
// ELSE). These are the proportions of the classes among the training rows that the rule decides
// (all training rows for an ELSE that decided none), with Laplace's correction, raised where needed
// to make the predicted class strictly the most probable. With additive semantics, probabilities
// depend on the row: see predict_proba.
FRR_API std::vector<double> probabilities(const RuleBase& base, int rule);

}  // namespace frr
