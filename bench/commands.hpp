// The commands of frr_bench. One that measures prints a line of JSON once it is ready, then, for
// every line it reads, the seconds that one more measurement took: so whoever runs it can take
// turns with something else.
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
// Processor time of this process: what else the machine does counts for nothing.
double seconds_of(const std::function<void()>& work);

}  // namespace frr::bench
