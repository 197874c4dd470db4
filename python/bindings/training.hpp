// Learning, called from Python: the GIL is released, Ctrl-C and the progress callback are served.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frr/frr.hpp"

namespace frr::python {

namespace nb = nanobind;

using OptionTexts =
    std::vector<std::pair<std::string, std::string>>;  // name as in the table, value

// Error{usage} as set_option and validate give it.
Settings make_settings(const std::string& preset, const OptionTexts& options);

// The callback, which writes down the loss of each epoch besides.
ProgressCallback keeping_losses(std::vector<double>& losses, const ProgressCallback& callback);

// Runs something on the thread that waits, with the GIL, and waits for it.
using Errands = std::function<void(const std::function<void()>&)>;

// Runs `work` on a thread of its own, without the GIL, and waits. `work` gets the callback to give
// to the learner, and the way to call Python. Meanwhile `progress`, if it is not None, is called a
// few times a second as progress(stage, fraction, epoch, epochs, loss); what it or an errand
// raises, or a signal handler such as that of Ctrl-C, stops the work and is raised here.
void run_interruptibly(const std::function<void(const ProgressCallback&, const Errands&)>& work,
                       const nb::object& progress);

}  // namespace frr::python
