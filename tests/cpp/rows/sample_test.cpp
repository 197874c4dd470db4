#include "rows/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "frr/frr.hpp"
#include "support/local_shards.hpp"

namespace frr::internal {
namespace {

using namespace local_shards;

// The largest difference between the fractions of rows up to a value, over all values.
double rank_error(std::vector<double> all, std::vector<double> some) {
  std::sort(all.begin(), all.end());
  std::sort(some.begin(), some.end());
  double worst = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && all[i + 1] == all[i]) continue;
    while (k < some.size() && some[k] <= all[i]) ++k;
    worst = std::max(worst, std::abs(static_cast<double>(i + 1) / static_cast<double>(all.size()) -
                                     static_cast<double>(k) / static_cast<double>(some.size())));
  }
  return worst;
}

TEST(Sample, RanksInTheSampleStayWithinTheStatedBound) {
  constexpr std::size_t rows = 300000, wanted = 20000;
  Random random(27);
  std::vector<double> rising, periodic, normal, skewed, ends;
  for (std::size_t i = 0; i < rows; ++i) {
    rising.push_back(static_cast<double>(i));
    periodic.push_back(static_cast<double>(i % 1024));
    normal.push_back(random.normal());
    skewed.push_back(std::exp(5 * random.normal()));
    ends.push_back(i % 2 == 0 ? static_cast<double>(i) : -static_cast<double>(i));
  }
  const std::vector<const std::vector<double>*> columns = {&rising, &periodic, &normal, &skewed,
                                                           &ends};
  // Dvoretzky, Kiefer and Wolfowitz, for a probability of one in a million.
  const double bound = std::sqrt(std::log(2e6) / (2.0 * wanted));
  EXPECT_NEAR(bound, 0.019, 0.0001);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SampleRequest request;
    request.first = {0, 100000};
    draw_rows(request, wanted, rows, seed);
    std::vector<SampledRows> parts(2);
    for (std::size_t shard = 0; shard < 2; ++shard) {
      const std::size_t first = request.first[shard];
      const std::vector<char> usable(shard == 0 ? 100000 : 200000, 1);
      const std::vector<std::uint32_t> drawn = requested_rows(request, usable, shard);
      for (const std::uint32_t row : drawn) parts[shard].numbers.push_back(first + row);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        Column column;
        column.name = std::to_string(j);
        for (const std::uint32_t row : drawn) column.values.push_back((*columns[j])[first + row]);
        parts[shard].columns.push_back(std::move(column));
      }
    }
    std::vector<SurveyedColumn> surveyed(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) surveyed[j].name = std::to_string(j);
    const Sample sample = make_sample(std::move(parts), surveyed, {}, request, wanted, "s");
    EXPECT_EQ(sample.table.rows, wanted);
    EXPECT_TRUE(std::is_sorted(sample.numbers.begin(), sample.numbers.end()));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double error = rank_error(*columns[j], sample.table.columns[j].values);
      EXPECT_LE(error, bound) << j;
      EXPECT_GT(error, 0) << j;
    }
  }
}

TEST(Sample, LabelsOfASampleLieWithinTheStatedBound) {
  // Quantile labels of 40,000 rows from 10,000 of them: the ranks of the borders against exact
  // ones.
  constexpr std::size_t rows = 40000;
  Random random(28);
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(std::exp(random.normal()));
    target.emplace_back(x.back() > 2 ? "high" : "low");
  }
  Table table;
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  TrainRequest request;
  request.target = "class";
  request.settings.search_rows = 10000;
  request.settings.gradient_rows = 1000;
  request.settings.epochs = 3;
  request.settings.rules = 6;
  request.settings.threads = 1;
  request.settings.partition = PartitionKind::quantile;
  request.settings.tune = false;
  const RuleBase sampled = train(table, request);
  request.settings.search_rows = 1000000;
  const RuleBase exact = train(table, request);
  std::sort(x.begin(), x.end());
  const auto rank = [&](double border) {
    const auto below = std::upper_bound(x.begin(), x.end(), border) - x.begin();
    return static_cast<double>(below) / static_cast<double>(rows);
  };
  const double bound = std::sqrt(std::log(2e6) / 20000.0);
  const auto& one = sampled.partition.features[0].labels;
  const auto& other = exact.partition.features[0].labels;
  ASSERT_EQ(one.size(), other.size());
  ASSERT_GE(one.size(), 3U);
  for (std::size_t v = 0; v + 1 < one.size(); ++v) {
    EXPECT_NEAR(rank(one[v].shape.c), rank(other[v].shape.c), bound) << v;
    EXPECT_NEAR(rank(one[v].shape.d), rank(other[v].shape.d), bound) << v;
  }
}

TEST(Sample, RareValuesAreFoundInAnyShard) {
  const Table table = random_rows(29, 3000);
  const ColumnRoles roles{.target = "class"};
  std::vector<std::uint64_t> whole;
  for (const std::size_t parts : {std::size_t{1}, std::size_t{5}}) {
    const std::vector<Table> shards = cut(table, even_cuts(3000, parts));
    Survey survey;
    std::vector<std::uint64_t> first;
    for (std::size_t i = shards.size(); i-- > 0;) {
      survey.add(survey_rows(TableView(shards[i]), roles, i, 1));
      first.insert(first.begin(), i * 3000 / parts);
    }
    const std::vector<std::uint64_t> rows = rows_with_rarities(survey, roles, first);
    if (parts == 1) whole = rows;
    EXPECT_EQ(rows, whole);
  }
  // By hand: of each numeric column the first smallest and largest value of a row with a class.
  for (std::size_t j = 0; j < 4; ++j) {
    std::size_t low = 0, high = 0, gap = table.rows;
    bool any = false;
    for (std::size_t i = 0; i < table.rows; ++i) {
      const double value = table.columns[j].values[i];
      if (table.columns.back().is_missing(i)) continue;
      if (std::isnan(value)) {
        gap = std::min(gap, i);
        continue;
      }
      if (!any || value < table.columns[j].values[low]) low = i;
      if (!any || value > table.columns[j].values[high]) high = i;
      any = true;
    }
    for (const std::size_t row : {low, high, gap}) {
      EXPECT_TRUE(std::binary_search(whole.begin(), whole.end(), row)) << j << " " << row;
    }
  }
}

}  // namespace
}  // namespace frr::internal
