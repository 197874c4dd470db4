// The same questions to rows in memory and, as bytes, to shards: the same answers.
#include "shards/encoded_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "additive/loss_sums.hpp"
#include "support/local_shards.hpp"
#include "support/plain_rules.hpp"

namespace frr::internal {
namespace {

using namespace local_shards;

void expect_same_sample(const Sample& one, const Sample& other) {
  EXPECT_EQ(one.numbers, other.numbers);
  EXPECT_EQ(one.weights, other.weights);
  ASSERT_EQ(one.table.columns.size(), other.table.columns.size());
  for (std::size_t j = 0; j < one.table.columns.size(); ++j) {
    const Column &x = one.table.columns[j], &y = other.table.columns[j];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.codes, y.codes);
    EXPECT_EQ(x.categories, y.categories);
    ASSERT_EQ(x.values.size(), y.values.size());
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      EXPECT_TRUE(x.values[i] == y.values[i] || (x.is_missing(i) && y.is_missing(i)));
    }
  }
}

class BothSources : public testing::TestWithParam<bool> {
 protected:
  // With weights, a fifth of them 0, or without.
  static Table table(std::uint64_t seed) {
    Table table = random_rows(seed, 3000);
    Random random(seed);
    std::vector<double> weights;
    for (std::size_t i = 0; i < table.rows; ++i) {
      weights.push_back(random.uniform() < 0.2 ? 0 : 3 * random.uniform());
    }
    if (GetParam()) table.add_numeric("weight", weights);
    return table;
  }
  static ColumnRoles roles() { return {.target = "class", .weight = GetParam() ? "weight" : ""}; }
};

TEST_P(BothSources, GiveTheSameSurveyAndSample) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Table rows = table(seed);
    TableSource typed(TableView(rows), roles(), 2);
    LocalShards shards(cut(rows, {500, 1700}), seed);
    EncodedSource encoded(shards, roles());
    const Survey one = typed.survey(), other = encoded.survey();
    EXPECT_EQ(one.unlabelled, other.unlabelled);
    EXPECT_EQ(one.most_weight, other.most_weight);
    EXPECT_EQ(one.usable_rows(), other.usable_rows());
    for (const auto& [name, surveyed] : one.classes) {
      EXPECT_EQ(surveyed.rows, other.classes.at(name).rows);
    }
    SampleRequest request;
    draw_rows(request, 400, one.usable_rows(), seed);
    const auto sample_of = [&](RowSource& source, const Survey& survey,
                               const std::vector<std::uint64_t>& first) {
      request.first = first;
      request.extra = rows_with_rarities(survey, roles(), first);
      return make_sample(source.sample(request), survey.columns, roles(), request, 400, "rows");
    };
    const Sample sample = sample_of(typed, one, {0});
    EXPECT_EQ(sample.table.rows, 400U);
    expect_same_sample(sample, sample_of(encoded, other, {0, 500, 1700}));
  }
}

TEST_P(BothSources, GiveTheSameSumsForRules) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Table rows = table(10 + seed);
    TrainRequest request;
    request.target = "class";
    request.settings.rules = 4;
    request.settings.epochs = 1;
    request.settings.threads = 1;
    for (std::uint32_t row = 0; row < 500; ++row) request.rows.push_back(row);
    const RuleBase rules = train(rows, request);
    TableSource typed(TableView(rows), roles(), 2);
    LocalShards shards(cut(rows, {500, 1700}), seed);
    EncodedSource encoded(shards, roles());
    const double most = typed.survey().most_weight;
    EXPECT_EQ(encoded.survey().most_weight, most);
    std::vector<BorderTrial> trials;
    for (const Rule& rule : rules.rules) {
      for (const Condition& condition : rule.conditions) {
        const auto j = static_cast<std::uint32_t>(condition.feature);
        const Feature& feature = rules.partition.features[j];
        if (feature.type == ColumnType::numeric && trials.empty()) trials.push_back({j, 0, 0, 0.5});
      }
    }
    const ScoreRequest question{rules, most, 3.0, trials};
    EXPECT_EQ(typed.rule_scores(question), encoded.rule_scores(question));
    EXPECT_EQ(typed.decision_counts(rules, most), encoded.decision_counts(rules, most));
    std::vector<double> point;
    for (std::size_t k = 0; k < LossLayout(rules).variables(); ++k) {
      point.push_back(2 * Random(k).uniform());
    }
    const LossRequest losses{rules, point, most, 5};
    EXPECT_EQ(typed.loss_sums(losses), encoded.loss_sums(losses));
  }
}

INSTANTIATE_TEST_SUITE_P(Weights, BothSources, testing::Bool());

}  // namespace
}  // namespace frr::internal
