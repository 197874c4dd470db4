#include "base/number.hpp"
#include "frr/frr.hpp"
#include "io/json_reader.hpp"
#include "labels/json_labels.hpp"

// docs/reference/partition.md describes the file.

namespace frr {
using namespace internal;
namespace {

constexpr std::size_t min_labels = 2;
constexpr std::size_t max_labels = 20;
constexpr std::size_t max_bytes = std::size_t{1} << 26;

// A value x belongs to [a, b, c, d] if a < x < d, or x = a = b. As a and d ascend, values between
// two neighbours are covered if the right one starts before the left one ends.
void check_gap(const JsonPlace& place, const Label& left, const Label& right) {
  const double end = left.shape.d;
  const double start = right.shape.a;
  if (start < end) return;
  const bool crisp = right.shape.b == start;
  if (start == end && crisp) return;
  const std::string remedy = ": let '" + left.name + "' end where '" + right.name +
                             "' has already started, or write one crisp border, [..., " +
                             plain_number(start) + ", " + plain_number(start) + "] and [" +
                             plain_number(start) + ", " + plain_number(start) + ", ...]";
  if (start == end)
    place.fail("the value " + plain_number(start) + " between '" + left.name + "' and '" +
               right.name + "' belongs to no label" + remedy);
  place.fail("a gap: values from " + plain_number(end) + " to " + plain_number(start) +
             " between '" + left.name + "' and '" + right.name + "' belong to no label" + remedy);
}

Feature read_given(const std::string& name, const JsonPlace& place) {
  if (name.empty()) place.fail("a feature needs a name");
  Feature feature;
  feature.name = name;
  feature.labels = read_labels(place);
  const std::size_t count = feature.labels.size();
  if (count < min_labels || count > max_labels)
    place.fail("a feature needs " + std::to_string(min_labels) + " to " +
               std::to_string(max_labels) + " labels, found " + std::to_string(count));
  for (const Label& label : feature.labels)
    if (label.shape.a == label.shape.d)
      place.fail("no value belongs to '" + label.name + "': its four numbers are all " +
                 plain_number(label.shape.a));
  for (std::size_t v = 1; v < count; ++v)
    check_gap(place, feature.labels[v - 1], feature.labels[v]);
  return feature;
}

}  // namespace

std::vector<Feature> parse_partition(std::string_view text, const std::string& source) {
  const nlohmann::ordered_json value = parse_json(text, source);
  const JsonPlace file(value, source);
  file.check_keys({"features"});
  std::vector<Feature> features;
  for (const auto& [name, place] : file.at("features").members())
    features.push_back(read_given(name, place));
  if (features.empty()) file.at("features").fail("there are no features");
  return features;
}

std::vector<Feature> read_partition(const std::string& path) {
  return parse_partition(read_file(path, max_bytes), path);
}

}  // namespace frr
