#include "sql_strength.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slopes.hpp"

namespace frr::internal {
namespace {

// The smallest degree above 0.
double least_of(const Plan::Degree& degree) {
  if (degree.kind != LabelKind::range) return 1;
  const Slopes at = slopes_of(degree);
  return std::min(at.rise.least, at.fall.least);
}

}  // namespace

SqlStrength::SqlStrength(const Plan& plan, const Dialect& dialect) : plan_(plan), sql_(dialect) {
  for (const Plan::Degree& degree : plan.degrees) leasts_.push_back(least_of(degree));
}

std::string SqlStrength::text(const Plan::Strength& strength) const {
  std::vector<Part> parts;
  for (const std::size_t i : strength.degrees)
    parts.push_back({"d.d" + std::to_string(i + 1), leasts_[i]});
  if (parts.size() > 1) {
    double least = 1;
    for (const Part& part : parts) least = std::min(least, part.least);
    switch (plan_.tnorm.kind) {
      case TNormKind::minimum:
        parts = {{sql_.call(sql_.least, texts(parts)), least}};
        break;
      case TNormKind::lukasiewicz:
        parts = {{lukasiewicz(parts), std::numeric_limits<double>::epsilon() / 4}};
        break;
      case TNormKind::hamacher:
        parts = {{hamacher(parts, least), least / static_cast<double>(2 * parts.size() + 2)}};
        break;
      default:
        break;
    }
  }
  if (strength.weight != 1) parts.push_back({sql_.number(strength.weight), strength.weight});
  return product(parts);
}

std::vector<std::string> SqlStrength::texts(const std::vector<Part>& parts) {
  std::vector<std::string> result;
  result.reserve(parts.size());
  for (const Part& part : parts) result.push_back(part.text);
  return result;
}

// A product that cannot underflow is written as it is.
std::string SqlStrength::product(const std::vector<Part>& factors) const {
  double least = 1;
  for (const Part& factor : factors) least *= factor.least;
  const bool safe = !sql_.traps || least >= std::numeric_limits<double>::min();
  std::string text = factors[0].text;
  for (std::size_t k = 1; k < factors.size(); ++k) {
    if (safe) {
      text += " * " + factors[k].text;
    } else if (k == 1) {
      text = guarded(text, factors[1].text);
    } else {
      // A subquery, because the guard reads the product so far more than once.
      text = "(SELECT " + guarded("p.p", factors[k].text) + " FROM (SELECT " + text + " AS p" +
             std::string(sql_.fence) + ") AS p)";
    }
  }
  return text;
}

// a * b, and 0 if it is at most 2^-1075, half of the smallest double above 0. A product that
// exceeds this by less than 2^-53 of itself counts as equal.
std::string SqlStrength::guarded(const std::string& a, const std::string& b) const {
  const std::string plain = " THEN " + a + " * " + b;
  return "CASE WHEN LEAST(" + a + ", " + b + ") > " + sql_.number(1e-150) + plain + " WHEN (" + a +
         " * " + sql_.number(std::ldexp(1.0, 537)) + ") * (" + b + " * " +
         sql_.number(std::ldexp(1.0, 538)) + ") > " + sql_.number(1) + plain + " ELSE " +
         sql_.number(0) + " END";
}

template <typename Term>
std::string SqlStrength::sum(const std::vector<Part>& parts, const Term& term) {
  std::string text;
  for (const Part& part : parts) text += (text.empty() ? "" : " + ") + term(part.text);
  return "(" + text + ")";
}

std::string SqlStrength::lukasiewicz(const std::vector<Part>& parts) const {
  const std::string one = sql_.number(1);
  const std::string lack =
      sum(parts, [&](const std::string& d) { return "(" + one + " - " + d + ")"; });
  return "CASE WHEN " + lack + " >= " + one + " THEN " + sql_.number(0) + " ELSE " + one + " - " +
         lack + " END";
}

// 1 / (1 + the sum of (1 - d) / d). If the sum can overflow and that is an error, a sum above
// 1e290, to which adding 1 changes nothing, is computed 2^-60 times as large, with the same digits.
std::string SqlStrength::hamacher(const std::vector<Part>& parts, double least) const {
  const std::string one = sql_.number(1), zero = sql_.number(0), small = sql_.number(1e-290);
  const std::string odds =
      sum(parts, [&](const std::string& d) { return "(" + one + " - " + d + ") / " + d; });
  const std::string plain = " THEN " + one + " / (" + one + " + " + odds + ")";
  const std::string lowest = sql_.call(sql_.least, texts(parts));
  if (!sql_.traps || least > 1e-290)
    return "CASE WHEN " + lowest + " > " + zero + plain + " ELSE " + zero + " END";
  const std::string scale = sql_.number(std::ldexp(1.0, 60));
  const std::string scaled = sum(parts, [&](const std::string& d) {
    return "(" + one + " - " + d + ") / (" + d + " * " + scale + ")";
  });
  return "CASE WHEN " + lowest + " > " + small + plain + " WHEN " + lowest + " <= " + zero +
         " THEN " + zero + " WHEN " + scaled + " < " + sql_.number(std::ldexp(1.0, 964)) +
         " THEN " + one + " / (" + scaled + " * " + scale + ") ELSE " + zero + " END";
}

}  // namespace frr::internal
