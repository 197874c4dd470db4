#include "c_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "c_degrees.hpp"
#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

bool is_peak(const Plan::Degree& degree) { return slants(degree.rise) && slants(degree.fall); }
bool is_slope(const Plan::Degree& degree) {
  return slants(degree.rise) ? !degree.fall.there : slants(degree.fall) && !degree.rise.there;
}

// One side of a label: (x - corner) / width. A fall has a negative width, which changes both signs
// of the quotient and no digit.
struct Side {
  double corner = 0, width = 0;
};

Side rise_of(const Plan::Degree& degree) { return {degree.rise.corner, degree.rise.width}; }
Side fall_of(const Plan::Degree& degree) { return {degree.fall.corner, -degree.fall.width}; }
// Both sides; they are equal if the label has only one.
Side left_of(const Plan::Degree& degree) {
  return slants(degree.rise) ? rise_of(degree) : fall_of(degree);
}
Side right_of(const Plan::Degree& degree) {
  return slants(degree.fall) ? fall_of(degree) : rise_of(degree);
}

std::string both(const std::string& low, const std::string& high) {
  return "NAME_both(" + low + ", " + high + ")";
}

// The labels that are quotients, in pairs, in the order of `order`, which contains each label at
// least once. A peak is paired with a peak if possible, because slopes need not choose a side.
using Twos = std::vector<std::pair<std::size_t, std::size_t>>;
Twos by_twos(const std::vector<Plan::Degree>& degrees, const std::vector<std::size_t>& order) {
  Twos twos;
  std::vector<bool> seen(degrees.size(), false);
  std::vector<std::size_t> waiting[2];  // slopes, peaks; at most one of each
  for (const std::size_t i : order) {
    if (seen[i] || !is_quotient(degrees[i])) continue;
    seen[i] = true;
    std::vector<std::size_t>& unpaired = waiting[is_peak(degrees[i]) ? 1 : 0];
    if (unpaired.empty()) {
      unpaired.push_back(i);
    } else {
      twos.emplace_back(unpaired.back(), i);
      unpaired.pop_back();
    }
  }
  std::vector<std::size_t> left = waiting[1];
  left.insert(left.end(), waiting[0].begin(), waiting[0].end());
  if (!left.empty()) twos.emplace_back(left.front(), left.back());
  return twos;
}

void write_quotients(CSource& c, std::size_t low, std::size_t high) {
  const Plan::Degree &one = c.plan().degrees[low], &other = c.plan().degrees[high];
  const auto sides = [&](Side (*of)(const Plan::Degree&)) {
    const Side a = of(one), b = of(other);
    return ",\n      " + both(double_text(a.corner), double_text(b.corner)) + ", " +
           both(double_text(a.width), double_text(b.width));
  };
  const std::string pair = numbered("q", low);
  const auto value = [&](const Plan::Degree& degree) {
    return c.cleaned(degree.input, "row->" + c.fields()[degree.input]);
  };
  c.add("  const NAME_pair " + pair + " = " +
        (is_peak(one) || is_peak(other) ? "NAME_peaks(" : "NAME_slopes("));
  c.add("NAME_both(");
  c.add_text(value(one) + ", " + value(other) + ")");
  c.add(is_peak(one) || is_peak(other) ? sides(left_of) + sides(right_of) : sides(left_of));
  c.add(");\n  const double " + numbered("d", low) + " = NAME_low(" + pair + ")");
  if (high != low) c.add(", " + numbered("d", high) + " = NAME_high(" + pair + ")");
  c.add(";\n");
}

// Statements for the labels of `order`; `then` is called with those known after each step.
template <typename Then>
void write_degrees_of(CSource& c, const std::vector<std::size_t>& order, const Then& then) {
  const std::vector<Plan::Degree>& degrees = c.plan().degrees;
  if (degrees.empty()) c.add("  (void)row;\n");
  std::vector<bool> known(degrees.size(), false);
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (is_quotient(degrees[i])) continue;
    const std::size_t input = degrees[i].input;
    c.add_text("  const double " + numbered("d", i) + " = " + degree_name(c, i, false) + "(" +
               c.cleaned(input, "row->" + c.fields()[input]) + ");\n");
    known[i] = true;
  }
  then(known);
  for (const auto& [low, high] : by_twos(degrees, order)) {
    write_quotients(c, low, high);
    known[low] = known[high] = true;
    then(known);
  }
}

// Compares the rules `low` and `high` (the latter may be absent) with the best so far.
void write_contest(CSource& c, std::size_t low, std::size_t high) {
  const bool two = high < c.plan().strengths.size();
  c.add("  now = " + both(strength_call(c, low), two ? strength_call(c, high) : "0.0") +
        ";\n  rules = NAME_larger(NAME_only_above(now, best, " +
        both(std::to_string(low + 1) + ".0", two ? std::to_string(high + 1) + ".0" : "0.0") +
        "), rules);\n  best = NAME_larger(now, best);\n");
}

}  // namespace

bool slants(const Plan::Edge& edge) { return edge.there && edge.width != 0; }

bool is_quotient(const Plan::Degree& degree) { return is_peak(degree) || is_slope(degree); }

void write_pairs(CSource& c) {
  c.add(
      R"(/* Two doubles, of SSE2 where it is there. Nothing of it branches: compilers that may choose do,
   and a branch that goes this way and that costs more than a division. */
#if defined(__SSE2__) && defined(__GNUC__)
typedef double NAME_pair __attribute__((vector_size(16)));
typedef long long NAME_bits __attribute__((vector_size(16)));
static inline NAME_pair NAME_both(double low, double high) {
  const NAME_pair p = {low, high};
  return p;
}
static inline double NAME_low(NAME_pair p) { return p[0]; }
static inline double NAME_high(NAME_pair p) { return p[1]; }
static inline NAME_pair NAME_minus(NAME_pair p, NAME_pair q) { return p - q; }
static inline NAME_pair NAME_over(NAME_pair p, NAME_pair q) { return p / q; }
/* q where both are equal or one is no number. */
static inline NAME_pair NAME_larger(NAME_pair p, NAME_pair q) { return __builtin_ia32_maxpd(p, q); }
static inline NAME_pair NAME_smaller(NAME_pair p, NAME_pair q) { return __builtin_ia32_minpd(p, q); }
/* yes where p > q, else no. */
static inline NAME_pair NAME_if_above(NAME_pair p, NAME_pair q, NAME_pair yes, NAME_pair no) {
  const NAME_bits above = p > q;
  return (NAME_pair)((above & (NAME_bits)yes) | (~above & (NAME_bits)no));
}
/* The same with 0 for no. */
static inline NAME_pair NAME_only_above(NAME_pair p, NAME_pair q, NAME_pair yes) {
  const NAME_bits above = p > q;
  return (NAME_pair)(above & (NAME_bits)yes);
}
#else
typedef struct {
  double low, high;
} NAME_pair;
static inline NAME_pair NAME_both(double low, double high) {
  NAME_pair p;
  p.low = low;
  p.high = high;
  return p;
}
static inline double NAME_low(NAME_pair p) { return p.low; }
static inline double NAME_high(NAME_pair p) { return p.high; }
static inline NAME_pair NAME_minus(NAME_pair p, NAME_pair q) {
  return NAME_both(p.low - q.low, p.high - q.high);
}
static inline NAME_pair NAME_over(NAME_pair p, NAME_pair q) {
  return NAME_both(p.low / q.low, p.high / q.high);
}
static inline NAME_pair NAME_if_above(NAME_pair p, NAME_pair q, NAME_pair yes, NAME_pair no) {
  return NAME_both(p.low > q.low ? yes.low : no.low, p.high > q.high ? yes.high : no.high);
}
static inline NAME_pair NAME_only_above(NAME_pair p, NAME_pair q, NAME_pair yes) {
  return NAME_if_above(p, q, yes, NAME_both(0.0, 0.0));
}
static inline NAME_pair NAME_larger(NAME_pair p, NAME_pair q) { return NAME_if_above(p, q, p, q); }
static inline NAME_pair NAME_smaller(NAME_pair p, NAME_pair q) { return NAME_if_above(q, p, p, q); }
#endif

/* 0 below 0 and for what is no number, 1 above 1. */
static inline NAME_pair NAME_cut(NAME_pair p) {
  return NAME_smaller(NAME_larger(p, NAME_both(0.0, 0.0)), NAME_both(1.0, 1.0));
}

/* Labels with one slope; the width of what falls is below 0. */
static inline NAME_pair NAME_slopes(NAME_pair x, NAME_pair corner, NAME_pair width) {
  return NAME_cut(NAME_over(NAME_minus(x, corner), width));
}

/* Labels that rise and fall: one division serves both sides, since where one is below 1 the other
   one is not, in doubles, too. */
static inline NAME_pair NAME_peaks(NAME_pair x, NAME_pair a, NAME_pair rise, NAME_pair d,
                                   NAME_pair fall) {
  const NAME_pair up = NAME_minus(x, a), down = NAME_minus(x, d);
  return NAME_cut(NAME_over(NAME_if_above(down, fall, down, up),
                            NAME_if_above(down, fall, fall, rise)));
}

)");
}

void write_row_degrees(CSource& c) {
  std::vector<std::size_t> order(c.plan().degrees.size());
  std::iota(order.begin(), order.end(), 0U);
  write_degrees_of(c, order, [](const std::vector<bool>&) {});
}

// The first half of the rules next to the second half. Of equals, the first stays. Each pair of
// rules follows the labels that it needs, so that it does not wait for all divisions.
void write_winner(CSource& c) {
  const auto& strengths = c.plan().strengths;
  const std::size_t rules = strengths.size(), half = (rules + 1) / 2;
  if (rules == 0) return c.add("  (void)row;\n  return NAME_result_of(0);\n");
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < half; ++r) {
    for (const std::size_t rule : {r, std::min(r + half, rules - 1)}) {
      order.insert(order.end(), strengths[rule].degrees.begin(), strengths[rule].degrees.end());
    }
  }
  c.add("  NAME_pair best = NAME_both(0.0, 0.0), rules = best, now;\n");
  std::size_t next = 0;
  write_degrees_of(c, order, [&](const std::vector<bool>& known) {
    const auto is_known = [&](std::size_t r) {
      return r >= rules || std::all_of(strengths[r].degrees.begin(), strengths[r].degrees.end(),
                                       [&](std::size_t d) { return known[d]; });
    };
    for (; next < half && is_known(next) && is_known(next + half); ++next) {
      write_contest(c, next, next + half);
    }
  });
  c.add(R"(  now = NAME_both(NAME_high(best), 0.0);
  rules = NAME_if_above(now, best, NAME_both(NAME_high(rules), 0.0), rules);
  return NAME_result_of((int)NAME_low(rules));
)");
}

}  // namespace frr::internal
