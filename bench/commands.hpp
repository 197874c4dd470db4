// The commands of frr_bench. A command that measures prints a line of JSON when it is ready. Then,
// for every line that it reads, it measures once and prints the seconds, so that the caller can
// alternate between programs.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace frr::bench {

using Arguments = std::span<const std::string>;

void training_step(Arguments arguments);
void prediction(Arguments arguments);

// Prints `ready`, then answers every line of standard input with `measure()`.
void serve(const std::string& ready, const std::function<double()>& measure);
// Processor time of this process, which does not depend on the load of the machine.
double seconds_of(const std::function<void()>& work);

}  // namespace frr::bench
