#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/sample_rules.hpp"
#include "text/decision_text.hpp"

namespace frr::internal {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The base rates are 35 / 54 and 19 / 54. Probabilities: (18 + 0.352) / 21, (30 + 0.648) / 31,
// 0.352 and (3 + 0.648) / 5.
TEST(ToText, ListsRulesAndMeanings) {
  EXPECT_EQ(
      to_text(sample::patients()),
      R"(IF glucose IS high AND age IS old THEN ill    18 of 20 rows   87 %   2.5 times the average   weight 0.8
IF glucose IS low THEN well                   30 of 30 rows   99 %   1.5 times the average   weight 0.5
IF glucose IS missing AND sex IS f THEN ill         no rows   35 %           as on average   weight 1
ELSE well                                       3 of 4 rows   73 %   1.1 times the average

The rule with the largest weight x truth decides (truth: the product of the degrees of its conditions). Where no rule applies, ELSE does.
Percentages: probability of the class after THEN among the training rows that the rule decides, with one average row added. Average of all training rows: well 65 %, ill 35 %.

What the labels mean:
  glucose (training values from 44 to 199)
    low      fully up to 99, fading out until 117
    high     fading in from 99, fully from 117
    missing  no value is given
  age (training values from 21 to 81)
    young  fully up to 30, fading out until 40
    old    fading in from 30, fully from 40
)");
}

TEST(ToText, OmitsCountsThatAHandWrittenModelLacks) {
  RuleBase base = sample::patients();
  for (Rule& rule : base.rules) rule.statistics = {{0, 0}, 0};
  base.otherwise_statistics = {{0, 0}, 0};
  const std::string text = to_text(base);
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_EQ(lines[1], "IF glucose IS low THEN well                   weight 0.5");
  EXPECT_EQ(lines[3], "ELSE well");
  EXPECT_EQ(text.find('%'), std::string::npos);
}

RuleBase additive_patients() {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0, -std::log(4)};  // 1 in 5 is ill
  return base;
}

TEST(ToText, AdditiveModelSaysHowScoresGiveAProbability) {
  RuleBase base = additive_patients();
  base.tnorm = {TNormKind::minimum};
  base.root = 2;
  const std::string text = to_text(base);
  EXPECT_TRUE(text.starts_with("IF glucose IS high AND age IS old THEN ill    +0.80 for ill "));
  EXPECT_NE(text.find("the smallest degree of its conditions, to the power 1/2"),
            std::string::npos);
  EXPECT_NE(
      text.find("Start with -1.39, add the scores of all rules for ill and subtract those of "
                "all rules for well: the sum S gives the probability of ill, 1 / (1 + exp(-S))"),
      std::string::npos);
  EXPECT_NE(text.find("Where no rule applies: well 80 %, ill 20 %."), std::string::npos);
}

TEST(ToText, ThreeClassesUseSoftmax) {
  RuleBase base = additive_patients();
  base.classes.emplace_back("dead");
  base.biases = {0, 0, std::log(2)};
  const std::string text = to_text(base);
  EXPECT_NE(text.find("Each class starts with its bias (well +0.00, ill +0.00, dead +0.69)"),
            std::string::npos);
  EXPECT_NE(text.find("Where no rule applies: dead 50 %, well 25 %, ill 25 %."), std::string::npos);
}

TEST(ToText, ScorecardIsACard) {
  RuleBase base = additive_patients();
  base.policy.positive = 1;
  base.nats_per_point = std::log(2);
  base.partition.features[1].labels = {
      sample::range("young", -sample::infinity, -sample::infinity, 40, 40),
      sample::range("old", 40, 40, sample::infinity, sample::infinity)};
  base.rules = {sample::rule({{1, 1}}, 1, 2 * std::log(2)), sample::rule({{2, 0}}, 0, std::log(2))};
  base.rules[0].points = 2;
  base.rules[1].points = -1;
  const std::string text = to_text(base);
  // Odds 1 : 4 at 0 points, doubled by each: 1/9, 1/5, 1/3 and 1/2.
  EXPECT_TRUE(text.starts_with(
      "Scorecard: probability that state is ill\n\n"
      "Tick each line whose conditions all hold, and add the points of these lines:\n"
      "  [ ] age from 40     +2\n"
      "  [ ] sex IS f        -1\n"
      "  Total points      ____\n\n"
      "  Total points   Probability of ill   Prediction\n"
      "            -1                 11 %   well\n"
      "             0                 20 %   well\n"
      "             1                 33 %   well\n"
      "             2                 50 %   well\n"))
      << text;
}

TEST(ToText, SaysWhyAnotherClassThanTheMostProbableOneFollows) {
  RuleBase base = sample::patients();
  base.policy.positive = 1;
  base.policy.costs = {0, 1, 20, 0};
  apply_policy(base);
  // ELSE: (1 + 0.352) / 5 = 27 %, 0.77 times 35 %. From 1 / 21 on, and 1.1 % where rule 2 decides.
  const std::string text = to_text(base);
  EXPECT_NE(
      text.find("   ELSE ill: 27 % of these rows are ill, 0.8 times the average; a miss counts "
                "as 20 false alarms\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("IF glucose IS low THEN well"), std::string::npos);
  EXPECT_NE(
      text.find("Decisions: a miss counts as 20 false alarms (a miss is to predict well where "
                "ill is true), so ill is predicted from a probability of 4.76 % on."),
      std::string::npos);
}

TEST(ToText, NamesThresholdAndReferral) {
  RuleBase base = sample::patients();
  base.policy.positive = 1;
  base.policy.threshold = 0.25;
  base.policy.target = {"sensitivity", 0.95, 0.963};
  base.policy.refer = 0.8;
  apply_policy(base);
  const std::string text = to_text(base);
  EXPECT_NE(text.find("   ELSE ill: 27 % of these rows are ill, 0.8 times the average; ill is "
                      "predicted from 25 % on, which reaches a sensitivity of 96.3 %\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Decisions: ill is predicted where its probability is at least 25 %. The "
                      "threshold was chosen for a sensitivity of 95 % and reached 96.3 %.\n"
                      "A case is referred to a person if its most probable class has a probability "
                      "below 80 %, or if no rule applies to it.\n"),
            std::string::npos)
      << text;
}

TEST(PercentText, KeepsTwoDigitsAtBothEnds) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.00012345), "0.012 %");
  EXPECT_EQ(percent_text(0.017), "1.7 %");
  EXPECT_EQ(percent_text(0.0994), "9.9 %");
  EXPECT_EQ(percent_text(0.0996), "10 %");
  EXPECT_EQ(percent_text(0.8571), "86 %");
  EXPECT_EQ(percent_text(0.99), "99 %");
  EXPECT_EQ(percent_text(0.9987), "99.87 %");
  EXPECT_EQ(percent_text(1), "100 %");
}

TEST(LiftText, ComparesWithTheBaseRate) {
  EXPECT_EQ(lift_text(0.15, 0.05), "3 times the average");
  EXPECT_EQ(lift_text(0.6, 0.05), "12 times the average");
  EXPECT_EQ(lift_text(0.51, 0.5), "as on average");
  EXPECT_EQ(lift_text(0.02, 0.05), "0.4 times the average");
  EXPECT_EQ(lift_text(0.001, 0.5), "0.002 times the average");
  EXPECT_EQ(lift_text(0.1, 0), "");
}

std::string meaning(double a, double b, double c, double d, double spread = 1000) {
  RuleBase base = sample::patients();
  base.partition.features[1].labels = {sample::range("here", a, b, c, d)};
  base.partition.features[1].spread = spread;
  base.rules = {sample::rule({{1, 0}}, 0, 1)};
  const std::string last = lines_of(to_text(base)).back();
  return last.substr(last.find("here") + 6);
}

TEST(ToText, MeaningOfEveryShape) {
  using sample::infinity;
  EXPECT_EQ(meaning(1, 2, 3, 4), "fading in from 1, fully from 2 to 3, fading out until 4");
  EXPECT_EQ(meaning(1, 2, 2, 4), "fading in from 1, fully at 2, fading out until 4");
  EXPECT_EQ(meaning(1, 2, 2, 2), "fading in from 1, up to below 2");
  EXPECT_EQ(meaning(1, 1, 3, 4), "fully from 1 to 3, fading out until 4");
  EXPECT_EQ(meaning(1, 2, 4, 4), "fading in from 1, fully from 2 to below 4");
  EXPECT_EQ(meaning(1, 1, 4, 4), "from 1 to below 4");
  EXPECT_EQ(meaning(-infinity, -infinity, 4, 4), "below 4");
  EXPECT_EQ(meaning(-infinity, -infinity, 3, 4), "fully up to 3, fading out until 4");
  EXPECT_EQ(meaning(4, 4, infinity, infinity), "from 4");
  EXPECT_EQ(meaning(3, 4, infinity, infinity), "fading in from 3, fully from 4");
  EXPECT_EQ(meaning(-infinity, -infinity, infinity, infinity), "any value");
  EXPECT_EQ(meaning(2, 2, 2, 2), "no value");
}

TEST(ToText, NumbersHaveTheDigitsThatTheSpreadRequires) {
  EXPECT_EQ(meaning(1.23456, 50.98765, 300.6, 400, 1000),
            "fading in from 1, fully from 51 to 301, fading out until 400");
  EXPECT_EQ(meaning(1.23456, 2.98765, 3.5, 4, 10),
            "fading in from 1.23, fully from 2.99 to 3.5, fading out until 4");
  // Corners that are close together remain distinguishable.
  EXPECT_EQ(meaning(1.2341, 1.2342, 3.5, 4, 10),
            "fading in from 1.2341, fully from 1.2342 to 3.5, fading out until 4");
  EXPECT_EQ(meaning(-1e300, 1e-300, 1, 2, 0).find("nan"), std::string::npos);
}

TEST(ToText, LineEndsInNamesDoNotBreakARule) {
  RuleBase base = sample::patients();
  base.partition.features[0].name = "glu\ncose";
  EXPECT_TRUE(lines_of(to_text(base))[1].starts_with("IF glu\\ncose IS low THEN well"));
}

TEST(ToText, AlignsByCharactersNotBytes) {
  RuleBase base = sample::patients();
  base.partition.features[0].name = "zucker größe";
  const std::vector<std::string> lines = lines_of(to_text(base));
  // The name has two characters of two bytes; ELSE does not contain it.
  EXPECT_EQ(lines[0].find("weight"), lines[1].find("weight"));
  EXPECT_EQ(lines[0].find(" rows"), lines[3].find(" rows") + 2);
}

TEST(ToMarkdown, IsATableOfRulesAndATableOfLabels) {
  const std::vector<std::string> lines = lines_of(to_markdown(sample::patients()));
  EXPECT_EQ(lines[0],
            "| Rule | IF | THEN | Weight | Decides rows | Probability | Times the average |");
  EXPECT_EQ(lines[2], "| 1 | glucose IS high AND age IS old | ill | 0.8 | 20 | 87 % | 2.5 |");
  EXPECT_EQ(lines[4], "| 3 | glucose IS missing AND sex IS f | ill | 1 | 0 | 35 % | 1 |");
  EXPECT_EQ(lines[5], "| 0 | ELSE | well | | 4 | 73 % | 1.1 |");
  EXPECT_EQ(lines[9], "| Feature | Label | Meaning |");
  EXPECT_EQ(lines[11], "| glucose | low | fully up to 99, fading out until 117 |");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), '|'), 8) << lines[i];
}

TEST(ToMarkdown, EscapesWhatWouldBreakTheTable) {
  RuleBase base = sample::patients();
  base.classes[0] = "a|b*c";
  EXPECT_NE(to_markdown(base).find("| a\\|b\\*c |"), std::string::npos);
}

TEST(Render, NeverFailsOnRandomRuleBases) {
  Random random(51);
  for (int round = 0; round < 200; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const std::vector<std::string> lines = lines_of(to_text(base));
    const auto begin_with = [&](const char* text) {
      return static_cast<std::size_t>(std::ranges::count_if(
          lines, [&](const std::string& line) { return line.starts_with(text); }));
    };
    EXPECT_EQ(begin_with("IF feature "), base.rules.size());
    EXPECT_EQ(begin_with("ELSE class "), 1u);
    EXPECT_EQ(to_text(base).find("nan"), std::string::npos);
    EXPECT_EQ(to_markdown(base).find("nan"), std::string::npos);
  }
}

}  // namespace
}  // namespace frr::internal
