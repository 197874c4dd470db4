// The one owner of temporary files: a file that is written out of sight and then takes the place of
// another one in a single step.
#pragma once

#include <string>
#include <utility>

namespace frr::internal {

// An open file of the system; closes it in the end.
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
  // False (and errno) if the system could not finish the writing.
  bool close();

 private:
  int descriptor_ = -1;
};

// With the last slash; empty for the current one.
std::string directory_of(const std::string& path);

// In the directory of its target. Where the file system allows it has no name, so that it vanishes
// with the process, however that ends. Elsewhere, and for the moment of replacing the target, it is
// called ".TARGET.frr-PID-N". Such files of processes that are gone are removed when another one is
// made for the same target. The file is locked (flock) while its process lives; a file is removed
// only if it can be locked, is a regular file, has exactly such a name, and its PID is not that of
// another live process.
class TemporaryFile {
 public:
  enum class Kind { unnamed_if_possible, named };

  TemporaryFile() = default;
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Both: false and errno on failure. `target` is not a symbolic link.
  bool create(const std::string& target, Kind kind = Kind::unnamed_if_possible);
  // Once all is written and flushed.
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
