// A file opened for reading; "-" is standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace frr::internal {

// Detects that a file was replaced or modified, as far as the system reports it.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // time of modification
  bool operator==(const FileStamp&) const = default;
};

class InputFile {
 public:
  explicit InputFile(const std::string& path);  // Error{data} with the system's reason
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Reads up to `count` bytes; 0 at the end. Error{data} with the system's reason.
  std::size_t read(char* into, std::size_t count) const;
  [[nodiscard]] FileStamp stamp() const;  // current

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  int descriptor_;
};

}  // namespace frr::internal
