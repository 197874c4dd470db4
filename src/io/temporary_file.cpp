#include "io/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

namespace frr::internal {
namespace {

constexpr int max_names = 10000;  // per process and target

// Parses and removes the number at the start of `text`; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.front() == '-') return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// The PID in "PREFIX-PID-N"; -1 if the name does not have this form.
int process_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  const int process = take_number(name);
  if (process <= 0 || !name.starts_with('-')) return -1;
  name.remove_prefix(1);
  return take_number(name) >= 0 && name.empty() ? process : -1;
}

// This process counts as ended, because in a container an earlier run may have had the same PID;
// the lock protects the files of this run.
bool may_have_ended(int process) {
  return process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH);
}

bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

void remove_if_abandoned(int directory, const char* name) {
  const Descriptor file(::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (lock(file.get())) ::unlinkat(directory, name, 0);
}

}  // namespace

Descriptor::~Descriptor() { close(); }

bool Descriptor::close() {
  const int open = std::exchange(descriptor_, -1);
  return open < 0 || ::close(open) == 0;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::string TemporaryFile::name(int number) const {
  return directory_of(target_) + prefix_ + std::to_string(::getpid()) + "-" +
         std::to_string(number);
}

bool TemporaryFile::create(const std::string& target, Kind kind) {
  target_ = target;
  constexpr std::size_t longest = 200;  // leaves room for what is added to the name
  prefix_ = "." + target.substr(directory_of(target).size(), longest) + ".frr-";
  remove_stale();
  return (kind == Kind::unnamed_if_possible && create_unnamed()) || create_named();
}

bool TemporaryFile::create_unnamed() {
#ifdef O_TMPFILE
  const std::string directory = directory_of(target_);
  file_ = Descriptor(
      ::open(directory.empty() ? "." : directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (file_.get() < 0) return false;
  // Without /proc the file could never get a name.
  const std::string link = "/proc/self/fd/" + std::to_string(file_.get());
  if (::access(link.c_str(), F_OK) == 0) {
    lock(file_.get());
    return true;
  }
  file_.close();
#endif
  return false;
}

bool TemporaryFile::create_named() {
  for (int number = 0; number < max_names; ++number) {
    std::string path = name(number);
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.get() < 0 && errno == EEXIST) continue;
    if (file.get() < 0) return false;
    // Another process may have removed it as abandoned before it was locked.
    const bool locked = lock(file.get()) || errno != EWOULDBLOCK;
    struct stat status {};
    if (!locked || ::fstat(file.get(), &status) != 0 || status.st_nlink == 0) continue;
    file_ = std::move(file);
    path_ = std::move(path);
    return true;
  }
  errno = EEXIST;
  return false;
}

bool TemporaryFile::link_to_name() {
  const std::string link = "/proc/self/fd/" + std::to_string(file_.get());
  for (int number = 0; number < max_names; ++number) {
    std::string path = name(number);
    if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      path_ = std::move(path);
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

bool TemporaryFile::replace_target() {
  // A link cannot replace a file, but a rename can.
  if (path_.empty() && !link_to_name()) return false;
  if (::rename(path_.c_str(), target_.c_str()) != 0) return false;
  path_.clear();
  file_.close();  // cannot lose data: everything is already on disk
  return true;
}

void TemporaryFile::remove_stale() const {
  const std::string directory = directory_of(target_);
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(
      ::opendir(directory.empty() ? "." : directory.c_str()), ::closedir);
  if (listing == nullptr) return;
  while (const dirent* entry = ::readdir(listing.get())) {
    const int process = process_of(entry->d_name, prefix_);
    if (process > 0 && may_have_ended(process)) {
      remove_if_abandoned(::dirfd(listing.get()), entry->d_name);
    }
  }
}

}  // namespace frr::internal
