#include "io/temporary_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "frr/frr.hpp"
#include "io/file_writer.hpp"

namespace frr::internal {
namespace {

namespace fs = std::filesystem;
using Kind = TemporaryFile::Kind;

class TemporaryFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "frr_temporary_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }
  [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      found.insert(entry.path().filename());
    }
    return found;
  }
  fs::path directory_;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A child process that has started to write `path` and waits to be killed.
pid_t start_writer(const std::string& path, Kind kind) {
  int ready[2];
  if (::pipe(ready) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter file(path, kind);
    file.write("half");
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char byte = 0;
  const bool started = ::read(ready[0], &byte, 1) == 1;
  ::close(ready[0]);
  ::close(ready[1]);
  return started ? child : -1;
}

void kill_writer(pid_t child) {
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

// A process id that is not in use.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST_F(TemporaryFiles, UnnamedFileVanishesWithItsProcess) {
  TemporaryFile probe;
  ASSERT_TRUE(probe.create(path("probe")));
  if (!names().empty()) GTEST_SKIP() << "this file system has no unnamed files";
  const pid_t child = start_writer(path("f"), Kind::unnamed_if_possible);
  ASSERT_GT(child, 0);
  EXPECT_EQ(names(), std::set<std::string>{});
  kill_writer(child);
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(TemporaryFiles, NamedFileIsRemovedOnlyByTheNextWriterOfItsTarget) {
  const pid_t child = start_writer(path("f"), Kind::named);
  ASSERT_GT(child, 0);
  const std::string left = ".f.frr-" + std::to_string(child) + "-0";
  write_file(path("f"), "first");
  EXPECT_EQ(names(), (std::set<std::string>{"f", left})) << "its process lives";
  kill_writer(child);
  write_file(path("g"), "other");
  EXPECT_EQ(names(), (std::set<std::string>{"f", "g", left}));
  write_file(path("f"), "second");
  EXPECT_EQ(names(), (std::set<std::string>{"f", "g"}));
  EXPECT_EQ(content(path("f")), "second");
}

TEST_F(TemporaryFiles, BothKindsReplaceTheTargetWithItsMode) {
  for (const Kind kind : {Kind::unnamed_if_possible, Kind::named}) {
    write_file(path("f"), "old");
    ASSERT_EQ(::chmod(path("f").c_str(), 0604), 0);
    FileWriter file(path("f"), kind);
    file.write("new");
    file.prepare();
    EXPECT_EQ(content(path("f")), "old");
    file.publish();
    struct stat status {};
    ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0604u);
    EXPECT_EQ(content(path("f")), "new");
    EXPECT_EQ(names(), std::set<std::string>{"f"});
  }
}

TEST_F(TemporaryFiles, NothingChangesWithoutPublish) {
  for (const Kind kind : {Kind::unnamed_if_possible, Kind::named}) {
    write_file(path("f"), "old");
    {
      FileWriter file(path("f"), kind);
      file.write("new");
      file.prepare();
    }
    EXPECT_EQ(content(path("f")), "old");
    EXPECT_EQ(names(), std::set<std::string>{"f"});
  }
}

TEST_F(TemporaryFiles, TwoWritersOfOneTargetDoNotDisturbEachOther) {
  for (const Kind kind : {Kind::unnamed_if_possible, Kind::named}) {
    FileWriter one(path("f"), kind), two(path("f"), kind);
    one.write("one");
    two.write("two");
    one.finish();
    EXPECT_EQ(content(path("f")), "one");
    two.finish();
    EXPECT_EQ(content(path("f")), "two");
    EXPECT_EQ(names(), std::set<std::string>{"f"});
  }
}

TEST_F(TemporaryFiles, KeepsFilesThatOnlyLookStale) {
  const std::string dead = std::to_string(dead_process());
  std::set<std::string> expected{"f", "elsewhere"};
  for (const std::string& name : std::initializer_list<std::string>{
           ".f.frr-" + dead, ".f.frr-" + dead + "-", ".f.frr-" + dead + "-1x",
           ".f.frr--" + dead + "-1", ".f.frr-" + dead + "-x1", ".f.frr-0-1", ".f.frr-x-1",
           "f.frr-" + dead + "-1", ".ff.frr-" + dead + "-1", ".f.frr-" + dead + "-99999999999999",
           ".f.frr-1-0"}) {
    std::ofstream(path(name)) << "mine";
    expected.insert(name);
  }
  std::ofstream(path("elsewhere")) << "mine";
  const std::string link = ".f.frr-" + dead + "-2", folder = ".f.frr-" + dead + "-3",
                    pipe = ".f.frr-" + dead + "-4";
  fs::create_symlink("elsewhere", path(link));
  fs::create_directory(path(folder));
  ASSERT_EQ(::mkfifo(path(pipe).c_str(), 0600), 0);
  expected.insert({link, folder, pipe});
  std::ofstream(path(".f.frr-" + dead + "-1")) << "stale";
  write_file(path("f"), "new");
  EXPECT_EQ(names(), expected);
  EXPECT_EQ(content(path("elsewhere")), "mine");
}

}  // namespace
}  // namespace frr::internal
