#include "onnx_sums.hpp"

#include <algorithm>

namespace frr::internal {
namespace {

using Attributes = Graph::Attributes;

// Functions, because a static vector would allocate before main() can report that memory ran out.
Attributes first_of_columns() { return {{"axis", 1}, {"keepdims", 0}, {"select_last_index", 0}}; }
Attributes keep() { return {{"keepdims", 1}}; }
Attributes drop() { return {{"keepdims", 0}}; }

class OnnxSums {
 public:
  OnnxSums(const Plan& plan, const std::string& strengths, Graph& graph)
      : plan_(plan), strengths_(strengths), graph_(graph) {
    columns_ = graph.constant(Columns{1}, "columns_axis");
  }

  void write(const OnnxOutputs& outputs) {
    const std::string scores = write_scores();
    write_probabilities(scores, outputs.probabilities);
    const std::string choice = write_choice(scores, outputs.probabilities);
    graph_.node("Gather", {graph_.constant(plan_.classes, "classes"), choice}, outputs.name,
                {{"axis", 0}});
    const std::string column = graph_.make("Unsqueeze", {choice, columns_}, "choice_column");
    write_rule(column, outputs.rule);
    Columns all;
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) all.push_back(c);
    const std::string is = graph_.make("Equal", {column, graph_.constant(all, "all")}, "is_choice");
    const std::string own = graph_.make("Where", {is, outputs.probabilities, zero()}, "own");
    graph_.node("ReduceMax", {own, columns_}, outputs.probability, drop());
    if (plan_.scorecard) write_points(outputs.points);
    if (plan_.refer > 0) write_referred(outputs.probabilities, outputs.referred);
  }

 private:
  std::string zero() { return graph_.constant(0.0, "zero"); }

  // The sums are chains, because the order of a reduction is not fixed: the k-th addition adds the
  // k-th rule of each class, or the column of zeros.
  std::string write_scores() {
    std::vector<Columns> rules(plan_.classes.size());
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r)
      rules[plan_.strengths[r].then].push_back(r + 1);
    std::size_t most = 0;
    for (const Columns& own : rules) most = std::max(most, own.size());
    std::string sum = graph_.constant(plan_.biases, "biases");
    for (std::size_t k = 0; k < most; ++k) {
      Columns columns;
      for (const Columns& own : rules) columns.push_back(k < own.size() ? own[k] : 0);
      sum = graph_.make("Add", {sum, graph_.gather(strengths_, columns, "added")}, "scores");
    }
    return sum;
  }

  void write_probabilities(const std::string& scores, const std::string& output) {
    const std::string most = graph_.make("ReduceMax", {scores, columns_}, "largest_score", keep());
    const std::string power =
        graph_.make("Exp", {graph_.make("Sub", {scores, most}, "lead")}, "exponentials");
    const std::string total = graph_.make("ReduceSum", {power, columns_}, "total", keep());
    graph_.node("Div", {power, total}, output);
  }

  // The index of the class, [N].
  std::string write_choice(const std::string& scores, const std::string& probabilities) {
    const Plan::Choice& how = plan_.choice;
    const std::string order = graph_.constant(how.order, "order");
    const auto in_order = [&](std::string_view op, const std::string& values) {
      const std::string place = graph_.make(op, {graph_.gather(values, how.order, "in_order")},
                                            "place", first_of_columns());
      return graph_.make("Gather", {order, place}, "choice", {{"axis", 0}});
    };
    if (plan_.by_offsets()) {
      return in_order(
          "ArgMax",
          graph_.make("Add", {scores, graph_.constant(how.offsets, "offsets")}, "compared"));
    }
    std::string cheapest = in_order("ArgMin", write_costs(probabilities));
    if (!how.preferred) return cheapest;
    const std::string own = graph_.make(
        "ReduceMax", {graph_.gather(probabilities, {*how.preferred}, "preferred"), columns_},
        "probability_of_preferred", drop());
    const std::string enough =
        graph_.make("GreaterOrEqual", {own, graph_.constant(how.threshold, "threshold")}, "enough");
    return graph_.make(
        "Where", {enough, graph_.constant(Columns{*how.preferred}, "preferred_class"), cheapest},
        "choice");
  }

  // The expected cost of each class.
  std::string write_costs(const std::string& probabilities) {
    const std::size_t classes = plan_.classes.size();
    std::string sum;
    for (std::size_t c = 0; c < classes; ++c) {
      const auto row = plan_.choice.costs.begin() + static_cast<std::ptrdiff_t>(c * classes);
      const std::string costs =
          graph_.constant(Doubles(row, row + static_cast<std::ptrdiff_t>(classes)), "costs");
      const std::string term =
          graph_.make("Mul", {graph_.gather(probabilities, {c}, "probability_of"), costs}, "cost");
      sum = sum.empty() ? term : graph_.make("Add", {sum, term}, "expected_costs");
    }
    return sum;
  }

  // The first of the strongest rules of the class; the column of zeros if they are all 0.
  void write_rule(const std::string& choice, const std::string& output) {
    Columns thens = {plan_.classes.size()};
    for (const Plan::Strength& strength : plan_.strengths) thens.push_back(strength.then);
    const std::string own =
        graph_.make("Equal", {choice, graph_.constant(thens, "class_of_rule")}, "of_choice");
    const std::string strengths = graph_.make("Where", {own, strengths_, zero()}, "own_strengths");
    graph_.node("ArgMax", {strengths}, output, first_of_columns());
  }

  void write_points(const std::string& output) {
    Doubles points = {0};
    for (const Plan::Strength& strength : plan_.strengths)
      points.push_back(static_cast<double>(strength.points));
    const std::string applies = graph_.make("Greater", {strengths_, zero()}, "applies");
    const std::string own = graph_.make(
        "Where", {applies, graph_.constant(points, "points_of_rule"), zero()}, "own_points");
    const std::string sum = graph_.make("ReduceSum", {own, columns_}, "sum_of_points", drop());
    graph_.node("Cast", {sum}, output, {{"to", number_of(Element::int64)}});
  }

  void write_referred(const std::string& probabilities, const std::string& output) {
    const std::string most =
        graph_.make("ReduceMax", {probabilities, columns_}, "largest_probability", drop());
    const std::string unsure =
        graph_.make("Less", {most, graph_.constant(plan_.refer, "refer")}, "unsure");
    const std::string strongest =
        graph_.make("ReduceMax", {strengths_, columns_}, "largest_strength", drop());
    const std::string none = graph_.make("LessOrEqual", {strongest, zero()}, "none_applies");
    graph_.node("Or", {unsure, none}, output);
  }

  const Plan& plan_;
  const std::string& strengths_;
  Graph& graph_;
  std::string columns_;  // a constant: the axis of the columns
};

}  // namespace

void write_sums(const Plan& plan, const std::string& strengths, const OnnxOutputs& outputs,
                Graph& graph) {
  OnnxSums(plan, strengths, graph).write(outputs);
}

}  // namespace frr::internal
