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
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frr/settings.hpp"
#include "frr/table.hpp"
#include "frr/view.hpp"

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
};

struct Decision {
  static constexpr int otherwise = -1;
  int predicted = 0;     // class index
  int rule = otherwise;  // index of the rule that decides; additive: the strongest of its class
  double score = 0;      // of that rule
};

// Columns matched by name to the features of a rule base; categories are translated to labels once,
// and values that the rule base names as missing are missing. Holds references to the rule base and
// to what the columns hold: they must outlive it.
class Binding {
 public:
  // Only features that occur in a rule are needed (all of them if `all`). Throws Error{data} if a
  // needed column is absent or of the wrong type.
  Binding(const RuleBase& base, const TableView& table, bool all = false);
  Binding(const RuleBase& base, const Table& table, bool all = false);
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;
  // The same table, whose columns hold other rows now and may have gained categories.
  void refresh(const Table& table);

  // Value of one feature on one row, in the form memberships are computed from.
  struct Value {
    double number = 0;  // numeric features; NaN if missing
    int category = -1;  // categorical features: label index, or -1 for none
    bool missing = false;
  };
  [[nodiscard]] Value value(std::size_t row, int feature) const;
  [[nodiscard]] std::string text(std::size_t row, int feature) const;  // as in the table
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // The column that holds a feature; Error{internal} for one that is not bound.
  [[nodiscard]] const ColumnView& column(int feature) const;
  // Of a categorical feature: category code -> label index, or -1 for none.
  [[nodiscard]] std::span<const int> category_labels(int feature) const {
    return category_labels_[static_cast<std::size_t>(feature)];
  }

 private:
  static constexpr std::size_t unbound = std::numeric_limits<std::size_t>::max();
  void bind(std::size_t feature, const ColumnView& column);

  const RuleBase* base_;
  std::size_t rows_;
  std::vector<std::size_t> positions_;  // per feature: of its column in the table
  std::vector<ColumnView> columns_;     // per feature
  std::vector<Column> cleaned_;  // per feature: the column, if it holds a code of a missing value
  std::vector<std::vector<int>> category_labels_;  // per feature: category code -> label or -1
};

double membership(const Label& label, int label_index, const Binding::Value& value);
// T(degrees); 1 for none.
double conjunction(const TNorm& tnorm, std::span<const double> degrees);

// Truth T(...)^(1/root) of rule r, given every feature's value (indexed by feature).
double truth(const RuleBase& base, const Rule& rule, std::span<const Binding::Value> row);
Decision decide(const RuleBase& base, std::span<const Binding::Value> row);
Decision decide(const RuleBase& base, const Binding& binding, std::size_t row);
std::vector<Decision> decide_all(const RuleBase& base, const Binding& binding, int threads = 0);
// The same into memory that is there; one place a row.
void decide_all(const RuleBase& base, const Binding& binding, std::span<Decision> out,
                int threads = 0);

// Probability of each class given which rule decides (Decision::otherwise for ELSE): its training
// rows by class (all training rows for an ELSE that has decided none) with Laplace's correction,
// raised where needed so that the class it predicts is strictly the most probable. For additive
// semantics use the overload on a row: scores by class, as shares.
std::vector<double> probabilities(const RuleBase& base, int rule);
std::vector<double> probabilities(const RuleBase& base, const Binding& binding, std::size_t row);

// Counts, for every rule and ELSE, the training rows it decides and covers. `classes` holds the
// class index of each row (-1: unknown, skipped); `rows` selects which rows count (empty: all).
void set_statistics(RuleBase& base, const Binding& binding, std::span<const int> classes,
                    std::span<const std::uint32_t> rows);

}  // namespace frr
