#include "shards/csv_shards.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frr/error.hpp"
#include "shards/shard_messages.hpp"

namespace frr::internal {
namespace {

namespace fs = std::filesystem;

class ChangedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "frr_shards_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    path_ = directory_ / "data.csv";
    write(path_, text());
    request_.target = "class";
  }
  void TearDown() override { fs::remove_all(directory_); }

  static std::string text() {
    std::string rows = "a,class\n";
    for (int i = 0; i < 1000; ++i) rows += std::to_string(i % 10) + (i % 3 == 0 ? ",x\n" : ",y\n");
    return rows;
  }
  static void write(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  // Pieces of 64 rows on two threads.
  CsvShards shards() const { return {path_, CsvOptions(), 64, 2}; }
  std::string ask(CsvShards& shards) const { return shards.ask(request_.bytes()); }
  void expect_change(CsvShards& shards) const {
    try {
      ask(shards);
      ADD_FAILURE() << "the change was not noticed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      const std::string message = error.what();
      EXPECT_NE(message.find(path_), std::string::npos) << message;
      EXPECT_NE(message.find("changed"), std::string::npos) << message;
      EXPECT_NE(message.find("train again"), std::string::npos) << message;
    }
  }

  fs::path directory_;
  std::string path_;
  ShardRequest request_;
};

TEST_F(ChangedFile, NoChangeGivesTheSameAnswer) {
  CsvShards file = shards();
  const std::string first = ask(file);
  EXPECT_EQ(ask(file), first);
  EXPECT_EQ(ask(file), first);
}

// Neither size nor time nor inode tell: only the checksum can.
TEST_F(ChangedFile, OtherBytesWithTheSameSizeAndTimeAreNoticed) {
  for (const std::size_t place : {std::size_t{8}, text().size() / 2, text().size() - 2}) {
    write(path_, text());
    CsvShards file = shards();
    ask(file);
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    const int descriptor = ::open(path_.c_str(), O_WRONLY);
    ASSERT_EQ(::pwrite(descriptor, "7", 1, static_cast<off_t>(place)), 1);
    ::close(descriptor);
    const timespec times[2] = {status.st_atim, status.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
    expect_change(file);
  }
}

TEST_F(ChangedFile, AnotherTimeIsNoticed) {
  CsvShards file = shards();
  ask(file);
  const timespec times[2] = {{1000000000, 1}, {1000000000, 1}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  expect_change(file);
}

TEST_F(ChangedFile, AnotherFileOfTheSameNameIsNoticed) {
  CsvShards file = shards();
  ask(file);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  const std::string other = directory_ / "other.csv";
  write(other, text());
  const timespec times[2] = {status.st_atim, status.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, other.c_str(), times, 0), 0);
  fs::rename(other, path_);
  expect_change(file);
}

// The message is about the change, not about the text that the change has spoilt.
TEST_F(ChangedFile, TextThatIsNoTableAnyMoreIsReportedAsAChange) {
  CsvShards file = shards();
  ask(file);
  write(path_, "a,class\n\"1,x\n");
  expect_change(file);
}

}  // namespace
}  // namespace frr::internal
