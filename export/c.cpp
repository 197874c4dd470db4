// C99: one header that allocates nothing and calls nothing.
#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <vector>

#include "names.hpp"
#include "writer.hpp"

namespace frr {
namespace {

// Rows that are decided side by side, so that a compiler can make vector code of it.
constexpr int block = 16;

std::unordered_set<std::string> keywords() {
  return {"auto",         "break",  "case",     "char",      "const",    "continue", "default",
          "do",           "double", "else",     "enum",      "extern",   "float",    "for",
          "goto",         "if",     "inline",   "int",       "long",     "register", "restrict",
          "return",       "short",  "signed",   "sizeof",    "static",   "struct",   "switch",
          "typedef",      "union",  "unsigned", "void",      "volatile", "while",    "alignas",
          "alignof",      "bool",   "class",    "constexpr", "false",    "nullptr",  "true",
          "thread_local", "typeof", "asm",      "errno",     "NULL",     "EOF"};
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return text;
}

class CWriter {
 public:
  CWriter(const Plan& plan, const ExportRequest& request)
      : plan_(plan), request_(request), members_(keywords()), name_(function_name()) {
    for (const Plan::Input& input : plan.inputs) fields_.push_back(members_.give(input.name, "x"));
  }

  std::string text() {
    out_ = "/* " + origin_text(plan_, request_) + "\n";
    out_ +=
        "   C99 and C++. Nothing is allocated, no library is called, any number of threads may "
        "decide.\n";
    out_ += "   It decides as FRR does to the last bit, where doubles are IEEE doubles. */\n";
    const std::string guard = upper(name_) + "_H";
    out_ += "#ifndef " + guard + "\n#define " + guard + "\n\n";
    write_types();
    write_codes();
    write_tables();
    write_degrees();
    write_strengths();
    write_thens();
    write_one();
    write_many();
    out_ += "#endif /* " + guard + " */\n";
    return std::move(out_);
  }

 private:
  std::string function_name() const {
    Names names(keywords());
    return names.give(request_.name.empty() ? "decide" : request_.name, "decide");
  }

  void write_types() {
    out_ += "/* One case. A missing number is a NaN, a missing category -1";
    out_ += " and one that no rule asks for -2. */\ntypedef struct {\n";
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const bool numeric = plan_.inputs[i].type == ColumnType::numeric;
      out_ += std::string(numeric ? "  double " : "  int ") + fields_[i] + "; /* " +
              comment_text(plan_.inputs[i].name) + (numeric ? "" : ": " + code_name(i)) + " */\n";
    }
    if (fields_.empty()) out_ += "  int unused;\n";
    out_ += "} " + name_ + "_case;\n\n";
    out_ +=
        "/* `class_index` counts from 0, see " + name_ + "_classes; `rule` from 1, 0 is ELSE. */\n";
    out_ += "typedef struct {\n  int class_index;\n  int rule;\n  double probability;\n} " + name_ +
            "_result;\n\n";
  }

  [[nodiscard]] std::string code_name(std::size_t input) const {
    return name_ + "_" + fields_[input] + "_code";
  }

  // Texts to codes, without a library.
  void write_codes() {
    bool any = false;
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      if (plan_.inputs[i].type == ColumnType::numeric) continue;
      if (!any) {
        out_ += "static inline int " + name_ + "_same(const char *one, const char *other) {\n";
        out_ += "  while (*one && *one == *other) {\n    ++one;\n    ++other;\n  }\n";
        out_ += "  return *one == *other;\n}\n\n";
        any = true;
      }
      out_ += "/* The code of a text (UTF-8) for " + fields_[i] + "; NULL is missing. */\n";
      out_ += "static inline int " + code_name(i) + "(const char *text) {\n";
      out_ += "  if (!text) return -1;\n";
      const auto& categories = plan_.inputs[i].categories;
      for (std::size_t code = 0; code < categories.size(); ++code) {
        out_ += "  if (" + name_ + "_same(text, " + quoted_c(categories[code]) + ")) return " +
                std::to_string(code) + ";\n";
      }
      out_ += "  return -2;\n}\n\n";
    }
  }

  void write_tables() {
    out_ += "static const char *const " + name_ + "_classes[" +
            std::to_string(plan_.classes.size()) + "] = {\n";
    for (const std::string& own : plan_.classes) out_ += "  " + quoted_c(own) + ",\n";
    out_ += "};\n\n";
    out_ += "/* Of each class where ELSE or a rule decides. */\nstatic const double " + name_ +
            "_probabilities[" + std::to_string(plan_.outcomes.size()) + "][" +
            std::to_string(plan_.classes.size()) + "] = {\n";
    for (const Plan::Outcome& outcome : plan_.outcomes) {
      out_ += "  {";
      for (std::size_t c = 0; c < outcome.probabilities.size(); ++c) {
        out_ += (c == 0 ? "" : ", ") + double_text(outcome.probabilities[c]);
      }
      out_ += "},\n";
    }
    out_ += "};\n\n";
  }

  // ---- Degrees: a small function each, of one value
  // -----------------------------------------------

  [[nodiscard]] std::string degree_name(std::size_t index) const {
    return name_ + "_degree_" + std::to_string(index + 1);
  }

  void write_degrees() {
    out_ += "/* 0 below 0 and for what is no number, 1 above 1. */\n";
    out_ += "static inline double " + name_ + "_clamp(double t) {\n";
    out_ += "  return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;\n}\n\n";
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      const Plan::Degree& degree = plan_.degrees[i];
      const bool numeric = plan_.inputs[degree.input].type == ColumnType::numeric;
      out_ += "/* " + comment_text(degree.text) + " */\nstatic inline double " + degree_name(i) +
              "(" + (numeric ? "double" : "int") + " x) {\n" + degree_body(degree, numeric) +
              "}\n\n";
    }
  }

  [[nodiscard]] std::string degree_body(const Plan::Degree& degree, bool numeric) const {
    switch (degree.kind) {
      case LabelKind::missing:
        return std::string("  return x ") + (numeric ? "!= x" : "== -1") + " ? 1.0 : 0.0;\n";
      case LabelKind::category:
        return "  return x == " + std::to_string(degree.code) + " ? 1.0 : 0.0;\n";
      case LabelKind::range:
        break;
    }
    const std::string rise = edge(degree.rise, true), fall = edge(degree.fall, false);
    if (rise.empty() && fall.empty()) return "  return x == x ? 1.0 : 0.0;\n";
    if (rise.empty() || fall.empty()) return "  return " + rise + fall + ";\n";
    return "  const double rise = " + rise + ";\n  const double fall = " + fall +
           ";\n  return rise < fall ? rise : fall;\n";
  }

  [[nodiscard]] std::string edge(const Plan::Edge& edge, bool rises) const {
    if (!edge.there) return "";
    const std::string corner = double_text(edge.corner);
    if (edge.width == 0) return "x " + std::string(rises ? ">= " : "< ") + corner + " ? 1.0 : 0.0";
    return name_ + "_clamp((" + (rises ? "x - " + corner : corner + " - x") + ") / " +
           double_text(edge.width) + ")";
  }

  // ---- Rules: a small function each, of its degrees
  // -----------------------------------------------

  [[nodiscard]] std::string strength_name(std::size_t rule) const {
    return name_ + "_strength_" + std::to_string(rule + 1);
  }

  void write_strengths() {
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      const Plan::Strength& strength = plan_.strengths[r];
      out_ += "/* " + comment_text(strength.text) + " */\nstatic inline double " +
              strength_name(r) + "(";
      for (std::size_t k = 0; k < strength.degrees.size(); ++k) {
        out_ += (k == 0 ? "double d" : ", double d") + std::to_string(k + 1);
      }
      out_ += ") {\n" + truth(strength.degrees.size());
      out_ += "  return " + double_text(strength.weight) + " * truth;\n}\n\n";
    }
  }

  // Statements that leave the conjunction of d1, d2, ... in `truth`.
  [[nodiscard]] std::string truth(std::size_t count) const {
    std::string text = "  double truth = d1;\n";
    if (count == 1) return text;
    const auto each = [&](const auto& statement) {
      for (std::size_t k = 1; k <= count; ++k) text += statement("d" + std::to_string(k));
    };
    switch (plan_.tnorm.kind) {
      case TNormKind::minimum:
        each([](const std::string& d) { return "  if (" + d + " < truth) truth = " + d + ";\n"; });
        break;
      case TNormKind::lukasiewicz:
        text = "  double truth, lack = 0.0;\n";
        each([](const std::string& d) { return "  lack += 1.0 - " + d + ";\n"; });
        text += "  truth = lack >= 1.0 ? 0.0 : 1.0 - lack;\n";
        break;
      case TNormKind::hamacher:
        text = "  double truth = 1.0, sum = 0.0;\n";
        each([](const std::string& d) {
          return "  if (" + d + " > 0.0) sum += (1.0 - " + d + ") / " + d +
                 ";\n  else truth = 0.0;\n";
        });
        text += "  if (truth > 0.0) truth = 1.0 / (1.0 + sum);\n";
        break;
      default:
        for (std::size_t k = 2; k <= count; ++k) text += "  truth *= d" + std::to_string(k) + ";\n";
    }
    return text;
  }

  // ---- Decisions
  // ----------------------------------------------------------------------------------

  [[nodiscard]] std::string call(std::size_t rule, const std::string& at) const {
    std::string text = strength_name(rule) + "(";
    for (std::size_t k = 0; k < plan_.strengths[rule].degrees.size(); ++k) {
      text += (k == 0 ? "d" : ", d") + std::to_string(plan_.strengths[rule].degrees[k] + 1) + at;
    }
    return text + ")";
  }

  void write_thens() {
    out_ += "/* The class that ELSE and each rule give. */\nstatic const int " + name_ + "_thens[" +
            std::to_string(plan_.outcomes.size()) + "] = {";
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i) {
      out_ += (i == 0 ? "" : ", ") + std::to_string(plan_.outcomes[i].then);
    }
    out_ += "};\n\n";
    out_ += "static inline " + name_ + "_result " + name_ + "_result_of(int rule) {\n";
    out_ += "  " + name_ + "_result result;\n  result.rule = rule;\n";
    out_ += "  result.class_index = " + name_ + "_thens[rule];\n";
    out_ += "  result.probability = " + name_ + "_probabilities[rule][result.class_index];\n";
    out_ += "  return result;\n}\n\n";
  }

  void write_one() {
    out_ += "static inline " + name_ + "_result " + name_ + "(const " + name_ + "_case *row) {\n";
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      out_ += "  const double d" + std::to_string(i + 1) + " = " + degree_name(i) + "(row->" +
              fields_[plan_.degrees[i].input] + ");\n";
    }
    out_ += "  double best = 0.0, strength;\n  int rule = 0;\n";
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      out_ += "  strength = " + call(r, "") +
              ";\n  if (strength > best) {\n    best = strength;\n" +
              "    rule = " + std::to_string(r + 1) + ";\n  }\n";
    }
    if (plan_.strengths.empty()) out_ += "  strength = best;\n  (void)strength;\n  (void)row;\n";
    out_ += "  return " + name_ + "_result_of(rule);\n}\n\n";
  }

  // Columns instead of cases: blocks of rows, which a compiler makes vector code of.
  void write_many() {
    out_ += "/* The columns of many cases, one value a case. */\ntypedef struct {\n";
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const bool numeric = plan_.inputs[i].type == ColumnType::numeric;
      out_ += std::string(numeric ? "  const double *" : "  const int *") + fields_[i] + ";\n";
    }
    if (fields_.empty()) out_ += "  int unused;\n";
    out_ += "} " + name_ + "_columns;\n\n";
    out_ +=
        "/* Decides the cases from, from + 1, ... (count of them) into rules[0], rules[1], ...:\n";
    out_ += "   0 is ELSE. " + name_ + "_result_of tells the rest. */\n";
    out_ += "static inline void " + name_ + "_many(const " + name_ +
            "_columns *columns, unsigned long from,\n    unsigned long count, int *rules) {\n";
    out_ += "  enum { block = " + std::to_string(block) + " };\n  unsigned long done;\n";
    out_ += "  for (done = 0; done < count; done += block) {\n";
    out_ += "    const unsigned long left = count - done;\n";
    out_ += "    const int rows = left < block ? (int)left : block;\n    int i;\n";
    write_block();
    out_ +=
        "    for (i = 0; i < rows; ++i) rules[done + (unsigned long)i] = (int)rule[i];\n  }\n}\n\n";
  }

  void write_block() {
    const std::string each = "    for (i = 0; i < block; ++i) ";
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const bool numeric = plan_.inputs[i].type == ColumnType::numeric;
      const std::string x = "x" + std::to_string(i + 1);
      out_ += std::string(numeric ? "    double " : "    int ") + x + "[block] = {0};\n";
    }
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      out_ += "    double d" + std::to_string(i + 1) + "[block];\n";
    }
    out_ += "    double best[block] = {0.0}, rule[block] = {0.0};\n";
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      out_ += "    for (i = 0; i < rows; ++i) x" + std::to_string(i + 1) + "[i] = columns->" +
              fields_[i] + "[from + done + (unsigned long)i];\n";
    }
    for (std::size_t i = 0; i < plan_.degrees.size(); ++i) {
      out_ += each + "d" + std::to_string(i + 1) + "[i] = " + degree_name(i) + "(x" +
              std::to_string(plan_.degrees[i].input + 1) + "[i]);\n";
    }
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      out_ += "    for (i = 0; i < block; ++i) {\n      const double strength = " + call(r, "[i]") +
              ";\n      rule[i] = strength > best[i] ? " + std::to_string(r + 1) +
              ".0 : rule[i];\n      best[i] = strength > best[i] ? strength : best[i];\n    }\n";
    }
    if (plan_.strengths.empty()) out_ += "    (void)best;\n    (void)columns;\n    (void)from;\n";
  }

  const Plan& plan_;
  const ExportRequest& request_;
  Names members_;
  std::string name_;
  std::vector<std::string> fields_;
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
      .write = write_c};
  return writer;
}

}  // namespace frr
