// Writing files, called from Python.
#pragma once

#include <nanobind/nanobind.h>

namespace frr::python {

void add_files(nanobind::module_& module);

}  // namespace frr::python
