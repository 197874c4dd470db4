#include "out_of_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace frr::cli {
namespace {

// A terminate handler takes no arguments, so it can only access static storage.
std::atomic<bool> ran_out{false};

void on_failed_allocation() {
  ran_out.store(true);
  throw std::bad_alloc();
}

[[noreturn]] void on_terminate() {
  if (ran_out.load()) ::_exit(report_out_of_memory());
  std::abort();
}

}  // namespace

void catch_out_of_memory() {
  std::set_new_handler(on_failed_allocation);
  std::set_terminate(on_terminate);
}

int report_out_of_memory() noexcept {
  constexpr char clear[] = "\r\033[K";
  constexpr char message[] =
      "frr: error: out of memory. Free some memory or raise the limit. To use less memory: frr "
      "train "
      "--memory 500MB reads the table in pieces, --ignore leaves out columns, --threads 1 uses one "
      "thread, and frr predict without --json does not keep the rows in memory.\n";
  // A failed write cannot be reported here.
  if (isatty(STDERR_FILENO) != 0 && ::write(STDERR_FILENO, clear, sizeof clear - 1) < 0) {
    return out_of_memory_status;
  }
  if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) return out_of_memory_status;
  return out_of_memory_status;
}

}  // namespace frr::cli
