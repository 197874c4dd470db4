#include "kernels/tnorm.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/number.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// -log x; rounding may have pushed x out of [0, 1].
double negative_log(double x) { return x >= 1 ? 0.0 : x <= 0 ? infinity : -std::log(x); }

// A generator with its inverse and the quotient of its derivatives. A generator is defined up to a
// positive factor: aczel-alsina divides -log x by `scale`, its largest value among the degrees,
// because (-log x)^lambda itself overflows or vanishes for a large lambda.
struct Generator {
  TNormKind kind;
  double lambda;
  double scale = 1;

  [[nodiscard]] double at_zero() const { return kind == TNormKind::lukasiewicz ? 1 : infinity; }

  [[nodiscard]] double value(double x) const {
    switch (kind) {
      case TNormKind::lukasiewicz:
        return 1 - std::clamp(x, 0.0, 1.0);
      case TNormKind::hamacher:
        return x >= 1 ? 0 : x <= 0 ? infinity : (1 - x) / x;
      case TNormKind::aczel_alsina:
        return std::pow(negative_log(x) / scale, lambda);
      default:
        return negative_log(x);
    }
  }

  [[nodiscard]] double inverse(double y) const {
    if (y >= at_zero()) return 0;
    switch (kind) {
      case TNormKind::lukasiewicz:
        return 1 - y;
      case TNormKind::hamacher:
        return 1 / (1 + y);
      case TNormKind::aczel_alsina:
        return std::exp(-scale * std::pow(y, 1 / lambda));
      default:
        return std::exp(-y);
    }
  }

  // t'(x) / t'(T) for x > 0, where y = t(T) is the sum of the generator's values. This form neither
  // overflows nor divides by a T that has been rounded to 0; the result is at most 1.
  [[nodiscard]] double slope(double x, double y) const {
    switch (kind) {
      case TNormKind::lukasiewicz:
        return y <= 1 ? 1 : 0;
      case TNormKind::hamacher: {
        const double quotient = std::min(1.0, 1 / (x * (1 + y)));
        return quotient * quotient;
      }
      case TNormKind::aczel_alsina: {
        const double part = negative_log(x);
        const double all = scale * std::pow(y, 1 / lambda);
        // All degrees are 1: lowering one of them lowers T by the same amount.
        if (all <= 0) return 1;
        const double share = std::min(1.0, part / all);
        return std::pow(share, lambda - 1) * std::exp(std::min(0.0, part - all));
      }
      default:
        return std::exp(std::min(0.0, negative_log(x) - y));
    }
  }

  // The limit of slope(x, .) for x -> 0; the values of the other degrees sum to y.
  [[nodiscard]] double slope_at_zero(double y) const {
    if (kind == TNormKind::hamacher) return 1;
    return lambda > 1 ? 1 : std::exp(-scale * y);
  }
};

// The sum of the generator's finite values, and the number of infinite ones.
struct Total {
  double finite = 0;
  int zeros = 0;
};

template <typename Scalar>
Generator make_generator(const TNorm& tnorm, std::span<const Scalar> degrees) {
  Generator result{tnorm.kind, tnorm.lambda};
  if (tnorm.kind != TNormKind::aczel_alsina) return result;
  double largest = 0;
  for (const Scalar x : degrees) {
    const double value = negative_log(static_cast<double>(x));
    if (value < infinity) largest = std::max(largest, value);
  }
  if (largest > 0) result.scale = largest;
  return result;
}

template <typename Scalar>
Total generator_sum(const Generator& generator, std::span<const Scalar> degrees) {
  Total total;
  for (const Scalar x : degrees) {
    const double t = generator.value(static_cast<double>(x));
    if (t < infinity)
      total.finite += t;
    else
      ++total.zeros;
  }
  return total;
}

template <typename Scalar>
Scalar archimedean(const TNorm& tnorm, std::span<const Scalar> degrees,
                   std::span<Scalar> gradient) {
  const Generator generator = make_generator(tnorm, degrees);
  const Total total = generator_sum(generator, degrees);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double x = static_cast<double>(degrees[i]);
    const bool zero = !(generator.value(x) < infinity);
    double slope = 0;
    if (total.zeros == 0) slope = generator.slope(x, total.finite);
    if (total.zeros == 1 && zero) slope = generator.slope_at_zero(total.finite);
    gradient[i] = static_cast<Scalar>(slope);
  }
  return total.zeros > 0 ? Scalar{0} : static_cast<Scalar>(generator.inverse(total.finite));
}

template <typename Scalar>
Scalar product(std::span<const Scalar> degrees) {
  Scalar result = 1;
  for (const Scalar x : degrees) result *= x;
  return result;
}

// Products of the degrees before and after each one avoid a division by 0.
template <typename Scalar>
Scalar product_gradient(std::span<const Scalar> degrees, std::span<Scalar> gradient) {
  Scalar before = 1;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    gradient[i] = before;
    before *= degrees[i];
  }
  Scalar after = 1;
  for (std::size_t i = degrees.size(); i-- > 0;) {
    gradient[i] *= after;
    after *= degrees[i];
  }
  return before;
}

template <typename Scalar>
Scalar minimum(std::span<const Scalar> degrees) {
  return *std::min_element(degrees.begin(), degrees.end());
}

template <typename Scalar>
Scalar minimum_gradient(std::span<const Scalar> degrees, std::span<Scalar> gradient) {
  std::fill(gradient.begin(), gradient.end(), Scalar{0});
  const auto smallest = std::min_element(degrees.begin(), degrees.end());
  gradient[static_cast<std::size_t>(smallest - degrees.begin())] = 1;
  return *smallest;
}

struct NamedKind {
  std::string_view name;
  TNormKind kind;
};
constexpr std::array names = {
    NamedKind{"product", TNormKind::product},
    NamedKind{"minimum", TNormKind::minimum},
    NamedKind{"aczel-alsina", TNormKind::aczel_alsina},
    NamedKind{"lukasiewicz", TNormKind::lukasiewicz},
    NamedKind{"hamacher", TNormKind::hamacher},
};
constexpr double default_lambda = 2;

[[noreturn]] void fail_tnorm(std::string_view text) {
  fail_usage("'" + std::string(text) +
             "' is not a t-norm: choose product, minimum, aczel-alsina, aczel-alsina:LAMBDA "
             "(LAMBDA a number of at least 1), lukasiewicz or hamacher");
}

}  // namespace

double generator(const TNorm& tnorm, double x) {
  return Generator{tnorm.kind, tnorm.lambda}.value(x);
}

double generator_inverse(const TNorm& tnorm, double y) {
  return Generator{tnorm.kind, tnorm.lambda}.inverse(y);
}

template <typename Scalar>
Scalar tnorm_value(const TNorm& tnorm, std::span<const Scalar> degrees) {
  if (degrees.empty()) return 1;
  if (tnorm.kind == TNormKind::product) return product(degrees);
  if (tnorm.kind == TNormKind::minimum) return minimum(degrees);
  // T(x) = x, but generator and inverse would round.
  if (degrees.size() == 1) return degrees[0];
  return archimedean(tnorm, degrees, std::span<Scalar>{});
}

template <typename Scalar>
Scalar tnorm_gradient(const TNorm& tnorm, std::span<const Scalar> degrees,
                      std::span<Scalar> gradient) {
  if (degrees.empty()) return 1;
  if (tnorm.kind == TNormKind::product) return product_gradient(degrees, gradient);
  if (tnorm.kind == TNormKind::minimum) return minimum_gradient(degrees, gradient);
  if (degrees.size() == 1) {
    gradient[0] = 1;
    return degrees[0];
  }
  return archimedean(tnorm, degrees, gradient);
}

template float tnorm_value(const TNorm&, std::span<const float>);
template double tnorm_value(const TNorm&, std::span<const double>);
template float tnorm_gradient(const TNorm&, std::span<const float>, std::span<float>);
template double tnorm_gradient(const TNorm&, std::span<const double>, std::span<double>);

}  // namespace frr::internal

namespace frr {
using namespace internal;

TNorm parse_tnorm(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto named = std::find_if(names.begin(), names.end(),
                                  [&](const NamedKind& entry) { return entry.name == name; });
  if (named == names.end()) fail_tnorm(text);
  if (named->kind != TNormKind::aczel_alsina) {
    if (colon != std::string_view::npos) fail_tnorm(text);
    return TNorm{.kind = named->kind};
  }
  TNorm result{.kind = named->kind, .lambda = default_lambda};
  if (colon == std::string_view::npos) return result;
  const char* const begin = text.data() + colon + 1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, result.lambda);
  if (error != std::errc{} || stop != end) fail_tnorm(text);
  if (!std::isfinite(result.lambda) || result.lambda < 1) fail_tnorm(text);
  return result;
}

std::string to_string(const TNorm& tnorm) {
  for (const NamedKind& entry : names) {
    if (entry.kind != tnorm.kind) continue;
    if (entry.kind != TNormKind::aczel_alsina) return std::string(entry.name);
    return std::string(entry.name) + ":" + plain_number(tnorm.lambda);
  }
  throw Error(ErrorKind::internal, "this t-norm has no name");
}

std::string_view to_string(Semantics semantics) {
  return semantics == Semantics::additive ? "additive" : "sufficient";
}

}  // namespace frr
