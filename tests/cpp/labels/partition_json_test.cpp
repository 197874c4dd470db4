#include <gtest/gtest.h>

#include <filesystem>

#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

constexpr const char* bmi = R"({
  "features": {
    "bmi": {
      "underweight": [null, null, 18, 19],
      "normal": [18, 19, 24.5, 25.5],
      "overweight": [24.5, 25.5, 29.5, 30.5],
      "obese": [29.5, 30.5, null, null]
    },
    "fever": {"no": [null, null, 38, 38], "yes": [38, 38, null, null]}
  }
})";

std::string failure(const std::string& text) {
  try {
    parse_partition(text, "labels.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(std::string(error.what()).rfind("labels.json: ", 0), 0u) << error.what();
    return error.what();
  }
  return "no error";
}
std::string feature_failure(const std::string& labels) {
  return failure(R"({"features": {"bmi": {)" + labels + "}}}");
}
void expect_mentions(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

TEST(PartitionJson, ReadsTheUsersLabels) {
  const std::vector<Feature> features = parse_partition(bmi);
  ASSERT_EQ(features.size(), 2u);
  EXPECT_EQ(features[0].name, "bmi");
  EXPECT_EQ(features[0].type, ColumnType::numeric);
  ASSERT_EQ(features[0].labels.size(), 4u);
  EXPECT_EQ(features[0].labels[3].name, "obese");
  EXPECT_EQ(features[0].labels[1].kind, LabelKind::range);
  EXPECT_EQ(features[0].labels[1].shape(18.5), 0.5);
  EXPECT_EQ(features[0].labels[0].shape(-1e300), 1);
  EXPECT_EQ(features[0].labels[3].shape(1e300), 1);
  EXPECT_EQ(features[1].labels[0].shape(38), 0);
  EXPECT_EQ(features[1].labels[1].shape(38), 1);
  EXPECT_EQ(features[0].low, 0);
  EXPECT_EQ(features[0].spread, 0);
}

TEST(PartitionJson, ReadsFiles) {
  const std::string path = testing::TempDir() + "frr_partition_json_test.json";
  write_file(path, bmi);
  EXPECT_EQ(read_partition(path).size(), 2u);
  std::filesystem::remove(path);
  EXPECT_THROW(read_partition(path), Error);
}

TEST(PartitionJson, RejectsAndNamesGaps) {
  expect_mentions(feature_failure(R"("low": [null, null, 10, 20], "high": [25, 30, null, null])"),
                  {"features.bmi", "from 20 to 25", "'low'", "'high'"});
  // Both fall to 0 at 20, so the value 20 belongs to neither.
  expect_mentions(feature_failure(R"("low": [null, null, 10, 20], "high": [20, 30, null, null])"),
                  {"features.bmi", "the value 20", "belongs to no label"});
  EXPECT_EQ(feature_failure(R"("low": [null, null, 10, 20], "high": [20, 20, null, null])"),
            "no error");
}

// Accepted labels cover every value between their ends; tests many values.
TEST(PartitionJson, AcceptedLabelsCoverEveryValueBetweenTheirEnds) {
  Random random(31);
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int v = 0; v < 3; ++v) {
      std::vector<std::size_t> x(4);
      for (std::size_t& corner : x) corner = random.below(7) + static_cast<std::size_t>(2 * v);
      std::sort(x.begin(), x.end());
      text += (v > 0 ? ", " : "") + ("\"l" + std::to_string(v)) + "\": [" + std::to_string(x[0]) +
              ", " + std::to_string(x[1]) + ", " + std::to_string(x[2]) + ", " +
              std::to_string(x[3]) + "]";
    }
    std::vector<Feature> features;
    try {
      features = parse_partition(R"({"features": {"x": {)" + text + "}}}");
    } catch (const Error&) {
      continue;
    }
    ++accepted;
    const std::vector<Label>& labels = features[0].labels;
    for (double x = labels[0].shape.a + 0.125; x < labels[2].shape.d; x += 0.125) {
      double most = 0;
      for (const Label& label : labels) most = std::max(most, label.shape(x));
      EXPECT_GT(most, 0) << text << " at " << x;
    }
  }
  EXPECT_GT(accepted, 50);
}

TEST(PartitionJson, RejectsNonsense) {
  expect_mentions(failure("{}"), {"'features' is missing"});
  expect_mentions(failure(R"({"features": {}})"), {"there are no features"});
  expect_mentions(failure(R"({"feature": {}})"), {"unknown key 'feature'", "known: features"});
  expect_mentions(failure(R"({"features": {"bmi": [1]}})"), {"features.bmi", "an object"});
  expect_mentions(failure(R"({"features": {"": {"a": [null, null, 1, 1]}}})"), {"needs a name"});
  expect_mentions(feature_failure(R"("a": [null, null, null, null])"), {"2 to 20 labels, found 1"});
  expect_mentions(feature_failure(R"("a": [null, null, 2, 1], "b": [1, 2, null, null])"),
                  {"features.bmi.a", "must ascend", "2 is followed by 1"});
  expect_mentions(feature_failure(R"("b": [1, 2, null, null], "a": [null, null, 1, 2])"),
                  {"put the labels in order from low to high"});
  expect_mentions(
      feature_failure(R"("a": [null, null, 1, 1], "b": [1, 1, 1, 1], "c": [1, 1, null, null])"),
      {"no value belongs to 'b'"});
  expect_mentions(feature_failure(R"("a": [null, null, 1, 2], "a": [1, 2, null, null])"),
                  {"'a' occurs twice"});
  expect_mentions(feature_failure(R"("": [null, null, 1, 2], "a": [1, 2, null, null])"),
                  {"a label needs a name"});
  expect_mentions(failure("{\"features\":"), {"line 1", "cut short"});
}

TEST(PartitionJson, RejectsTooManyLabels) {
  const auto steps = [](int count) {
    std::string text = R"("l0": [null, null, 0, 0])";
    for (int v = 1; v < count; ++v) {
      const std::string x = std::to_string(v - 1), y = std::to_string(v);
      text += ", \"l" + y + "\": [" + x + ", " + x + ", " + y + ", " + y + "]";
    }
    return feature_failure(text);
  };
  EXPECT_EQ(steps(20), "no error");
  expect_mentions(steps(21), {"2 to 20 labels, found 21"});
}

}  // namespace
}  // namespace frr::internal
