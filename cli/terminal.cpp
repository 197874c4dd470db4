#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/visible_text.hpp"

namespace frr::cli {
using namespace internal;
namespace {

bool is_terminal(int stream) { return isatty(stream) != 0; }

std::string painted(std::string_view text, std::string_view code, int stream) {
  if (!colours(stream)) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

// Ignores errors: a message that cannot be shown must not stop the program.
void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::string remaining(double seconds) {
  if (seconds < 90) return std::to_string(std::lround(std::ceil(seconds))) + " s";
  return std::to_string(std::lround(std::ceil(seconds / 60))) + " min";
}

}  // namespace

bool colours(int stream) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return is_terminal(stream) && term != nullptr && std::string_view(term) != "dumb";
}

std::string fixed(double value, int digits) {
  char buffer[400];  // the longest double has 309 digits before the point
  const int length = std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return {buffer, static_cast<std::size_t>(length)};
}

std::string counted(double count, std::string_view noun) {
  return fixed(count, 0) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

Terminal::Terminal(bool quiet)
    : quiet_(quiet), watched_(!quiet && is_terminal(STDERR_FILENO)), start_(Clock::now()) {}

void Terminal::warn(const std::string& sentence) {
  if (quiet_ || std::find(shown_.begin(), shown_.end(), sentence) != shown_.end()) return;
  shown_.push_back(sentence);
  clear();
  print("frr: " + painted("warning:", "33", STDERR_FILENO) + " " + visible_text(sentence) + "\n");
}

void Terminal::warn(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) warn(sentence);
}

void Terminal::say(const std::string& sentence) {
  if (quiet_ || sentence.empty()) return;
  clear();
  print("frr: " + visible_text(sentence) + "\n");
}

void Terminal::note(std::string_view text) {
  if (!watched_) return;
  clear();
  print(visible_text(text) + "\n");
}

void Terminal::progress(std::string_view stage, double fraction) {
  if (!watched_) return;
  const auto now = Clock::now();
  if (drawn_ && now - last_ < std::chrono::milliseconds(100)) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed < 0.2) return;  // short tasks need no progress line
  std::string line = visible_text(stage);
  if (fraction >= 0) {
    line += "  " + fixed(100 * std::min(fraction, 1.0), 0) + " %";
    if (fraction > 0.02 && fraction < 1) {
      line += ", " + remaining(elapsed * (1 - fraction) / fraction) + " left";
    }
  }
  line.resize(std::min(line.size(), width(STDERR_FILENO) - 1));
  print("\r\033[K" + line);
  drawn_ = true;
  last_ = now;
}

void Terminal::clear() {
  if (drawn_) print("\r\033[K");
  drawn_ = false;
}

std::size_t width(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) return size.ws_col;
  return 80;
}

bool stdout_is_terminal() { return is_terminal(STDOUT_FILENO); }

std::string bold(std::string_view text) {
  return bold_marks[0] + visible_text(text) + bold_marks[1];
}

void print_error(std::string_view sentence) {
  print("frr: " + painted("error:", "31", STDERR_FILENO) + " " + visible_text(sentence) + "\n");
}

}  // namespace frr::cli
