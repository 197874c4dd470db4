// Ctrl-C (SIGINT) and SIGTERM: long tasks poll interrupted() and stop. After a grace period, the
// process exits, but never while it writes a file.
#pragma once

namespace frr::cli {

// Installs the handlers. A second signal of the same kind kills the process at once. SIGPIPE and
// SIGXFSZ (file too large) are ignored, because writes report these errors.
void catch_interrupts();

bool interrupted();
// Exit status for the signal received: 130 for SIGINT, 143 for SIGTERM.
int interrupt_status();
// Throws Error{interrupted} if a signal was received.
void stop_if_interrupted();

// Extends the grace period during its lifetime: for writing files.
class Uninterruptible {
 public:
  Uninterruptible();
  ~Uninterruptible();
  Uninterruptible(const Uninterruptible&) = delete;
  Uninterruptible& operator=(const Uninterruptible&) = delete;
};

}  // namespace frr::cli
