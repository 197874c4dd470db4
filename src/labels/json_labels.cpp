#include "labels/json_labels.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "base/number.hpp"

namespace frr::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Trapezoid read_shape(const JsonPlace& place) {
  const std::vector<JsonPlace> items = place.items();
  if (items.size() != 4)
    place.fail(
        "expected four numbers [a, b, c, d]: 1 from b to c, falling to 0 at a and d (null, "
        "null for an open end); found " +
        std::to_string(items.size()));
  std::array<double, 4> x{};
  for (std::size_t i = 0; i < 4; ++i)
    x[i] = items[i].is_null() ? (i < 2 ? -infinity : infinity) : items[i].number();
  if (items[0].is_null() != items[1].is_null())
    place.fail("an open left end needs null for both of the first two numbers");
  if (items[2].is_null() != items[3].is_null())
    place.fail("an open right end needs null for both of the last two numbers");
  for (std::size_t i = 0; i < 3; ++i)
    if (x[i] > x[i + 1])
      place.fail("the four numbers must ascend, but " + plain_number(x[i]) + " is followed by " +
                 plain_number(x[i + 1]));
  if (std::isfinite(x[0]) && !std::isfinite(x[1] - x[0])) place.fail("the rise is too wide");
  if (std::isfinite(x[3]) && !std::isfinite(x[3] - x[2])) place.fail("the fall is too wide");
  return {x[0], x[1], x[2], x[3]};
}

void check_ascending(const JsonPlace& place, const Label& left, const Label& right) {
  const std::array<double, 4> x = {left.shape.a, left.shape.b, left.shape.c, left.shape.d};
  const std::array<double, 4> y = {right.shape.a, right.shape.b, right.shape.c, right.shape.d};
  for (std::size_t i = 0; i < 4; ++i)
    if (x[i] > y[i])
      place.fail("labels must ascend, but number " + std::to_string(i + 1) + " of '" + left.name +
                 "' (" + (std::isfinite(x[i]) ? plain_number(x[i]) : "open") +
                 ") is above that of '" + right.name + "' (" +
                 (std::isfinite(y[i]) ? plain_number(y[i]) : "open") +
                 ") after it: put the labels in order from low to high");
}

}  // namespace

std::vector<Label> read_labels(const JsonPlace& place) {
  std::vector<Label> labels;
  for (const auto& [name, shape] : place.members()) {
    if (name.empty()) place.fail("a label needs a name");
    labels.push_back({name, LabelKind::range, read_shape(shape)});
    if (labels.size() > 1) check_ascending(place, labels[labels.size() - 2], labels.back());
  }
  return labels;
}

nlohmann::ordered_json write_shape(const Trapezoid& shape) {
  auto result = nlohmann::ordered_json::array();
  for (const double x : {shape.a, shape.b, shape.c, shape.d})
    result.push_back(std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json());
  return result;
}

}  // namespace frr::internal
