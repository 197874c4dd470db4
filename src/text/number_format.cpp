#include "text/number_format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/number.hpp"

namespace frr::internal {
namespace {

constexpr int most_decimals = 12;

}  // namespace

std::string fixed_number(double value, int decimals) {
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer, end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

NumberFormat::NumberFormat(const Feature& feature) {
  std::set<double> corners;
  for (const Label& label : feature.labels) {
    if (label.kind != LabelKind::range) continue;
    for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d})
      if (std::isfinite(x)) corners.insert(x);
  }
  double scale = feature.spread > 0 ? feature.spread : feature.high - feature.low;
  if (!(scale > 0) && !corners.empty()) scale = *corners.rbegin() - *corners.begin();
  // A resolution of a two-hundredth or finer.
  const double wanted = scale > 0 && std::isfinite(scale) ? std::ceil(-std::log10(scale / 200)) : 3;
  for (decimals_ = std::max(0, static_cast<int>(wanted)); decimals_ <= most_decimals; ++decimals_) {
    std::set<std::string> texts;
    for (const double x : corners) texts.insert((*this)(x));
    if (texts.size() == corners.size()) break;
  }
}

std::string NumberFormat::operator()(double x) const {
  const bool everyday = decimals_ <= most_decimals && std::fabs(x) < 1e15;
  return everyday ? fixed_number(x, decimals_) : plain_number(x);
}

}  // namespace frr::internal
