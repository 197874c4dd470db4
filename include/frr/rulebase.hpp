// The rule base: what people read and what predicts. Plain data; the network that found it is gone.
//
// A row's membership in label v of feature j is mu[j,v] in [0,1]. Rule r with conditions (j,v)
// and weight w_r in (0,1] has the score
//     s_r = w_r * T(mu[j,v] over its conditions)^(1/root),
// T the t-norm. Sufficient semantics: the rule with the largest positive score decides (the first
// of equals); additive: the class with the largest sum of scores (the first of equals). Where no
// rule has a positive score the ELSE class is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frr/settings.hpp"
#include "frr/table.hpp"

namespace frr {

// 0 up to a, rising to 1 at b, 1 up to c, falling to 0 at d. a = b = -infinity is an open left
// shoulder, c = d = +infinity an open right one. a = b (or c = d) is a crisp border: the value
// itself belongs to the right of it. NaN belongs to no trapezoid, an infinity to an open shoulder.
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
  std::vector<Label> labels;  // ranges in ascending order, then `missing` if training had any
  double low = 0, high = 0;   // numeric: range of the training values
  double spread = 0;          // numeric: distance between their 5th and 95th percentile
};

struct Partition {
  std::vector<Feature> features;
  [[nodiscard]] std::size_t label_count() const;  // D, over all features
};

struct Condition {
  int feature = 0;
  int label = 0;
  bool operator==(const Condition&) const = default;
};

// Training rows that a rule (or ELSE) decides, by class.
struct Statistics {
  std::vector<double> class_rows;  // one entry a class
  double coverage = 0;             // rows on which the rule's truth is positive
  [[nodiscard]] double rows() const;
};

struct Rule {
  std::vector<Condition> conditions;  // at least one, features distinct
  int then = 0;                       // class index
  double weight = 1;                  // (0, 1]
  Statistics statistics;
  [[nodiscard]] double confidence() const;  // share of the rows it decides that are of its class
};

// How a model was made; enough to make it again.
struct TrainingSummary {
  std::string version;  // of FRR
  std::string source;   // name of the training data
  std::size_t rows = 0;
  std::vector<std::pair<std::string, std::string>> settings;  // every option that shapes the result
  int epochs = 0;              // epochs of gradient descent that were run
  double train_accuracy = 0;   // percent
  double agreement = 0;        // percent of rows on which the network and its extracted rules agree
  bool stopped_early = false;  // the time limit cut training short
  std::vector<std::string> notes;  // sentences: columns left out, categories without label, ...
};

struct RuleBase {
  std::string target;
  std::vector<std::string> classes;
  // Codes that mean a missing value, such as "-9": a number that equals one in a numeric feature, a
  // text that equals one in a categorical feature.
  std::vector<std::string> missing;
  Partition partition;
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1;
  std::vector<Rule> rules;
  int otherwise = 0;  // the ELSE class
  Statistics otherwise_statistics;
  TrainingSummary summary;

  [[nodiscard]] std::size_t size() const;               // conditions in all rules
  [[nodiscard]] std::size_t unique_conditions() const;  // distinct (feature, label) pairs
  [[nodiscard]] std::string condition_text(const Condition& c) const;  // "glucose IS high"
  // "IF glucose IS high AND age IS old THEN ill"
  [[nodiscard]] std::string rule_text(const Rule& rule) const;
  // Per feature: whether a rule reads it.
  [[nodiscard]] std::vector<bool> used_features() const;
};

struct Decision {
  static constexpr int otherwise = -1;
  int predicted = 0;     // class index
  int rule = otherwise;  // index of the rule that decides; additive: the strongest of its class
  double score = 0;      // of that rule
};

// Probability of each class given which rule decides (Decision::otherwise for ELSE): its training
// rows by class (all training rows for an ELSE that has decided none) with Laplace's correction,
// raised where needed so that the class it predicts is strictly the most probable. For sufficient
// semantics; with additive semantics the probabilities depend on the row (see predict_proba).
std::vector<double> probabilities(const RuleBase& base, int rule);

}  // namespace frr
