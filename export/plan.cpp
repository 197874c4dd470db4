#include "plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/missing_codes.hpp"
#include "model/policy.hpp"
#include "text/decision_text.hpp"
#include "text/scorecard_text.hpp"

namespace frr::internal {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// 0 if databases read the text as false, 1 if as true, otherwise -1.
int boolean(std::string text) {
  constexpr std::array<std::array<std::string_view, 4>, 2> words = {
      {{"false", "f", "no", "n"}, {"true", "t", "yes", "y"}}};
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (int value = 0; value < 2; ++value) {
    const auto& spellings = words[index(value)];
    if (std::find(spellings.begin(), spellings.end(), text) != spellings.end()) return value;
  }
  return -1;
}

std::array<std::string, 2> booleans(const Feature& feature) {
  std::array<std::string, 2> found;
  for (const Label& label : feature.labels) {
    if (label.kind != LabelKind::category) continue;
    const int value = boolean(label.name);
    if (value < 0 || !found[index(value)].empty()) return {};
    found[index(value)] = label.name;
  }
  return found;
}

Plan::Missing missing_of(const MissingCodes& codes, const std::vector<std::string>& texts) {
  Plan::Missing missing;
  const auto add = [](auto& list, auto value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  };
  for (const std::string& text : texts) {
    if (!means_missing(trimmed(text))) add(missing.codes, std::string(trimmed(text)));
  }
  for (const double number : codes.numbers()) add(missing.numbers, number);
  return missing;
}

std::vector<std::string> kept(const Feature& feature, const MissingCodes& codes) {
  std::vector<std::string> found;
  for (const Label& label : feature.labels) {
    const std::string_view text = trimmed(label.name);
    if (label.kind == LabelKind::category && (means_missing(text) || codes.contains(text)))
      found.push_back(label.name);
  }
  return found;
}

// Every error costs 1: the expected cost of a class is minus its probability, up to a constant.
std::vector<double> equal_costs(std::size_t classes) {
  std::vector<double> costs(classes * classes, 0.0);
  for (std::size_t c = 0; c < classes; ++c) costs[c * classes + c] = -1;
  return costs;
}

Plan::Choice choice_of(const DecisionPolicy& policy, std::size_t classes) {
  Plan::Choice choice;
  const std::optional<ScoreOffsets> offsets = score_offsets(policy, classes);
  if (offsets) {
    choice.offsets = offsets->offsets;
    choice.order.push_back(offsets->first);
  } else {
    choice.costs = policy.costs.empty() ? equal_costs(classes) : policy.costs;
    if (policy.threshold) {
      choice.preferred = index(policy.positive);
      choice.threshold = *policy.threshold;
    }
  }
  for (std::size_t c = 0; c < classes; ++c) {
    const bool placed = offsets ? c == offsets->first : choice.preferred == c;
    if (!placed) choice.order.push_back(c);
  }
  return choice;
}

std::vector<std::string> notes_of(const RuleBase& base) {
  std::vector<std::string> notes = policy_sentences(base);
  if (base.nats_per_point) notes.insert(notes.begin(), scorecard_method(base));
  return notes;
}

class Planner {
 public:
  explicit Planner(const RuleBase& base)
      : base_(base), codes_(base.missing), input_of_(base.partition.features.size(), none) {
    plan_.target = base.target;
    plan_.classes = base.classes;
    plan_.tnorm = base.tnorm;
    plan_.semantics = base.semantics;
    plan_.root = base.root;
    plan_.missing = missing_of(codes_, base.missing);
    plan_.refer = base.policy.refer;
    plan_.scorecard = base.nats_per_point.has_value();
    plan_.notes = notes_of(base);
    if (plan_.additive()) {
      plan_.biases = base.biases;
      plan_.biases.resize(base.classes.size(), 0);
      plan_.choice = choice_of(base.policy, base.classes.size());
    }
    for (const Rule& rule : base.rules) add(rule);
    add_outcomes();
  }
  Plan take() { return std::move(plan_); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void add(const Rule& rule) {
    Plan::Strength strength;
    strength.weight = rule.weight;
    strength.then = index(rule.then);
    strength.points = rule.points;
    strength.text = base_.rule_text(rule);
    for (const Condition& c : rule.conditions) strength.degrees.push_back(degree_of(c));
    plan_.strengths.push_back(std::move(strength));
  }

  void add_outcomes() {
    const DecisionPolicy& policy = base_.policy;
    if (plan_.additive()) {
      const std::vector<double> shares = softmax(plan_.biases);
      const int then = ScorePolicy(policy, base_.classes.size()).predict(plan_.biases);
      plan_.outcomes.push_back({index(then), shares, refers(policy, shares, false)});
      return;
    }
    for (int rule = Decision::otherwise; rule < static_cast<int>(base_.rules.size()); ++rule) {
      const bool covered = rule != Decision::otherwise;
      const int then = covered ? base_.rules[index(rule)].then : base_.otherwise;
      const std::vector<double> shares = probabilities(base_, rule);
      plan_.outcomes.push_back({index(then), shares, refers(policy, shares, covered)});
    }
  }

  std::size_t input_of(int feature) {
    std::size_t& input = input_of_[index(feature)];
    if (input != none) return input;
    input = plan_.inputs.size();
    const Feature& column = base_.partition.features[index(feature)];
    plan_.inputs.push_back({.name = column.name,
                            .type = column.type,
                            .categories = {},
                            .booleans = booleans(column),
                            .kept = kept(column, codes_)});
    return input;
  }

  // Rules that read the same label share its degree.
  std::size_t degree_of(const Condition& c) {
    const auto seen = std::find(conditions_.begin(), conditions_.end(), c);
    if (seen != conditions_.end()) return static_cast<std::size_t>(seen - conditions_.begin());
    conditions_.push_back(c);
    const Label& label = base_.partition.features[index(c.feature)].labels[index(c.label)];
    Plan::Degree degree;
    degree.input = input_of(c.feature);
    degree.kind = label.kind;
    degree.text = base_.condition_text(c);
    if (label.kind == LabelKind::missing) plan_.inputs[degree.input].asks_missing = true;
    if (label.kind == LabelKind::range) {
      const Trapezoid& shape = label.shape;
      if (std::isfinite(shape.a)) degree.rise = {true, shape.a, shape.b - shape.a};
      if (std::isfinite(shape.d)) degree.fall = {true, shape.d, shape.d - shape.c};
    }
    if (label.kind == LabelKind::category) {
      std::vector<std::string>& categories = plan_.inputs[degree.input].categories;
      degree.category = label.name;
      degree.code = categories.size();
      categories.push_back(label.name);
    }
    plan_.degrees.push_back(std::move(degree));
    return plan_.degrees.size() - 1;
  }

  const RuleBase& base_;
  const MissingCodes codes_;
  Plan plan_;
  std::vector<std::size_t> input_of_;  // per feature
  std::vector<Condition> conditions_;  // per degree
};

}  // namespace

std::vector<std::string> Plan::Missing::texts(const Input& input) const {
  std::vector<std::string> found;
  const auto add = [&](const std::string& text) {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), text) != list.end();
    };
    if (!in(found) && !in(input.kept)) found.push_back(text);
  };
  for (const std::string_view word : built_in) {
    std::string upper(word);
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    add(std::string(word));
    add(upper);
    add(upper.substr(0, 1) + std::string(word.substr(std::min<std::size_t>(1, word.size()))));
    if (word == "nan") add("NaN");
  }
  for (const std::string& code : codes) add(code);
  return found;
}

Plan make_plan(const RuleBase& base) { return Planner(base).take(); }

}  // namespace frr::internal
