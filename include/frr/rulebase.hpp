// The rule base: the model that people read and that predicts. Plain data; the network that it was
// extracted from is discarded.
//
// A row's membership in label v of feature j is mu[j,v] in [0,1]. Rule r with conditions (j,v)
// and weight w_r > 0 has the score
//     s_r = w_r * T(mu[j,v] over its conditions)^(1/root),
// where T is the t-norm.
//
// Sufficient semantics: the rule with the largest positive score decides (the first of equals), or
// ELSE if there is none. The probabilities of the classes are those of the training rows that it
// decides; see probabilities().
//
// Additive semantics: the scores are added by class, and
//     p_c = exp(S_c) / sum_k exp(S_k),    S_c = bias_c + sum of s_r over the rules of class c.
//
// The predicted class follows from the probabilities; see DecisionPolicy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

// Training rows of a rule or of ELSE. They count with their weights, scaled so that the training
// rows weigh 1 on average, and never with class weights.
struct Statistics {
  // Per class. Sufficient semantics: the rows that it decides. Additive semantics: the rows on
  // which its truth is at least 1/2; for ELSE, those to which no rule applies.
  std::vector<double> class_rows;
  double coverage = 0;  // rows on which the rule's truth is positive
  [[nodiscard]] FRR_API double rows() const;
};

struct Rule {
  std::vector<Condition> conditions;  // at least one, features distinct
  int then = 0;                       // class index
  double weight = 1;                  // (0, 1]; additive semantics: > 0, in nats
  int points = 0;                     // of a scorecard
  Statistics statistics = {};
  // Fraction of its rows (see Statistics) that are of its class; 0 if it has none.
  [[nodiscard]] FRR_API double confidence() const;
};

// How a class follows from the probabilities p. It never changes them.
//
// The predicted class has the lowest expected cost, sum_c p_c cost[c][d] for class d (the first of
// equals); without costs, it is the most probable class. With a threshold, the positive class is
// predicted where its probability is at least the threshold, and otherwise the best of the others.
struct DecisionPolicy {
  int positive = -1;  // the class of interest; -1: none
  // [true class][predicted class], one row after another; 0 on the diagonal, >= 0 elsewhere. Empty:
  // every error costs 1.
  std::vector<double> costs = {};
  std::optional<double> threshold = {};  // for the positive class, [0, 1]
  // The measure that the threshold was chosen for ("sensitivity" or "specificity"), the value that
  // was asked for, and the value reached on out-of-fold predictions of the training rows.
  struct Target {
    std::string measure;
    double wanted = 0, reached = 0;
  };
  std::optional<Target> target = {};
  // Cases are referred to a person if their most probable class has a probability below this one,
  // or if no rule applies to them. 0: none are.
  double refer = 0;
};

// A policy as a user asks for it, with classes by name.
struct PolicyRequest {
  std::string positive = {};  // empty: of two classes, the rarer one (the second of equals)
  struct Cost {
    std::string truth, predicted;
    double cost = 1;
  };
  std::vector<Cost> costs = {};     // others cost 1
  std::optional<double> miss = {};  // cost of predicting another class than the positive one
  std::optional<double> threshold = {};
  // Choose the threshold that reaches this value on out-of-fold predictions.
  std::optional<double> sensitivity = {}, specificity = {};
  double refer = 0;
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
  int otherwise = 0;  // the class that is predicted where no rule applies
  Statistics otherwise_statistics;
  std::vector<double> biases;      // additive semantics: one per class; empty: all 0
  std::vector<double> class_rows;  // training rows of each class, counted as in Statistics
  // Scorecard (additive semantics, two classes): the weight of every rule is its points without
  // their sign times this number. The sign says whether the rule speaks for the positive class.
  std::optional<double> nats_per_point = {};
  DecisionPolicy policy;
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
  int predicted = 0;  // class index
  // The rule that decides; with additive semantics, the strongest one for the predicted class
  // (`otherwise` if none of them applies).
  int rule = otherwise;
  double score = 0;  // of that rule
};

// The strength of the prior of probabilities, in rows. With one row, the most frequent class among
// the rows of a rule is also the most probable one, and a tie is resolved by the base rates.
inline constexpr double prior_rows = 1;

// The proportions of the classes in the training rows. For a model written by hand without counts,
// all classes are equal.
FRR_API std::vector<double> base_rates(const RuleBase& base);

// Sufficient semantics: the probability of each class if `rule` decides (Decision::otherwise:
// ELSE),
//     p_c = (n_c + m b_c) / (n + m),
// where n_c are its training rows of class c, n is their sum, b the base rates and m = prior_rows.
// With additive semantics, probabilities depend on the row: see predict_proba.
FRR_API std::vector<double> probabilities(const RuleBase& base, int rule);

// The policy of a request for a model with counts of training rows. The targets `sensitivity` and
// `specificity` need data; see choose_threshold in frr/frr.hpp. Throws Error{usage} for an unknown
// class, and for values that are out of range or contradict each other.
FRR_API DecisionPolicy make_policy(const RuleBase& base, const PolicyRequest& request);

// The class that `policy` predicts for these probabilities.
FRR_API int decide(const DecisionPolicy& policy, std::span<const double> probabilities);

// Sets the class of ELSE and, with sufficient semantics, of every rule to what base.policy predicts
// for its probabilities. Without counts, a model written by hand keeps its classes.
FRR_API void apply_policy(RuleBase& base);

// Per row of `table`: whether base.policy refers it to a person.
FRR_API std::vector<bool> referred(const RuleBase& base, const Table& table, int threads = 0);

}  // namespace frr
