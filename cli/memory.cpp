#include "memory.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "frr/frr.hpp"

namespace frr::cli {

std::size_t parse_memory(const std::string& text, const std::string& option) {
  const auto fail = [&] {
    fail_usage(option + " " + text + ": give an amount of memory, such as 500MB or 1GB");
  };
  double amount = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), amount);
  std::string unit(end, static_cast<const char*>(text.data() + text.size()));
  std::erase(unit, ' ');
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::pair<const char*, double>, 14> units = {{{"", 1},
                                                                     {"b", 1},
                                                                     {"k", 1e3},
                                                                     {"kb", 1e3},
                                                                     {"m", 1e6},
                                                                     {"mb", 1e6},
                                                                     {"g", 1e9},
                                                                     {"gb", 1e9},
                                                                     {"tb", 1e12},
                                                                     {"kib", 1024.0},
                                                                     {"mib", 1048576.0},
                                                                     {"gib", 1073741824.0},
                                                                     {"tib", 1099511627776.0},
                                                                     {"t", 1e12}}};
  const auto* found = std::find_if(units.begin(), units.end(),
                                   [&](const auto& known) { return unit == known.first; });
  if (status != std::errc{} || found == units.end() || !(amount > 0)) fail();
  const double bytes = amount * found->second;
  if (!(bytes >= 1) || bytes > 1e18) fail();
  return static_cast<std::size_t>(bytes);
}

}  // namespace frr::cli
