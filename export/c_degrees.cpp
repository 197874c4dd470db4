#include "c_degrees.hpp"

#include "c_pairs.hpp"
#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string crisp(const std::string& condition, bool many) {
  return many ? condition + " ? one : zero" : "NAME_truth[" + condition + "]";
}

std::string edge(const Plan::Edge& edge, bool rises, bool many) {
  const std::string corner = double_text(edge.corner);
  if (edge.width == 0) return crisp("x " + std::string(rises ? ">= " : "< ") + corner, many);
  return "NAME_clamp((" + (rises ? "x - " + corner : corner + " - x") + ") / " +
         double_text(edge.width) + ", zero, one)";
}

// One division serves both sides: in doubles, too, the rise is 1 wherever the fall is below 1, and
// the reverse. Dividing by a negative width changes both signs and no digit. The condition uses d -
// x: with x - d, GCC would move the subtraction into a branch.
std::string peak_of_many(const Plan::Degree& degree) {
  const std::string falls =
      double_text(degree.fall.corner) + " - x < " + double_text(degree.fall.width);
  return "  const double corner = " + falls + " ? " + double_text(degree.fall.corner) + " : " +
         double_text(degree.rise.corner) + ";\n  const double width = " + falls + " ? " +
         double_text(-degree.fall.width) + " : " + double_text(degree.rise.width) +
         ";\n  return NAME_clamp((x - corner) / width, zero, one);\n";
}

// A range with at most one side, or a label that is not a range.
std::string side(const CSource& c, const Plan::Degree& degree, bool many) {
  if (degree.kind == LabelKind::category) {
    return crisp("x == " + std::to_string(degree.code), many);
  }
  if (degree.kind == LabelKind::missing) {
    return crisp(c.is_number(degree.input) ? "x != x" : "x == -1", many);
  }
  if (degree.rise.there) return edge(degree.rise, true, many);
  if (degree.fall.there) return edge(degree.fall, false, many);
  return crisp("x == x", many);
}

void write_degree(CSource& c, std::size_t index, bool many) {
  const Plan::Degree& degree = c.plan().degrees[index];
  c.add_text("static inline double " + degree_name(c, index, many) +
             (many || c.is_number(degree.input) ? "(double x" : "(int x") +
             (many ? ", double zero, double one) {\n" : ") {\n"));
  if (!many && (slants(degree.rise) || slants(degree.fall))) {
    c.add("  const double zero = NAME_bounds[0], one = NAME_bounds[1];\n");
  }
  if (slants(degree.rise) && slants(degree.fall)) {
    c.add(peak_of_many(degree));
  } else if (degree.rise.there && degree.fall.there) {
    c.add("  const double rise = " + edge(degree.rise, true, many) + ";\n  const double fall = " +
          edge(degree.fall, false, many) + ";\n  return rise < fall ? rise : fall;\n");
  } else {
    c.add("  return " + side(c, degree, many) + ";\n");
  }
  c.add("}\n");
}

// Statements that compute the conjunction of d1, d2, ... in `truth`.
std::string truth(const CSource& c, std::size_t count) {
  const auto each = [&](std::size_t from, std::string_view statement) {
    std::string text;
    for (std::size_t k = from; k < count; ++k) text += filled(statement, "D", numbered("d", k));
    return text;
  };
  if (count == 1) return "  const double truth = d1;\n";
  switch (c.plan().tnorm.kind) {
    case TNormKind::minimum:
      return "  double truth = d1;\n" + each(1, "  truth = D < truth ? D : truth;\n");
    case TNormKind::lukasiewicz:
      return "  double truth, lack = 0.0;\n" + each(0, "  lack += 1.0 - D;\n") +
             (!c.sufficient()
                  ? "  truth = 1.0 - lack;\n  truth = truth > 0.0 ? truth : 0.0;\n"
                  : "  truth = 1.0 - lack; /* below 0 is as good as 0: no such rule decides "
                    "*/\n");
    case TNormKind::hamacher:  // a degree of 0 makes the sum infinite
      return "  double truth, sum = 0.0;\n" + each(0, "  sum += (1.0 - D) / D;\n") +
             "  truth = 1.0 / (1.0 + sum);\n";
    default:
      return "  double truth = d1;\n" + each(1, "  truth *= D;\n");
  }
}

}  // namespace

std::string degree_name(const CSource& c, std::size_t index, bool many) {
  return numbered(c.name() + "_degree_", index) + (many ? "_many" : "");
}

void write_degrees(CSource& c) {
  if (c.plan().degrees.empty()) return;
  c.add(
      R"(/* False and true; and the same as bounds that no compiler knows, which keeps branches out. */
static const double NAME_truth[2] = {0.0, 1.0};
static const volatile double NAME_bounds[2] = {0.0, 1.0};

/* 0 below 0 and for what is no number, 1 above 1. */
static inline double NAME_clamp(double t, double zero, double one) {
  t = t > zero ? t : zero;
  return t < one ? t : one;
}

)");
  for (std::size_t i = 0; i < c.plan().degrees.size(); ++i) {
    c.add_text("/* " + comment_text(c.plan().degrees[i].text) + " */\n");
    if (!is_quotient(c.plan().degrees[i])) write_degree(c, i, false);
    if (c.sufficient()) write_degree(c, i, true);
    c.add("\n");
  }
}

void write_strengths(CSource& c) {
  for (std::size_t r = 0; r < c.plan().strengths.size(); ++r) {
    const Plan::Strength& strength = c.plan().strengths[r];
    const std::size_t count = strength.degrees.size();
    c.add_text("/* " + comment_text(strength.text, 400) + " */\n");
    c.add("static inline double NAME_strength_" + std::to_string(r + 1) + "(" +
          listed(count, ", ", [](std::size_t k) { return numbered("double d", k); }) + ") {\n" +
          truth(c, count) + "  return " + double_text(strength.weight) + " * truth;\n}\n\n");
  }
}

std::string strength_call(const CSource& c, std::size_t rule) {
  const auto& degrees = c.plan().strengths[rule].degrees;
  const auto argument = [&](std::size_t k) { return numbered("d", degrees[k]); };
  return "NAME_strength_" + std::to_string(rule + 1) + "(" +
         listed(degrees.size(), ", ", argument) + ")";
}

}  // namespace frr::internal
