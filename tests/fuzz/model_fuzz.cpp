// libFuzzer target: from_json loads any bytes or throws frr::Error. A loaded model is written and
// read back as the same text, and rendering, prediction and explanation work.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "frr/frr.hpp"
#include "model/decider.hpp"
#include "model/explain.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// A column for each feature with a number at a corner of a label, a category, an unknown category
// and a missing value.
frr::Table make_table(const frr::RuleBase& base) {
  frr::Table table;
  for (const frr::Feature& feature : base.partition.features) {
    if (feature.type == frr::ColumnType::numeric) {
      std::vector<double> values = {0, -1e300, std::numeric_limits<double>::quiet_NaN()};
      if (!feature.labels.empty() && feature.labels[0].kind == frr::LabelKind::range) {
        const double corner = feature.labels[0].shape.c;
        if (corner <= std::numeric_limits<double>::max()) values[0] = corner;
      }
      table.add_numeric(feature.name, values);
    } else {
      const bool named = !feature.labels.empty();
      table.add_categorical(feature.name,
                            {named ? feature.labels[0].name : "x", "no such one", std::nullopt});
    }
  }
  return table;
}

void use(const frr::RuleBase& base) {
  require(!frr::to_text(base).empty());
  require(!frr::to_markdown(base).empty());
  const frr::Table table = make_table(base);
  const frr::internal::ColumnMap map(base, table);
  for (const frr::Decision& decision : frr::internal::decide_all(base, map, 1)) {
    require(decision.predicted >= 0);
    require(static_cast<std::size_t>(decision.predicted) < base.classes.size());
  }
  for (std::size_t row = 0; row < map.rows(); ++row) {
    const frr::Explanation explanation = frr::internal::explain(base, map, row);
    double sum = 0;
    for (const double share : explanation.probabilities) {
      require(share >= 0 && share <= 1);
      sum += share;
    }
    require(std::abs(sum - 1) < 1e-9);
    for (const frr::Change& change : explanation.changes)
      require(change.predicted != explanation.decision.predicted);
  }
}

// Without costs and thresholds, a model with counts predicts the most probable class.
void use_without_policy(frr::RuleBase base) {
  if (!frr::internal::has_counts(base)) return;
  base.policy = {};
  frr::apply_policy(base);
  const frr::Table table = make_table(base);
  const frr::internal::ColumnMap map(base, table);
  for (std::size_t row = 0; row < map.rows(); ++row) {
    const int predicted = frr::internal::decide(base, map, row).predicted;
    const auto shares = frr::internal::row_probabilities(base, map, row).of_class;
    for (const double share : shares) require(shares[static_cast<std::size_t>(predicted)] >= share);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  frr::RuleBase base;
  try {
    base = frr::from_json(text);
  } catch (const frr::Error& error) {
    require(error.kind() == frr::ErrorKind::data);
    return 0;
  }
  const std::string written = frr::to_json(base);
  require(frr::to_json(frr::from_json(written)) == written);
  use(base);
  use_without_policy(base);
  return 0;
}
