// write_file and read_file of frr.hpp, FileWriter.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"
#include "io/file_writer.hpp"
#include "io/input_file.hpp"

namespace frr {
using namespace internal;
namespace {

[[noreturn]] void fail_writing(const std::string& path, int error) {
  if (error == ENOMEM) throw std::bad_alloc();
  std::string remedy;
  if (error == ENOENT || error == ENOTDIR) {
    remedy = ". Is the directory spelled correctly? It must exist";
  } else if (error == ENOSPC || error == EDQUOT) {
    remedy = ". Free some space or write elsewhere; the old file is unchanged";
  } else if (error == EACCES || error == EPERM || error == EROFS) {
    remedy = ". Choose a path that you may write to";
  }
  fail_data("cannot write '" + path + "': " + std::strerror(error) + remedy);
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(descriptor, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// The end of a chain of symbolic links, which need not exist: that file is replaced, not the link.
std::string follow_links(std::string path) {
  constexpr int max_links = 40;
  const std::string given = path;
  for (int i = 0; i < max_links; ++i) {
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
  // The mask cannot be read without setting it. A file that another thread creates in between
  // becomes private rather than public.
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

FileWriter::FileWriter(const std::string& path, TemporaryFile::Kind kind) : shown_(path) {
  if (path.empty()) fail_data("cannot write a file without a name");
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (!there && errno != ENOENT) fail_writing(path, errno);
  if (there && S_ISDIR(status.st_mode)) fail_writing(path, EISDIR);
  if (there && !S_ISREG(status.st_mode)) {
    // Devices and pipes cannot be replaced, only written to. A signal that ends the wait for the
    // reader of a pipe is left to the caller's handler.
    int descriptor = -1;
    do {
      descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    in_place_ = Descriptor(descriptor);
    if (in_place_.get() < 0) fail_writing(path, errno);
    return;
  }
  // A rename needs permission for the directory only, but a read-only file must stay.
  if (there && ::access(path.c_str(), W_OK) != 0) fail_writing(path, errno);
  target_ = follow_links(path);
  if (target_.back() == '/') fail_writing(path, EISDIR);
  mode_ = there ? status.st_mode & 07777 : mode_of_new_file();
  if (!temporary_.create(target_, kind)) fail_writing(path, errno);
}

int FileWriter::descriptor() const {
  return target_.empty() ? in_place_.get() : temporary_.descriptor();
}

void FileWriter::write(std::string_view content) {
  if (!write_all(descriptor(), content)) fail_writing(shown_, errno);
}

void FileWriter::prepare() {
  const int file = temporary_.descriptor();
  const bool ready =
      target_.empty() ? in_place_.close() : ::fchmod(file, mode_) == 0 && ::fsync(file) == 0;
  if (!ready) fail_writing(shown_, errno);
}

void FileWriter::publish() {
  if (target_.empty()) return;
  if (!temporary_.replace_target()) fail_writing(shown_, errno);
  // The new name survives a power failure only once the directory is on disk. Some file systems
  // cannot flush directories; that is not an error, because the file is already in place.
  const std::string directory = directory_of(target_);
  const Descriptor parent(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

void FileWriter::finish() {
  prepare();
  publish();
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter file(path);
  file.write(content);
  file.finish();
}

std::string read_file(const std::string& path, std::size_t limit) {
  constexpr std::size_t step = std::size_t{1} << 16;
  const InputFile file(path);
  // A pipe delivers little at a time, so the string grows only when it is full.
  std::string content;
  std::size_t size = 0;
  while (true) {
    if (size == content.size()) content.resize(size + std::max(step, size / 2));
    const std::size_t got = file.read(content.data() + size, content.size() - size);
    size += got;
    if (size > limit) {
      fail_data("'" + path + "' is longer than " + std::to_string(limit) +
                " bytes. Is it the right file?");
    }
    if (got > 0) continue;
    content.resize(size);
    return content;
  }
}

}  // namespace frr
