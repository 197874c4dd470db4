#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/error.hpp"
#include "frr/evaluate.hpp"

namespace frr::internal {
namespace {

// The smallest and the largest number of rows per fold for which `counts` holds.
template <typename Counts>
std::pair<int, int> extent(const std::vector<int>& fold_of, int folds, Counts&& counts) {
  std::vector<int> rows(static_cast<std::size_t>(folds), 0);
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    if (counts(i)) ++rows.at(static_cast<std::size_t>(fold_of[i]));
  }
  const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
  return {*low, *high};
}

TEST(StratifiedFolds, HaveEqualSizesInAllAndInEachClass) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const int folds = 2 + static_cast<int>(random.below(9));
    const int classes = 1 + static_cast<int>(random.below(6));
    std::vector<int> labels(static_cast<std::size_t>(folds) + random.below(150));
    for (int& label : labels)
      label = static_cast<int>(random.below(static_cast<std::size_t>(classes)));
    const std::vector<int> fold_of = stratified_folds(labels, folds, random.next());
    ASSERT_EQ(fold_of.size(), labels.size());
    const auto [low, high] = extent(fold_of, folds, [](std::size_t) { return true; });
    EXPECT_LE(high - low, 1);
    EXPECT_GE(low, 1);
    for (int c = 0; c < classes; ++c) {
      const auto [least, most] =
          extent(fold_of, folds, [&](std::size_t i) { return labels[i] == c; });
      EXPECT_LE(most - least, 1);
    }
  }
}

TEST(StratifiedFolds, RowsWithoutAClassGetNoFold) {
  const std::vector<int> labels = {0, -1, 1, 0, -1, 1};
  const std::vector<int> fold_of = stratified_folds(labels, 2, 5);
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(fold_of[i] == -1, labels[i] == -1);
}

TEST(StratifiedFolds, FollowTheSeed) {
  std::vector<int> labels(100);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 3);
  EXPECT_EQ(stratified_folds(labels, 5, 1), stratified_folds(labels, 5, 1));
  EXPECT_NE(stratified_folds(labels, 5, 1), stratified_folds(labels, 5, 2));
}

TEST(StratifiedFolds, RefuseInvalidNumbers) {
  const std::vector<int> labels = {0, 1, 0, -1};
  EXPECT_THROW(stratified_folds(labels, 1, 0), Error);
  EXPECT_THROW(stratified_folds(labels, -3, 0), Error);
  EXPECT_THROW(stratified_folds(labels, 4, 0), Error);
  EXPECT_NO_THROW(stratified_folds(labels, 3, 0));
  EXPECT_THROW(stratified_folds(std::vector<int>{}, 2, 0), Error);
}

class FoldFile : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  void TearDown() override { std::filesystem::remove(path_); }
  void expect_error(const std::string& text, std::size_t rows,
                    const std::vector<std::string>& parts) const {
    write(text);
    try {
      read_folds(path_, rows);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::data);
      for (const std::string& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
      }
    }
  }
  const std::string path_ = (std::filesystem::temp_directory_path() /
                             ("frr_folds_" + std::to_string(::getpid()) + ".txt"))
                                .string();
};

TEST_F(FoldFile, HasOneNumberPerLine) {
  for (const std::string text : {"3\n0\n3\n", "3\n0\n3", "3\r\n0\r\n3\r\n",
                                 "\xef\xbb\xbf"
                                 "3\n0\n3\n\n\n",
                                 " 3\n0 \n3\n \t\n"}) {
    write(text);
    EXPECT_EQ(read_folds(path_, 3), (std::vector<int>{3, 0, 3})) << text;
  }
}

TEST_F(FoldFile, ErrorsNameTheFault) {
  expect_error("0\n1\n", 3, {path_, "2 fold numbers", "3 rows"});
  expect_error("", 3, {"0 fold numbers", "3 rows"});
  expect_error("0\n1\n0\n1\n", 3, {"4 fold numbers", "3 rows"});
  expect_error("0\none\n1\n", 3, {"line 2", "'one'"});
  expect_error("fold\n0\n1\n", 3, {"line 1", "'fold'"});
  expect_error("0\n\n1\n", 3, {"line 2", "''"});
  expect_error("0\n-1\n1\n", 3, {"line 2", "'-1'"});
  expect_error("0\n1.0\n1\n", 3, {"line 2", "'1.0'"});
  expect_error("0\n99999999999\n1\n", 3, {"line 2"});
  expect_error("2\n2\n2\n", 3, {"same fold"});
}

TEST_F(FoldFile, MustBeAFile) {
  EXPECT_THROW(read_folds(path_ + ".none", 3), Error);
  EXPECT_THROW(read_folds("-", 3), Error);
}

}  // namespace
}  // namespace frr::internal
