#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "frr_files_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    fs::permissions(directory_, fs::perms::owner_all);
    fs::remove_all(directory_);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  fs::path directory_;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Action>
void expect_error(Action&& action, const std::vector<std::string>& parts) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
    }
  }
}

TEST_F(Files, ReadsBackWhatWasWritten) {
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i * 7);
  write_file(path("f"), bytes);
  EXPECT_EQ(content(path("f")), bytes);
  EXPECT_EQ(read_file(path("f")), bytes);
  write_file(path("f"), "");
  EXPECT_EQ(read_file(path("f")), "");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, KeepsModesAndAppliesTheMaskToNewFiles) {
  const mode_t mask = ::umask(027);
  write_file(path("new"), "x");
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat(path("new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  ASSERT_EQ(::chmod(path("new").c_str(), 0604), 0);
  write_file(path("new"), "y");
  ASSERT_EQ(::stat(path("new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0604u);
  EXPECT_EQ(content(path("new")), "y");
}

TEST_F(Files, KeepsSymbolicLinks) {
  fs::create_directory(path("sub"));
  write_file(path("sub/real"), "old");
  fs::create_symlink("sub/real", path("one"));
  fs::create_symlink("one", path("two"));
  write_file(path("two"), "new");
  EXPECT_TRUE(fs::is_symlink(path("two")));
  EXPECT_TRUE(fs::is_symlink(path("one")));
  EXPECT_EQ(content(path("sub/real")), "new");
  fs::create_symlink("sub/later", path("dangling"));
  write_file(path("dangling"), "made");
  EXPECT_EQ(content(path("sub/later")), "made");
  fs::create_symlink("loop", path("loop"));
  expect_error([&] { write_file(path("loop"), "x"); }, {"loop"});
}

TEST_F(Files, WritesToDevicesAndPipes) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content(path("fifo")); });
  write_file(path("fifo"), "through the pipe");
  reader.join();
  EXPECT_EQ(got, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(path("fifo")));
}

TEST_F(Files, FailuresGiveTheReasonAndLeaveNothingBehind) {
  expect_error([&] { write_file("/dev/full", "x"); }, {"/dev/full", "No space"});
  expect_error([&] { write_file(path("none/f"), "x"); }, {"none/f", "No such file", "directory"});
  expect_error([&] { write_file(path("none/"), "x"); }, {"none/"});
  expect_error([&] { write_file(directory_, "x"); }, {"directory"});
  expect_error([&] { write_file("", "x"); }, {"name"});
  write_file(path("f"), "x");
  expect_error([&] { write_file(path("f/g"), "x"); }, {"f/g", "Not a directory"});
  EXPECT_EQ(content(path("f")), "x");
  EXPECT_EQ(entries(), 1u);
}

// Runs `action` in a child process without root privileges; true if it throws Error with `part`.
template <typename Action>
bool fails_in_child(Action&& action, const std::string& part) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(1);
    try {
      action();
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find(part) != std::string::npos ? 7 : 2);
    }
    ::_exit(0);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

TEST_F(Files, KeepsReadOnlyFiles) {
  write_file(path("f"), "old");
  ASSERT_EQ(::chmod(path("f").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory_.c_str(), 0777), 0);
  EXPECT_TRUE(fails_in_child([&] { write_file(path("f"), "new"); }, "Permission denied"));
  ASSERT_EQ(::chmod(directory_.c_str(), 0555), 0);
  EXPECT_TRUE(fails_in_child([&] { write_file(path("g"), "new"); }, "Permission denied"));
  EXPECT_EQ(content(path("f")), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, KeepsTheOldFileAtASizeLimit) {
  write_file(path("f"), "old");
  const auto write_too_much = [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit { 1000, 1000 };
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_file(path("f"), std::string(5000, 'x'));
  };
  ASSERT_EQ(::chmod(path("f").c_str(), 0666), 0);
  ASSERT_EQ(::chmod(directory_.c_str(), 0777), 0);
  EXPECT_TRUE(fails_in_child(write_too_much, "too large"));
  EXPECT_EQ(content(path("f")), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, KilledWriterLeavesTheOldOrTheNewFile) {
  const std::string old(3 << 20, 'o'), other(3 << 20, 'n');
  for (int round = 0; round < 15; ++round) {
    write_file(path("f"), old);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) {
        write_file(path("f"), other);
        write_file(path("f"), old);
      }
    }
    ::usleep(static_cast<useconds_t>(500 + 900 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string now = content(path("f"));
    ASSERT_TRUE(now == old || now == other);
  }
}

TEST_F(Files, ReadingRejectsAbsentAndTooLongFiles) {
  expect_error([&] { read_file(path("none")); }, {"none", "No such file"});
  expect_error([&] { read_file(directory_); }, {"directory"});
  write_file(path("f"), "12345");
  EXPECT_EQ(read_file(path("f"), 5), "12345");
  expect_error([&] { read_file(path("f"), 4); }, {"longer than 4 bytes"});
  expect_error([&] { read_file("/dev/zero", 100000); }, {"longer"});
}

}  // namespace
}  // namespace frr::internal
