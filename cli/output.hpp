// Output of results: to standard output, or to a file that is replaced atomically.
#pragma once

#include <cstdio>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_writer.hpp"

namespace frr::cli {
using namespace internal;

// Thrown if the reader of standard output has closed it: the program then exits silently.
struct BrokenPipe {};

// All results of a command: either all of them are written or none. "" and "-" are standard output.
// Standard output, pipes and devices are written in place; files are replaced atomically. Throws
// Error{data} with the reason given by the system, or BrokenPipe. On a terminal, hidden characters
// appear as escapes (visible_text.hpp); elsewhere, the bytes are unchanged.
class Outputs {
 public:
  // Writes and flushes a file without making it visible. Content to be written in place is kept.
  void add(const std::string& path, std::string content);
  // The same for text that people read: hidden characters always appear as escapes. The text may
  // contain bold() parts.
  void add_text(const std::string& path, std::string_view text);
  // Writes to standard output, pipes and devices, then makes the files visible.
  void publish();

 private:
  void put(const std::string& path, std::string content);

  std::vector<std::unique_ptr<FileWriter>> files_;
  std::vector<std::pair<std::string, std::string>> waiting_;  // path and content
};

// A single result, as with Outputs::add.
void write_output(const std::string& path, std::string content);
// A single result, as with Outputs::add_text.
void write_text(const std::string& path, std::string_view text);

// A single result that is written piece by piece and may be larger than memory. Nothing is visible
// before finish(): until then, output to standard output, a pipe or a device is buffered, beyond
// 16 MB in an unnamed temporary file.
class Output {
 public:
  explicit Output(std::string path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  void write(std::string_view content);  // whole characters
  void finish();

 private:
  void write_waiting();

  std::string path_;
  bool shown_;                        // on a terminal
  std::unique_ptr<FileWriter> file_;  // none for standard output, pipes and devices
  std::FILE* spool_ = nullptr;
  std::string waiting_;
};

// Throws Error{data} if `path` cannot be written: its directory does not exist or is not writable,
// or it is a directory. Call it before expensive work. `option` is the option that gave the path.
void check_output(const std::string& path, const std::string& option = "-o");

// Throws Error{usage} if both are standard input, which can be read only once.
void check_standard_input(const std::string& model, const std::string& data);

// Throws Error{usage} if `path` is the same file as one of `inputs`: results never overwrite
// inputs.
void keep_inputs(const std::string& path, const std::vector<std::string>& inputs,
                 const std::string& option = "-o");

// Indented, with a final line end.
std::string dump(const nlohmann::ordered_json& value);

// One word of a command line, quoted if the shell would change it.
std::string shell_word(std::string_view text);

}  // namespace frr::cli
