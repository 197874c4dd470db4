#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace frr::cli {

bool reserve_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // open() returns the lowest free descriptor, which is this one. A directory cannot be written
    // to, not even as /dev/stdout.
    int given = stream == STDOUT_FILENO ? -1 : ::open("/dev/null", O_WRONLY);
    if (given < 0) given = ::open("/", O_RDONLY | O_DIRECTORY);
    if (given != stream) return false;
  }
  return true;
}

}  // namespace frr::cli
