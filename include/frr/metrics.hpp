// How well a model predicts: classification, ranking, calibration, and differences between groups.
//
// Rates are fractions, not percentages. Rows count with their weights; rows of weight 0 are left
// out. For one class c, TP, FP, TN and FN are the total weights of the true positives, false
// positives, true negatives and false negatives, where positive means class c. A value that is not
// defined is NaN, such as a ratio whose denominator is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "frr/api.hpp"
#include "frr/rulebase.hpp"
#include "frr/table.hpp"

namespace frr {

inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// One class against all others.
struct ClassMetrics {
  double prevalence = undefined;   // (TP + FN) / all
  double predicted = undefined;    // (TP + FP) / all
  double sensitivity = undefined;  // TP / (TP + FN), also called recall or true positive rate
  double specificity = undefined;  // TN / (TN + FP); the false positive rate is 1 - specificity
  double ppv = undefined;          // TP / (TP + FP), also called precision
  double npv = undefined;          // TN / (TN + FN)
  double f1 = undefined;           // 2 TP / (2 TP + FP + FN)
  // Area under the ROC curve, by trapezoids: the probability that a row of the class has a higher
  // probability of the class than another row, where ties count half.
  double auc = undefined;
  // Sum over the distinct probabilities of the class, in descending order, of
  // (recall_k - recall_(k-1)) * precision_k, for rows with at least that probability.
  double average_precision = undefined;
};

struct Metrics {
  double accuracy = undefined;           // weight of the rows predicted correctly / all
  double balanced_accuracy = undefined;  // mean sensitivity of the classes that occur
  // Matthews correlation coefficient,
  //     (r s - sum t_c p_c) / sqrt((s^2 - sum p_c^2) (s^2 - sum t_c^2)),
  // where t_c is the weight of the rows of true class c, p_c that of predicted class c, s that of
  // all rows and r that of the rows predicted correctly. 0 if only one class is predicted; NaN if
  // only one occurs.
  double mcc = undefined;
  // With two classes, that of the positive class; with more, the mean over the classes for which it
  // is defined.
  double auc = undefined;
  double average_precision = undefined;
  // Mean of -log p(true class); p is clipped to [e, 1 - e], e = 2^-52.
  double log_loss = undefined;
  // Mean of sum over the classes of (p_c - [true class is c])^2; for two classes half of that,
  // which is the squared error of the probability of the positive class.
  double brier = undefined;
  // Calibration compares the probability p of an event with how often it happens. With two classes,
  // the event is the positive class; with more, it is a correct prediction.
  //
  // Calibration error: rows are put into 10 bins by floor(10 p), p = 1 into the last one. The error
  // is the mean over the rows of |fraction of events - mean p| in their bin. Noise raises it. The
  // bootstrap replicates are noisier than the rows, so the interval may lie above the value.
  double calibration_error = undefined;
  // b of the maximum likelihood fit of P(event) = 1 / (1 + exp(-(a + b logit p))); 1 is ideal,
  // below 1 the probabilities are too extreme. p is clipped as for log_loss. NaN if no finite fit
  // exists.
  double calibration_slope = undefined;
  // a of the same fit with b = 1; 0 is ideal, below 0 the probabilities are too high on average.
  double calibration_intercept = undefined;
  // Weight of the rows that DecisionPolicy::refer refers to a person / all, and of the others the
  // fraction that is predicted wrongly. NaN if its policy refers none. All other
  // metrics count the referred rows with what the model predicts for them.
  double referred = undefined;
  double error_of_others = undefined;
  std::vector<ClassMetrics> classes;
};

// The names of the figures, in their order in tables and JSON.
template <typename Struct>
struct Figure {
  const char* key;   // in JSON
  const char* name;  // in text
  double Struct::*value;
};
inline constexpr Figure<Metrics> overall_figures[] = {
    {"accuracy", "accuracy", &Metrics::accuracy},
    {"balanced_accuracy", "balanced accuracy", &Metrics::balanced_accuracy},
    {"mcc", "Matthews correlation", &Metrics::mcc},
    {"auc", "AUC", &Metrics::auc},
    {"average_precision", "average precision", &Metrics::average_precision},
    {"log_loss", "log-loss", &Metrics::log_loss},
    {"brier", "Brier score", &Metrics::brier},
    {"calibration_error", "calibration error", &Metrics::calibration_error},
    {"calibration_slope", "calibration slope", &Metrics::calibration_slope},
    {"calibration_intercept", "calibration intercept", &Metrics::calibration_intercept},
    {"referred", "referred", &Metrics::referred},
    {"error_of_others", "error of the others", &Metrics::error_of_others},
};
inline constexpr Figure<ClassMetrics> class_figures[] = {
    {"prevalence", "prevalence", &ClassMetrics::prevalence},
    {"predicted", "predicted", &ClassMetrics::predicted},
    {"sensitivity", "sensitivity", &ClassMetrics::sensitivity},
    {"specificity", "specificity", &ClassMetrics::specificity},
    {"ppv", "PPV", &ClassMetrics::ppv},
    {"npv", "NPV", &ClassMetrics::npv},
    {"f1", "F1", &ClassMetrics::f1},
    {"auc", "AUC", &ClassMetrics::auc},
    {"average_precision", "average precision", &ClassMetrics::average_precision},
};

// Figures with the ends of their 95 % bootstrap intervals, which are NaN where undefined.
template <typename Struct>
struct Estimated {
  Struct value, low, high;
};

// Rows whose probability of the positive class is at least `threshold` are predicted positive.
struct RocPoint {
  double threshold = 0;
  double false_positive_rate = 0, true_positive_rate = 0;
};

// What is compared between groups. The rates are those of the positive class.
struct GroupMetrics {
  double accuracy = undefined;
  double prevalence = undefined;
  double predicted_positive = undefined;   // fraction of rows that are predicted positive
  double true_positive_rate = undefined;   // sensitivity
  double false_positive_rate = undefined;  // 1 - specificity
  double ppv = undefined;
  double auc = undefined;                // as in Metrics
  double calibration_error = undefined;  // as in Metrics
};
inline constexpr Figure<GroupMetrics> group_figures[] = {
    {"accuracy", "accuracy", &GroupMetrics::accuracy},
    {"prevalence", "prevalence", &GroupMetrics::prevalence},
    {"predicted_positive", "predicted positive", &GroupMetrics::predicted_positive},
    {"true_positive_rate", "true positive rate", &GroupMetrics::true_positive_rate},
    {"false_positive_rate", "false positive rate", &GroupMetrics::false_positive_rate},
    {"ppv", "PPV", &GroupMetrics::ppv},
    {"auc", "AUC", &GroupMetrics::auc},
    {"calibration_error", "calibration error", &GroupMetrics::calibration_error},
};

struct Group {
  std::optional<std::string> name;  // none: the rows in which the column is missing
  std::size_t rows = 0;
  Estimated<GroupMetrics> metrics;
};

// The groups of one column, in ascending order: as numbers if all values are, else as texts.
struct Grouping {
  std::string column;
  std::vector<Group> groups;
  // Per group figure: the highest minus the lowest value of the groups in which it is defined; NaN
  // if fewer than two are.
  GroupMetrics gaps;
};

inline constexpr std::size_t most_groups = 50;  // of one column

struct MetricsRequest {
  // A class. Empty: that of the model's policy; without one, of two classes, the one with fewer
  // training rows (the second if they are equal); of more, none.
  std::string positive = {};
  std::vector<std::string> by = {};      // columns of the table, each of at most most_groups values
  std::vector<double> row_weights = {};  // one for each row, 0 to 1e100; empty: all 1
  // Bootstrap replicates; 0: no intervals. Unset: 1000, and above 200,000 rows 200,000,000 / rows,
  // but at least 100.
  std::optional<int> replicates = {};
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all processors; the number never changes the result
  // Called from any thread, one call at a time; return false to stop: measure then throws
  // Error{interrupted}.
  std::function<bool(double fraction)> progress = {};
};

struct MetricsReport {
  std::string target;
  std::vector<std::string> classes;
  std::optional<std::size_t> positive;  // index of the positive class
  bool weighted = false;
  std::size_t rows = 0;  // evaluated: of a known class and a weight above 0
  double weight = 0;     // sum of their weights
  std::vector<std::size_t> class_rows;
  Estimated<Metrics> metrics;
  std::vector<std::vector<double>> confusion;  // weights: [true class][predicted class]
  // From (0, 0), with an infinite threshold, to (1, 1); empty without a positive class or where it
  // is undefined. Points that lie within 0.002 of the previous one, in both rates together, are
  // left out.
  std::vector<RocPoint> roc;
  std::vector<Grouping> groupings;
  int replicates = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> notes;  // sentences: rows left out, what is undefined and why
};

// Evaluates the rows of `table` whose class is known: those where the column base.target has one of
// base.classes. Throws Error{data} if there is no such column or no such row, or if a column of
// `by` is absent or has too many values; Error{usage} for an unknown positive class and for invalid
// weights.
FRR_API MetricsReport measure(const RuleBase& base, const Table& table,
                              const MetricsRequest& request);

// The report as `frr evaluate --json` prints it; see docs/reference/json.md.
FRR_API std::string to_json(const MetricsReport& report, const std::string& dataset);

}  // namespace frr
