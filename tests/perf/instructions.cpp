// Runs one kernel on fixed data. Callgrind counts only instructions within frr_measured.
//
//   frr_instructions collapse|step|polish
//   frr_instructions --compiler              such as "gcc-12-x86_64"
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "base/control.hpp"
#include "collapse_batch.hpp"
#include "network/trainer.hpp"
#include "problem.hpp"
#include "search/polish.hpp"

// Never cloned or inlined, because callgrind finds it by its name.
#if defined(__GNUC__) && !defined(__clang__)
#define FRR_KEEP __attribute__((noipa))
#else
#define FRR_KEEP __attribute__((noinline))
#endif
extern "C" FRR_KEEP void frr_measured(const std::function<void()>& work) {
  work();
  asm volatile("" ::: "memory");  // prevents a tail call
}

namespace frr::bench {
using namespace internal;
namespace {

constexpr std::size_t rows = 512, columns = 20, classes = 3;

Settings fixed_settings() {
  Settings settings;
  settings.labels = 3;
  settings.batch = 128;
  settings.epochs = 2;
  settings.sweeps = 1;
  return settings;
}

// The two matrix products over a batch.
void collapse(const Problem& problem) {
  CollapseBatch batch(problem, rows);
  frr_measured([&] {
    batch.forward();
    batch.backward();
  });
}

// Whole training steps: gates, forward, loss, gradient, Adam.
void step(const Problem& problem) {
  Control control({}, 0);
  frr_measured([&] {
    train_network(problem.shape(), problem.inputs, problem.classes, problem.weights,
                  problem.settings, 0, 1, control);
  });
}

// One sweep of polishing: almost all of it is valuing rules by histograms.
void polish_once(const Problem& problem) {
  Control control({}, 0);
  Random random(0);
  Search search({.memberships = &problem.memberships,
                 .classes = problem.classes,
                 .weights = problem.weights,
                 .class_count = problem.data.classes.size()},
                problem.settings, {});
  frr_measured([&] { polish(search, problem.settings, random, 1, control); });
}

std::string compiler() {
#if defined(__clang__)
  std::string name = "clang-" + std::to_string(__clang_major__);
#elif defined(__GNUC__)
  std::string name = "gcc-" + std::to_string(__GNUC__);
#else
  std::string name = "unknown";
#endif
#if defined(__x86_64__)
  return name + "-x86_64";
#elif defined(__aarch64__)
  return name + "-aarch64";
#else
  return name + "-other";
#endif
}

}  // namespace
}  // namespace frr::bench

int main(int count, char** values) {
  using namespace frr::bench;
  const std::map<std::string, void (*)(const Problem&)> kernels = {
      {"collapse", collapse}, {"step", step}, {"polish", polish_once}};
  const std::string name = count == 2 ? values[1] : "";
  if (name == "--compiler") {
    std::cout << compiler() << '\n';
    return 0;
  }
  const auto kernel = kernels.find(name);
  if (kernel == kernels.end()) {
    std::cerr << "frr_instructions collapse|step|polish|--compiler\n";
    return 2;
  }
  kernel->second(Problem(generated_table(rows, columns, classes), fixed_settings()));
  return 0;
}
