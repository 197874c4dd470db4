// Measures parts of the library for bench/performance.
//
//   frr_bench table ROWS COLUMNS CLASSES FILE     writes a synthetic table as CSV
//   frr_bench step TABLE DIRECTORY ROWS BATCH [CATEGORICAL]
//                                                 measures training steps; writes the data that
//                                                 another program needs to repeat them to DIRECTORY
//   frr_bench step-flushed ...                    the same in a process that flushes denormal
//                                                 numbers
//   frr_bench predict MODEL TABLE THREADS         predicts all rows of a table in memory
//
// TABLE is a CSV file, or ROWSxCOLUMNSxCLASSES for a synthetic table. CATEGORICAL names columns.
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "base/float_mode.hpp"
#include "commands.hpp"
#include "problem.hpp"

namespace frr::bench {
using namespace internal;
namespace {

void write_table(Arguments arguments) {
  if (arguments.size() != 4) fail_usage("frr_bench table ROWS COLUMNS CLASSES FILE");
  write_csv(
      generated_table(std::stoul(arguments[0]), std::stoul(arguments[1]), std::stoul(arguments[2])),
      arguments[3]);
}

int run(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  const Arguments rest = Arguments(arguments).subspan(arguments.empty() ? 0 : 1);
  if (command == "table") {
    write_table(rest);
  } else if (command == "step") {
    training_step(rest);
  } else if (command == "step-flushed") {
    const FloatMode mode(Denormals::flush);
    training_step(rest);
  } else if (command == "predict") {
    prediction(rest);
  } else {
    fail_usage("frr_bench table|step|step-flushed|predict ...");
  }
  return 0;
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void serve(const std::string& ready, const std::function<double()>& measure) {
  std::cout << ready << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%.9g\n", measure());
    std::fflush(stdout);
  }
}

}  // namespace frr::bench

int main(int count, char** values) {
  try {
    return frr::bench::run({values + 1, values + count});
  } catch (const std::exception& error) {
    std::cerr << "frr_bench: " << error.what() << '\n';
    return 1;
  }
}
