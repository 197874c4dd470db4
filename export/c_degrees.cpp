#include "c_degrees.hpp"

#include <algorithm>
#include <vector>

#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr {
namespace {

bool slants(const Plan::Edge& edge) { return edge.there && edge.width != 0; }
bool is_peak(const Plan::Degree& degree) { return slants(degree.rise) && slants(degree.fall); }
bool is_slope(const Plan::Degree& degree) {
  return slants(degree.rise) ? !degree.fall.there : slants(degree.fall) && !degree.rise.there;
}

// Whether it is one quotient, cut at 0 and 1. Of one case these are divided by twos.
bool is_quotient(const Plan::Degree& degree) { return is_peak(degree) || is_slope(degree); }
bool needs_bounds(const Plan::Degree& degree, bool many) {
  return many || slants(degree.rise) || slants(degree.fall);
}

std::string crisp(const std::string& condition, bool many) {
  return many ? condition + " ? one : zero" : "NAME_truth[" + condition + "]";
}

std::string edge(const Plan::Edge& edge, bool rises, bool many) {
  const std::string corner = double_text(edge.corner);
  if (edge.width == 0) return crisp("x " + std::string(rises ? ">= " : "< ") + corner, many);
  return "NAME_clamp((" + (rises ? "x - " + corner : corner + " - x") + ") / " +
         double_text(edge.width) + ", zero, one)";
}

// One division serves both sides: where the fall is below 1 the rise is not, and the other way
// round, in doubles, too. Dividing by a width below 0 turns both signs and no digit. The
// condition says d - x, since GCC would compute x - d under it alone if it said that.
struct Peak {
  explicit Peak(const Plan::Degree& degree)
      : a(double_text(degree.rise.corner)),
        d(double_text(degree.fall.corner)),
        up(double_text(degree.rise.width)),
        down(double_text(-degree.fall.width)),
        falls(d + " - x < " + double_text(degree.fall.width)) {}
  std::string a, d, up, down, falls;
};

std::string peak_of_many(const Plan::Degree& degree) {
  const Peak at(degree);
  return "  const double corner = " + at.falls + " ? " + at.d + " : " + at.a +
         ";\n  const double width = " + at.falls + " ? " + at.down + " : " + at.up +
         ";\n  return NAME_clamp((x - corner) / width, zero, one);\n";
}

std::string peak_part(const Plan::Degree& degree) {
  const Peak at(degree);
  return "  static const double corners[2] = {" + at.a + ", " + at.d +
         "};\n  static const double widths[2] = {" + at.up + ", " + at.down +
         "};\n  const int falls = " + at.falls +
         ";\n  *width = widths[falls];\n  return x - corners[falls];\n";
}

std::string slope_part(const Plan::Edge& edge, bool rises) {
  const std::string corner = double_text(edge.corner);
  return "  *width = " + double_text(edge.width) + ";\n  return " +
         (rises ? "x - " + corner : corner + " - x") + ";\n";
}

// What is divided, and by what, for one case.
void write_part(CSource& c, std::size_t index) {
  const Plan::Degree& degree = c.plan().degrees[index];
  c.add_text("static inline double " + degree_name(c, index, false) +
             "(double x, double *width) {\n");
  c.add(is_peak(degree)
            ? peak_part(degree)
            : slope_part(slants(degree.rise) ? degree.rise : degree.fall, slants(degree.rise)));
  c.add("}\n");
}

// A range with one side at most, and what is no range.
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
             (needs_bounds(degree, many) ? ", double zero, double one" : "") + ") {\n");
  if (is_peak(degree)) {
    c.add(peak_of_many(degree));
  } else if (degree.rise.there && degree.fall.there) {
    c.add("  const double rise = " + edge(degree.rise, true, many) + ";\n  const double fall = " +
          edge(degree.fall, false, many) + ";\n  return rise < fall ? rise : fall;\n");
  } else {
    c.add("  return " + side(c, degree, many) + ";\n");
  }
  c.add("}\n");
}

// Statements that leave the conjunction of d1, d2, ... in `truth`.
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

/* Two quotients at once, where the compiler has a word for it: divisions are what costs most. */
static inline void NAME_divide(double *one, double *other, double by, double other_by) {
#if defined(__GNUC__)
  typedef double pair __attribute__((vector_size(16)));
  pair both = {*one, *other};
  const pair widths = {by, other_by};
  both /= widths;
  *one = both[0];
  *other = both[1];
#else
  *one /= by;
  *other /= other_by;
#endif
}

)");
  for (std::size_t i = 0; i < c.plan().degrees.size(); ++i) {
    c.add_text("/* " + comment_text(c.plan().degrees[i].text) + " */\n");
    is_quotient(c.plan().degrees[i]) ? write_part(c, i) : write_degree(c, i, false);
    if (c.sufficient()) write_degree(c, i, true);
    c.add("\n");
  }
}

void write_row_degrees(CSource& c) {
  const std::vector<Plan::Degree>& degrees = c.plan().degrees;
  if (degrees.empty()) return c.add("  (void)row;\n");
  const auto slanted = [](const Plan::Degree& degree) { return needs_bounds(degree, false); };
  if (std::any_of(degrees.begin(), degrees.end(), slanted)) {
    c.add("  const double zero = NAME_bounds[0], one = NAME_bounds[1];\n");
  }
  const auto clamp = [&](std::size_t i, const std::string& quotient) {
    c.add("  " + numbered("d", i) + " = NAME_clamp(" + quotient + ", zero, one);\n");
  };
  const std::size_t none = degrees.size();
  std::size_t waiting = none;  // a quotient that waits for another one
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    const std::string d = numbered("d", i), w = numbered("w", i);
    const std::string call = degree_name(c, i, false) + "(row->" + c.fields()[degrees[i].input];
    if (!is_quotient(degrees[i])) {
      c.add_text("  const double " + d + " = " + call + (slanted(degrees[i]) ? ", zero, one" : "") +
                 ");\n");
      continue;
    }
    c.add_text("  double " + w + ", " + d + " = " + call + ", &" + w + ");\n");
    if (waiting == none) {
      waiting = i;
      continue;
    }
    const std::string first = numbered("d", waiting);
    c.add("  NAME_divide(&" + first + ", &" + d + ", " + numbered("w", waiting) + ", " + w +
          ");\n");
    clamp(waiting, first);
    clamp(i, d);
    waiting = none;
  }
  if (waiting != none) clamp(waiting, numbered("d", waiting) + " / " + numbered("w", waiting));
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

}  // namespace frr
