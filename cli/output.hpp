// Where results go: standard output, or a file that is replaced atomically.
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

// The reader of our standard output is gone: end quietly.
struct BrokenPipe {};

// All results of a command: either all of them appear or none. "" and "-" are standard output,
// pipes and devices are written in place, all else is replaced atomically. Throws Error{data} with
// the system's reason, BrokenPipe. On a terminal, hidden characters (visible_text.hpp) are shown by
// their escapes; all else gets the exact bytes.
class Outputs {
 public:
  // A file is written out of sight and flushed; what is written in place waits.
  void add(const std::string& path, std::string content);
  // The same for text that people read: hidden characters are shown by their escapes wherever it is
  // written. It may hold bold() parts.
  void add_text(const std::string& path, std::string_view text);
  // Writes in place what is to be, then lets the files take their places.
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

// The same for output that comes piece by piece and may be larger than memory. It appears only with
// finish(): until then a file is out of sight, and what is meant for standard output, a pipe
// or a device waits, beyond 16 MB in a file without a name.
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

// Throws Error{data} if `path` cannot become a file: its directory is absent or not writable, or it
// is a directory itself. Asked before work that would be lost. `option`: what named the path.
void check_output(const std::string& path, const std::string& option = "-o");

// Throws Error{usage} if `path` is one of `inputs`, by any name: results never replace what they
// were made from.
void keep_inputs(const std::string& path, const std::vector<std::string>& inputs,
                 const std::string& option = "-o");

// Indented, with a final line end.
std::string dump(const nlohmann::ordered_json& value);

// One word of a command line, quoted where a shell would change it.
std::string shell_word(std::string_view text);

}  // namespace frr::cli
