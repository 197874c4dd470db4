// C99: one header that allocates nothing and calls nothing.
//
// The forms below are those of which both GCC and clang make code without branches at -O2, which is
// most of the speed: a mispredicted branch costs more than a division. One case is decided by
// scalars (a comparison indexes a table), many by a loop over a block of rows (a comparison
// selects), which becomes vector code. Both cut at 0 and 1 by bounds that no compiler knows: GCC
// would branch where it knows them.
#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_set>
#include <vector>

#include "frr/error.hpp"
#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr {
namespace {

// Rows that are decided side by side: more than 16, since GCC takes shorter loops apart before it
// would make vector code of them.
constexpr std::size_t block = 32;
// What one loop over them computes, at most: compilers give up on very long loops, or take long.
constexpr std::size_t loop_rules = 20, loop_degrees = 60;

// Of C and C++, and macros that compilers or common headers define in small letters.
std::unordered_set<std::string> keywords() {
  return {"alignas",     "alignof",    "and",
          "and_eq",      "asm",        "assert",
          "auto",        "bitand",     "bitor",
          "bool",        "break",      "case",
          "catch",       "char",       "char16_t",
          "char32_t",    "char8_t",    "class",
          "co_await",    "co_return",  "co_yield",
          "compl",       "complex",    "concept",
          "const",       "const_cast", "consteval",
          "constexpr",   "constinit",  "continue",
          "decltype",    "default",    "delete",
          "do",          "double",     "dynamic_cast",
          "else",        "enum",       "errno",
          "explicit",    "export",     "extern",
          "false",       "far",        "float",
          "for",         "friend",     "goto",
          "huge",        "i386",       "if",
          "imaginary",   "inline",     "int",
          "interface",   "linux",      "long",
          "main",        "mutable",    "namespace",
          "near",        "new",        "noexcept",
          "noreturn",    "not",        "not_eq",
          "nullptr",     "operator",   "or",
          "or_eq",       "private",    "protected",
          "public",      "register",   "reinterpret_cast",
          "requires",    "restrict",   "return",
          "short",       "signed",     "sizeof",
          "small",       "static",     "static_assert",
          "static_cast", "stderr",     "stdin",
          "stdout",      "struct",     "switch",
          "template",    "this",       "thread_local",
          "throw",       "true",       "try",
          "typedef",     "typeid",     "typename",
          "typeof",      "union",      "unix",
          "unsigned",    "unused",     "using",
          "virtual",     "void",       "volatile",
          "wchar_t",     "while",      "xor",
          "xor_eq",      "BUFSIZ",     "EOF",
          "FALSE",       "I",          "INFINITY",
          "NAN",         "NULL",       "TRUE"};
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return text;
}

// "d3"
std::string numbered(std::string_view name, std::size_t index) {
  return std::string(name) + std::to_string(index + 1);
}

std::string function_name(const ExportRequest& request) {
  return Names(keywords()).give(request.name.empty() ? "decide" : request.name, "decide");
}

class CWriter {
 public:
  CWriter(const Plan& plan, const ExportRequest& request)
      : plan_(plan), request_(request), name_(function_name(request)) {
    Names members(keywords());
    for (const Plan::Input& input : plan.inputs) {
      fields_.push_back(members.give(input.name, "x"));
      for (const std::string& text : input.categories) check_text(text);
    }
    for (const std::string& text : plan.classes) check_text(text);
  }

  std::string text() {
    write_head();
    write_types();
    write_codes();
    write_tables();
    write_degrees();
    write_strengths();
    if (plan_.semantics == Semantics::additive) {
      write_shares();
      write_columns();
      write_one_by_one();
    } else {
      write_one();
      write_columns();
      plan_.strengths.empty() ? write_none() : write_many();
    }
    add_text("#endif /* " + guard() + " */\n");
    return std::move(out_);
  }

 private:
  static void check_text(const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    fail_data("C cannot hold a text with a NUL character: '" + comment_text(text) +
              "'. Rename it in the data and train again");
  }

  // NAME stands for the name of the function. What stems from the data is no such template.
  void add(std::string_view text) { out_ += filled(text, "NAME", name_); }
  void add_text(std::string_view text) { out_ += text; }

  [[nodiscard]] std::string guard() const { return upper(name_) + "_H"; }

  [[nodiscard]] bool is_number(std::size_t input) const {
    return plan_.inputs[input].type == ColumnType::numeric;
  }

  // ---- Declarations -------------------------------------------------------------------------

  void write_head() {
    add_text("/* " + origin_text(plan_, request_) + "\n\n" + rules_comment(plan_, "     "));
    add(R"(
   C99 and C++. Nothing is allocated, no library is called, any number of threads may decide.
   It decides as FRR does to the last bit, where doubles are IEEE doubles and the compiler keeps to
   that: -ffast-math does not. */
)");
    add_text("#ifndef " + guard() + "\n#define " + guard());
    add(R"(

#if defined(__FAST_MATH__)
#error "compile without -ffast-math: it takes no heed of missing values, which are NaN"
#endif

#include <stddef.h>

)");
  }

  void write_types() {
    add("/* One case. A missing number is a NAN, a missing category -1");
    add(" and one that no rule asks for -2. */\ntypedef struct {\n");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      add_text(std::string(is_number(i) ? "  double " : "  int ") + fields_[i] + "; /* " +
               comment_text(plan_.inputs[i].name) + (is_number(i) ? "" : ": " + code_name(i)) +
               " */\n");
    }
    if (fields_.empty()) add("  int unused;\n");
    add(R"(} NAME_case;

/* `class_index` counts from 0, see NAME_classes; `rule` from 1, 0 is ELSE. */
typedef struct {
  int class_index;
  int rule;
  double probability;
} NAME_result;

)");
  }

  [[nodiscard]] std::string code_name(std::size_t input) const {
    return name_ + "_" + fields_[input] + "_code";
  }

  // Texts to codes, without a library.
  void write_codes() {
    const auto is_text = [](const Plan::Input& input) { return input.type != ColumnType::numeric; };
    if (std::none_of(plan_.inputs.begin(), plan_.inputs.end(), is_text)) return;
    add(R"(static inline int NAME_same(const char *one, const char *other) {
  while (*one && *one == *other) {
    ++one;
    ++other;
  }
  return *one == *other;
}

)");
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      if (!is_number(i)) write_code(i);
    }
  }

  void write_code(std::size_t input) {
    add_text("/* The code of a text (UTF-8) for " + fields_[input] + "; NULL is missing. */\n");
    add_text("static inline int " + code_name(input) + "(const char *text) {\n");
    add("  if (!text) return -1;\n");
    const auto& categories = plan_.inputs[input].categories;
    for (std::size_t code = 0; code < categories.size(); ++code) {
      add("  if (NAME_same(text, ");
      add_text(quoted_c(categories[code]) + ")) return " + std::to_string(code) + ";\n");
    }
    add("  return -2;\n}\n\n");
  }

  void write_tables() {
    const std::string classes = std::to_string(plan_.classes.size());
    const std::string outcomes = std::to_string(plan_.outcomes.size());
    add("static const char *const NAME_classes[" + classes + "] = {\n");
    for (const std::string& own : plan_.classes) add_text("  " + quoted_c(own) + ",\n");
    add("};\n\n/* The class that ELSE and each rule give. */\n");
    add("static const int NAME_thens[" + outcomes + "] = {");
    add(listed(plan_.outcomes.size(), ", ",
               [&](std::size_t i) { return std::to_string(plan_.outcomes[i].then); }));
    add("};\n\n");
    // Those of additive rules depend on the case, but for ELSE.
    const bool additive = plan_.semantics == Semantics::additive;
    const std::size_t rows = additive ? 1 : plan_.outcomes.size();
    add(additive ? "/* Of each class where ELSE decides. */\n"
                 : "/* Of each class where ELSE or a rule decides. */\n");
    add("static const double NAME_probabilities[" + std::to_string(rows) + "][" + classes +
        "] = {\n");
    for (std::size_t row = 0; row < rows; ++row) {
      const std::vector<double>& own = plan_.outcomes[row].probabilities;
      add("  {" + listed(own.size(), ", ", [&](std::size_t c) { return double_text(own[c]); }) +
          "},\n");
    }
    add("};\n\n");
  }

  // ---- Degrees: a small function each, and another one for many cases where that differs ------

  static bool slants(const Plan::Edge& edge) { return edge.there && edge.width != 0; }
  static bool is_peak(const Plan::Degree& degree) {
    return slants(degree.rise) && slants(degree.fall);
  }
  // A single slope is the same for one case and for many.
  static bool is_slope(const Plan::Degree& degree) {
    return slants(degree.rise) ? !degree.fall.there : slants(degree.fall) && !degree.rise.there;
  }
  static bool needs_bounds(const Plan::Degree& degree, bool many) {
    return many || slants(degree.rise) || slants(degree.fall);
  }

  // Of the function without its arguments.
  [[nodiscard]] std::string degree_name(std::size_t index, bool many) const {
    const bool differs = many && !is_slope(plan_.degrees[index]);
    return numbered(name_ + "_degree_", index) + (differs ? "_many" : "");
  }

  void write_degrees() {
    if (plan_.degrees.empty()) return;
    add(R"(/* False and true; and the same as bounds that no compiler knows, which keeps branches out. */
static const double NAME_truth[2] = {0.0, 1.0};
static const volatile double NAME_bounds[2] = {0.0, 1.0};

/* 0 below 0 and for what is no number, 1 above 1. */
static inline double NAME_clamp(double t, double zero, double one) {
  t = t > zero ? t : zero;
  return t < one ? t : one;
}

)");
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      add_text("/* " + comment_text(plan_.degrees[i].text) + " */\n");
      write_degree(i, false);
      const bool differs = degree_name(i, false) != degree_name(i, true);
      if (differs && plan_.semantics == Semantics::sufficient) write_degree(i, true);
      add("\n");
    }
  }

  void write_degree(std::size_t index, bool many) {
    const Plan::Degree& degree = plan_.degrees[index];
    add_text("static inline double " + degree_name(index, many) +
             (many || is_number(degree.input) ? "(double x" : "(int x") +
             (needs_bounds(degree, many) ? ", double zero, double one" : "") + ") {\n");
    if (is_peak(degree)) {
      add(peak(degree, many));
    } else if (degree.rise.there && degree.fall.there) {
      add("  const double rise = " + edge(degree.rise, true, many) + ";\n  const double fall = " +
          edge(degree.fall, false, many) + ";\n  return rise < fall ? rise : fall;\n");
    } else {
      add("  return " + side(degree, many) + ";\n");
    }
    add("}\n");
  }

  // One division serves both sides: where the fall is below 1 the rise is not, and the other way
  // round, in doubles, too. Dividing by a width below 0 turns both signs and no digit. The
  // condition says d - x, since GCC would compute x - d under it alone if it said that.
  static std::string peak(const Plan::Degree& degree, bool many) {
    const std::string a = double_text(degree.rise.corner), d = double_text(degree.fall.corner);
    const std::string up = double_text(degree.rise.width), down = double_text(-degree.fall.width);
    const std::string falls = d + " - x < " + double_text(degree.fall.width);
    if (many) {
      return "  const double corner = " + falls + " ? " + d + " : " + a +
             ";\n  const double width = " + falls + " ? " + down + " : " + up +
             ";\n  return NAME_clamp((x - corner) / width, zero, one);\n";
    }
    return "  static const double corner[2] = {" + a + ", " + d +
           "};\n  static const double width[2] = {" + up + ", " + down +
           "};\n  const int falls = " + falls +
           ";\n  return NAME_clamp((x - corner[falls]) / width[falls], zero, one);\n";
  }

  // A range with one side at most, and what is no range.
  [[nodiscard]] std::string side(const Plan::Degree& degree, bool many) const {
    if (degree.kind == LabelKind::category) {
      return crisp("x == " + std::to_string(degree.code), many);
    }
    if (degree.kind == LabelKind::missing) {
      return crisp(is_number(degree.input) ? "x != x" : "x == -1", many);
    }
    if (degree.rise.there) return edge(degree.rise, true, many);
    if (degree.fall.there) return edge(degree.fall, false, many);
    return crisp("x == x", many);
  }

  static std::string crisp(const std::string& condition, bool many) {
    return many ? condition + " ? one : zero" : "NAME_truth[" + condition + "]";
  }

  static std::string edge(const Plan::Edge& edge, bool rises, bool many) {
    const std::string corner = double_text(edge.corner);
    if (edge.width == 0) return crisp("x " + std::string(rises ? ">= " : "< ") + corner, many);
    return "NAME_clamp((" + (rises ? "x - " + corner : corner + " - x") + ") / " +
           double_text(edge.width) + ", zero, one)";
  }

  // ---- Rules: a small function each, of its degrees -----------------------------------------

  void write_strengths() {
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      const Plan::Strength& strength = plan_.strengths[r];
      const std::size_t count = strength.degrees.size();
      add_text("/* " + comment_text(strength.text, 400) + " */\n");
      add("static inline double NAME_strength_" + std::to_string(r + 1) + "(" +
          listed(count, ", ", [](std::size_t k) { return numbered("double d", k); }) + ") {\n" +
          truth(count) + "  return " + double_text(strength.weight) + " * truth;\n}\n\n");
    }
  }

  // Statements that leave the conjunction of d1, d2, ... in `truth`.
  [[nodiscard]] std::string truth(std::size_t count) const {
    const auto each = [&](std::size_t from, std::string_view statement) {
      std::string text;
      for (std::size_t k = from; k < count; ++k) text += filled(statement, "D", numbered("d", k));
      return text;
    };
    if (count == 1) return "  const double truth = d1;\n";
    switch (plan_.tnorm.kind) {
      case TNormKind::minimum:
        return "  double truth = d1;\n" + each(1, "  truth = D < truth ? D : truth;\n");
      case TNormKind::lukasiewicz:
        return "  double truth, lack = 0.0;\n" + each(0, "  lack += 1.0 - D;\n") +
               (plan_.semantics == Semantics::additive
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

  // ---- One case -----------------------------------------------------------------------------

  [[nodiscard]] std::string strength_call(std::size_t rule) const {
    const auto& degrees = plan_.strengths[rule].degrees;
    const auto argument = [&](std::size_t k) { return numbered("d", degrees[k]); };
    return "NAME_strength_" + std::to_string(rule + 1) + "(" +
           listed(degrees.size(), ", ", argument) + ")";
  }

  // Statements that leave the degrees of *row in d1, d2, ...
  void write_row_degrees() {
    if (plan_.degrees.empty()) return add("  (void)row;\n");
    const auto slanted = [](const Plan::Degree& degree) { return needs_bounds(degree, false); };
    if (std::any_of(plan_.degrees.begin(), plan_.degrees.end(), slanted)) {
      add("  const double zero = NAME_bounds[0], one = NAME_bounds[1];\n");
    }
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      const Plan::Degree& degree = plan_.degrees[i];
      add_text("  const double " + numbered("d", i) + " = " + degree_name(i, false) + "(row->" +
               fields_[degree.input] + (slanted(degree) ? ", zero, one" : "") + ");\n");
    }
  }

  void write_one() {
    add(R"(static inline NAME_result NAME_result_of(int rule) {
  NAME_result result;
  result.rule = rule;
  result.class_index = NAME_thens[rule];
  result.probability = NAME_probabilities[rule][result.class_index];
  return result;
}

static inline NAME_result NAME(const NAME_case *row) {
)");
    write_row_degrees();
    if (!plan_.strengths.empty()) add("  double best = 0.0, strength;\n");
    add("  int rule = 0;\n");
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      add("  strength = " + strength_call(r) + ";\n  rule = strength > best ? " +
          std::to_string(r + 1) + " : rule;\n  best = strength > best ? strength : best;\n");
    }
    add("  return NAME_result_of(rule);\n}\n\n");
  }

  // ---- Many cases ---------------------------------------------------------------------------

  void write_columns() {
    add("/* The columns of many cases, one value a case. */\ntypedef struct {\n");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      add_text((is_number(i) ? "  const double *" : "  const int *") + fields_[i] + ";\n");
    }
    if (fields_.empty()) add("  int unused;\n");
    add("} NAME_columns;\n\n");
  }

  void write_many_head(const std::string& more) {
    add("/* Decides the cases from, from + 1, ... (count of them) into rules[0], rules[1], ...:\n"
        "   0 is ELSE. " +
        more +
        " */\n"
        "static inline void NAME_many(const NAME_columns *columns, size_t from, size_t count,\n"
        "                             int *rules) {\n");
  }

  void write_none() {
    write_many_head("NAME_result_of tells the rest.");
    add(R"(  size_t done;
  (void)columns;
  (void)from;
  for (done = 0; done < count; ++done) rules[done] = 0;
}

)");
  }

  void write_many() {
    write_block();
    write_many_head("NAME_result_of tells the rest.");
    add("  enum { block = " + std::to_string(block) + R"( };
  size_t done, i;
  for (done = 0; done < count; done += block) {
    const size_t left = count - done, rows = left < (size_t)block ? left : (size_t)block;
    NAME_columns at;
    double lead[block];
)");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      add((is_number(i) ? "    double " : "    int ") + numbered("x", i) + "[block];\n");
    }
    for (const std::string& field : fields_) {
      add_text("    at." + field + " = columns->" + field + " + from + done;\n");
    }
    add("    if (rows < (size_t)block) { /* the last row fills the block */\n");
    add("      for (i = 0; i < (size_t)block; ++i) {\n");
    add("        const size_t row = from + done + (i < rows ? i : rows - 1);\n");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      add_text("        " + numbered("x", i) + "[i] = columns->" + fields_[i] + "[row];\n");
    }
    add("      }\n");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      add_text("      at." + fields_[i] + " = " + numbered("x", i) + ";\n");
    }
    add(R"(    }
    NAME_block(&at, lead);
    for (i = 0; i < rows; ++i) rules[done + i] = (int)lead[i];
  }
}

)");
  }

  // Loops over the block, all in doubles, of which a compiler makes vector code: one for a model of
  // common size. For a larger one the degrees are kept in arrays, from loops of their own.
  void write_block() {
    const std::size_t rules = plan_.strengths.size(), degrees = plan_.degrees.size();
    const bool one_loop = rules <= loop_rules && degrees <= loop_degrees;
    add("/* The rules that decide so many cases. */\n");
    add("static inline void NAME_block(const NAME_columns *at, double *lead) {\n");
    add("  enum { block = " + std::to_string(block) + " };\n");
    add("  const double zero = NAME_bounds[0], one = NAME_bounds[1];\n");
    if (!one_loop) {
      for (std::size_t i = 0; i < degrees; ++i) add("  double " + numbered("a", i) + "[block];\n");
      if (rules > loop_rules) add("  double best_1[block], lead_1[block];\n");
      if (rules > 2 * loop_rules) add("  double best_0[block], lead_0[block];\n");
    }
    add("  int i;\n");
    if (one_loop) {
      add("  for (i = 0; i < block; ++i) {\n");
      write_block_degrees(0, degrees);
      write_block_rules(0, rules, "zero", "zero");
      add("    lead[i] = rule;\n  }\n}\n\n");
      return;
    }
    for (std::size_t from = 0; from < degrees; from += loop_degrees) {
      const std::size_t to = std::min(degrees, from + loop_degrees);
      add("  for (i = 0; i < block; ++i) {\n");
      write_block_degrees(from, to);
      for (std::size_t d = from; d < to; ++d) {
        add("    " + numbered("a", d) + "[i] = " + numbered("d", d) + ";\n");
      }
      add("  }\n");
    }
    for (std::size_t from = 0; from < rules; from += loop_rules) {
      write_rule_loop(from, std::min(rules, from + loop_rules));
    }
    add("}\n\n");
  }

  void write_block_degrees(std::size_t from, std::size_t to) {
    std::set<std::size_t> inputs;
    for (std::size_t d = from; d < to; ++d) inputs.insert(plan_.degrees[d].input);
    for (const std::size_t i : inputs) {
      add_text("    const double " + numbered("x", i) + " = " + (is_number(i) ? "" : "(double)") +
               "at->" + fields_[i] + "[i];\n");
    }
    for (std::size_t d = from; d < to; ++d) {
      add_text("    const double " + numbered("d", d) + " = " + degree_name(d, true) + "(" +
               numbered("x", plan_.degrees[d].input) + ", zero, one);\n");
    }
  }

  void write_block_rules(std::size_t from, std::size_t to, const std::string& best,
                         const std::string& rule) {
    add("    double best = " + best + ", rule = " + rule + ", strength;\n");
    for (std::size_t r = from; r < to; ++r) {
      add("    strength = " + strength_call(r) + ";\n    rule = strength > best ? " +
          std::to_string(r + 1) + ".0 : rule;\n    best = strength > best ? strength : best;\n");
    }
  }

  // The pair of arrays that holds what leads before a rule. Loops go from one pair to the other:
  // where both were one, GCC would store under a condition.
  static std::string leads(std::size_t rule) {
    return (rule + loop_rules - 1) / loop_rules % 2 == 0 ? "_0[i]" : "_1[i]";
  }

  void write_rule_loop(std::size_t from, std::size_t to) {
    std::set<std::size_t> degrees;
    for (std::size_t r = from; r < to; ++r) {
      degrees.insert(plan_.strengths[r].degrees.begin(), plan_.strengths[r].degrees.end());
    }
    add("  for (i = 0; i < block; ++i) {\n");
    for (const std::size_t d : degrees) {
      add("    const double " + numbered("d", d) + " = " + numbered("a", d) + "[i];\n");
    }
    const std::string old = leads(from);
    write_block_rules(from, to, from == 0 ? "zero" : "best" + old,
                      from == 0 ? "zero" : "lead" + old);
    const bool last = to == plan_.strengths.size();
    add(last ? "    lead[i] = rule;\n  }\n"
             : "    best" + leads(to) + " = best;\n    lead" + leads(to) + " = rule;\n  }\n");
  }

  // ---- Additive semantics -------------------------------------------------------------------

  void write_shares() {
    add(R"(/* Decides, and fills in the probability of every class. */
static inline NAME_result NAME_shares(const NAME_case *row, double *shares) {
  enum { classes = )" +
        std::to_string(plan_.classes.size()) + " };\n");
    write_row_degrees();
    add(R"(  double sums[classes], tops[classes], total = 0.0, other = 0.0, top = 0.0;
  int rules[classes], winner = -1, i;
  NAME_result result;
)");
    if (!plan_.strengths.empty()) {
      // GCC would fuse product and sum where the processor can, which rounds once instead of twice.
      add("  volatile double product;\n  double strength;\n");
    }
    add("  for (i = 0; i < classes; ++i) {\n    sums[i] = tops[i] = 0.0;\n    rules[i] = 0;\n  "
        "}\n");
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      const std::string at = "[" + std::to_string(plan_.strengths[r].then) + "]";
      add("  product = " + strength_call(r) + ";\n  strength = product;\n  sums" + at +
          " += strength;\n  if (strength > tops" + at + ") {\n    tops" + at +
          " = strength;\n    rules" + at + " = " + std::to_string(r + 1) + ";\n  }\n");
    }
    add(filled(filled(R"(  for (i = 0; i < classes; ++i) {
    total += sums[i];
    if (sums[i] > top) {
      top = sums[i];
      winner = i;
    }
  }
  result.rule = winner < 0 ? 0 : rules[winner];
  result.class_index = NAME_thens[result.rule];
  if (winner < 0) {
    for (i = 0; i < classes; ++i) shares[i] = NAME_probabilities[0][i];
    result.probability = shares[result.class_index];
    return result;
  }
  for (i = 0; i < classes; ++i) {
    shares[i] = sums[i] / total;
    if (i != winner && shares[i] > other) other = shares[i];
  }
  /* The class that is predicted is the most probable one, even of equals. */
  other *= 1.0 + LEAD + ORDER * shares[winner];
  if (other > shares[winner]) shares[winner] = other;
  total = 0.0;
  for (i = 0; i < classes; ++i) total += shares[i];
  for (i = 0; i < classes; ++i) shares[i] /= total;
  result.probability = shares[winner];
  return result;
}

static inline NAME_result NAME(const NAME_case *row) {
  double shares[)" + std::to_string(plan_.classes.size()) +
                          R"(];
  return NAME_shares(row, shares);
}

)",
                      "LEAD", share_lead),
               "ORDER", share_order));
  }

  void write_one_by_one() {
    write_many_head("NAME_thens tells their classes.");
    add("  size_t done;\n");
    if (fields_.empty()) add("  (void)columns;\n  (void)from;\n");
    add("  for (done = 0; done < count; ++done) {\n    NAME_case row;\n");
    if (fields_.empty()) add("    row.unused = 0;\n");
    for (const std::string& field : fields_) {
      add_text("    row." + field + " = columns->" + field + "[from + done];\n");
    }
    add("    rules[done] = NAME(&row).rule;\n  }\n}\n\n");
  }

  const Plan& plan_;
  const ExportRequest& request_;
  std::string name_;
  std::vector<std::string> fields_;  // of the structs, one an input
  std::string out_;
};

std::string write_c(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  return CWriter(plan, request).text();
}

}  // namespace

const Writer& c_writer() {
  static const Writer writer = {
      .format = {"c", "C99 header without allocation and libraries: one case, or columns of many"},
      .has_name = true,
      .additive = true,
      .write = write_c};
  return writer;
}

}  // namespace frr
