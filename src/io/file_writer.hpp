// A file that is written piece by piece and replaces the old one at the end.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "io/temporary_file.hpp"

namespace frr::internal {

// Like write_file: the new file appears only with publish(), without which nothing changes; pipes
// and devices are written directly. Throws Error{data}.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path,
                      TemporaryFile::Kind kind = TemporaryFile::Kind::unnamed_if_possible);
  void write(std::string_view content);
  // For writers that need a file descriptor. This object closes it.
  [[nodiscard]] int descriptor() const;
  // Call it after the last write(). It flushes everything to disk, so that publish() rarely fails.
  void prepare();
  // Replaces the old file. Call it after prepare().
  void publish();
  void finish();  // prepare() and publish()

 private:
  std::string shown_;   // the path as given
  std::string target_;  // empty for a pipe or device
  mode_t mode_ = 0;
  Descriptor in_place_;
  TemporaryFile temporary_;
};

}  // namespace frr::internal
