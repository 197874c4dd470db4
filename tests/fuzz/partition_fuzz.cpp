// libFuzzer target: for any bytes parse_partition returns valid labels or throws frr::Error.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frr/frr.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

double highest_membership(const frr::Feature& feature, double x) {
  double result = 0;
  for (const frr::Label& label : feature.labels) {
    const double degree = label.shape(x);
    require(degree >= 0 && degree <= 1);
    result = std::max(result, degree);
  }
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const frr::Feature& feature : frr::parse_partition(text)) {
      require(!feature.name.empty() && feature.labels.size() >= 2);
      const double low = feature.labels.front().shape.a;
      const double high = feature.labels.back().shape.d;
      for (const frr::Label& label : feature.labels)
        for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d})
          if (std::isfinite(x) && x > low && x < high) require(highest_membership(feature, x) > 0);
    }
  } catch (const frr::Error& error) {
    require(error.kind() == frr::ErrorKind::data);
  }
  return 0;
}
