// A file that is written piece by piece and takes the place of the old one at the end.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace frr {

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

// As write_file: a temporary name beside `path` until finish(), pipes and devices in place. Without
// finish() nothing has changed. Throws Error{data}.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(std::string_view content);
  void finish();

 private:
  std::string shown_;               // the path as given
  std::string target_, temporary_;  // both empty for a pipe or device
  mode_t mode_;
  Descriptor file_;
};

}  // namespace frr
