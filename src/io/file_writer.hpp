// A file that is written piece by piece and takes the place of the old one at the end.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "io/temporary_file.hpp"

namespace frr::internal {

// As write_file: out of sight until publish(), pipes and devices in place. Without publish()
// nothing has changed. Throws Error{data}.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path,
                      TemporaryFile::Kind kind = TemporaryFile::Kind::unnamed_if_possible);
  void write(std::string_view content);
  // For writers that need a descriptor, which this object closes.
  [[nodiscard]] int descriptor() const;
  // Everything is on the disk, nothing is to be written any more: what is left can hardly fail.
  void prepare();
  // After prepare(): the file takes its place.
  void publish();
  void finish();  // both

 private:
  std::string shown_;   // the path as given
  std::string target_;  // empty for a pipe or device
  mode_t mode_ = 0;
  Descriptor in_place_;
  TemporaryFile temporary_;
};

}  // namespace frr::internal
