#include "c_sums.hpp"

#include "c_degrees.hpp"
#include "c_pairs.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string numbers(const std::vector<double>& values) {
  return listed(values.size(), ", ", [&](std::size_t i) { return double_text(values[i]); });
}

// Fills in CLASSES, CHOICES and REFER.
void add(CSource& c, std::string_view text) {
  const Plan& plan = c.plan();
  const std::string classes = filled(text, "CLASSES", std::to_string(plan.classes.size()));
  const std::string choices = filled(classes, "CHOICES", std::to_string(plan.choice.order.size()));
  c.add(filled(choices, "REFER", double_text(plan.refer)));
}

void write_constants(CSource& c) {
  const Plan::Choice& choice = c.plan().choice;
  c.add("/* What the scores of the classes start with. */\n");
  c.add("static const double NAME_biases[] = {" + numbers(c.plan().biases) + "};\n\n");
  c.add(
      "/* The order in which classes are compared: of equals, the first is predicted. */\nstatic "
      "const int NAME_order[] = "
      "{");
  c.add(listed(choice.order.size(), ", ",
               [&](std::size_t i) { return std::to_string(choice.order[i]); }));
  c.add("};\n\n");
  if (c.plan().by_offsets()) {
    c.add("/* Are added to the scores before they are compared. */\n");
    c.add("static const double NAME_offsets[] = {" + numbers(choice.offsets) + "};\n\n");
    return;
  }
  const std::size_t classes = c.plan().classes.size();
  c.add("/* [true class][predicted class] */\n");
  c.add("static const double NAME_costs[][" + std::to_string(classes) + "] = {\n");
  for (std::size_t i = 0; i < classes; ++i) {
    const auto row = choice.costs.begin() + static_cast<std::ptrdiff_t>(i * classes);
    c.add("  {" + numbers({row, row + static_cast<std::ptrdiff_t>(classes)}) + "},\n");
  }
  c.add("};\n\n");
}

void write_probabilities(CSource& c) {
  add(c, R"(#include <math.h>

/* The probabilities of the classes with these scores: exp(score) / the sum of all exp(score). */
static inline void NAME_softmax(const double *scores, double *shares) {
  enum { classes = CLASSES };
  double most = scores[0], total = 0.0;
  int i;
  for (i = 1; i < classes; ++i) most = scores[i] > most ? scores[i] : most;
  for (i = 0; i < classes; ++i) total += shares[i] = exp(scores[i] - most);
  for (i = 0; i < classes; ++i) shares[i] /= total;
}

)");
}

void write_choice(CSource& c) {
  const Plan::Choice& choice = c.plan().choice;
  c.add("/* The class that is predicted. */\n");
  c.add("static inline int NAME_choice(const double *scores, const double *shares) {\n");
  if (c.plan().by_offsets()) {
    add(c, R"(  int best = NAME_order[0], i;
  double most = scores[best] + NAME_offsets[best];
  for (i = 1; i < CHOICES; ++i) {
    const double score = scores[NAME_order[i]] + NAME_offsets[NAME_order[i]];
    if (score > most) {
      most = score;
      best = NAME_order[i];
    }
  }
  (void)shares;
  return best;
}

)");
    return;
  }
  add(c, R"(  volatile double product;
  double least = 0.0, cost;
  int best = -1, i, k;
  (void)scores;
)");
  if (choice.preferred) {
    const std::string preferred = std::to_string(*choice.preferred);
    c.add("  if (shares[" + preferred + "] >= " + double_text(choice.threshold) + ") return " +
          preferred + ";\n");
  }
  add(c, R"(  for (i = 0; i < CHOICES; ++i) {
    cost = 0.0;
    for (k = 0; k < CLASSES; ++k) {
      product = shares[k] * NAME_costs[k][NAME_order[i]];
      cost += product;
    }
    if (best < 0 || cost < least) {
      least = cost;
      best = NAME_order[i];
    }
  }
  return best;
}

)");
}

void write_rules(CSource& c) {
  for (std::size_t r = 0; r < c.plan().strengths.size(); ++r) {
    const Plan::Strength& strength = c.plan().strengths[r];
    const std::string at = "[" + std::to_string(strength.then) + "]";
    c.add("  product = " + strength_call(c, r) + ";\n  strength = product;\n  scores" + at +
          " += strength;\n  if (strength > tops" + at + ") {\n    tops" + at +
          " = strength;\n    rules" + at + " = " + std::to_string(r + 1) + ";\n  }\n");
    if (c.plan().scorecard) {
      c.add("  if (strength > 0.0) result.points += " + std::to_string(strength.points) + ";\n");
    }
  }
}

void write_decision(CSource& c) {
  add(c, R"(/* Decides, and fills in the probability of every class. */
static inline NAME_result NAME_shares(const NAME_case *row, double *shares) {
  enum { classes = CLASSES };
)");
  write_row_degrees(c);
  c.add(
      "  double scores[classes], tops[classes];\n  int rules[classes], i;\n  NAME_result "
      "result;\n");
  if (!c.plan().strengths.empty()) {
    // If the processor can, GCC would fuse product and sum, which rounds once instead of twice.
    c.add("  volatile double product;\n  double strength;\n");
  }
  if (c.plan().scorecard) c.add("  result.points = 0;\n");
  add(c, R"(  for (i = 0; i < classes; ++i) {
    scores[i] = NAME_biases[i];
    tops[i] = 0.0;
    rules[i] = 0;
  }
)");
  write_rules(c);
  add(c, R"(  NAME_softmax(scores, shares);
  result.class_index = NAME_choice(scores, shares);
  result.rule = rules[result.class_index];
  result.probability = shares[result.class_index];
)");
  if (c.plan().refer > 0) {
    add(c, R"(  {
    int covered = 0, sure = 0;
    for (i = 0; i < classes; ++i) {
      covered = covered || tops[i] > 0.0;
      sure = sure || shares[i] >= REFER;
    }
    result.referred = !covered || !sure;
  }
)");
  } else {
    c.add("  (void)tops;\n");
  }
  add(c, R"(  return result;
}

static inline NAME_result NAME(const NAME_case *row) {
  double shares[CLASSES];
  return NAME_shares(row, shares);
}

)");
}

}  // namespace

void write_sums(CSource& c) {
  write_constants(c);
  write_probabilities(c);
  write_choice(c);
  write_decision(c);
}

}  // namespace frr::internal
