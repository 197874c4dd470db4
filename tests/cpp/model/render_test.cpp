#include <gtest/gtest.h>

#include <sstream>

#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ToText, ListsRulesAndMeanings) {
  EXPECT_EQ(
      to_text(sample::patients()),
      R"(IF glucose IS high AND age IS old THEN ill    (weight 0.8, decides 20 rows, 90% right)
IF glucose IS low THEN well                   (weight 0.5, decides 30 rows, 100% right)
IF glucose IS missing AND sex IS f THEN ill   (weight 1, decides 0 rows)
ELSE well                                     (decides 4 rows, 75% right)

The rule with the largest weight x truth decides (truth: the product of the degrees of its conditions). Where no rule applies, ELSE does.

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
  const std::vector<std::string> lines = lines_of(to_text(base));
  EXPECT_EQ(lines[1], "IF glucose IS low THEN well                   (weight 0.5)");
  EXPECT_EQ(lines[3], "ELSE well");
}

TEST(ToText, AdditiveModelSaysThatScoresAreAdded) {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.tnorm = {TNormKind::minimum};
  base.root = 2;
  const std::string text = to_text(base);
  EXPECT_NE(text.find("are added by class"), std::string::npos);
  EXPECT_NE(text.find("the smallest degree of its conditions, to the power 1/2"),
            std::string::npos);
}

TEST(ToText, SharesAreNeverRoundedToAllOrNothing) {
  RuleBase base = sample::patients();
  base.rules[0].statistics.class_rows = {1, 999};
  base.rules[1].statistics.class_rows = {1, 999};
  base.otherwise_statistics.class_rows = {1, 0};
  base.rules[2].weight = 0.0034567;
  const std::vector<std::string> lines = lines_of(to_text(base));
  EXPECT_NE(lines[0].find("decides 1000 rows, 99% right"), std::string::npos);
  EXPECT_NE(lines[1].find("1% right"), std::string::npos);
  EXPECT_NE(lines[2].find("weight 0.0035"), std::string::npos);
  EXPECT_NE(lines[3].find("(decides 1 row, 100% right)"), std::string::npos);
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
  // The name has two characters of two bytes.
  EXPECT_EQ(lines[0].find('('), lines[1].find('('));
  EXPECT_EQ(lines[0].find('('), lines[3].find('(') + 2);
}

TEST(ToMarkdown, IsATableOfRulesAndATableOfLabels) {
  const std::vector<std::string> lines = lines_of(to_markdown(sample::patients()));
  EXPECT_EQ(lines[0], "| Rule | IF | THEN | Weight | Decides rows | Right |");
  EXPECT_EQ(lines[2], "| 1 | glucose IS high AND age IS old | ill | 0.8 | 20 | 90% |");
  EXPECT_EQ(lines[4], "| 3 | glucose IS missing AND sex IS f | ill | 1 | 0 | |");
  EXPECT_EQ(lines[5], "| 0 | ELSE | well | | 4 | 75% |");
  EXPECT_EQ(lines[9], "| Feature | Label | Meaning |");
  EXPECT_EQ(lines[11], "| glucose | low | fully up to 99, fading out until 117 |");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), '|'), 7) << lines[i];
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
    for (std::size_t r = 0; r < base.rules.size(); ++r)
      EXPECT_EQ(lines[r].rfind("IF feature ", 0), 0u) << lines[r];
    EXPECT_EQ(lines[base.rules.size()].rfind("ELSE class ", 0), 0u);
    EXPECT_EQ(to_markdown(base).find("nan"), std::string::npos);
  }
}

}  // namespace
}  // namespace frr::internal
