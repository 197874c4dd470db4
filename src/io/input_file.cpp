#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "frr/error.hpp"

namespace frr::internal {

InputFile::InputFile(const std::string& path) : path_(path), descriptor_(STDIN_FILENO) {
  if (path == "-") return;
  // A signal that ends the wait for the writer of a pipe is left to the caller's handler.
  do {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail();
}

InputFile::~InputFile() {
  if (path_ != "-" && descriptor_ >= 0) ::close(descriptor_);
}

std::size_t InputFile::read(char* into, std::size_t count) const {
  while (true) {
    const ssize_t got = ::read(descriptor_, into, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail();
  }
}

FileStamp InputFile::stamp() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail();
#ifdef __APPLE__
  const timespec changed = status.st_mtimespec;
#else
  const timespec changed = status.st_mtim;
#endif
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .seconds = changed.tv_sec,
          .nanoseconds = changed.tv_nsec};
}

void InputFile::fail() const {
  if (errno == ENOMEM) throw std::bad_alloc();
  if (errno == EBADF && path_ == "-")
    fail_data("standard input is closed. Give a file instead of -.");
  std::string reason = std::strerror(errno);
  if (errno == EISDIR) {
    reason +=
        ". Give a file. frr.files in the Python package reads directories of Parquet or Arrow "
        "files: pip install 'frr[parquet]'.";
  }
  fail_data("cannot read " + (path_ == "-" ? "standard input" : "'" + path_ + "'") + ": " + reason);
}

}  // namespace frr::internal
