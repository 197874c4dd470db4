#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace frr::internal {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : int{c}; };
      const std::size_t swap = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, swap});
    }
  }
  return row.back();
}

}  // namespace

double short_between(double low, double high) {
  const double middle = low / 2 + high / 2;
  for (int digits = 1; digits < 17; ++digits) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, middle,
                                   std::chars_format::scientific, digits - 1)
                         .ptr;
    double value = 0;
    std::from_chars(buffer, end, value);
    if (value > low && value <= high) return value;
  }
  return high;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  const std::size_t few = 12, longest = 200;
  if (name.size() > longest) return "";
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty()) return "; did you mean '" + std::string(nearest) + "'?";
  if (known.empty() || known.size() > few) return "";
  std::string list;
  for (const std::string& candidate : known) list += (list.empty() ? "" : ", ") + candidate;
  return " (available: " + list + ")";
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> items;
  std::string item;
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '"' && quoted && i + 1 < list.size() && list[i + 1] == '"') {
      item += '"';
      ++i;
    } else if (c == '"' && (quoted || item.empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      if (!item.empty()) items.push_back(std::exchange(item, {}));
    } else {
      item += c;
    }
  }
  if (!item.empty()) items.push_back(item);
  return items;
}

std::string escape_markup(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace frr::internal
