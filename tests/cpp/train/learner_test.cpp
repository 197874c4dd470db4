#include "train/learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "model/inference.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

Table sample_table(std::uint64_t seed = 1, std::size_t classes = 3) {
  Random random(seed);
  return random_table::make(
      random, {.rows = 120, .numeric = 3, .categorical = 1, .classes = classes, .missing = 0.05});
}

TrainRequest quick(int epochs = 6) {
  TrainRequest request;
  request.settings.epochs = epochs;
  request.settings.threads = 1;
  return request;
}

// The chosen rows of a table, in that order.
Table rows_of(const Table& table, const std::vector<std::size_t>& rows) {
  Table result;
  result.source = table.source;
  for (const Column& column : table.columns) {
    std::vector<double> values;
    std::vector<std::optional<std::string>> texts;
    for (const std::size_t row : rows) {
      if (column.type == ColumnType::numeric) {
        values.push_back(column.values[row]);
      } else if (column.is_missing(row)) {
        texts.emplace_back();
      } else {
        texts.emplace_back(column.categories[static_cast<std::size_t>(column.codes[row])]);
      }
    }
    if (column.type == ColumnType::numeric) {
      result.add_numeric(column.name, values);
    } else {
      result.add_categorical(column.name, texts);
    }
  }
  return result;
}

bool has_note(const RuleBase& base, const std::string& part) {
  return std::any_of(base.summary.notes.begin(), base.summary.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string model_text(RuleBase base) {
  base.summary.notes.clear();
  return to_json(base);
}

TEST(Train, ARowOfWeightZeroIsIgnored) {
  const Table table = sample_table();
  TrainRequest request = quick();
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const bool absent = i % 7 == 3;
    request.row_weights.push_back(absent ? 0 : 1);
    if (!absent) kept.push_back(i);
  }
  const std::string weighted = model_text(train(table, request));
  EXPECT_EQ(weighted, model_text(train(rows_of(table, kept), quick())));

  TrainRequest chosen = quick();
  for (const std::size_t row : kept) chosen.rows.push_back(static_cast<std::uint32_t>(row));
  EXPECT_EQ(weighted, model_text(train(table, chosen)));
}

TEST(Train, WeightsOfOneChangeNothing) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.row_weights.assign(table.rows, 1);
  EXPECT_EQ(to_json(train(table, request)), to_json(train(table, quick())));
}

TEST(Train, TheLargestWeightIsOne) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const RuleBase base = train(sample_table(seed), quick());
    double most = 0;
    for (const Rule& rule : base.rules) most = std::max(most, rule.weight);
    EXPECT_EQ(most, base.rules.empty() ? 0.0 : 1.0) << seed;
  }
}

TEST(Train, TheOrderOfTheRowsDoesNotMatter) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Table table = sample_table(seed);
    Random random(seed);
    std::vector<std::size_t> order(table.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle<std::size_t>(order);
    for (const int augment : {0, 4000}) {
      TrainRequest request = quick();
      request.settings.augment = augment;
      EXPECT_EQ(model_text(train(table, request)),
                model_text(train(rows_of(table, order), request)))
          << seed << ", " << augment;
    }
  }
}

TEST(Train, WholeWeightsAreRepetitions) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Table table = sample_table(seed);
    Random random(seed);
    TrainRequest request = quick();
    std::vector<std::size_t> repeated;
    for (std::size_t row = 0; row < table.rows; ++row) {
      const std::size_t times = random.below(4);
      request.row_weights.push_back(static_cast<double>(times));
      repeated.insert(repeated.end(), times, row);
    }
    random.shuffle<std::size_t>(repeated);
    EXPECT_EQ(model_text(train(table, request)),
              model_text(train(rows_of(table, repeated), quick())))
        << seed;
  }
}

TEST(Train, ClassWeightsDoNotChangeCounts) {
  const Table table = sample_table(1, 2);
  TrainRequest request = quick();
  const RuleBase plain = train(table, request);
  const std::string& rare = plain.classes[1];
  request.class_weights = {{rare, 1000}};
  const RuleBase weighted = train(table, request);
  EXPECT_EQ(weighted.summary.rows, plain.summary.rows);
  const ColumnMap map(weighted, table);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (table.columns.back().is_missing(row)) continue;
    EXPECT_EQ(decide(weighted, map, row).predicted, 1) << row;
  }
  request.class_weights = {{"nobody", 2}};
  EXPECT_THROW(train(table, request), Error);
  request.class_weights = {{rare, 0}};
  EXPECT_THROW(train(table, request), Error);
}

TEST(Train, OnlyTheProportionsOfWeightsCount) {
  const Table table = sample_table();
  TrainRequest one = quick(), four = quick();
  for (std::size_t row = 0; row < table.rows; ++row) {
    one.row_weights.push_back(0.25 + 0.5 * static_cast<double>(row % 3));
    four.row_weights.push_back(4.5 * one.row_weights.back());
  }
  const RuleBase base = train(table, one);
  EXPECT_EQ(model_text(base), model_text(train(table, four)));
}

TEST(Train, WeightsTooLargeToRepeatRowsStillCount) {
  Table table;
  table.add_categorical("c", {"a", "a", "a", "b", "b", "b", "b", "b"});
  table.add_categorical("class", {"x", "x", "y", "y", "y", "y", "y", "y"});
  TrainRequest request = quick(1);
  request.row_weights = {1e6, 1e6, 3e6, 1e6, 1e6, 1e6, 1e6, 1e6};
  const RuleBase base = train(table, request);
  EXPECT_EQ(base.summary.rows, 8U);
  EXPECT_EQ(
      base.classes[static_cast<std::size_t>(decide(base, ColumnMap(base, table), 0).predicted)],
      "y");
}

// With labels that do not depend on the rows and hardly any gradient descent, only polish sees the
// weights: one row of weight 3 must count like three rows.
TEST(Train, AWeightedRowCountsLikeRepeatedRows) {
  Table table;
  table.add_categorical("c", {"a", "a", "a", "b", "b", "b", "b", "b"});
  table.add_categorical("class", {"x", "x", "y", "y", "y", "y", "y", "y"});
  TrainRequest request = quick(1);
  request.settings.price = 0.1;
  const auto class_of_a = [&](const RuleBase& base) {
    const ColumnMap map(base, table);
    return base.classes[static_cast<std::size_t>(decide(base, map, 0).predicted)];
  };
  EXPECT_EQ(class_of_a(train(table, request)), "x");
  request.row_weights = {1, 1, 3, 1, 1, 1, 1, 1};
  EXPECT_EQ(class_of_a(train(table, request)), "y");
  request.row_weights = {2, 2, 3, 1, 1, 1, 1, 1};
  EXPECT_EQ(class_of_a(train(table, request)), "x");
}

TEST(Train, BalancedClassesCountTheSame) {
  // Of the rows with c IS a, 3 are rare and 9 common: most are common, but these are all rare rows.
  Table table;
  std::vector<std::optional<std::string>> c, target;
  for (int i = 0; i < 60; ++i) {
    c.emplace_back(i < 12 ? "a" : "b");
    target.emplace_back(i < 3 ? "rare" : "common");
  }
  table.add_categorical("c", c);
  table.add_categorical("class", target);
  TrainRequest request = quick(1);
  request.settings.price = 0.1;
  const auto predicted = [&](const RuleBase& base, std::size_t row) {
    const ColumnMap map(base, table);
    return base.classes[static_cast<std::size_t>(decide(base, map, row).predicted)];
  };
  const RuleBase plain = train(table, request);
  EXPECT_EQ(predicted(plain, 0), "common");
  request.settings.class_weight = ClassWeight::balanced;
  const RuleBase balanced = train(table, request);
  EXPECT_EQ(predicted(balanced, 0), "rare");
  EXPECT_EQ(predicted(balanced, 59), "common");
}

TEST(Train, RowsWithoutAClassAreIgnored) {
  const Table table = sample_table();
  Table holes = table;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (i % 5 == 4) {
      holes.columns.back().codes[i] = Column::missing_code;
    } else {
      kept.push_back(i);
    }
  }
  const RuleBase base = train(holes, quick());
  EXPECT_EQ(base.summary.rows, 96u);
  EXPECT_TRUE(has_note(base, "24 of 120"));
  EXPECT_EQ(model_text(base), model_text(train(rows_of(table, kept), quick())));
}

TEST(Train, RejectsUnusableRowsAndWeights) {
  const Table table = sample_table();
  const auto kind = [&](const TrainRequest& request) {
    try {
      train(table, request);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::internal;
  };
  TrainRequest request = quick();
  request.row_weights = {1, 2, 3};
  EXPECT_EQ(kind(request), ErrorKind::usage);
  request.row_weights.assign(table.rows, 1);
  request.row_weights[5] = -1;
  EXPECT_EQ(kind(request), ErrorKind::data);
  request.row_weights[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(kind(request), ErrorKind::data);
  request.row_weights[5] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(kind(request), ErrorKind::data);
  request.row_weights.assign(table.rows, 0);
  EXPECT_EQ(kind(request), ErrorKind::data);
  request = quick();
  request.rows = {0, 120};
  EXPECT_EQ(kind(request), ErrorKind::usage);
  request.rows = {0};
  EXPECT_EQ(kind(request), ErrorKind::data);
  request = quick();
  request.target = "absent";
  EXPECT_EQ(kind(request), ErrorKind::data);
}

TEST(Train, ATinyTimeLimitGivesAValidModelThatRecordsIt) {
  const Table table = sample_table();
  TrainRequest request = quick(100000);
  request.settings.time_limit = 1e-6;
  const RuleBase base = train(table, request);
  EXPECT_TRUE(base.summary.stopped_early);
  EXPECT_LT(base.summary.epochs, 100000);
  EXPECT_LE(base.rules.size(), 15u);
  EXPECT_EQ(to_json(from_json(to_json(base))), to_json(base));
  request = quick(3);
  request.settings.time_limit = 1000;
  EXPECT_FALSE(train(table, request).summary.stopped_early);
}

TEST(Train, CanBeCancelledInEveryStage) {
  const Table table = sample_table();
  for (const auto stage : {Progress::Stage::partition, Progress::Stage::gradient,
                           Progress::Stage::polish, Progress::Stage::tune}) {
    TrainRequest request = quick();
    bool seen = false;
    request.progress = [&](const Progress& progress) {
      seen = seen || progress.stage == stage;
      return progress.stage != stage;
    };
    try {
      train(table, request);
      ADD_FAILURE() << "not interrupted in stage " << static_cast<int>(stage);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
    EXPECT_TRUE(seen);
  }
}

TEST(Train, ProgressRunsFromStartToEnd) {
  const Table table = sample_table();
  TrainRequest request = quick(4);
  request.settings.augment = 0;  // with so few rows, progress is reported once per epoch
  std::vector<Progress> all;
  request.progress = [&](const Progress& progress) {
    all.push_back(progress);
    return true;
  };
  const RuleBase base = train(table, request);
  ASSERT_GT(all.size(), 5u);
  EXPECT_EQ(all.front().stage, Progress::Stage::partition);
  EXPECT_EQ(all.back().stage, Progress::Stage::done);
  EXPECT_EQ(all.back().fraction, 1);
  int epochs = 0;
  for (const Progress& progress : all) {
    EXPECT_GE(progress.fraction, 0);
    EXPECT_LE(progress.fraction, 1);
    if (progress.stage == Progress::Stage::gradient) {
      EXPECT_EQ(progress.epoch, ++epochs);
      EXPECT_EQ(progress.epochs, 4);
      EXPECT_GT(progress.loss, 0);
    }
  }
  EXPECT_EQ(epochs, 4);
  EXPECT_EQ(base.summary.epochs, 4);
}

TEST(Train, PaperPresetKeepsTheNetworksRules) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Table table = sample_table(seed);
    TrainRequest request;
    request.settings = preset("paper");
    request.settings.epochs = 20;
    request.settings.seed = seed;
    bool searched = false;
    request.progress = [&](const Progress& progress) {
      searched = searched || progress.stage == Progress::Stage::polish ||
                 progress.stage == Progress::Stage::tune;
      return true;
    };
    const RuleBase base = train(table, request);
    EXPECT_EQ(base.summary.agreement, 100);
    EXPECT_FALSE(searched);
  }
}

// Each rule gives one class, and ELSE another.
TEST(Train, TooFewRulesForTheClassesIsNoted) {
  const Table table = sample_table(2, 5);
  TrainRequest request = quick();
  request.settings.rules = 3;
  const RuleBase base = train(table, request);
  EXPECT_LE(base.rules.size(), 3u);
  EXPECT_TRUE(has_note(base, "5 classes but at most 3 rules"));
  request.settings.rules = 4;
  EXPECT_FALSE(has_note(train(table, request), "classes but at most"));
}

TEST(Train, RecordsHowTheModelWasMade) {
  const Table table = sample_table();
  TrainRequest request = quick(3);
  request.settings.seed = 77;
  const TrainingSummary summary = train(table, request).summary;
  EXPECT_EQ(summary.version, version());
  EXPECT_EQ(summary.source, "random.csv");
  EXPECT_EQ(summary.rows, 120u);
  EXPECT_EQ(summary.epochs, 3);
  const auto has = [&](const std::string& name, const std::string& value) {
    return std::find(summary.settings.begin(), summary.settings.end(), std::pair(name, value)) !=
           summary.settings.end();
  };
  EXPECT_TRUE(has("preset", "default"));
  EXPECT_TRUE(has("seed", "77"));
  EXPECT_TRUE(has("epochs", "3"));
  EXPECT_TRUE(has("learning-rate", "0.05"));
  for (const auto& [name, value] : summary.settings) EXPECT_NE(name, "threads");
}

TEST(Train, RulesAreOrderedByClassAndRows) {
  const RuleBase base = train(sample_table(), quick());
  for (std::size_t r = 1; r < base.rules.size(); ++r) {
    EXPECT_LE(base.rules[r - 1].then, base.rules[r].then);
  }
}

TEST(Train, GivenLabelsNeverMove) {
  const Table table = sample_table();
  TrainRequest request = quick();
  request.given = parse_partition(
      R"({"features": {"x0": {"little": [null, null, -3, -3], "much": [-3, -3, null, null]}}})");
  const RuleBase base = train(table, request);
  const auto feature = std::find_if(base.partition.features.begin(), base.partition.features.end(),
                                    [](const Feature& f) { return f.name == "x0"; });
  ASSERT_NE(feature, base.partition.features.end());
  EXPECT_EQ(feature->labels[0].name, "little");
  EXPECT_EQ(feature->labels[0].shape.d, -3);
  EXPECT_EQ(feature->labels[1].shape.a, -3);
}

TEST(Train, LearnsAnObviousRule) {
  // One border in one column; the other columns are noise.
  Random random(9);
  Table table;
  std::vector<double> x, y;
  std::vector<std::optional<std::string>> target;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.uniform());
    y.push_back(random.uniform());
    target.emplace_back(x.back() > 0.3 ? "yes" : "no");
  }
  table.add_numeric("y", y);
  table.add_numeric("x", x);
  table.add_categorical("class", target);
  const RuleBase base = train(table, quick(20));
  EXPECT_GE(base.summary.train_accuracy, 99);
  EXPECT_LE(base.size(), 2u);
}

TEST(TrainThreads, RowWeightsAndRestartsAreTheSameWithAnyNumberOfThreads) {
  const Table table = sample_table();
  TrainRequest request = quick(2);
  request.settings.restarts = 3;
  request.settings.rules = 4;
  request.settings.sweeps = 2;
  for (std::size_t i = 0; i < table.rows; ++i) {
    request.row_weights.push_back(static_cast<double>(i % 4));
  }
  const std::string one = to_json(train(table, request));
  request.settings.threads = 3;
  EXPECT_EQ(to_json(train(table, request)), one);
}

}  // namespace
}  // namespace frr::internal
