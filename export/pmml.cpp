// PMML 4.4: a TreeModel whose leaves are the rules, or a RuleSetModel.
//
// Derived fields compute the plan: degrees (d1, d2, ...), strengths (s1, ...), the largest
// strength, and `winner`, the number of the first rule that has it (0 for ELSE). Leaves and rules
// only test the winner, so exactly one of them is true in any engine. Arithmetic is written with
// Apply, because NormContinuous rounds the falling side of a trapezoid differently.
//
// With additive semantics, derived fields continue with the scores of the classes, their
// probabilities and `choice`, the class, and there is one leaf or rule per class. The probabilities
// are not those of leaves, so outputs are transformed values. A RegressionModel with softmax would
// predict only the most probable class.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "distinct.hpp"
#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "names.hpp"
#include "pmml_expressions.hpp"
#include "pmml_sums.hpp"
#include "writer.hpp"
#include "xml.hpp"

namespace frr::internal {
namespace {

// ---- Expressions of labels and rules

// For a number that is not missing.
Expression edge_of(const Plan::Edge& edge, bool rises, const Expression& x) {
  const Expression corner = number(edge.corner), zero = number(0), one = number(1);
  if (edge.width == 0)
    return choice(call(rises ? "greaterOrEqual" : "lessThan", {x, corner}), one, zero);
  const Expression above = rises ? call("-", {x, corner}) : call("-", {corner, x});
  return call("max", {zero, call("min", {one, call("/", {above, number(edge.width)})})});
}

Expression truth_of(TNormKind kind, const std::vector<Expression>& degrees) {
  if (degrees.size() == 1) return degrees[0];
  const auto map = [&](const auto& term) {
    std::vector<Expression> terms;
    terms.reserve(degrees.size());
    for (const Expression& degree : degrees) terms.push_back(term(degree));
    return terms;
  };
  const Expression zero = number(0), one = number(1);
  const auto lack = [&](const Expression& degree) { return call("-", {one, degree}); };
  switch (kind) {
    case TNormKind::minimum:
      return call("min", degrees);
    case TNormKind::lukasiewicz:
      return call("max", {zero, call("-", {one, chain("+", map(lack))})});
    case TNormKind::hamacher: {
      const Expression sum = chain("+", map([&](const Expression& degree) {
                                     return call("/", {lack(degree), degree});
                                   }));
      // No engine has to divide by 0.
      return choice(call("greaterThan", {call("min", degrees), zero}),
                    call("/", {one, call("+", {one, sum})}), zero);
    }
    default:
      return chain("*", degrees);
  }
}

// ---- The document

class PmmlWriter {
 public:
  PmmlWriter(const RuleBase& base, const Plan& plan, const ExportRequest& request)
      : base_(base), plan_(plan), request_(request) {
    for (const Plan::Input& input : plan.inputs)
      inputs_.push_back(fields_.give(visible(input.name)));
    target_ = fields_.give(visible(plan.target));
    Distinct texts;
    for (const std::string& name : plan.classes) classes_.push_back(texts.give(visible(name)));
    // Names of outputs are chosen before those of inner fields, which users do not see.
    predicted_ = fields_.give("class");
    probability_ = fields_.give("probability");
    rule_ = fields_.give("rule");
    if (plan.scorecard) points_ = fields_.give("points");
    if (plan.refer > 0) referred_ = fields_.give("referred");
    for (const std::string& name : classes_)
      probabilities_.push_back(fields_.give("probability(" + name + ")"));
    for (std::size_t i = 0; i < plan.degrees.size(); ++i)
      degrees_.push_back(fields_.give("d" + std::to_string(i + 1)));
    for (std::size_t r = 0; r < plan.strengths.size(); ++r)
      strengths_.push_back(fields_.give("s" + std::to_string(r + 1)));
    best_ = fields_.give("best");
    winner_ = fields_.give("winner");
    if (plan.additive() && !plan.strengths.empty()) sums_.emplace(plan, strengths_, fields_);
  }

  [[nodiscard]] std::string text() const {
    Tag header("Header");
    header.with("description", origin_text(plan_, request_));
    header.add(Tag("Application").with("name", "FRR").with("version", version()));
    for (const std::string& note : plan_.notes) header.add(Tag("Annotation").holds(xml_text(note)));
    Tag document("PMML");
    document.with("xmlns", "http://www.dmg.org/PMML-4_4").with("version", "4.4");
    document.add(header).add(dictionary()).add(model());
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.text() + "\n";
  }

 private:
  // Notes the original of a name or class that XML cannot represent or that was taken.
  static void note_original(Tag& tag, const std::string& original, const std::string& shown) {
    if (original == shown) return;
    tag.add(Tag("Extension").with("name", "original").with("value", quoted_python(original)));
  }

  // Categories are not listed: one that is new since training is valid, and belongs to no label.
  [[nodiscard]] Tag dictionary() const {
    Tag dictionary("DataDictionary");
    dictionary.with("numberOfFields", std::to_string(inputs_.size() + 1));
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool numeric = plan_.inputs[i].type == ColumnType::numeric;
      Tag tag("DataField");
      tag.with("name", inputs_[i]).with("optype", numeric ? "continuous" : "categorical");
      tag.with("dataType", numeric ? "double" : "string");
      note_original(tag, plan_.inputs[i].name, inputs_[i]);
      for (const std::string& text : missing_values(plan_.inputs[i]))
        tag.add(Tag("Value").with("value", text).with("property", "missing"));
      dictionary.add(tag);
    }
    Tag target("DataField");
    target.with("name", target_).with("optype", "categorical").with("dataType", "string");
    note_original(target, plan_.target, target_);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      Tag value("Value");
      value.with("value", classes_[c]);
      note_original(value, plan_.classes[c], classes_[c]);
      target.add(value);
    }
    return dictionary.add(target);
  }

  // The numbers, for a field of doubles, which holds nothing else; otherwise the texts that XML can
  // represent.
  [[nodiscard]] std::vector<std::string> missing_values(const Plan::Input& input) const {
    std::vector<std::string> values;
    if (input.type == ColumnType::numeric) {
      values.emplace_back("NaN");
      for (const double code : plan_.missing.numbers)
        values.push_back(std::isinf(code) ? (code < 0 ? "-INF" : "INF") : double_text(code));
    } else {
      for (const std::string& text : plan_.missing.texts(input))
        if (visible(text) == text) values.push_back(text);
    }
    return values;
  }

  [[nodiscard]] Tag model() const {
    Tag schema("MiningSchema");
    schema.add(Tag("MiningField").with("name", target_).with("usageType", "target"));
    for (const std::string& input : inputs_)
      schema.add(Tag("MiningField").with("name", input).with("invalidValueTreatment", "asIs"));
    Tag model(request_.rule_set ? "RuleSetModel" : "TreeModel");
    model.with("functionName", "classification").with("algorithmName", "FRR");
    if (!request_.rule_set) model.with("splitCharacteristic", "multiSplit");
    model.add(schema).add(output());
    if (!plan_.strengths.empty()) model.add(transformations());
    return model.add(request_.rule_set ? rule_set() : tree());
  }

  [[nodiscard]] Tag output() const {
    const auto output_field = [](std::string_view name, bool numeric, std::string_view feature) {
      Tag tag("OutputField");
      tag.with("name", name).with("optype", numeric ? "continuous" : "categorical");
      return tag.with("dataType", numeric ? "double" : "string").with("feature", feature);
    };
    // A RuleSetModel has one number per rule and calls it confidence.
    const std::string_view feature = request_.rule_set ? "confidence" : "probability";
    Tag output("Output");
    const auto computed = [&](std::string_view name, bool numeric, const Expression& value) {
      return output_field(name, numeric, "transformedValue").holds(value);
    };
    output.add(output_field(predicted_, false, "predictedValue"));
    output.add(sums_ ? computed(probability_, true, sums_->probability())
                     : output_field(probability_, true, feature));
    for (std::size_t c = 0; c < classes_.size() && !request_.rule_set; ++c)
      output.add(sums_ ? computed(probabilities_[c], true, field(sums_->shares()[c]))
                       : output_field(probabilities_[c], true, feature).with("value", classes_[c]));
    output.add(sums_ ? computed(rule_, false, field(winner_))
                     : output_field(rule_, false, "entityId"));
    const auto whole_number = [&](const std::string& name, const Expression& value) {
      Tag tag("OutputField");
      tag.with("name", name).with("optype", "continuous").with("dataType", "integer");
      output.add(tag.with("feature", "transformedValue").holds(value));
    };
    if (plan_.scorecard) whole_number(points_, points());
    if (plan_.refer > 0) whole_number(referred_, referred());
    return output;
  }

  // ---- Outputs that are expressions

  [[nodiscard]] Expression points() const {
    std::vector<Expression> terms = {whole(0)};
    for (std::size_t r = 0; r < strengths_.size(); ++r) {
      const Expression points = Tag("Constant")
                                    .with("dataType", "integer")
                                    .holds(std::to_string(plan_.strengths[r].points))
                                    .text();
      terms.push_back(choice(applies(strengths_[r]), points, whole(0)));
    }
    return chain("+", terms);
  }

  // 1 or 0.
  [[nodiscard]] Expression referred() const {
    if (plan_.strengths.empty()) return whole(plan_.outcomes[0].referred ? 1 : 0);
    if (sums_) {
      std::vector<Expression> shares, strengths;
      for (const std::string& share : sums_->shares()) shares.push_back(field(share));
      for (const std::string& strength : strengths_) strengths.push_back(field(strength));
      const Expression unsure = call("lessThan", {aggregate("max", shares), number(plan_.refer)});
      const Expression none = call("lessOrEqual", {aggregate("max", strengths), number(0)});
      return choice(call("or", {unsure, none}), whole(1), whole(0));
    }
    std::vector<Expression> winners = {field(winner_)};
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i)
      if (plan_.outcomes[i].referred) winners.push_back(whole(i));
    if (winners.size() == 1) return whole(0);
    return choice(call("isIn", winners), whole(1), whole(0));
  }

  static Expression applies(const std::string& strength) {
    return call("greaterThan", {field(strength), number(0)});
  }

  // ---- Derived fields

  [[nodiscard]] Tag transformations() const {
    Tag all("LocalTransformations");
    for (std::size_t i = 0; i < degrees_.size(); ++i)
      all.add(derived(degrees_[i], plan_.degrees[i].text, degree(plan_.degrees[i])));
    for (std::size_t r = 0; r < strengths_.size(); ++r)
      all.add(derived(strengths_[r], plan_.strengths[r].text, strength(plan_.strengths[r])));
    if (!sums_) return with_winner(all, strengths_);
    sums_->add(all);
    return with_winner(all, sums_->own());
  }

  // Adds the largest of these strengths and the first rule that has it.
  [[nodiscard]] Tag with_winner(Tag all, const std::vector<std::string>& fields) const {
    std::vector<Expression> strengths, candidates;
    for (std::size_t r = 0; r < fields.size(); ++r) {
      strengths.push_back(field(fields[r]));
      candidates.push_back(choice(call("greaterOrEqual", {strengths[r], field(best_)}),
                                  whole(r + 1), whole(fields.size() + 1)));
    }
    all.add(derived(best_, "the largest strength", aggregate("max", strengths)));
    const Expression winner = choice(call("greaterThan", {field(best_), number(0)}),
                                     aggregate("min", candidates), whole(0));
    return all.add(derived(winner_, "the first rule of that strength; 0 is ELSE", winner, true));
  }

  [[nodiscard]] Expression degree(const Plan::Degree& degree) const {
    const std::string& input = inputs_[degree.input];
    const Expression x = field(input), missing = call("isMissing", {x});
    if (degree.kind == LabelKind::missing) return choice(missing, number(1), number(0));
    if (degree.kind == LabelKind::category) {
      if (visible(degree.category) != degree.category) {
        fail_data("the category " + quoted_python(degree.category) + " of the column '" +
                  plan_.inputs[degree.input].name +
                  "' has a control character, which XML cannot hold; give the category another "
                  "name and train again, or export to another format");
      }
      return Tag("NormDiscrete")
          .with("field", input)
          .with("value", degree.category)
          .with("mapMissingTo", "0")
          .text();
    }
    std::vector<Expression> edges;
    if (degree.rise.there) edges.push_back(edge_of(degree.rise, true, x));
    if (degree.fall.there) edges.push_back(edge_of(degree.fall, false, x));
    // Tested first: min and max ignore missing values.
    return choice(missing, number(0), edges.empty() ? number(1) : aggregate("min", edges));
  }

  [[nodiscard]] Expression strength(const Plan::Strength& strength) const {
    std::vector<Expression> degrees;
    for (const std::size_t degree : strength.degrees) degrees.push_back(field(degrees_[degree]));
    const Expression truth = truth_of(plan_.tnorm.kind, degrees);
    return strength.weight == 1 ? truth : call("*", {number(strength.weight), truth});
  }

  // ---- Leaves or rules: ELSE first, then one per rule; or one per class

  [[nodiscard]] Tag tree() const {
    if (plan_.strengths.empty()) return leaf(0, Tag("Node"));
    Tag root("Node");
    root.with("id", "root").add(Tag("True"));
    for (std::size_t c = 0; c < classes_.size() && sums_; ++c) root.add(of_class(c, Tag("Node")));
    if (sums_) return root;
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) root.add(leaf(i, Tag("Node")));
    return root;
  }

  [[nodiscard]] Tag rule_set() const {
    Tag rules("RuleSet");
    const Plan::Outcome& otherwise = plan_.outcomes[0];
    rules.with("defaultScore", classes_[otherwise.then]);
    rules.with("defaultConfidence", double_text(otherwise.probabilities[otherwise.then]));
    rules.add(Tag("RuleSelectionMethod").with("criterion", "firstHit"));
    for (std::size_t c = 0; c < classes_.size() && sums_; ++c)
      rules.add(of_class(c, Tag("SimpleRule")));
    if (sums_) return rules;
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) {
      const Plan::Outcome& outcome = plan_.outcomes[i];
      Tag rule("SimpleRule");
      rule.with("confidence", double_text(outcome.probabilities[outcome.then]));
      if (i > 0) rule.with("weight", double_text(plan_.strengths[i - 1].weight));
      rules.add(leaf(i, std::move(rule)));
    }
    return rules;
  }

  // Makes a Node or a SimpleRule the result of a class.
  [[nodiscard]] Tag of_class(std::size_t c, Tag tag) const {
    tag.with("id", "class" + std::to_string(c)).with("score", classes_[c]);
    return tag.add(Tag("SimplePredicate")
                       .with("field", sums_->choice_field())
                       .with("operator", "equal")
                       .with("value", std::to_string(c)));
  }

  // Adds an outcome to a Node or a SimpleRule.
  [[nodiscard]] Tag leaf(std::size_t outcome, Tag tag) const {
    const Plan::Outcome& result = plan_.outcomes[outcome];
    const Statistics& statistics =
        outcome == 0 ? base_.otherwise_statistics : base_.rules[outcome - 1].statistics;
    tag.with("id", std::to_string(outcome)).with("score", classes_[result.then]);
    tag.with("recordCount", shortest(statistics.rows()));
    tag.add(Tag("Extension").with("name", "rule").with("value", meaning(outcome)));
    if (plan_.strengths.empty()) {
      tag.add(Tag("True"));
    } else {
      tag.add(Tag("SimplePredicate")
                  .with("field", winner_)
                  .with("operator", "equal")
                  .with("value", std::to_string(outcome)));
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      // A model written by hand may have no statistics.
      const double rows = c < statistics.class_rows.size() ? statistics.class_rows[c] : 0;
      tag.add(Tag("ScoreDistribution")
                  .with("value", classes_[c])
                  .with("recordCount", shortest(rows))
                  .with("probability", double_text(result.probabilities[c])));
    }
    return tag;
  }

  [[nodiscard]] std::string meaning(std::size_t outcome) const {
    return outcome > 0 ? plan_.strengths[outcome - 1].text
                       : "ELSE " + plan_.classes[plan_.outcomes[0].then];
  }

  const RuleBase& base_;
  const Plan& plan_;
  const ExportRequest& request_;
  Distinct fields_;
  std::vector<std::string> inputs_, classes_, degrees_, strengths_, probabilities_;
  std::string target_, predicted_, probability_, rule_, points_, referred_;
  std::string best_, winner_;
  std::optional<PmmlSums> sums_;  // if sums decide; without rules, a single leaf does
};

std::string write_pmml(const RuleBase& base, const Plan& plan, const ExportRequest& request) {
  return PmmlWriter(base, plan, request).text();
}

}  // namespace

const Writer& pmml_writer() {
  static const Writer writer = {
      .format = {"pmml", "PMML 4.4: a TreeModel, or with --rule-set a RuleSetModel"},
      .has_rule_set = true,
      .write = write_pmml};
  return writer;
}

}  // namespace frr::internal
