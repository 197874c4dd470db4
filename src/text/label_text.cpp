#include "text/label_text.hpp"

#include <cmath>
#include <set>

#include "text/number_format.hpp"

namespace frr::internal {
namespace {

std::string range_meaning(const Trapezoid& shape, const NumberFormat& number) {
  const auto& [a, b, c, d] = shape;
  const bool open_left = std::isinf(a);
  const bool open_right = std::isinf(d);
  if (open_left && open_right) return "any value";
  if (a == d) return "no value";
  const std::string fall = ", fading out until " + number(d);
  if (open_left) return c == d ? "below " + number(d) : "fully up to " + number(c) + fall;
  const std::string rise = a == b ? "" : "fading in from " + number(a) + ", ";
  if (open_right) return rise + (a == b ? "" : "fully ") + "from " + number(b);
  if (a == b && c == d) return "from " + number(a) + " to below " + number(d);
  if (b == c && c == d) return rise + "up to below " + number(d);  // fully nowhere
  if (b == c) return rise + "fully at " + number(b) + fall;
  return rise + "fully from " + number(b) + " to " +
         (c == d ? "below " + number(d) : number(c) + fall);
}

}  // namespace

std::vector<LabelMeaning> label_meanings(const Feature& feature) {
  const NumberFormat number(feature);
  std::vector<LabelMeaning> result;
  for (const Label& label : feature.labels) {
    if (label.kind == LabelKind::range)
      result.push_back({label.name, range_meaning(label.shape, number)});
    if (label.kind == LabelKind::missing) result.push_back({label.name, "no value is given"});
  }
  return result;
}

std::vector<const Feature*> explained_features(const RuleBase& base) {
  std::set<int> used;
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions) used.insert(c.feature);
  std::vector<const Feature*> result;
  for (const int f : used) {
    const Feature& feature = base.partition.features[static_cast<std::size_t>(f)];
    if (!label_meanings(feature).empty()) result.push_back(&feature);
  }
  return result;
}

std::string training_range(const Feature& feature) {
  if (feature.type != ColumnType::numeric || feature.low >= feature.high) return "";
  const NumberFormat number(feature);
  return "training values from " + number(feature.low) + " to " + number(feature.high);
}

}  // namespace frr::internal
