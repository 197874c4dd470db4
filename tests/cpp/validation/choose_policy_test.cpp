#include "validation/choose_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "evaluate/same_training.hpp"
#include "rows/large_training.hpp"
#include "rows/row_source.hpp"
#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

// The class "yes" has about 30 % of the rows; it is more frequent for large x and the category "b".
Table table_of(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.source = "risky.csv";
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> letter, target;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(random.normal());
    z.push_back(random.normal());
    const bool b = random.below(2) == 0;
    letter.emplace_back(b ? "b" : "a");
    const double risk = 1 / (1 + std::exp(1.6 - 1.5 * x.back() - (b ? 0.8 : 0)));
    target.emplace_back(random.uniform() < risk ? "yes" : "no");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("letter", letter);
  table.add_categorical("class", target);
  return table;
}

TrainRequest quick(Semantics semantics = Semantics::sufficient) {
  TrainRequest request;
  request.settings.semantics = semantics;
  request.settings.epochs = 5;
  request.settings.augment = 0;
  request.settings.threads = 1;
  return request;
}

ClassMetrics of_yes(const RuleBase& base, const Table& table) {
  const MetricsReport report = measure(base, table, {.positive = "yes", .replicates = 0});
  return report.metrics.value.classes[*report.positive];
}

Error error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorKind::internal, ""};
}

class ForBothSemantics : public testing::TestWithParam<Semantics> {};

TEST_P(ForBothSemantics, TrainingReachesTheTargetOnNewRows) {
  const Table seen = table_of(900, 1), unseen = table_of(4000, 2);
  TrainRequest request = quick(GetParam());
  request.policy.sensitivity = 0.9;
  const RuleBase sensitive = train(seen, request);
  ASSERT_TRUE(sensitive.policy.target.has_value());
  EXPECT_EQ(sensitive.policy.target->measure, "sensitivity");
  EXPECT_EQ(sensitive.policy.target->wanted, 0.9);
  EXPECT_GE(sensitive.policy.target->reached, 0.9);
  EXPECT_EQ(sensitive.classes[static_cast<std::size_t>(sensitive.policy.positive)], "yes");
  EXPECT_GT(of_yes(sensitive, unseen).sensitivity, 0.85);
  // Few rules give few probabilities, so that a target may be exceeded at the cost of the other
  // rate.
  const bool fine = GetParam() == Semantics::additive;
  EXPECT_GE(of_yes(sensitive, unseen).specificity, fine ? 0.2 : 0);

  request.policy.sensitivity.reset();
  request.policy.specificity = 0.9;
  const RuleBase specific = train(seen, request);
  EXPECT_EQ(specific.policy.target->measure, "specificity");
  EXPECT_GE(specific.policy.target->reached, 0.9);
  EXPECT_GT(of_yes(specific, unseen).specificity, 0.85);
  EXPECT_GE(of_yes(specific, unseen).sensitivity, fine ? 0.2 : 0);
}

// The same as training with this threshold.
TEST_P(ForBothSemantics, OnlyDecisionsChange) {
  const Table table = table_of(300, 3);
  TrainRequest request = quick(GetParam());
  request.policy.sensitivity = 0.9;
  RuleBase chosen = train(table, request);
  const std::vector<Decision> decisions = predict(chosen, table);
  const std::vector<int> truth = class_indices(table, "class", chosen.classes);
  double right = 0;
  for (std::size_t i = 0; i < table.rows; ++i) right += decisions[i].predicted == truth[i] ? 1 : 0;
  EXPECT_NEAR(chosen.summary.train_accuracy, 100 * right / 300, 1e-9);

  request.policy.sensitivity.reset();
  request.policy.threshold = chosen.policy.threshold;
  chosen.policy.target.reset();
  chosen.summary.notes.clear();
  EXPECT_EQ(to_json(chosen), to_json(train(table, request)));
}

TEST_P(ForBothSemantics, NeitherTheOrderOfRowsNorRepeatedRowsNorThreadsMatter) {
  const Table table = table_of(250, 4);
  TrainRequest request = quick(GetParam());
  request.policy.sensitivity = 0.8;
  const std::string expected = to_json(train(table, request));

  std::vector<std::size_t> order(table.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(9);
  random.shuffle(std::span(order));
  Table shuffled = table;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (table.columns[c].type == ColumnType::numeric) {
        shuffled.columns[c].values[i] = table.columns[c].values[order[i]];
      } else {
        shuffled.columns[c].codes[i] = table.columns[c].codes[order[i]];
      }
    }
  }
  request.settings.threads = 3;
  EXPECT_EQ(to_json(train(shuffled, request)), expected);

  // Rows of weight 2 are those that occur twice.
  TrainRequest weighted = request, repeated = request;
  weighted.row_weights.assign(table.rows, 1);
  Table twice = table;
  for (std::size_t i = 0; i < table.rows; i += 5) weighted.row_weights[i] = 2;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    for (std::size_t i = 0; i < table.rows; i += 5) {
      if (table.columns[c].type == ColumnType::numeric) {
        twice.columns[c].values.push_back(table.columns[c].values[i]);
      } else {
        twice.columns[c].codes.push_back(table.columns[c].codes[i]);
      }
    }
  }
  twice.rows = table.rows + 50;
  EXPECT_EQ(to_json(train(table, weighted)), to_json(train(twice, repeated)));
}

TEST_P(ForBothSemantics, AModelThatExistsGetsTheThresholdOfItsTraining) {
  const Table table = table_of(300, 5);
  TrainRequest request = quick(GetParam());
  RuleBase base = train(table, request);
  const PolicyRequest asked{.sensitivity = 0.85, .refer = 0.6};
  const DecisionPolicy policy = choose_policy(base, table, asked, 1);
  request.policy = asked;
  const RuleBase trained = train(table, request);
  EXPECT_EQ(policy.threshold, trained.policy.threshold);
  EXPECT_EQ(policy.target->reached, trained.policy.target->reached);
  EXPECT_EQ(policy.positive, trained.policy.positive);
  EXPECT_EQ(policy.refer, 0.6);
  // From the file, after other decisions.
  base.policy.threshold = 0.01;
  apply_policy(base);
  EXPECT_EQ(choose_policy(from_json(to_json(base)), table, asked, 2).threshold, policy.threshold);
}

TEST_P(ForBothSemantics, OnOtherRowsThePredictionsOfTheModelCount) {
  const Table seen = table_of(300, 6), other = table_of(400, 7);
  RuleBase base = train(seen, quick(GetParam()));
  const PolicyChoice choice = choose_policy(base, other, {.specificity = 0.8}, 1, {});
  base.policy = choice.policy;
  apply_policy(base);
  EXPECT_NEAR(of_yes(base, other).specificity, choice.policy.target->reached, 1e-12);
  EXPECT_GE(choice.policy.target->reached, 0.8);
  EXPECT_TRUE(choice.notes.empty());
  // No threshold between the probabilities is better.
  const double best = of_yes(base, other).sensitivity;
  std::vector<double> shares = predict_proba(base, other);
  for (std::size_t i = 0; i < other.rows; ++i) {
    base.policy.threshold = std::clamp(shares[2 * i + 1] - 1e-9, 1e-9, 1 - 1e-9);
    apply_policy(base);
    const ClassMetrics metrics = of_yes(base, other);
    if (metrics.specificity < 0.8) continue;
    EXPECT_LE(metrics.sensitivity, best + 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(ChoosePolicy, ForBothSemantics,
                         testing::Values(Semantics::sufficient, Semantics::additive));

TEST(ChoosePolicy, WithoutATargetIsMakePolicy) {
  const RuleBase base = sample::patients();
  const DecisionPolicy policy = choose_policy(base, Table{}, {.positive = "well", .miss = 5.0});
  EXPECT_EQ(policy.positive, 0);
  EXPECT_EQ(policy.costs, (std::vector<double>{0, 5, 1, 0}));
  EXPECT_FALSE(policy.threshold.has_value());
}

TEST(ChoosePolicy, SaysWhatItCannotRepeat) {
  const Table table = table_of(300, 8);
  RuleBase base = train(table, quick());
  base.summary.settings.emplace_back("partition-file", "labels.json");
  const PolicyChoice labels = choose_policy(base, table, {.sensitivity = 0.9}, 1, {});
  ASSERT_EQ(labels.notes.size(), 1U);
  EXPECT_NE(labels.notes[0].find("labels from a file"), std::string::npos);
  EXPECT_NE(labels.notes[0].find("may be lower"), std::string::npos);
}

// The class does not depend on x.
TEST(ChoosePolicy, SaysThatATargetCostsEverythingElse) {
  Table table;
  std::vector<double> x;
  std::vector<std::optional<std::string>> target;
  Random random(15);
  for (int i = 0; i < 100; ++i) {
    x.push_back(random.normal());
    target.emplace_back(random.below(4) == 0 ? "ill" : "well");
  }
  table.add_numeric("x", x);
  table.add_categorical("state", target);
  TrainRequest request = quick();
  request.policy.sensitivity = 0.99;
  request.settings.price = 50;
  const RuleBase base = train(table, request);
  EXPECT_TRUE(base.rules.empty());
  EXPECT_EQ(base.classes[static_cast<std::size_t>(base.otherwise)], "ill");
  EXPECT_EQ(base.summary.notes.back().find("to reach a sensitivity of 99 %, 'ill' is predicted for "
                                           "100 % of the rows of other classes"),
            0U);
  EXPECT_EQ(base.policy.target->reached, 1);
  request.policy.sensitivity.reset();
  request.policy.specificity = 0.5;
  const RuleBase none = train(table, request);
  EXPECT_EQ(none.classes[static_cast<std::size_t>(none.otherwise)], "well");
  EXPECT_NE(none.summary.notes.back().find("only 0 % of its rows"), std::string::npos);
}

TEST(ChoosePolicy, ARareClassNeedsTwoRows) {
  Table table = table_of(60, 16);
  for (std::size_t i = 0; i < 60; ++i) table.columns[3].codes[i] = i == 7 ? 1 : 0;
  table.columns[3].categories = {"no", "yes"};
  TrainRequest request = quick();
  request.policy.sensitivity = 0.9;
  const Error error = error_of([&] { train(table, request); });
  EXPECT_EQ(error.kind(), ErrorKind::data);
  EXPECT_NE(std::string(error.what()).find("at least 2 rows of 'yes'"), std::string::npos);
}

TEST(ChoosePolicy, ExplainsWhatIsWrong) {
  const Table table = table_of(200, 9);
  const RuleBase base = train(table, quick());
  const auto chosen = [&](const Table& data, const PolicyRequest& request) {
    return error_of([&] { choose_policy(base, data, request); });
  };
  EXPECT_EQ(chosen(table, {.positive = "perhaps", .sensitivity = 0.9}).kind(), ErrorKind::usage);
  EXPECT_EQ(chosen(table, {.sensitivity = 0.9, .specificity = 0.9}).kind(), ErrorKind::usage);
  EXPECT_EQ(chosen(table, {.sensitivity = 1.0}).kind(), ErrorKind::usage);
  Table one_class = table;
  std::ranges::fill(one_class.columns.back().codes, one_class.columns.back().codes[0]);
  const Error error = chosen(one_class, {.sensitivity = 0.9});
  EXPECT_EQ(error.kind(), ErrorKind::data);
  EXPECT_NE(std::string(error.what()).find("of the positive class"), std::string::npos);
  Table without = table;
  without.columns.pop_back();
  EXPECT_EQ(chosen(without, {.sensitivity = 0.9}).kind(), ErrorKind::data);
  std::ranges::fill(one_class.columns.back().codes, Column::missing_code);
  EXPECT_EQ(chosen(one_class, {.sensitivity = 0.9}).kind(), ErrorKind::data);
}

TEST(ChoosePolicy, OfMoreClassesAsksForThePositiveOne) {
  Table table = table_of(200, 10);
  for (std::size_t i = 0; i < 60; ++i) table.columns[3].codes[i] = 2;
  table.columns[3].categories.emplace_back("other");
  TrainRequest request = quick();
  request.policy.sensitivity = 0.7;
  EXPECT_EQ(error_of([&] { train(table, request); }).kind(), ErrorKind::usage);
  request.policy.positive = "yes";
  const RuleBase base = train(table, request);
  EXPECT_EQ(base.classes[static_cast<std::size_t>(base.policy.positive)], "yes");
  EXPECT_GE(base.policy.target->reached, 0.7);
}

TEST(ChoosePolicy, CrossValidationChoosesWithoutTheTestedRows) {
  const Table table = table_of(300, 12);
  TrainRequest request = quick(Semantics::additive);
  request.policy = {.positive = "yes", .sensitivity = 0.8};
  std::vector<int> folds(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) folds[i] = static_cast<int>(i % 3);
  const CrossValidation result = cross_validate(table, request, folds);
  double found = 0, positives = 0;
  for (int fold = 0; fold < 3; ++fold) {
    TrainRequest part = request;
    for (std::size_t i = 0; i < table.rows; ++i) {
      if (folds[i] != fold) part.rows.push_back(static_cast<std::uint32_t>(i));
    }
    const RuleBase base = train(table, part);
    const std::vector<Decision> decisions = predict(base, table);
    const std::vector<int> truth = class_indices(table, "class", base.classes);
    for (std::size_t i = 0; i < table.rows; ++i) {
      if (folds[i] != fold || truth[i] != 1) continue;
      ++positives;
      found += decisions[i].predicted == 1 ? 1 : 0;
    }
  }
  EXPECT_NEAR(result.metrics.metrics.value.classes[1].sensitivity, found / positives, 1e-12);
}

TEST(ChoosePolicy, TrainingOnShardsNamesTheCommandThatChooses) {
  const Table table = table_of(60, 13);
  TrainRequest request = quick();
  request.target = "class";
  request.policy.sensitivity = 0.9;
  TableSource source(TableView(table), {.target = "class"}, 1);
  const Error error = error_of([&] { train(source, request, "risky.csv"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(std::string(error.what()).find("frr decide"), std::string::npos);
}

TEST(WasTrainedOn, ComparesAllCounts) {
  for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
    const Table table = table_of(200, 14);
    TrainRequest request = quick(semantics);
    request.row_weights.assign(table.rows, 1);
    for (std::size_t i = 0; i < table.rows; ++i) request.row_weights[i] = 0.3 * (1 + i % 3);
    const RuleBase base = train(table, request);
    const std::vector<int> truth = class_indices(table, "class", base.classes);
    EXPECT_TRUE(was_trained_on(base, table, truth, request.row_weights, 1));
    EXPECT_FALSE(was_trained_on(base, table, truth, {}, 1));
    std::vector<int> other = truth;
    other[0] = 1 - other[0];
    EXPECT_FALSE(was_trained_on(base, table, other, request.row_weights, 1));
  }
  EXPECT_FALSE(was_trained_on(sample::patients(), sample::patient_table({}, {}, {}), {}, {}, 1));
}

}  // namespace
}  // namespace frr::internal
