// Ctrl-C (SIGINT) and SIGTERM: work in progress asks interrupted() and stops; whatever does not ask
// is ended after a grace period, but never in the middle of writing a file.
#pragma once

namespace frr::cli {

// Installs the handlers. A second signal of the same kind kills at once. SIGPIPE and SIGXFSZ (file
// too large) are ignored: writes report them instead.
void catch_interrupts();

bool interrupted();
// Exit status for the signal that came: 130 for SIGINT, 143 for SIGTERM.
int interrupt_status();
// Throws Error{interrupted} if a signal came.
void stop_if_interrupted();

// While one lives, the end of the grace period is put off: for writing files.
class Uninterruptible {
 public:
  Uninterruptible();
  ~Uninterruptible();
  Uninterruptible(const Uninterruptible&) = delete;
  Uninterruptible& operator=(const Uninterruptible&) = delete;
};

}  // namespace frr::cli
