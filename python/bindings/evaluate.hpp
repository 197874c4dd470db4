// Metrics of any classifier's predictions: frr._core.evaluate.
#pragma once

#include <nanobind/nanobind.h>

namespace frr::python {

void add_evaluate(nanobind::module_& module);

}  // namespace frr::python
