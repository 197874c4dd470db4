// C99: one header that neither allocates memory nor, with sufficient semantics, calls a library.
//
// GCC and clang compile the forms below without branches at -O2, which gives most of the speed: a
// mispredicted branch costs more than a division. One case is decided with pairs of doubles, for
// which SSE2 has instructions that compilers keep. Many cases are decided in a loop over a block of
// rows, in which comparisons select; it is vectorised. The loop clamps to 0 and 1 by bounds that
// the compiler does not know: GCC would branch if it knew them.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "c_degrees.hpp"
#include "c_many.hpp"
#include "c_pairs.hpp"
#include "c_source.hpp"
#include "c_sums.hpp"
#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return text;
}

std::string guard(const CSource& c) { return upper(c.name()) + "_H"; }

// ---- Declarations ------------------------------------------------------------------------------

void write_head(CSource& c, const ExportRequest& request) {
  c.add_text("/* " + origin_text(c.plan(), request) + "\n\n" + rules_comment(c.plan(), "     "));
  c.add(R"(
   C99 and C++. Nothing is allocated, )");
  c.add(c.sufficient() ? "no library is called, any number of threads may decide."
                       : "any number of threads may decide. Of libraries, only exp\n   of <math.h> "
                         "is called, for the probabilities: some linkers need -lm.");
  c.add(R"(
   It decides as FRR does)");
  c.add(c.sufficient() ? " to the last bit" : "");
  c.add(R"(, where doubles are IEEE doubles and the compiler keeps to
   that: -ffast-math does not. */
)");
  c.add_text("#ifndef " + guard(c) + "\n#define " + guard(c));
  c.add(R"(

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#error "compile without -ffast-math and its parts: missing values are NaN, and every bit counts"
#endif

#include <float.h>
#include <stddef.h>

#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0)
#error "compile for arithmetic of doubles (-msse2 -mfpmath=sse): more digits decide otherwise"
#endif

)");
}

std::string code_name(const CSource& c, std::size_t input) {
  return c.name() + "_" + c.fields()[input] + "_code";
}

void write_types(CSource& c) {
  c.add("/* One case. A missing number is a NAN, a missing category -1");
  c.add(" and one that no rule asks for -2. */\ntypedef struct {\n");
  for (std::size_t i = 0; i < c.fields().size(); ++i) {
    c.add_text(std::string(c.is_number(i) ? "  double " : "  int ") + c.fields()[i] + "; /* " +
               exact_text(c.plan().inputs[i].name) +
               (c.is_number(i) ? "" : ": " + code_name(c, i)) + " */\n");
  }
  if (c.fields().empty()) c.add("  int unused;\n");
  c.add(R"(} NAME_case;

/* `class_index` counts from 0, see NAME_classes; `rule` from 1, )");
  c.add(c.sufficient() ? "0 is ELSE. */" : "the strongest for this class;\n   0: none applies. */");
  c.add(R"(
typedef struct {
  int class_index;
  int rule;
  double probability;
)");
  if (c.plan().scorecard) c.add("  int points; /* the sum of those of the rules that apply */\n");
  if (c.plan().refer > 0) c.add("  int referred; /* 1 if a person must decide, else 0 */\n");
  c.add("} NAME_result;\n\n");
}

void write_code(CSource& c, std::size_t input) {
  const Plan::Input& column = c.plan().inputs[input];
  c.add_text("/* The code of a text (UTF-8) for " + c.fields()[input] + "; NULL is missing. */\n");
  c.add_text("static inline int " + code_name(c, input) + "(const char *text) {\n");
  c.add("  if (!text) return -1;\n");
  const auto add = [&](const std::string& text, const std::string& code) {
    c.add("  if (NAME_same(text, ");
    c.add_text(quoted_c(text) + ")) return " + code + ";\n");
  };
  for (std::size_t code = 0; code < column.categories.size(); ++code)
    add(column.categories[code], std::to_string(code));
  for (const std::string& text : column.kept) {
    if (std::find(column.categories.begin(), column.categories.end(), text) ==
        column.categories.end())
      add(text, "-2");
  }
  c.add("  return NAME_means_missing(text) ? -1 : -2;\n}\n\n");
}

void write_means_missing(CSource& c) {
  c.add(
      R"(/* Whether a text is `word`, but for spaces and tabs around it, and for the case of letters. */
static inline int NAME_reads(const char *text, const char *word, int any_case) {
  while (*text == ' ' || *text == '\t') ++text;
  for (; *word; ++text, ++word) {
    const int upper = any_case && *text >= 'A' && *text <= 'Z';
    if ((upper ? *text - 'A' + 'a' : *text) != *word) return 0;
  }
  while (*text == ' ' || *text == '\t') ++text;
  return !*text;
}

/* Whether a text means a missing value. */
static inline int NAME_means_missing(const char *text) {
  return )");
  bool first = true;
  const auto add = [&](std::string_view word, std::string_view any_case) {
    if (!first) c.add(" ||\n         ");
    first = false;
    c.add("NAME_reads(text, ");
    c.add_text(quoted_c(word) + ", " + std::string(any_case) + ")");
  };
  for (const std::string_view word : Plan::Missing::built_in) add(word, "1");
  for (const std::string& code : c.plan().missing.codes) add(code, "0");
  c.add(";\n}\n\n");
}

// Converts texts to codes without a library.
void write_codes(CSource& c) {
  const auto is_text = [](const Plan::Input& input) { return input.type != ColumnType::numeric; };
  if (std::none_of(c.plan().inputs.begin(), c.plan().inputs.end(), is_text)) return;
  c.add(R"(static inline int NAME_same(const char *one, const char *other) {
  while (*one && *one == *other) {
    ++one;
    ++other;
  }
  return *one == *other;
}

)");
  write_means_missing(c);
  for (std::size_t i = 0; i < c.plan().inputs.size(); ++i) {
    if (!c.is_number(i)) write_code(c, i);
  }
}

void write_classes(CSource& c) {
  c.add("static const char *const NAME_classes[" + std::to_string(c.plan().classes.size()) +
        "] = {\n");
  for (const std::string& name : c.plan().classes) c.add_text("  " + quoted_c(name) + ",\n");
  c.add("};\n\n");
}

// What ELSE and each rule give.
void write_outcomes(CSource& c) {
  const std::vector<Plan::Outcome>& outcomes = c.plan().outcomes;
  const std::string count = std::to_string(outcomes.size());
  c.add("/* The class that ELSE and each rule give. */\n");
  c.add("static const int NAME_thens[" + count + "] = {");
  c.add(listed(outcomes.size(), ", ",
               [&](std::size_t i) { return std::to_string(outcomes[i].then); }));
  c.add("};\n\n/* Of each class where ELSE or a rule decides. */\n");
  c.add("static const double NAME_probabilities[" + count + "][" +
        std::to_string(c.plan().classes.size()) + "] = {\n");
  for (const Plan::Outcome& outcome : outcomes) {
    const std::vector<double>& shares = outcome.probabilities;
    c.add("  {" +
          listed(shares.size(), ", ", [&](std::size_t i) { return double_text(shares[i]); }) +
          "},\n");
  }
  c.add("};\n\n");
  if (c.plan().refer == 0) return;
  c.add("/* Whether a case is referred to a person where ELSE or a rule decides. */\n");
  c.add("static const int NAME_referred[" + count + "] = {");
  c.add(listed(outcomes.size(), ", ",
               [&](std::size_t i) { return outcomes[i].referred ? "1" : "0"; }));
  c.add("};\n\n");
}

// A number that equals a missing-value code is missing.
void write_number(CSource& c) {
  const std::vector<double>& codes = c.plan().missing.numbers;
  if (codes.empty()) return;
  c.add("/* A number, or NaN for a code of a missing value. */\n");
  c.add("static inline double NAME_number(double x) {\n  const double zero = 0.0;\n");
  for (const double code : codes) {
    const std::string is = std::isinf(code) ? (code < 0 ? "x < -DBL_MAX" : "x > DBL_MAX")
                                            : "x == " + double_text(code);
    c.add("  x = " + is + " ? zero / zero : x;\n");
  }
  c.add("  return x;\n}\n\n");
}

// ---- One case ----------------------------------------------------------------------------------

void write_one(CSource& c) {
  c.add(R"(static inline NAME_result NAME_result_of(int rule) {
  NAME_result result;
  result.rule = rule;
  result.class_index = NAME_thens[rule];
  result.probability = NAME_probabilities[rule][result.class_index];
)");
  if (c.plan().refer > 0) c.add("  result.referred = NAME_referred[rule];\n");
  c.add(R"(  return result;
}

static inline NAME_result NAME(const NAME_case *row) {
)");
  write_winner(c);
  c.add("}\n\n");
}

std::string write_c(const RuleBase&, const Plan& plan, const ExportRequest& request) {
  CSource c(plan, request);
  write_head(c, request);
  write_types(c);
  write_codes(c);
  write_classes(c);
  if (c.sufficient()) write_outcomes(c);
  write_pairs(c);
  write_number(c);
  write_degrees(c);
  write_strengths(c);
  c.sufficient() ? write_one(c) : write_sums(c);
  write_many(c);
  c.add_text("#endif /* " + guard(c) + " */\n");
  return c.take();
}

}  // namespace

const Writer& c_writer() {
  static const Writer writer = {
      .format = {"c", "C99 header without allocation and libraries: one case, or columns of many"},
      .has_name = true,
      .write = write_c};
  return writer;
}

}  // namespace frr::internal
