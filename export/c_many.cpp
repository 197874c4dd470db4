#include "c_many.hpp"

#include <algorithm>
#include <set>

#include "c_degrees.hpp"

namespace frr::internal {
namespace {

// Rows that are decided together: more than 16, because GCC unrolls shorter loops before it
// vectorises.
constexpr std::size_t block = 32;
// Maximum work of one loop: compilers do not vectorise very long loops, or take a long time.
constexpr std::size_t loop_rules = 20, loop_degrees = 60;

void write_columns(CSource& c) {
  c.add("/* The columns of many cases, one value a case. */\ntypedef struct {\n");
  for (std::size_t i = 0; i < c.fields().size(); ++i) {
    c.add_text((c.is_number(i) ? "  const double *" : "  const int *") + c.fields()[i] + ";\n");
  }
  if (c.fields().empty()) c.add("  int unused;\n");
  c.add("} NAME_columns;\n\n");
}

void write_many_head(CSource& c) {
  c.add(
      "/* Decides the cases from, from + 1, ... (count of them) into rules[0], rules[1], ...:\n"
      "   0 is ELSE. NAME_result_of gives the rest. */\n"
      "static inline void NAME_many(const NAME_columns *columns, size_t from, size_t count,\n"
      "                             int *rules) {\n");
}

void write_none(CSource& c) {
  write_many_head(c);
  c.add(R"(  size_t done;
  (void)columns;
  (void)from;
  for (done = 0; done < count; ++done) rules[done] = 0;
}

)");
}

void write_block_degrees(CSource& c, std::size_t from, std::size_t to) {
  std::set<std::size_t> inputs;
  for (std::size_t d = from; d < to; ++d) inputs.insert(c.plan().degrees[d].input);
  for (const std::size_t i : inputs) {
    c.add_text("    const double " + numbered("x", i) + " = " + (c.is_number(i) ? "" : "(double)") +
               c.cleaned(i, "at->" + c.fields()[i] + "[i]") + ";\n");
  }
  for (std::size_t d = from; d < to; ++d) {
    c.add_text("    const double " + numbered("d", d) + " = " + degree_name(c, d, true) + "(" +
               numbered("x", c.plan().degrees[d].input) + ", zero, one);\n");
  }
}

void write_block_rules(CSource& c, std::size_t from, std::size_t to, const std::string& best,
                       const std::string& rule) {
  c.add("    double best = " + best + ", rule = " + rule + ", strength;\n");
  for (std::size_t r = from; r < to; ++r) {
    c.add("    strength = " + strength_call(c, r) + ";\n    rule = strength > best ? " +
          std::to_string(r + 1) + ".0 : rule;\n    best = strength > best ? strength : best;\n");
  }
}

// The pair of arrays with the best rule so far, before a rule. Loops alternate between two pairs:
// with one, GCC would store conditionally.
std::string leads(std::size_t rule) {
  return (rule + loop_rules - 1) / loop_rules % 2 == 0 ? "_0[i]" : "_1[i]";
}

void write_rule_loop(CSource& c, std::size_t from, std::size_t to) {
  std::set<std::size_t> degrees;
  for (std::size_t r = from; r < to; ++r) {
    degrees.insert(c.plan().strengths[r].degrees.begin(), c.plan().strengths[r].degrees.end());
  }
  c.add("  for (i = 0; i < block; ++i) {\n");
  for (const std::size_t d : degrees) {
    c.add("    const double " + numbered("d", d) + " = " + numbered("a", d) + "[i];\n");
  }
  const std::string old = leads(from);
  write_block_rules(c, from, to, from == 0 ? "zero" : "best" + old,
                    from == 0 ? "zero" : "lead" + old);
  const bool last = to == c.plan().strengths.size();
  c.add(last ? "    lead[i] = rule;\n  }\n"
             : "    best" + leads(to) + " = best;\n    lead" + leads(to) + " = rule;\n  }\n");
}

// Loops over the block, all in doubles, which compilers vectorise: one for a model of usual size.
// For a larger one, separate loops compute the degrees and keep them in arrays.
void write_block(CSource& c) {
  const std::size_t rules = c.plan().strengths.size(), degrees = c.plan().degrees.size();
  const bool one_loop = rules <= loop_rules && degrees <= loop_degrees;
  c.add("/* The rules that decide so many cases. */\n");
  c.add("static inline void NAME_block(const NAME_columns *at, double *lead) {\n");
  c.add("  enum { block = " + std::to_string(block) + " };\n");
  c.add("  const double zero = NAME_bounds[0], one = NAME_bounds[1];\n");
  if (!one_loop) {
    for (std::size_t i = 0; i < degrees; ++i) c.add("  double " + numbered("a", i) + "[block];\n");
    if (rules > loop_rules) c.add("  double best_1[block], lead_1[block];\n");
    if (rules > 2 * loop_rules) c.add("  double best_0[block], lead_0[block];\n");
  }
  c.add("  int i;\n");
  if (one_loop) {
    c.add("  for (i = 0; i < block; ++i) {\n");
    write_block_degrees(c, 0, degrees);
    write_block_rules(c, 0, rules, "zero", "zero");
    c.add("    lead[i] = rule;\n  }\n}\n\n");
    return;
  }
  for (std::size_t from = 0; from < degrees; from += loop_degrees) {
    const std::size_t to = std::min(degrees, from + loop_degrees);
    c.add("  for (i = 0; i < block; ++i) {\n");
    write_block_degrees(c, from, to);
    for (std::size_t d = from; d < to; ++d) {
      c.add("    " + numbered("a", d) + "[i] = " + numbered("d", d) + ";\n");
    }
    c.add("  }\n");
  }
  for (std::size_t from = 0; from < rules; from += loop_rules) {
    write_rule_loop(c, from, std::min(rules, from + loop_rules));
  }
  c.add("}\n\n");
}

void write_blocks(CSource& c) {
  write_block(c);
  write_many_head(c);
  c.add("  enum { block = " + std::to_string(block) + R"( };
  size_t done, i;
  for (done = 0; done < count; done += block) {
    const size_t left = count - done, rows = left < (size_t)block ? left : (size_t)block;
    NAME_columns at;
    double lead[block];
)");
  for (std::size_t i = 0; i < c.fields().size(); ++i) {
    c.add((c.is_number(i) ? "    double " : "    int ") + numbered("x", i) + "[block];\n");
  }
  for (const std::string& field : c.fields()) {
    c.add_text("    at." + field + " = columns->" + field + " + from + done;\n");
  }
  c.add("    if (rows < (size_t)block) { /* the last row fills the block */\n");
  c.add("      for (i = 0; i < (size_t)block; ++i) {\n");
  c.add("        const size_t row = from + done + (i < rows ? i : rows - 1);\n");
  for (std::size_t i = 0; i < c.fields().size(); ++i) {
    c.add_text("        " + numbered("x", i) + "[i] = columns->" + c.fields()[i] + "[row];\n");
  }
  c.add("      }\n");
  for (std::size_t i = 0; i < c.fields().size(); ++i) {
    c.add_text("      at." + c.fields()[i] + " = " + numbered("x", i) + ";\n");
  }
  c.add(R"(    }
    NAME_block(&at, lead);
    for (i = 0; i < rows; ++i) rules[done + i] = (int)lead[i];
  }
}

)");
}

void write_one_by_one(CSource& c) {
  c.add(
      "/* Decides the cases from, from + 1, ... (count of them) into results[0], results[1], ... "
      "*/\n"
      "static inline void NAME_many(const NAME_columns *columns, size_t from, size_t count,\n"
      "                             NAME_result *results) {\n");
  c.add("  size_t done;\n");
  if (c.fields().empty()) c.add("  (void)columns;\n  (void)from;\n");
  c.add("  for (done = 0; done < count; ++done) {\n    NAME_case row;\n");
  if (c.fields().empty()) c.add("    row.unused = 0;\n");
  for (const std::string& field : c.fields()) {
    c.add_text("    row." + field + " = columns->" + field + "[from + done];\n");
  }
  c.add("    results[done] = NAME(&row);\n  }\n}\n\n");
}

}  // namespace

void write_many(CSource& c) {
  write_columns(c);
  if (!c.sufficient()) {
    write_one_by_one(c);
  } else if (c.plan().strengths.empty()) {
    write_none(c);
  } else {
    write_blocks(c);
  }
}

}  // namespace frr::internal
