#include "script.hpp"

#include <cmath>
#include <initializer_list>
#include <utility>

#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

// "d3"
std::string degree_name(std::size_t index) { return "d" + std::to_string(index + 1); }

std::string called(std::string_view function, const std::string& arguments) {
  return std::string(function) + "(" + arguments + ")";
}

class ScriptWriter {
 public:
  ScriptWriter(const Script& script, const Plan& plan, const ExportRequest& request)
      : script_(script), plan_(plan), request_(request) {
    std::unordered_set<std::string> reserved = script.reserved_names();
    for (std::size_t i = 0; i < plan.degrees.size(); ++i) reserved.insert(degree_name(i));
    Names names(std::move(reserved));
    name_ = names.give(request.name.empty() ? "decide" : request.name, "decide");
    for (const Plan::Input& input : plan.inputs) {
      variables_.push_back(names.give(input.name, "x"));
    }
  }

  std::string text() {
    write_head();
    write_names();
    write_missing();
    plan_.additive() ? write_sums() : write_outcomes();
    add({script_.helpers(plan_), conjunction()});
    write_function();
    add({filled(script_.program(plan_), "NAME", name_)});
    return std::move(out_);
  }

 private:
  void add(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) out_ += text;
  }

  void write_head() {
    const std::string comment(script_.comment);
    add({comment, " ", origin_text(plan_, request_), "\n", comment, "\n",
         rules_comment(plan_, comment + "   "), filled(script_.head, "NAME", name_)});
  }

  void add_constant(std::string_view name, const std::string& value) {
    add({name, " = ", value, script_.end, "\n"});
  }

  // A list with one item per line.
  [[nodiscard]] std::string lines(const std::vector<std::string>& items) const {
    if (items.empty()) return std::string(script_.empty);
    std::string text(script_.open);
    for (const std::string& item : items) {
      text += "\n" + std::string(script_.indent) + item + ",";
    }
    return text + "\n" + std::string(script_.close);
  }

  void write_names() {
    add_constant(script_.target, script_.quoted(plan_.target));
    std::vector<std::string> classes;
    for (const std::string& name : plan_.classes) classes.push_back(script_.quoted(name));
    add_constant(script_.classes, lines(classes));
    add({"\n", script_.comment, " ", script_.inputs_remark, "\n"});
    for (const Script::InputList& list : script_.inputs) {
      std::vector<std::string> names;
      for (const Plan::Input& input : plan_.inputs) {
        const bool listed = input.type == ColumnType::numeric ? list.numeric : list.categorical;
        if (listed) names.push_back(script_.quoted(input.name));
      }
      add_constant(list.name, lines(names));
    }
  }

  void write_missing() {
    std::vector<std::string> texts, codes, numbers;
    for (const std::string_view text : Plan::Missing::built_in) {
      texts.push_back(script_.quoted(text));
    }
    for (const std::string& code : plan_.missing.codes) codes.push_back(script_.quoted(code));
    for (const double number : plan_.missing.numbers) {
      numbers.push_back(std::isinf(number) ? (number < 0 ? "-" : "") + std::string(script_.infinity)
                                           : double_text(number));
    }
    add({"\n", script_.comment,
         " Texts that mean a missing value, in any case; and the codes for it.\n"});
    add_constant(script_.missing, script_.set(texts));
    add_constant(script_.codes, script_.set(codes));
    add_constant(script_.code_numbers, script_.set(numbers));
  }

  void write_outcomes() {
    add({"\n", script_.comment, " ", script_.outcomes_remark, "\n"});
    std::vector<std::string> outcomes, referrals;
    for (const Plan::Outcome& outcome : plan_.outcomes) {
      outcomes.push_back(script_.outcome(
          std::to_string(outcome.then),
          listed(outcome.probabilities.size(), ", ",
                 [&](std::size_t c) { return double_text(outcome.probabilities[c]); })));
      referrals.push_back(script_.truth_value(outcome.referred));
    }
    add_constant(script_.outcomes, lines(outcomes));
    if (plan_.refer == 0) return;
    add({"\n", script_.comment, " Whether a person must decide.\n"});
    add_constant(script_.referrals, script_.list(referrals));
  }

  [[nodiscard]] std::string numbers(const std::vector<double>& values) const {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const double value : values) texts.push_back(double_text(value));
    return script_.list(texts);
  }

  void write_sums() {
    const auto wholes = [&](const auto& items, const auto& of) {
      std::vector<std::string> texts;
      texts.reserve(items.size());
      for (const auto& item : items) texts.push_back(std::to_string(of(item)));
      return script_.list(texts);
    };
    const Plan::Choice& choice = plan_.choice;
    add({"\n", script_.comment,
         " What the scores of the classes start with, and the class to whose score each rule "
         "adds.\n"});
    add_constant(script_.biases, numbers(plan_.biases));
    add_constant(script_.thens,
                 wholes(plan_.strengths, [](const Plan::Strength& s) { return s.then; }));
    if (plan_.scorecard) {
      add_constant(script_.points,
                   wholes(plan_.strengths, [](const Plan::Strength& s) { return s.points; }));
    }
    add({"\n", script_.comment,
         plan_.by_offsets()
             ? " The class with the largest score plus offset is predicted, the first of equals.\n"
             : " The class with the lowest expected cost is predicted, the first of equals.\n"});
    add_constant(script_.order, wholes(choice.order, [](std::size_t c) { return c; }));
    if (plan_.by_offsets()) return add_constant(script_.offsets, numbers(choice.offsets));
    std::vector<std::string> rows;
    const auto width = static_cast<std::ptrdiff_t>(plan_.classes.size());
    for (auto row = choice.costs.begin(); row != choice.costs.end(); row += width) {
      rows.push_back(numbers({row, row + width}));
    }
    add_constant(script_.costs, lines(rows));
  }

  [[nodiscard]] std::string conjunction() const {
    switch (plan_.tnorm.kind) {
      case TNormKind::lukasiewicz:
        return std::string(script_.lukasiewicz);
      case TNormKind::hamacher:
        return std::string(script_.hamacher);
      case TNormKind::aczel_alsina:
        return filled(script_.aczel_alsina, "LAMBDA", double_text(plan_.tnorm.lambda));
      default:
        return "";
    }
  }

  void write_function() {
    add({filled(script_.function, "NAME", name_)});
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Plan::Input& input = plan_.inputs[i];
      const bool numeric = input.type == ColumnType::numeric;
      add({script_.indent, script_.declare, variables_[i], " = ",
           numeric ? script_.read_number : script_.read_text, "(row, ", script_.quoted(input.name),
           script_.text_arguments(input), ")", script_.end, "\n"});
    }
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      add({script_.indent, script_.declare, degree_name(i), " = ", degree(plan_.degrees[i]),
           script_.end, script_.remark, comment_text(plan_.degrees[i].text), "\n"});
    }
    add({script_.indent, script_.declare, script_.strengths, " = ", script_.open, "\n"});
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      add({script_.indent, script_.indent, strength(plan_.strengths[r]), ",", script_.remark,
           "rule ", std::to_string(r + 1), "\n"});
    }
    add({script_.indent, script_.close, script_.end, "\n"});
    if (plan_.additive()) {
      write_choice();
    } else {
      add({filled(script_.decide_sufficient, "MORE", script_.more(plan_))});
    }
  }

  void write_choice() {
    const Plan::Choice& choice = plan_.choice;
    add({script_.sums, plan_.by_offsets() ? script_.by_offsets : script_.by_costs});
    if (choice.preferred) {
      add({filled(filled(script_.preferred, "PREFERRED", std::to_string(*choice.preferred)),
                  "THRESHOLD", double_text(choice.threshold))});
    }
    if (plan_.scorecard) add({script_.add_points});
    if (plan_.refer > 0) add({filled(script_.refer, "REFER", double_text(plan_.refer))});
    add({filled(script_.decide_additive, "MORE", script_.more(plan_))});
  }

  // The membership of an input's value in a label.
  [[nodiscard]] std::string degree(const Plan::Degree& degree) const {
    const std::string& x = variables_[degree.input];
    const bool numeric = plan_.inputs[degree.input].type == ColumnType::numeric;
    const auto with_itself = [&](std::string_view compared) {
      return x + std::string(compared) + x;
    };
    if (degree.kind == LabelKind::category) {
      return script_.truth(x + std::string(script_.same) + script_.quoted(degree.category));
    }
    if (degree.kind == LabelKind::missing) {
      return script_.truth(numeric ? with_itself(script_.different)
                                   : x + std::string(script_.no_text));
    }
    const Plan::Edge &rise = degree.rise, &fall = degree.fall;
    const auto slope = [&](const std::string& height, const Plan::Edge& edge) {
      return called(script_.clamp, "(" + height + ") / " + double_text(edge.width));
    };
    const std::string a = double_text(rise.corner), d = double_text(fall.corner);
    const std::string up =
        rise.width == 0 ? script_.truth(x + " >= " + a) : slope(x + " - " + a, rise);
    const std::string down =
        fall.width == 0 ? script_.truth(x + " < " + d) : slope(d + " - " + x, fall);
    if (rise.there && fall.there) return called(script_.smaller, up + ", " + down);
    return rise.there ? up : fall.there ? down : script_.truth(with_itself(script_.same));
  }

  // The score of a rule, from its degrees.
  [[nodiscard]] std::string strength(const Plan::Strength& strength) const {
    const auto name = [&](std::size_t k) { return degree_name(strength.degrees[k]); };
    const bool product = plan_.tnorm.kind == TNormKind::product;
    const bool minimum = plan_.tnorm.kind == TNormKind::minimum;
    std::string truth = listed(strength.degrees.size(), product ? " * " : ", ", name);
    if (strength.degrees.size() > 1) {
      truth = called(product ? "" : minimum ? script_.smaller : script_.conjunction, truth);
    }
    if (plan_.root != 1) {
      truth = called(script_.power,
                     truth + ", " + std::string(script_.one) + " / " + double_text(plan_.root));
    }
    return double_text(strength.weight) + " * " + truth;
  }

  const Script& script_;
  const Plan& plan_;
  const ExportRequest& request_;
  std::string name_;                    // of the function
  std::vector<std::string> variables_;  // one per input
  std::string out_;
};

}  // namespace

std::string write_script(const Script& script, const Plan& plan, const ExportRequest& request) {
  return ScriptWriter(script, plan, request).text();
}

}  // namespace frr::internal
