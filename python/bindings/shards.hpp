// Training on shards, called from Python.
#pragma once

#include <nanobind/nanobind.h>

namespace frr::python {

void add_shards(nanobind::module_& module);

}  // namespace frr::python
