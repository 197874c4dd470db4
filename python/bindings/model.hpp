// The class Model of frr._core: a rule base in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "frr/frr.hpp"

namespace frr::python {

void add_model(nanobind::module_& module);

// `losses`: the mean loss of each epoch.
nanobind::object make_model(RuleBase base, std::vector<double> losses);

}  // namespace frr::python
