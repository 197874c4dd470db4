// The predictions of many rows, each distinct one stored once: with sufficient semantics there is
// one for each rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frr/rulebase.hpp"
#include "model/column_map.hpp"

namespace frr::internal {

struct Predictions {
  std::size_t classes = 0;
  std::vector<int> predicted;         // class of each distinct prediction
  std::vector<double> probabilities;  // [distinct prediction][class]
  std::vector<std::uint32_t> of_row;  // index of each row's prediction
  std::vector<char> referred;  // whether each distinct prediction is referred; empty: by no policy

  [[nodiscard]] double probability(std::size_t prediction, std::size_t of_class) const {
    return probabilities[prediction * classes + of_class];
  }
};

// `predicted`: a class for each row; `probabilities`: [row][class]. For predictions of any origin,
// such as those of the models of a cross-validation on the rows they have not seen. `referred`:
// whether each row is; empty: by no policy.
Predictions distinct_predictions(std::size_t classes, std::span<const int> predicted,
                                 std::span<const double> probabilities,
                                 std::span<const char> referred = {});

// Of all rows of the mapped table.
Predictions model_predictions(const RuleBase& base, const ColumnMap& map, int threads);
// Of `rows`, in this order.
Predictions model_predictions(const RuleBase& base, const ColumnMap& map,
                              std::span<const std::uint32_t> rows);
// Of all of the rows, one part after another. All have the same classes.
Predictions joined(std::span<const Predictions> parts);

}  // namespace frr::internal
