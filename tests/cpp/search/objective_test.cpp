#include "search/objective.hpp"

#include <gtest/gtest.h>

namespace frr::internal {
namespace {

TEST(Objective, AStepIsAFactorOfOnePointTwoFive) {
  EXPECT_DOUBLE_EQ(score_of_steps(-2), 0.64);
  EXPECT_FLOAT_EQ(steps_of_weight(0.512), -3);
}

TEST(Objective, DegreeOfARowIsARampOfItsLead) {
  EXPECT_EQ(degree_right(1, -2, false, 3), 1);  // 3 steps ahead
  EXPECT_DOUBLE_EQ(degree_right(-1, -1, false, 3), 0.5);
  EXPECT_DOUBLE_EQ(degree_right(-2.5, -1, false, 3), 0.25);
  EXPECT_EQ(degree_right(-1, -1, false, 0), 0);      // without a margin a tie is wrong
  EXPECT_EQ(degree_right(-never, -30, true, 3), 0);  // a rule decides, not ELSE
  EXPECT_EQ(degree_right(-never, -never, true, 3), 1);
  EXPECT_EQ(degree_right(-never, -never, false, 3), 0);
}

TEST(Objective, TheElseClassIsThatOfMostUncoveredRows) {
  const std::vector<double> all = {5, 9, 1};
  EXPECT_EQ(choose_otherwise_class(std::vector<double>{0, 0.5, 2}, all), 2);
  EXPECT_EQ(choose_otherwise_class(std::vector<double>{0, 0, 0}, all), 1);
  EXPECT_EQ(choose_otherwise_class(std::vector<double>{3, 3, 0}, all), 0);  // the first of equals
}

// 12 rows in two classes that occur: each must weigh 6.
TEST(Objective, BalancedClassesWeighTheSame) {
  const ClassBalance balance(std::vector<double>{9, 0, 3});
  EXPECT_DOUBLE_EQ(balance.balanced(9, 0), 6);
  EXPECT_DOUBLE_EQ(balance.balanced(3, 2), 6);
  EXPECT_EQ(balance.balanced(1, 1), 1);  // a class without rows keeps its weight
}

}  // namespace
}  // namespace frr::internal
