// Warnings, notes and a progress line, all on stderr. Hidden characters in names, cells and file
// names appear as escapes (visible_text.hpp).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace frr::cli {

// A number with a fixed number of decimals: fixed(97.234, 1) is "97.2".
std::string fixed(double value, int digits);
// "1 rule", "2 rules".
std::string counted(double count, std::string_view noun);

class Terminal {
 public:
  // `quiet`: show only errors.
  explicit Terminal(bool quiet);
  ~Terminal() { clear(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Whether a person can see the progress: stderr is a terminal, without --quiet.
  [[nodiscard]] bool watched() const { return watched_; }
  // Shows a warning, unless quiet or shown before.
  void warn(const std::string& sentence);
  void warn(const std::vector<std::string>& sentences);
  // Shows a sentence about the result that was asked for, unless quiet.
  void say(const std::string& sentence);
  // Shows a note if watched().
  void note(std::string_view text);

  // Redraws the progress line, at most ten times per second. A negative `fraction` means unknown.
  void progress(std::string_view stage, double fraction);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, watched_;
  bool drawn_ = false;
  Clock::time_point start_, last_{};
  std::vector<std::string> shown_;
};

// Width of the terminal in columns (`stream` 1: stdout, 2: stderr); 80 if it is not a terminal.
std::size_t width(int stream);
// True if standard output is a terminal.
bool stdout_is_terminal();
// True if the stream is a terminal with colours and NO_COLOR is not set.
bool colours(int stream);

// Marks text that write_text shows in bold on a terminal. The marks are bytes that never occur in
// UTF-8, so names and cells cannot contain them.
constexpr std::string_view bold_marks = "\xfe\xff";
std::string bold(std::string_view text);
// Writes "frr: error: ..." to stderr.
void print_error(std::string_view sentence);

}  // namespace frr::cli
