#include "train/options.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "frr/error.hpp"
#include "frr/frr.hpp"

namespace frr::internal {
namespace {

template <typename Act>
std::string usage_error(Act act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

std::string refusal(std::string_view option, std::string_view text) {
  Settings settings;
  return usage_error([&] { set_option(settings, find_option(option), text); });
}

TEST(Options, HaveDistinctNamesGroupsAndHelp) {
  std::set<std::string_view> names;
  const std::set<std::string_view> groups = {"Limits",   "Examples", "Partition", "Model",
                                             "Gradient", "Search",   "Run"};
  for (const Option& option : option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(groups.count(option.group)) << option.group;
    EXPECT_GT(option.help.size(), 10u) << option.name;
    EXPECT_NE(option.help.back(), '.') << option.name;
    EXPECT_EQ(option.name.find('_'), std::string_view::npos) << option.name;
    EXPECT_EQ(&find_option(option.name), &option);
    EXPECT_FALSE(range_text(option).empty());
  }
}

TEST(Options, EveryDefaultReadsBackAsItself) {
  for (const char* name : {"default", "paper"}) {
    const Settings settings = preset(name);
    for (const Option& option : option_table()) {
      Settings copy;
      set_option(copy, option, get_option(settings, option));
      EXPECT_EQ(get_option(copy, option), get_option(settings, option)) << option.name;
    }
    validate(settings);
  }
}

TEST(Options, AllowBothEndsOfEachRangeAndNothingBeyond) {
  for (const Option& option : option_table()) {
    const bool number = std::holds_alternative<int Settings::*>(option.field) ||
                        std::holds_alternative<double Settings::*>(option.field);
    if (!number) continue;
    Settings settings;
    const auto text = [&](double value) {
      return std::holds_alternative<int Settings::*>(option.field)
                 ? std::to_string(static_cast<long long>(value))
                 : std::to_string(value);
    };
    EXPECT_LT(option.low, option.high);
    set_option(settings, option, text(option.low));
    set_option(settings, option, text(option.high));
    refusal(option.name, text(option.low - 1));
    refusal(option.name, text(option.high + 1));
    for (const char* nonsense : {"", "x", "1x", "nan", "inf", "-", "1 "}) {
      refusal(option.name, nonsense);
    }
  }
}

TEST(Options, ErrorsNameOptionValueAndRange) {
  EXPECT_EQ(refusal("rules", "0"), "--rules 0: give a whole number from 1 to 1000");
  EXPECT_EQ(refusal("rules", "2.5"), "--rules 2.5: give a whole number from 1 to 1000");
  EXPECT_EQ(refusal("rules", "99999999999999999999"),
            "--rules 99999999999999999999: give a whole number from 1 to 1000");
  EXPECT_EQ(refusal("slope", "0.6"), "--slope 0.6: give a number from 0 to 0.5");
  EXPECT_EQ(refusal("partition", "best"), "--partition best: give quantile, uniform or supervised");
  EXPECT_EQ(refusal("polish", "maybe"), "--polish maybe: give true or false");
  EXPECT_EQ(refusal("seed", "-1"), "--seed -1: give a whole number >= 0");
}

TEST(Options, OfEveryKindCanBeSet) {
  Settings settings;
  const auto set = [&](std::string_view name, std::string_view text) {
    set_option(settings, find_option(name), text);
    return get_option(settings, find_option(name));
  };
  EXPECT_EQ(set("rules", "7"), "7");
  EXPECT_EQ(settings.rules, 7);
  EXPECT_EQ(set("slope", "0.125"), "0.125");
  EXPECT_EQ(settings.slope, 0.125);
  for (const char* yes : {"true", "1", "on", "yes"}) EXPECT_EQ(set("polish", yes), "true");
  for (const char* no : {"false", "0", "off", "no"}) EXPECT_EQ(set("polish", no), "false");
  EXPECT_EQ(set("partition", "uniform"), "uniform");
  EXPECT_EQ(settings.partition, PartitionKind::uniform);
  EXPECT_EQ(set("semantics", "additive"), "additive");
  EXPECT_EQ(settings.semantics, Semantics::additive);
  EXPECT_EQ(set("class-weight", "balanced"), "balanced");
  EXPECT_EQ(settings.class_weight, ClassWeight::balanced);
  EXPECT_EQ(set("tnorm", "aczel-alsina:2.5"), "aczel-alsina:2.5");
  EXPECT_EQ(settings.tnorm, (TNorm{TNormKind::aczel_alsina, 2.5}));
  EXPECT_EQ(set("seed", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(settings.seed, std::numeric_limits<std::uint64_t>::max());
}

TEST(Options, AnUnknownNameSuggestsTheNearest) {
  EXPECT_EQ(usage_error([] { find_option("lerning-rate"); }),
            "there is no option 'lerning-rate'; did you mean 'learning-rate'?");
}

TEST(Options, OfTheBasicTierAreThese) {
  const std::set<std::string_view> expected = {
      "rules",        "conditions", "labels", "partition", "semantics", "tnorm",
      "class-weight", "objective",  "points", "augment",   "restarts",  "price",
      "search-rows",  "time-limit", "seed",   "threads"};
  std::set<std::string_view> basic;
  for (const Option& option : option_table()) {
    if (option.tier == Tier::basic) basic.insert(option.name);
  }
  EXPECT_EQ(basic, expected);
}

TEST(Options, RangesAreWrittenInFull) {
  EXPECT_EQ(range_text(find_option("search-rows")), "a whole number from 1000 to 2000000000");
  EXPECT_EQ(range_text(find_option("learning-rate")), "a number from 1e-06 to 10");
  EXPECT_EQ(range_text(find_option("labels")), "a whole number from 2 to 7, or 0");
  EXPECT_EQ(range_text(find_option("tnorm")),
            "product, minimum, aczel-alsina:LAMBDA, lukasiewicz or hamacher");
}

TEST(Options, OnlyThreadsDoNotShapeTheResult) {
  for (const Option& option : option_table()) {
    EXPECT_EQ(option.shapes_result, option.name != "threads") << option.name;
  }
}

TEST(Presets, PaperHasEveryValueStatedInThePaper) {
  const Settings paper = preset("paper");
  EXPECT_EQ(paper.preset, "paper");
  EXPECT_EQ(paper.partition, PartitionKind::quantile);
  EXPECT_EQ(paper.labels, 3);
  EXPECT_EQ(paper.rules, 15);
  EXPECT_EQ(paper.conditions, 3);
  EXPECT_EQ(paper.epochs, 300);
  EXPECT_EQ(paper.cancel_price, 0.01);
  EXPECT_EQ(paper.temperature, 0.1);
  EXPECT_EQ(paper.gamma_start, 0.1);
  EXPECT_EQ(paper.gamma_end, 0);
  EXPECT_EQ(paper.beta_start, 1);
  EXPECT_EQ(paper.beta_end, 0);
  EXPECT_EQ(paper.tnorm.kind, TNormKind::product);
  EXPECT_EQ(paper.semantics, Semantics::sufficient);
  EXPECT_TRUE(paper.normalise);  // repaired: docs/explanation/method.md
  EXPECT_EQ(paper.kappa, 8);
  EXPECT_FALSE(paper.polish);
  EXPECT_FALSE(paper.tune);
  EXPECT_EQ(paper.max_start, 0);  // the hard maximum
}

TEST(Presets, DefaultEqualsTheDefaultsOfSettings) {
  const Settings settings = preset("default");
  for (const Option& option : option_table()) {
    EXPECT_EQ(get_option(settings, option), get_option(Settings{}, option)) << option.name;
  }
  EXPECT_EQ(settings.preset, "default");
}

TEST(Presets, AnUnknownPresetIsRejectedWithTheKnownOnes) {
  const std::string message = usage_error([] { preset("papr"); });
  EXPECT_NE(message.find("default"), std::string::npos);
  EXPECT_NE(message.find("paper"), std::string::npos);
}

TEST(Validate, ChecksEveryFieldThatWasSetInCode) {
  const auto message = [](auto change) {
    Settings settings;
    change(settings);
    return usage_error([&] { validate(settings); });
  };
  EXPECT_EQ(message([](Settings& s) { s.rules = 0; }),
            "--rules 0: give a whole number from 1 to 1000");
  EXPECT_EQ(message([](Settings& s) { s.conditions = -1; }),
            "--conditions -1: give a whole number from 1 to 20");
  EXPECT_EQ(message([](Settings& s) { s.labels = 1; }),
            "--labels 1: give a whole number from 2 to 7, or 0");
  message([](Settings& s) { s.learning_rate = std::numeric_limits<double>::quiet_NaN(); });
  message([](Settings& s) { s.time_limit = std::numeric_limits<double>::infinity(); });
  message([](Settings& s) { s.tnorm = {TNormKind::aczel_alsina, 0.5}; });
  message([](Settings& s) { s.preset = "other"; });
  TrainRequest request;
  request.settings.labels = 8;
  Table table;
  table.add_numeric("x", {1, 2});
  table.add_categorical("y", {"a", "b"});
  usage_error([&] { train(table, request); });
  usage_error([&] { cross_validate(table, request, 2); });
}

}  // namespace
}  // namespace frr::internal
