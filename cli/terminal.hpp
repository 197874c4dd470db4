// What a person sees besides the data: warnings, notes and a progress line, all on stderr. Hidden
// characters of names, cells and files (visible_text.hpp) are shown by their escapes.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace frr::cli {

// Numbers as people read them: fixed(97.234, 1) is "97.2".
std::string fixed(double value, int digits);
// "1 rule", "2 rules".
std::string counted(double count, std::string_view noun);

class Terminal {
 public:
  // `quiet`: nothing but errors.
  explicit Terminal(bool quiet);
  ~Terminal() { clear(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // True where a person watches: stderr is a terminal and not told to be quiet.
  [[nodiscard]] bool watched() const { return watched_; }
  // Always shown unless quiet; each sentence once.
  void warn(const std::string& sentence);
  void warn(const std::vector<std::string>& sentences);
  // Shown only where a person watches.
  void note(std::string_view text);

  // Redraws the progress line, at most ten times a second. `fraction` < 0: unknown.
  void progress(std::string_view stage, double fraction);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, watched_;
  bool drawn_ = false;
  Clock::time_point start_, last_{};
  std::vector<std::string> said_;
};

// Columns of the terminal (`stream` 1: stdout, 2: stderr); 80 where there is none.
std::size_t width(int stream);
// True if standard output is a terminal.
bool stdout_is_terminal();
// True if the stream is a terminal that shows colours, unless NO_COLOR is set.
bool colours(int stream);

// A part of a text that write_text shows in bold on a terminal. It is marked by bytes that no UTF-8
// has, so that no name or cell can pass for a mark.
constexpr std::string_view bold_marks = "\xfe\xff";
std::string bold(std::string_view text);
// Writes "frr: error: ..." to stderr.
void print_error(std::string_view sentence);

}  // namespace frr::cli
