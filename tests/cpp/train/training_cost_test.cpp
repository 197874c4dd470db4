#include "train/training_cost.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace frr::internal {
namespace {

TEST(TrainingCost, PresetsCostOne) {
  EXPECT_EQ(training_cost(preset("default"), 1000, 10), 1);
  EXPECT_EQ(training_cost(preset("paper"), 1000, 10), 1);
  EXPECT_EQ(training_cost(preset("default"), 0, 0), 1);
}

TEST(TrainingCost, IsTheProductOfTheRatios) {
  Settings settings;
  settings.rules = 30;      // 2 x 15
  settings.restarts = 5;    // 5 x 1
  settings.trees = 300;     // 3 x 100
  settings.conditions = 1;  // cheaper settings do not offset others
  EXPECT_EQ(training_cost(settings, 1000, 10), 30);
}

// 1000 rows are enlarged to 4000, for which the default is 40,000 / 4000 = 10 epochs.
TEST(TrainingCost, ComparesEpochsWithThoseForTheNumberOfRows) {
  Settings settings;
  settings.epochs = 80;
  EXPECT_EQ(training_cost(settings, 1000, 10), 8);
}

TEST(TrainingCost, LimitsBeyondTheTableCostNothing) {
  Settings settings;
  settings.max_features = 100000;
  settings.search_rows = settings.gradient_rows = 2'000'000'000;
  EXPECT_EQ(training_cost(settings, 1000, 10), 1);
  EXPECT_EQ(training_cost(settings, 1000, 512), 2);
  EXPECT_GT(training_cost(settings, 10'000'000, 10), max_recorded_cost);
}

TEST(TrainingCost, CountsEverySettingThatMultipliesTheWork) {
  int Settings::*const fields[] = {
      &Settings::rules,  &Settings::conditions, &Settings::augment,  &Settings::trees,
      &Settings::bins,   &Settings::epochs,     &Settings::restarts, &Settings::max_categories,
      &Settings::sweeps, &Settings::grid,       &Settings::labels};
  for (const auto field : fields) {
    Settings settings;
    settings.*field = std::numeric_limits<int>::max();
    EXPECT_GT(training_cost(settings, 1000, 10), max_recorded_cost);
  }
  Settings settings;
  settings.batch = 1;
  EXPECT_EQ(training_cost(settings, 1000, 10), 64);
}

}  // namespace
}  // namespace frr::internal
