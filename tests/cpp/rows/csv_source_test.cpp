#include "rows/csv_source.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frr/error.hpp"

namespace frr::internal {
namespace {

namespace fs = std::filesystem;

class ChangedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "frr_source_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    path_ = directory_ / "data.csv";
    write(path_, text());
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
  CsvSource source() const {
    return {path_, CsvOptions(), {.target = "class"}, {.shard_rows = 64}, 2};
  }
  void expect_change(CsvSource& file) const {
    try {
      file.survey();
      ADD_FAILURE() << "the change was not detected";
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
};

TEST_F(ChangedFile, NoChangeGivesTheSameAnswer) {
  CsvSource file = source();
  for (int reading = 1; reading <= 3; ++reading) {
    const Survey survey = file.survey();
    EXPECT_EQ(file.readings(), reading);
    // By hand: 334 of the 1000 rows have a number that 3 divides.
    EXPECT_EQ(survey.classes.at("x").rows, 334U);
    EXPECT_EQ(survey.classes.at("y").rows, 666U);
    EXPECT_EQ(survey.columns.front().high->value, 9);
  }
}

// Size, time and inode stay the same; only the checksum differs.
TEST_F(ChangedFile, OtherBytesWithTheSameSizeAndTimeAreDetected) {
  for (const std::size_t place : {std::size_t{8}, text().size() / 2, text().size() - 2}) {
    write(path_, text());
    CsvSource file = source();
    file.survey();
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

TEST_F(ChangedFile, AnotherTimeIsDetected) {
  CsvSource file = source();
  file.survey();
  const timespec times[2] = {{1000000000, 1}, {1000000000, 1}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  expect_change(file);
}

TEST_F(ChangedFile, AnotherFileOfTheSameNameIsDetected) {
  CsvSource file = source();
  file.survey();
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  const std::string other = directory_ / "other.csv";
  write(other, text());
  const timespec times[2] = {status.st_atim, status.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, other.c_str(), times, 0), 0);
  fs::rename(other, path_);
  expect_change(file);
}

// The message reports the change, not the invalid text that results from it.
TEST_F(ChangedFile, TextThatIsNoLongerATableIsReportedAsAChange) {
  CsvSource file = source();
  file.survey();
  write(path_, "a,class\n\"1,x\n");
  expect_change(file);
}

}  // namespace
}  // namespace frr::internal
