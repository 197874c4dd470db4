#include "evaluate/same_training.hpp"

#include <gtest/gtest.h>

#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

RuleBase with_settings(std::vector<std::pair<std::string, std::string>> settings) {
  RuleBase base = sample::patients();
  base.summary.settings = std::move(settings);
  return base;
}

TEST(SameTraining, HasTheRecordedSettings) {
  const RuleBase base = with_settings({{"preset", "paper"}, {"rules", "4"}, {"seed", "7"}});
  const TrainRequest request = same_training(base);
  EXPECT_EQ(request.target, "state");
  EXPECT_EQ(request.settings.preset, "paper");
  EXPECT_EQ(request.settings.rules, 4);
  EXPECT_EQ(request.settings.seed, 7U);
  EXPECT_EQ(request.settings.epochs, preset("paper").epochs);
}

TEST(SameTraining, LeavesFilesAndThreadsToTheCaller) {
  const RuleBase base = with_settings({{"partition-file", "/dev/zero"}, {"threads", "999"}});
  const TrainRequest request = same_training(base);
  EXPECT_TRUE(request.given.empty());
  EXPECT_EQ(request.settings.threads, 0);
  EXPECT_EQ(recorded_setting(base, "partition-file"), "/dev/zero");
  EXPECT_EQ(recorded_setting(base, "weight-column"), "");
}

TEST(CheckedCost, RefusesMoreWorkThanAModelFileMayAskFor) {
  EXPECT_EQ(checked_cost(with_settings({}), 1000, ""), 1);
  // 10 times the restarts, and 2 times the rules: 20. 100 times the restarts: too much.
  EXPECT_EQ(checked_cost(with_settings({{"restarts", "10"}, {"rules", "30"}}), 1000, ""), 20);
  try {
    checked_cost(with_settings({{"restarts", "100"}}), 1000, "Use less.");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("100 times"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("Use less."), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace frr::internal
