// write_file and read_file of frr.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "input_file.hpp"

namespace frr {
namespace {

[[noreturn]] void fail_writing(const std::string& path, int error) {
  std::string remedy;
  if (error == ENOENT || error == ENOTDIR) {
    remedy = ". Is the directory spelled right? It must exist";
  } else if (error == ENOSPC || error == EDQUOT) {
    remedy = ". Free some space or write elsewhere; the file is as it was";
  } else if (error == EACCES || error == EPERM || error == EROFS) {
    remedy = ". Choose a path that you may write to";
  }
  fail_data("cannot write '" + path + "': " + std::strerror(error) + remedy);
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }
  // False (and errno) if the system could not finish the writing.
  bool close() {
    const int open = std::exchange(descriptor_, -1);
    return open < 0 || ::close(open) == 0;
  }

 private:
  int descriptor_;
};

// Removes the file when it goes out of scope, unless released.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  void release() { path_.clear(); }

 private:
  std::string path_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(descriptor, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// Devices and pipes cannot be replaced, only written to.
void write_directly(const std::string& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail_writing(path, errno);
  if (!write_all(file.get(), content) || !file.close()) fail_writing(path, errno);
}

// The file that a chain of symbolic links ends at, which need not exist: it is to be replaced, not
// the link.
std::string follow_links(std::string path) {
  constexpr int most_links = 40;
  const std::string given = path;
  for (int i = 0; i < most_links; ++i) {
    std::vector<char> target(PATH_MAX);
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return path;
    const std::string next(target.data(), static_cast<std::size_t>(length));
    const std::size_t slash = path.rfind('/');
    const bool relative = next.front() != '/' && slash != std::string::npos;
    path = relative ? path.substr(0, slash + 1) + next : next;
  }
  fail_writing(given, ELOOP);
}

mode_t mode_of_new_file() {
  // There is no way to read the mask without setting it; a thread that makes a file in between
  // gets a private one, not an open one.
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return 0666 & ~mask;
}

void replace(const std::string& shown, const std::string& path, std::string_view content,
             mode_t mode) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string base = path.substr(directory.size(), 200);
  std::string name = directory + "." + base + ".XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0) fail_writing(shown, errno);
  Temporary temporary(name);
  if (!write_all(file.get(), content) || ::fchmod(file.get(), mode) != 0 ||
      ::fsync(file.get()) != 0 || !file.close() || ::rename(name.c_str(), path.c_str()) != 0) {
    fail_writing(shown, errno);
  }
  temporary.release();
  // The new name outlives a power cut only once the directory is on the disk. Some file systems
  // cannot do that, and the file is in place already: no reason to fail.
  const Descriptor parent(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  if (path.empty()) fail_data("cannot write a file without a name");
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_writing(path, errno);
    const std::string target = follow_links(path);
    if (target.back() == '/') fail_writing(path, EISDIR);
    return replace(path, target, content, mode_of_new_file());
  }
  if (S_ISDIR(status.st_mode)) fail_writing(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return write_directly(path, content);
  // A rename needs leave to write to the directory only; a file made read-only is meant to stay.
  if (::access(path.c_str(), W_OK) != 0) fail_writing(path, errno);
  replace(path, follow_links(path), content, status.st_mode & 07777);
}

std::string read_file(const std::string& path, std::size_t limit) {
  constexpr std::size_t step = std::size_t{1} << 16;
  const InputFile file(path);
  std::string content;
  while (true) {
    const std::size_t size = content.size();
    content.resize(size + std::max(step, size / 2));
    const std::size_t got = file.read(content.data() + size, content.size() - size);
    content.resize(size + got);
    if (content.size() > limit) {
      fail_data("'" + path + "' is longer than " + std::to_string(limit) +
                " bytes. Is it the right file?");
    }
    if (got == 0) return content;
  }
}

}  // namespace frr
