// ONNX: a graph of standard operators that decides many cases at once.
//
// Matrices with one row per case:
//
//   inputs -> edges (one column a side of a trapezoid, or a test) -> degrees: the smaller of two
//   edges -> strengths: condition by condition over all rules -> ArgMax, which takes the first.
//
// Column 0 of the strengths is ELSE with strength 0, so that only a strength above 0 decides. With
// additive semantics, OnnxSums (onnx_sums.hpp) continues from the strengths.
// Reductions over columns (ReduceProd) are avoided because their order of operations is not fixed.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "names.hpp"
#include "onnx_graph.hpp"
#include "onnx_sums.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

constexpr std::uint64_t ir_version = 9;
constexpr std::uint64_t opset = 19;  // the first whose Equal compares texts

// Columns of the matrix of edges. Each kind of edge is computed for all its columns at once.
class Edges {
 public:
  // An absent edge is a column of ones.
  struct Place {
    enum Kind { one, ramp, at_least, below, known, unknown, same, absent } kind = one;
    std::size_t at = 0;
  };

  // A fall is a rise of negative width: (corner - x) / width, to the last bit.
  Place side(std::size_t column, const Plan::Edge& edge, bool rises) {
    if (!edge.there) return {};
    if (edge.width != 0) {
      widths_.push_back(rises ? edge.width : -edge.width);
      return add(ramps_, Place::ramp, column, edge.corner);
    }
    return rises ? add(at_least_, Place::at_least, column, edge.corner)
                 : add(below_, Place::below, column, edge.corner);
  }
  Place known(std::size_t column) { return add(known_, Place::known, column, 0); }
  Place unknown(std::size_t column) { return add(unknown_, Place::unknown, column, 0); }
  Place same(std::size_t column, const std::string& text) {
    texts_.push_back(text);
    return add(same_, Place::same, column, 0);
  }

  // Equal to any of these texts.
  Place absent(std::size_t column, std::vector<std::string> texts) {
    absent_.emplace_back(column, std::move(texts));
    return {Place::absent, absent_.size() - 1};
  }

  // The column of a place in the matrix that write() makes, which begins with the ones.
  [[nodiscard]] std::size_t column(Place place) const {
    const std::size_t sizes[] = {1,
                                 ramps_.columns.size(),
                                 at_least_.columns.size(),
                                 below_.columns.size(),
                                 known_.columns.size(),
                                 unknown_.columns.size(),
                                 same_.columns.size()};
    std::size_t result = place.at;
    for (int kind = 0; kind < place.kind; ++kind) result += sizes[kind];
    return result;
  }

  std::string write(Graph& graph, const std::string& numbers, const std::string& texts,
                    const std::string& ones) const {
    std::vector<std::string> parts = {ones};
    if (!ramps_.columns.empty()) parts.push_back(write_ramps(graph, numbers));
    const auto compare = [&](const Group& group, std::string_view op, const std::string& name) {
      if (group.columns.empty()) return;
      const std::string x = graph.gather(numbers, group.columns, name + "_x");
      const std::string corners = graph.constant(group.corners, name + "_corners");
      parts.push_back(
          graph.as_numbers(graph.make(op, {x, corners}, name + "_flags"), name + "_edges"));
    };
    compare(at_least_, "GreaterOrEqual", "at_least");
    compare(below_, "Less", "below");
    if (!known_.columns.empty()) {
      const std::string missing =
          graph.make("IsNaN", {graph.gather(numbers, known_.columns, "known_x")}, "not_known");
      parts.push_back(graph.as_numbers(graph.make("Not", {missing}, "known"), "known_edges"));
    }
    if (!unknown_.columns.empty()) {
      const std::string missing =
          graph.make("IsNaN", {graph.gather(numbers, unknown_.columns, "missing_x")}, "missing");
      parts.push_back(graph.as_numbers(missing, "missing_edges"));
    }
    if (!same_.columns.empty()) {
      const std::string x = graph.gather(texts, same_.columns, "same_x");
      const std::string same =
          graph.make("Equal", {x, graph.constant(texts_, "categories")}, "same");
      parts.push_back(graph.as_numbers(same, "same_edges"));
    }
    for (const auto& [column, words] : absent_) {
      const std::string x = graph.gather(texts, {column}, "absent_x");
      const std::string flags =
          graph.make("Equal", {x, graph.constant(words, "missing_texts")}, "absent_flags");
      parts.push_back(graph.make(
          "ReduceMax",
          {graph.as_numbers(flags, "absent_numbers"), graph.constant(Columns{1}, "absent_axis")},
          "absent_edges"));
    }
    return graph.make("Concat", parts, "edges", {{"axis", 1}});
  }

 private:
  struct Group {
    Columns columns;
    Doubles corners;
  };

  static Place add(Group& group, Place::Kind kind, std::size_t column, double corner) {
    group.columns.push_back(column);
    group.corners.push_back(corner);
    return {kind, group.columns.size() - 1};
  }

  // Where instead of Clip, which would pass on the NaN of a missing number.
  std::string write_ramps(Graph& graph, const std::string& numbers) const {
    const std::string x = graph.gather(numbers, ramps_.columns, "ramp_x");
    const std::string above =
        graph.make("Sub", {x, graph.constant(ramps_.corners, "ramp_corners")}, "ramp_above");
    const std::string share =
        graph.make("Div", {above, graph.constant(widths_, "ramp_widths")}, "ramp_share");
    const std::string zero = graph.constant(0.0, "ramp_zero");
    const std::string low =
        graph.make("Min", {share, graph.constant(1.0, "ramp_one")}, "ramp_at_most_1");
    const std::string positive = graph.make("Greater", {share, zero}, "ramp_positive");
    return graph.make("Where", {positive, low, zero}, "ramp_edges");
  }

  Group ramps_, at_least_, below_, known_, unknown_, same_;
  Doubles widths_;                  // of ramps_
  std::vector<std::string> texts_;  // of same_
  std::vector<std::pair<std::size_t, std::vector<std::string>>> absent_;
};

class OnnxWriter {
 public:
  OnnxWriter(const Plan& plan, const ExportRequest& request) : plan_(plan), request_(request) {
    if (plan.inputs.empty()) {
      fail_data(
          "a model without rules reads no column, and an ONNX graph without inputs cannot tell how "
          "many cases there are; train with more rules, or export to c");
    }
  }

  std::string bytes() {
    write_inputs();
    // Names of outputs are chosen before those of inner values, which users do not see.
    const OnnxOutputs outputs = {.name = graph_.fresh("class"),
                                 .rule = graph_.fresh("rule"),
                                 .probability = graph_.fresh("probability"),
                                 .probabilities = graph_.fresh("probabilities"),
                                 .points = plan_.scorecard ? graph_.fresh("points") : "",
                                 .referred = plan_.refer > 0 ? graph_.fresh("referred") : ""};
    const std::string strengths = write_strengths(write_degrees());
    plan_.additive() ? write_sums(plan_, strengths, outputs, graph_)
                     : write_outcomes(strengths, outputs);
    declare(outputs);
    return model().bytes();
  }

 private:
  // ---- Inputs

  void write_inputs() {
    std::vector<std::string> numbers, texts;
    for (const Plan::Input& input : plan_.inputs) {
      const bool numeric = input.type == ColumnType::numeric;
      std::vector<std::string>& same_type = numeric ? numbers : texts;
      columns_.push_back(same_type.size());
      same_type.push_back(graph_.fresh(without_nul(input.name)));
      const std::string note = numeric ? "a number; NaN is missing" : "a text; empty is missing";
      const bool renamed = same_type.back() != input.name;
      graph_.input(same_type.back(), type_of(input),
                   note + (renamed ? "; called " + quoted_python(input.name) + " by FRR" : ""));
    }
    const std::string& any = numbers.empty() ? texts[0] : numbers[0];
    shape_ = graph_.make("Shape", {any}, "shape");
    if (!texts.empty()) texts_ = graph_.make("Concat", texts, "texts", {{"axis", 1}});
    if (numbers.empty()) return;
    numbers_ = graph_.make("Concat", numbers, "numbers", {{"axis", 1}});
    if (request_.float32) numbers_ = graph_.as_numbers(numbers_, "numbers");
    for (const double code : plan_.missing.numbers) {
      // A code such as 0.1 is rounded like the numbers.
      const double compared =
          request_.float32 ? static_cast<double>(static_cast<float>(code)) : code;
      const std::string is =
          graph_.make("Equal", {numbers_, graph_.constant(compared, "code")}, "is");
      const std::string nan =
          graph_.constant(std::numeric_limits<double>::quiet_NaN(), "missing_number");
      numbers_ = graph_.make("Where", {is, nan, numbers_}, "numbers");
    }
  }

  [[nodiscard]] Element type_of(const Plan::Input& input) const {
    if (input.type != ColumnType::numeric) return Element::text;
    return request_.float32 ? Element::float32 : Element::float64;
  }

  // Engines read names as C strings, which a NUL would end.
  static std::string without_nul(const std::string& name) {
    std::string result;
    for (const char c : name) result += c == '\0' ? std::string("\u2400") : std::string(1, c);
    return result;
  }

  std::string constant_column(double value, const std::string& name) {
    return graph_.make("Expand", {graph_.constant(Doubles{value}, name + "_value", 1), shape_},
                       name);
  }

  // ---- Degrees: one column each, then a column of ones

  std::string write_degrees() {
    Edges edges;
    std::vector<Edges::Place> firsts, seconds;
    for (const Plan::Degree& degree : plan_.degrees) {
      Edges::Place first, second;
      add_edges(degree, edges, first, second);
      firsts.push_back(first);
      seconds.push_back(second);
    }
    const std::string matrix = edges.write(graph_, numbers_, texts_, constant_column(1.0, "ones"));
    const auto pick = [&](std::vector<Edges::Place> places, std::string_view name) {
      places.emplace_back();
      Columns columns;
      for (const Edges::Place place : places) columns.push_back(edges.column(place));
      return graph_.gather(matrix, columns, name);
    };
    const std::string first = pick(firsts, "first_edges"), second = pick(seconds, "second_edges");
    return graph_.make("Min", {first, second}, "degrees");
  }

  void add_edges(const Plan::Degree& degree, Edges& edges, Edges::Place& first,
                 Edges::Place& second) const {
    const std::size_t column = columns_[degree.input];
    const bool numeric = plan_.inputs[degree.input].type == ColumnType::numeric;
    if (degree.kind == LabelKind::missing) {
      first = numeric ? edges.unknown(column)
                      : edges.absent(column, plan_.missing.texts(plan_.inputs[degree.input]));
    } else if (degree.kind == LabelKind::category) {
      if (degree.category.empty()) {
        fail_data("the column '" + plan_.inputs[degree.input].name +
                  "' has the empty text as a category, which means a missing value in ONNX; "
                  "give the category a name and train again");
      }
      first = edges.same(column, degree.category);
    } else {
      first = edges.side(column, degree.rise, true);
      second = edges.side(column, degree.fall, false);
      if (!degree.rise.there && !degree.fall.there) first = edges.known(column);
    }
  }

  // ---- Strengths: one column each, ELSE first

  std::string write_strengths(const std::string& degrees) {
    std::size_t longest = 0;
    for (const Plan::Strength& strength : plan_.strengths)
      longest = std::max(longest, strength.degrees.size());
    std::vector<std::string> conditions;
    for (std::size_t k = 0; k < longest; ++k) {
      Columns columns;
      // Rules with fewer conditions are padded with the degree 1, which is neutral for every
      // t-norm.
      for (const Plan::Strength& strength : plan_.strengths)
        columns.push_back(k < strength.degrees.size() ? strength.degrees[k] : plan_.degrees.size());
      conditions.push_back(graph_.gather(degrees, columns, "condition_" + std::to_string(k + 1)));
    }
    Doubles weights;
    for (const Plan::Strength& strength : plan_.strengths) weights.push_back(strength.weight);
    const std::string scores = graph_.make(
        "Mul", {write_truth(conditions), graph_.constant(weights, "weights")}, "scores");
    return graph_.make("Concat", {constant_column(0.0, "else"), scores}, "strengths",
                       {{"axis", 1}});
  }

  std::string write_truth(const std::vector<std::string>& conditions) {
    if (conditions.size() == 1) return conditions[0];
    switch (plan_.tnorm.kind) {
      case TNormKind::minimum:
        return graph_.make("Min", conditions, "truth");
      case TNormKind::lukasiewicz: {
        const std::string lack =
            sum_of(conditions, [&](const std::string& d) { return lack_of(d); });
        const std::string rest = graph_.make("Sub", {one(), lack}, "rest");
        return with_single(conditions[0],
                           graph_.make("Max", {rest, graph_.constant(0.0, "zero")}, "truth"));
      }
      case TNormKind::hamacher: {
        // A degree of 0 makes the sum infinite and the truth 0.
        const std::string sum = sum_of(conditions, [&](const std::string& d) {
          return graph_.make("Div", {lack_of(d), d}, "odds");
        });
        const std::string total = graph_.make("Add", {one(), sum}, "total");
        return with_single(conditions[0], graph_.make("Div", {one(), total}, "truth"));
      }
      default: {
        std::string truth = conditions[0];
        for (std::size_t k = 1; k < conditions.size(); ++k)
          truth = graph_.make("Mul", {truth, conditions[k]}, "truth");
        return truth;
      }
    }
  }

  const std::string& one() {
    if (one_.empty()) one_ = graph_.constant(1.0, "one");
    return one_;
  }
  std::string lack_of(const std::string& degree) {
    return graph_.make("Sub", {one(), degree}, "lack");
  }

  template <typename Term>
  std::string sum_of(const std::vector<std::string>& conditions, const Term& term) {
    std::string sum = term(conditions[0]);
    for (std::size_t k = 1; k < conditions.size(); ++k)
      sum = graph_.make("Add", {sum, term(conditions[k])}, "sum");
    return sum;
  }

  // The truth of a rule with one condition is its degree; 1 - (1 - d) could differ.
  std::string with_single(const std::string& degree, const std::string& truth) {
    std::vector<bool> single;
    for (const Plan::Strength& strength : plan_.strengths)
      single.push_back(strength.degrees.size() == 1);
    return graph_.make("Where", {graph_.flags(single, "single"), degree, truth}, "truth");
  }

  // ---- Outputs

  void write_outcomes(const std::string& strengths, const OnnxOutputs& outputs) {
    graph_.node("ArgMax", {strengths}, outputs.rule,
                {{"axis", 1}, {"keepdims", 0}, {"select_last_index", 0}});
    std::vector<std::string> thens;
    std::vector<bool> referred;
    Doubles all, of_then;
    for (const Plan::Outcome& outcome : plan_.outcomes) {
      thens.push_back(plan_.classes[outcome.then]);
      referred.push_back(outcome.referred);
      of_then.push_back(outcome.probabilities[outcome.then]);
      all.insert(all.end(), outcome.probabilities.begin(), outcome.probabilities.end());
    }
    const auto pick = [&](const std::string& table, const std::string& output) {
      graph_.node("Gather", {table, outputs.rule}, output, {{"axis", 0}});
    };
    pick(graph_.constant(thens, "class_of_rule"), outputs.name);
    pick(graph_.constant(of_then, "probability_of_rule"), outputs.probability);
    pick(graph_.constant(all, "probabilities_of_rule", plan_.outcomes.size()),
         outputs.probabilities);
    if (plan_.refer > 0) pick(graph_.flags(referred, "referred_of_rule"), outputs.referred);
  }

  void declare(const OnnxOutputs& outputs) {
    graph_.output(outputs.name, Element::text, 0, "the class that is decided");
    graph_.output(outputs.probability, Element::float64, 0, "of that class");
    graph_.output(outputs.probabilities, Element::float64, plan_.classes.size(),
                  "of each class, in the order of the metadata");
    graph_.output(outputs.rule, Element::int64, 0,
                  plan_.additive() ? "the strongest for that class, counted from 1; 0: none applies"
                                   : "that decides, counted from 1; 0 is ELSE");
    if (plan_.scorecard)
      graph_.output(outputs.points, Element::int64, 0, "the sum of those of the rules that apply");
    if (plan_.refer > 0)
      graph_.output(outputs.referred, Element::boolean, 0, "whether a person must decide");
  }

  [[nodiscard]] std::string note() const {
    std::string text = origin_text(plan_, request_) +
                       " One input a column that rules read, of shape [N, 1]: numbers (NaN is "
                       "missing) or texts (the empty one is missing).";
    for (const std::string& line : plan_.notes) text += " " + line;
    if (!request_.float32)
      return text + (plan_.additive() ? " Decides as FRR does."
                                      : " Decides as FRR does, to the last bit.");
    return text +
           " Numbers come in with 32 bits: borders are compared after rounding to 32 bits, so a "
           "number very near a border may be decided otherwise than by FRR.";
  }

  [[nodiscard]] Message model() const {
    Message model;
    model.integer(1, ir_version).text(2, "FRR").text(3, version()).integer(5, 1).text(6, note());
    model.message(7, graph_.message(note()));
    model.message(8, Message().text(1, "").integer(2, opset));
    const auto property = [&](std::string_view key, const std::string& value) {
      model.message(14, Message().text(1, key).text(2, value));
    };
    std::string rules;
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r)
      rules += std::to_string(r + 1) + ". " + plan_.strengths[r].text + "\n";
    rules += "0. ELSE " + plan_.classes[plan_.outcomes[0].then] + "\n";
    std::string classes;
    for (const std::string& name : plan_.classes)
      classes += (classes.empty() ? "[" : ", ") + quoted_javascript(name);
    property("producer", "FRR " + std::string(version()));
    property("target", plan_.target);
    property("classes", classes + "]");
    property("rules", rules);
    std::string notes;
    for (const std::string& line : plan_.notes) notes += line + "\n";
    if (!notes.empty()) property("decisions", notes);
    return model;
  }

  const Plan& plan_;
  const ExportRequest& request_;
  Graph graph_;
  Columns columns_;                      // of each input, among those of its type
  std::string numbers_, texts_, shape_;  // names: all numbers, all texts, [N, 1]
  std::string one_;
};

std::string write_onnx(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  return OnnxWriter(plan, request).bytes();
}

}  // namespace

const Writer& onnx_writer() {
  static const Writer writer = {
      .format = {"onnx", "ONNX graph of standard operators, for many cases at once (binary)"},
      .has_float32 = true,
      .write = write_onnx};
  return writer;
}

}  // namespace frr::internal
