#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

void write_stdout(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EPIPE) throw BrokenPipe{};
    if (errno == EINTR) {
      stop_if_interrupted();
      continue;
    }
    if (errno == EBADF) fail_data("standard output is closed. Give a file with -o.");
    fail_data(std::string("cannot write to standard output: ") + reason(errno) +
              ". The output is incomplete; free some space or give a file with -o.");
  }
}

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

// Whether `path` is a pipe or device, which is written in place.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

bool in_place(const std::string& path) { return is_stdout(path) || is_special(path); }

void write_in_place(const std::string& path, std::string_view content) {
  is_stdout(path) ? write_stdout(content) : write_file(path, content);
}

// `text` with hidden characters as escapes; its bold() parts are bold if `in_bold`.
std::string shown(std::string_view text, bool in_bold) {
  std::string result;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find_first_of(bold_marks), text.size());
    result += visible_lines(text.substr(0, next));
    if (next == text.size()) break;
    if (in_bold) result += text[next] == bold_marks[0] ? "\033[1m" : "\033[0m";
    text.remove_prefix(next + 1);
  }
  return result;
}

}  // namespace

void Outputs::add(const std::string& path, std::string content) {
  stop_if_interrupted();
  if (is_stdout(path) && stdout_is_terminal()) content = visible_lines(content);
  put(path, std::move(content));
}

void Outputs::add_text(const std::string& path, std::string_view text) {
  stop_if_interrupted();
  put(path, shown(text, is_stdout(path) && colours(STDOUT_FILENO)));
}

void Outputs::put(const std::string& path, std::string content) {
  if (in_place(path)) return void(waiting_.emplace_back(path, std::move(content)));
  const Uninterruptible guard;
  auto file = std::make_unique<FileWriter>(path);
  file->write(content);
  file->prepare();
  files_.push_back(std::move(file));
}

void Outputs::publish() {
  for (const auto& [path, content] : waiting_) write_in_place(path, content);
  stop_if_interrupted();
  const Uninterruptible guard;
  for (const std::unique_ptr<FileWriter>& file : files_) file->publish();
}

void write_output(const std::string& path, std::string content) {
  Outputs outputs;
  outputs.add(path, std::move(content));
  outputs.publish();
}

void write_text(const std::string& path, std::string_view text) {
  Outputs outputs;
  outputs.add_text(path, text);
  outputs.publish();
}

Output::Output(std::string path)
    : path_(std::move(path)), shown_(is_stdout(path_) && stdout_is_terminal()) {
  if (!in_place(path_)) file_ = std::make_unique<FileWriter>(path_);
}

Output::~Output() {
  if (spool_ != nullptr) std::fclose(spool_);
}

void Output::write(std::string_view content) {
  constexpr std::size_t most_waiting = std::size_t{16} << 20;
  shown_ ? waiting_ += visible_lines(content) : waiting_ += content;
  if (waiting_.size() >= most_waiting) write_waiting();
}

void Output::write_waiting() {
  if (file_ != nullptr) {
    file_->write(waiting_);
  } else {
    if (spool_ == nullptr) spool_ = std::tmpfile();
    if (spool_ == nullptr ||
        std::fwrite(waiting_.data(), 1, waiting_.size(), spool_) != waiting_.size()) {
      if (errno == ENOMEM) throw std::bad_alloc();
      fail_data("cannot write a temporary file: " + reason(errno) +
                ". Free some space in the directory for temporary files, or give a file with -o.");
    }
  }
  waiting_.clear();
}

void Output::finish() {
  stop_if_interrupted();
  if (file_ != nullptr) {
    const Uninterruptible guard;
    write_waiting();
    return file_->finish();
  }
  if (spool_ == nullptr) return write_output(path_, waiting_);
  write_waiting();
  std::rewind(spool_);
  std::optional<FileWriter> special;
  if (!is_stdout(path_)) special.emplace(path_);
  std::string part(std::size_t{1} << 20, '\0');
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), spool_)) {
    const std::string_view content(part.data(), got);
    special ? special->write(content) : write_stdout(content);
  }
  if (special) special->finish();
}

void check_output(const std::string& path, const std::string& option) {
  if (in_place(path)) return;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    fail_data("cannot write to " + path + ": it is a directory. Give a file name with " + option +
              ".");
  }
  fs::path directory = fs::path(path).parent_path();
  if (directory.empty()) directory = ".";
  const std::string hint = ". Make the directory or give another file with " + option + ".";
  if (!fs::is_directory(directory, error)) {
    fail_data("cannot write to " + path + ": there is no directory " + directory.string() + hint);
  }
  if (::access(directory.c_str(), W_OK | X_OK) != 0) {
    fail_data("cannot write to " + path + ": " + reason(errno) + hint);
  }
}

void check_standard_input(const std::string& model, const std::string& data) {
  if (model == "-" && data == "-") {
    fail_usage("the model and the data cannot both be standard input");
  }
}

void keep_inputs(const std::string& path, const std::vector<std::string>& inputs,
                 const std::string& option) {
  if (is_stdout(path)) return;
  for (const std::string& input : inputs) {
    std::error_code failure;
    const bool regular = std::filesystem::is_regular_file(path, failure);
    if (regular && std::filesystem::equivalent(path, input, failure) && !failure) {
      fail_usage("the output " + path + " is the input " + input +
                 ", which would be overwritten; give another file with " + option);
    }
  }
}

std::string dump(const nlohmann::ordered_json& value) {
  return visible_json(value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

std::string shell_word(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  });
  if (plain && !text.empty()) return std::string(text);
  if (has_hidden(text)) {
    std::string escaped;
    for (const char c : text)
      escaped += c == '\'' || c == '\\' ? "\\" + std::string(1, c) : std::string(1, c);
    return "$'" + visible_text(escaped) + "'";
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace frr::cli
