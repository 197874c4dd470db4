// Training, called from Python: releases the GIL, handles Ctrl-C and calls the progress callback.
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

// Throws Error{usage} like set_option and validate.
Settings make_settings(const std::string& preset, const OptionTexts& options);

// A callback that also appends the loss of each epoch to `losses`.
ProgressCallback keeping_losses(std::vector<double>& losses, const ProgressCallback& callback);

// Runs a function on the waiting thread, with the GIL, and waits for it to end.
using Errands = std::function<void(const std::function<void()>&)>;

// Runs `work` on another thread, without the GIL, and waits. `work` receives the callback for the
// learner and a way to call Python. Meanwhile `progress`, unless it is None, is called a few times
// per second as progress(stage, fraction, epoch, epochs, loss). An exception in it, in an errand or
// in a signal handler (Ctrl-C) stops the work and is raised here.
void run_interruptibly(const std::function<void(const ProgressCallback&, const Errands&)>& work,
                       const nb::object& progress);

}  // namespace frr::python
