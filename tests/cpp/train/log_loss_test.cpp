// Training for the best probabilities: the objective `risk`, and class weights, which act on
// decisions only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/random_table.hpp"

namespace frr::internal {
namespace {

TrainRequest quick(Objective objective, Semantics semantics = Semantics::sufficient) {
  TrainRequest request;
  request.settings.objective = objective;
  request.settings.semantics = semantics;
  request.settings.epochs = 3;
  request.settings.trees = 20;
  request.settings.rules = 5;
  request.settings.threads = 1;
  return request;
}

// Two classes; the first `ill` rows are ill, most of them with a high x.
Table rare_table(std::size_t ill, std::size_t rows = 1000) {
  Random random(7);
  Table table;
  table.source = "rare.csv";
  std::vector<double> x, z;
  std::vector<std::optional<std::string>> target;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_ill = i < ill;
    x.push_back(random.normal() + (is_ill && random.below(5) != 0 ? 2.5 : 0));
    z.push_back(random.normal());
    target.emplace_back(is_ill ? "ill" : "well");
  }
  table.add_numeric("x", x);
  table.add_numeric("z", z);
  table.add_categorical("class", target);
  return table;
}

bool notes_risk(const RuleBase& base) {
  return std::ranges::any_of(base.summary.notes, [](const std::string& note) {
    return note.find("less than 10 %") != std::string::npos &&
           note.find("--objective risk") != std::string::npos;
  });
}

// The index of the first of the largest.
int most_probable(const std::vector<double>& shares) {
  return static_cast<int>(std::ranges::max_element(shares) - shares.begin());
}

TEST(TrainRisk, GivesTheMostProbableClassesWithHonestCounts) {
  Random random(1);
  for (const std::size_t classes : {2U, 4U}) {
    const Table table =
        random_table::make(random, {.rows = 500, .numeric = 3, .classes = classes, .missing = 0.1});
    const RuleBase base = train(table, quick(Objective::risk));
    ASSERT_FALSE(base.rules.empty());
    for (std::size_t r = 0; r < base.rules.size(); ++r) {
      EXPECT_EQ(base.rules[r].then, most_probable(probabilities(base, static_cast<int>(r))));
    }
    EXPECT_EQ(base.otherwise, most_probable(probabilities(base, Decision::otherwise)));

    const std::vector<int> actual = class_indices(table, "class", base.classes);
    const std::vector<Decision> decisions = predict(base, table, 1);
    std::vector<std::vector<double>> counts(base.rules.size() + 1,
                                            std::vector<double>(base.classes.size(), 0));
    double right = 0;
    for (std::size_t i = 0; i < table.rows; ++i) {
      const auto c = static_cast<std::size_t>(actual[i]);
      counts[static_cast<std::size_t>(decisions[i].rule + 1)][c] += 1;
      right += decisions[i].predicted == actual[i] ? 1 : 0;
    }
    EXPECT_EQ(base.otherwise_statistics.class_rows, counts[0]);
    for (std::size_t r = 0; r < base.rules.size(); ++r) {
      EXPECT_EQ(base.rules[r].statistics.class_rows, counts[r + 1]) << r;
    }
    EXPECT_NEAR(base.summary.train_accuracy, right / 5, 1e-9);
  }
}

TEST(TrainRisk, TellsRiskyCasesApartWhereAccuracyFindsNoRule) {
  const Table table = rare_table(20);
  const RuleBase risk = train(table, quick(Objective::risk));
  ASSERT_FALSE(risk.rules.empty());
  const std::size_t ill = risk.classes[0] == "ill" ? 0 : 1;
  const std::vector<double> p = predict_proba(risk, table, 1);
  double mean_ill = 0, mean_well = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    (i < 20 ? mean_ill : mean_well) += p[2 * i + ill] / (i < 20 ? 20 : 980);
  }
  EXPECT_GT(mean_ill, 4 * mean_well);
  EXPECT_NEAR((20 * mean_ill + 980 * mean_well) / 1000, 0.02, 0.005);
}

// The pass over all rows that follows is for the objective `accuracy`, by which no rule for a rare
// class is worth its conditions.
TEST(TrainRisk, KeepsItsRulesWhenTheTableIsLargerThanTheSample) {
  const Table table = rare_table(120, 6000);
  for (const Objective objective : {Objective::risk, Objective::automatic}) {
    TrainRequest request = quick(objective);
    request.settings.search_rows = 2000;
    const RuleBase base = train(table, request);
    EXPECT_EQ(notes_risk(base), objective == Objective::automatic);
    EXPECT_FALSE(base.rules.empty());
    const std::size_t ill = base.classes[0] == "ill" ? 0 : 1;
    const std::vector<double> p = predict_proba(base, table, 1);
    double mean_ill = 0, mean_well = 0;
    for (std::size_t i = 0; i < table.rows; ++i) {
      (i < 120 ? mean_ill : mean_well) += p[2 * i + ill] / (i < 120 ? 120 : 5880);
    }
    EXPECT_GT(mean_ill, 4 * mean_well);
    EXPECT_EQ(std::ranges::count_if(base.summary.notes,
                                    [](const std::string& note) {
                                      return note.find("dropped") != std::string::npos;
                                    }),
              0);
  }
}

TEST(TrainRisk, IsChosenForTwoClassesWithLessThanATenthInOne) {
  struct Case {
    std::size_t ill;
    bool risk;
  };
  for (const Case& c : {Case{99, true}, Case{100, false}, Case{300, false}}) {
    const Table table = rare_table(c.ill);
    const RuleBase chosen = train(table, quick(Objective::automatic));
    const RuleBase asked = train(table, quick(c.risk ? Objective::risk : Objective::accuracy));
    EXPECT_EQ(notes_risk(chosen), c.risk) << c.ill;
    EXPECT_FALSE(notes_risk(asked));
    EXPECT_EQ(to_text(chosen), to_text(asked)) << c.ill;
  }
}

TEST(TrainRisk, IsChosenByTheWeightOfRows) {
  // 300 of 1000 rows, which weigh 15 of 715.
  const Table table = rare_table(300);
  TrainRequest request = quick(Objective::automatic);
  request.row_weights.assign(1000, 1.0);
  std::fill_n(request.row_weights.begin(), 300, 0.05);
  EXPECT_TRUE(notes_risk(train(table, request)));
}

TEST(TrainRisk, IsNeverChosenForMoreClassesOrAdditiveRules) {
  Random random(2);
  Table three = rare_table(40);
  Column& target = three.columns.back();
  target.categories.emplace_back("other");
  for (std::size_t i = 500; i < 1000; ++i) target.codes[i] = 2;
  EXPECT_FALSE(notes_risk(train(three, quick(Objective::automatic))));
  EXPECT_FALSE(notes_risk(train(rare_table(40), quick(Objective::automatic, Semantics::additive))));
}

// ---- Class weights ------------------------------------------------------------------------------

struct Models {
  RuleBase plain, weighted;
};

void expect_same_probabilities(const Models& models, const Table& table, const std::string& what) {
  ASSERT_EQ(models.plain.classes, models.weighted.classes);
  const std::vector<double> p = predict_proba(models.plain, table, 1);
  const std::vector<double> q = predict_proba(models.weighted, table, 1);
  ASSERT_EQ(p.size(), q.size());
  for (std::size_t k = 0; k < p.size(); ++k) ASSERT_NEAR(p[k], q[k], 1e-12) << what << " " << k;
}

Models with_and_without(const Table& table, const TrainRequest& request) {
  TrainRequest balanced = request;
  balanced.settings.class_weight = ClassWeight::balanced;
  return {train(table, request), train(table, balanced)};
}

TEST(ClassWeights, ChangeDecisionsButNoProbabilitiesOfRulesLearnedByLogLoss) {
  const Table table = rare_table(60);
  const std::vector<TrainRequest> requests = {quick(Objective::risk),
                                              quick(Objective::automatic, Semantics::additive)};
  for (const TrainRequest& request : requests) {
    const std::string what(to_string(request.settings.semantics));
    const Models models = with_and_without(table, request);
    expect_same_probabilities(models, table, what);
    const int ill = models.plain.classes[0] == "ill" ? 0 : 1;
    const auto called_ill = [&](const RuleBase& base) {
      const std::vector<Decision> decisions = predict(base, table, 1);
      return std::ranges::count_if(decisions,
                                   [&](const Decision& d) { return d.predicted == ill; });
    };
    EXPECT_GT(called_ill(models.weighted), called_ill(models.plain) + 20) << what;
  }
}

TEST(ClassWeights, ChangeNoProbabilitiesOnRandomTables) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const Table table = random_table::make(
        random, {.rows = 300, .numeric = 3, .classes = 2 + seed % 2, .missing = 0.1});
    for (const Semantics semantics : {Semantics::sufficient, Semantics::additive}) {
      TrainRequest request = quick(Objective::risk, semantics);
      Models models{train(table, request), {}};
      request.class_weights = {{models.plain.classes[0], 4.0}};
      models.weighted = train(table, request);
      expect_same_probabilities(models, table,
                                std::string(to_string(semantics)) + " " + std::to_string(seed));
    }
  }
}

}  // namespace
}  // namespace frr::internal
