#include "interrupt.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "frr/error.hpp"

namespace frr::cli {
namespace {

// A signal handler can only access static storage.
std::atomic<int> received{0};
std::atomic<int> writing{0};
static_assert(std::atomic<int>::is_always_lock_free);

void arm(long microseconds) {
  itimerval timer{};
  timer.it_value.tv_usec = microseconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void on_signal(int signal) {
  received.store(signal);
  arm(600'000);
}

void on_deadline(int /*signal*/) {
  if (writing.load() > 0) {
    arm(50'000);
    return;
  }
  constexpr char clear[] = "\r\033[K";
  constexpr char message[] = "frr: interrupted\n";
  // A failed write cannot be reported here.
  if (isatty(STDERR_FILENO) != 0 && write(STDERR_FILENO, clear, sizeof clear - 1) < 0) _exit(130);
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0) _exit(130);
  _exit(interrupt_status());
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  handle(SIGINT, on_signal, static_cast<int>(SA_RESETHAND));
  handle(SIGTERM, on_signal, static_cast<int>(SA_RESETHAND));
  handle(SIGALRM, on_deadline, SA_RESTART);
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
}

bool interrupted() { return received.load(std::memory_order_relaxed) != 0; }

int interrupt_status() { return received.load() == SIGTERM ? 128 + SIGTERM : 128 + SIGINT; }

void stop_if_interrupted() {
  if (interrupted()) throw Error(ErrorKind::interrupted, "interrupted");
}

Uninterruptible::Uninterruptible() { writing.fetch_add(1); }
Uninterruptible::~Uninterruptible() { writing.fetch_sub(1); }

}  // namespace frr::cli
