// A temporary file that replaces its target in one atomic step. All temporary files are created
// here.
#pragma once

#include <string>
#include <utility>

namespace frr::internal {

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  [[nodiscard]] int get() const { return descriptor_; }
  // False (with errno) if the system could not complete the writes.
  bool close();

 private:
  int descriptor_ = -1;
};

// The directory of `path` with its slash; empty for the current directory.
std::string directory_of(const std::string& path);

// The file is created in the directory of its target. If the file system allows, it has no name, so
// that it disappears when the process ends in any way. Otherwise, and briefly while it replaces
// the target, its name is ".TARGET.frr-PID-N". Creating a file removes abandoned ones of the same
// target. A file is locked (flock) while its process lives. It counts as abandoned if it is a
// regular file, has such a name, can be locked, and its PID is not that of another running process.
class TemporaryFile {
 public:
  enum class Kind { unnamed_if_possible, named };

  TemporaryFile() = default;
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // False (with errno) on failure. `target` must not be a symbolic link.
  bool create(const std::string& target, Kind kind = Kind::unnamed_if_possible);
  // Call it once everything is written and flushed. False (with errno) on failure.
  bool replace_target();

  [[nodiscard]] int descriptor() const { return file_.get(); }

 private:
  bool create_unnamed();
  bool create_named();
  bool link_to_name();
  void remove_stale() const;
  [[nodiscard]] std::string name(int number) const;

  std::string target_, prefix_;
  std::string path_;  // empty while it has no name
  Descriptor file_;
};

}  // namespace frr::internal
