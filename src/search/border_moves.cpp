#include "search/border_moves.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "labels/partition.hpp"

namespace frr::internal {
namespace {

constexpr std::array shifts{1.0 / 100, 1.0 / 400};  // fractions of the rows

// A short number between two neighbouring values, with about `fraction` +- shift / 4 of the values
// below it.
double point_at(std::span<const double> values, double fraction, double shift) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double x) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::clamp(x, 0.0, 1.0) * last);
  };
  const auto low = at(fraction - shift / 4);
  const auto above = std::upper_bound(low, values.end(), *low);
  const auto high = std::max(at(fraction + shift / 4), above);
  return high == values.end() ? *low : short_between(*low, *high);
}

double fraction_below(std::span<const double> values, double point) {
  const auto below = std::lower_bound(values.begin(), values.end(), point) - values.begin();
  return static_cast<double>(below) / static_cast<double>(values.size());
}

// Where a border may lie without crossing its neighbours.
struct Room {
  double from, to;
  [[nodiscard]] bool contains(const Border& border) const {
    return border.start >= from && border.end <= to && border.start <= border.end &&
           std::isfinite(border.end - border.start);
  }
};
Room room_of(std::span<const Border> borders, std::size_t b) {
  return {b == 0 ? -HUGE_VAL : borders[b - 1].end,
          b + 1 == borders.size() ? HUGE_VAL : borders[b + 1].start};
}

bool reads(const RuleBase& base, std::size_t feature, std::size_t border) {
  const auto left = static_cast<int>(border);
  return std::any_of(base.rules.begin(), base.rules.end(), [&](const Rule& rule) {
    return std::any_of(rule.conditions.begin(), rule.conditions.end(), [&](const Condition& c) {
      return c.feature == static_cast<int>(feature) && (c.label == left || c.label == left + 1);
    });
  });
}

// Distinct other places of one border.
std::vector<Border> places_near(const Border& now, const Room& room,
                                std::span<const double> values) {
  std::vector<Border> places{now};
  const auto add = [&](const Border& border) {
    const bool known = std::any_of(places.begin(), places.end(), [&](const Border& place) {
      return place.start == border.start && place.end == border.end;
    });
    if (!known && room.contains(border)) places.push_back(border);
  };
  const double start = fraction_below(values, now.start), end = fraction_below(values, now.end);
  for (const double shift : shifts) {
    for (const double by : {-shift, shift}) {
      const double to_start = point_at(values, start + by, shift);
      const double to_end = point_at(values, end + by, shift);
      add({to_start, now.end});
      add({now.start, to_end});
      add({to_start, to_end});
      add({to_start, point_at(values, end - by, shift)});
    }
  }
  places.erase(places.begin());
  return places;
}

}  // namespace

std::vector<BorderTrial> border_trials(const RuleBase& base, const SampledValues& values) {
  std::vector<BorderTrial> trials;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (values[j].empty()) continue;
    const std::vector<Border> borders = borders_of(base.partition.features[j]);
    for (std::size_t b = 0; b < borders.size(); ++b) {
      if (!reads(base, j, b)) continue;
      for (const Border& place : places_near(borders[b], room_of(borders, b), values[j])) {
        trials.push_back({.feature = static_cast<std::uint32_t>(j),
                          .border = static_cast<std::uint32_t>(b),
                          .start = place.start,
                          .end = place.end});
      }
    }
  }
  return trials;
}

void move_border(RuleBase& base, const BorderTrial& trial) {
  Feature& feature = base.partition.features[trial.feature];
  const Border border{trial.start, trial.end};
  if (room_of(borders_of(feature), trial.border).contains(border)) {
    set_border(feature, trial.border, border);
  }
}

}  // namespace frr::internal
