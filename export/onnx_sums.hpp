// Additive semantics in ONNX: from the strengths of the rules to the outputs.
#pragma once

#include <string>

#include "onnx_graph.hpp"
#include "plan.hpp"

namespace frr::internal {

// The names of the outputs; `points` and `referred` are empty if the model does not have them.
struct OnnxOutputs {
  std::string name, rule, probability, probabilities, points, referred;
};

// `strengths`: a matrix with one column per rule after a column of zeros.
void write_sums(const Plan& plan, const std::string& strengths, const OnnxOutputs& outputs,
                Graph& graph);

}  // namespace frr::internal
