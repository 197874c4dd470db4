// A file opened for reading; "-" is standard input.
#pragma once

#include <cstddef>
#include <string>

namespace frr {

class InputFile {
 public:
  explicit InputFile(const std::string& path);  // Error{data} with the system's reason
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Up to `count` bytes; 0 at the end. Error{data} with the system's reason.
  std::size_t read(char* into, std::size_t count) const;

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  int descriptor_;
};

}  // namespace frr
