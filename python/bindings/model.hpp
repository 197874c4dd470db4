// A rule base as Python holds it: the class Model of frr._core.
#pragma once

#include <nanobind/nanobind.h>

namespace frr::python {

void add_model(nanobind::module_& module);

}  // namespace frr::python
