// Additive semantics in SQL: the layers of the WITH that follow the strengths of the rules.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "sql_dialect.hpp"

namespace frr::internal {

struct SqlLayer {
  std::string name, columns;  // "  EXPRESSION AS c1,\n ...", from the layer before
};

// A column of the last layer w: EXPRESSION of the layer z.
struct SqlResult {
  std::string name, expression;
};

// The layers c (scores of the classes), v (the largest of them), e (exponentials), p
// (probabilities), for some policies k (expected costs), and z (the class). c reads the layer s.
std::vector<SqlLayer> sum_layers(const Plan& plan, const Dialect& sql);

// choice (the class, counted from 0), rule, probability, and if the model has them points and
// referred.
std::vector<SqlResult> sum_results(const Plan& plan, const Dialect& sql);

}  // namespace frr::internal
