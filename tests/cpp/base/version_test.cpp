#include <gtest/gtest.h>

#include <string>

#include "frr/frr.hpp"

namespace frr {
namespace {

TEST(Version, MacrosStateTheVersionOfTheLibrary) {
  EXPECT_EQ(version(), FRR_VERSION);
  EXPECT_EQ(std::string(FRR_VERSION), std::to_string(FRR_VERSION_MAJOR) + "." +
                                          std::to_string(FRR_VERSION_MINOR) + "." +
                                          std::to_string(FRR_VERSION_PATCH));
}

}  // namespace
}  // namespace frr
