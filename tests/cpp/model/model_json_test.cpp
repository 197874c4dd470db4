#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "support/sample_rules.hpp"

namespace frr::internal {
namespace {

// Every field of two rule bases, exactly.
void expect_same(const RuleBase& x, const RuleBase& y) {
  EXPECT_EQ(x.target, y.target);
  EXPECT_EQ(x.classes, y.classes);
  EXPECT_EQ(x.tnorm, y.tnorm);
  EXPECT_EQ(x.semantics, y.semantics);
  EXPECT_EQ(x.root, y.root);
  EXPECT_EQ(x.otherwise, y.otherwise);
  EXPECT_EQ(x.class_rows, y.class_rows);
  EXPECT_EQ(x.biases, y.biases);
  EXPECT_EQ(x.nats_per_point, y.nats_per_point);
  EXPECT_EQ(x.policy.positive, y.policy.positive);
  EXPECT_EQ(x.policy.costs, y.policy.costs);
  EXPECT_EQ(x.policy.threshold, y.policy.threshold);
  EXPECT_EQ(x.policy.refer, y.policy.refer);
  ASSERT_EQ(x.policy.target.has_value(), y.policy.target.has_value());
  if (x.policy.target) {
    EXPECT_EQ(x.policy.target->measure, y.policy.target->measure);
    EXPECT_EQ(x.policy.target->wanted, y.policy.target->wanted);
    EXPECT_EQ(x.policy.target->reached, y.policy.target->reached);
  }
  EXPECT_EQ(x.otherwise_statistics.class_rows, y.otherwise_statistics.class_rows);
  EXPECT_EQ(x.otherwise_statistics.coverage, y.otherwise_statistics.coverage);
  ASSERT_EQ(x.rules.size(), y.rules.size());
  for (std::size_t r = 0; r < x.rules.size(); ++r) {
    EXPECT_EQ(x.rules[r].conditions, y.rules[r].conditions);
    EXPECT_EQ(x.rules[r].then, y.rules[r].then);
    EXPECT_EQ(x.rules[r].weight, y.rules[r].weight);
    EXPECT_EQ(x.rules[r].points, y.rules[r].points);
    EXPECT_EQ(x.rules[r].statistics.class_rows, y.rules[r].statistics.class_rows);
    EXPECT_EQ(x.rules[r].statistics.coverage, y.rules[r].statistics.coverage);
  }
  ASSERT_EQ(x.partition.features.size(), y.partition.features.size());
  for (std::size_t f = 0; f < x.partition.features.size(); ++f) {
    const Feature& a = x.partition.features[f];
    const Feature& b = y.partition.features[f];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
    EXPECT_EQ(a.spread, b.spread);
    ASSERT_EQ(a.labels.size(), b.labels.size());
    for (std::size_t v = 0; v < a.labels.size(); ++v) {
      EXPECT_EQ(a.labels[v].name, b.labels[v].name);
      EXPECT_EQ(a.labels[v].kind, b.labels[v].kind);
      EXPECT_EQ(a.labels[v].shape.a, b.labels[v].shape.a);
      EXPECT_EQ(a.labels[v].shape.b, b.labels[v].shape.b);
      EXPECT_EQ(a.labels[v].shape.c, b.labels[v].shape.c);
      EXPECT_EQ(a.labels[v].shape.d, b.labels[v].shape.d);
    }
  }
  EXPECT_EQ(x.summary.version, y.summary.version);
  EXPECT_EQ(x.summary.source, y.summary.source);
  EXPECT_EQ(x.summary.rows, y.summary.rows);
  EXPECT_EQ(x.summary.settings, y.summary.settings);
  EXPECT_EQ(x.summary.epochs, y.summary.epochs);
  EXPECT_EQ(x.summary.train_accuracy, y.summary.train_accuracy);
  EXPECT_EQ(x.summary.agreement, y.summary.agreement);
  EXPECT_EQ(x.summary.stopped_early, y.summary.stopped_early);
  EXPECT_EQ(x.summary.notes, y.summary.notes);
}

RuleBase trained() {
  RuleBase base = sample::patients();
  base.summary = {.version = "1.2.3",
                  .source = "patients.csv",
                  .rows = 100000,
                  .settings = {{"preset", "default"}, {"rules", "15"}},
                  .epochs = 40,
                  .train_accuracy = 90.1,
                  .agreement = 99.5,
                  .stopped_early = true,
                  .notes = {"Column 'id' was left out.", "Two rows had no class."}};
  return base;
}

// The layout of a model: one label per line, one rule per line.
constexpr const char* trained_text = R"({
  "format": "frr-model",
  "version": 2,
  "target": "state",
  "classes": ["well", "ill"],
  "inference": {"semantics": "sufficient", "tnorm": "product", "root": 1},
  "features": {
    "glucose": {
      "type": "numeric",
      "range": [44, 199],
      "spread": 100,
      "labels": {
        "low": [null, null, 99, 117],
        "high": [99, 117, null, null]
      },
      "missing": "missing"
    },
    "age": {
      "type": "numeric",
      "range": [21, 81],
      "spread": 50,
      "labels": {
        "young": [null, null, 30, 40],
        "old": [30, 40, null, null]
      }
    },
    "sex": {"type": "categorical", "categories": ["f", "m"]}
  },
  "rules": [
    {"if": {"glucose": "high", "age": "old"}, "then": "ill", "weight": 0.8, "decides": {"well": 2, "ill": 18}, "covers": 25},
    {"if": {"glucose": "low"}, "then": "well", "weight": 0.5, "decides": {"well": 30}, "covers": 40},
    {"if": {"glucose": "missing", "sex": "f"}, "then": "ill", "weight": 1, "decides": {}, "covers": 0}
  ],
  "else": {"then": "well", "decides": {"well": 3, "ill": 1}, "covers": 4},
  "training": {
    "version": "1.2.3",
    "data": "patients.csv",
    "rows": 100000,
    "epochs": 40,
    "train_accuracy": 90.1,
    "agreement": 99.5,
    "stopped_early": true,
    "settings": {"preset": "default", "rules": "15"},
    "notes": [
      "Column 'id' was left out.",
      "Two rows had no class."
    ]
  }
}
)";

// The smallest model a person would write.
constexpr const char* by_hand = R"({
  "format": "frr-model", "version": 1, "target": "state", "classes": ["well", "ill"],
  "features": {
    "bmi": {"type": "numeric", "labels": {"normal": [null, null, 24, 26], "high": [24, 26, null, null]}},
    "sex": {"type": "categorical", "categories": ["f", "m"], "missing": "unknown"}
  },
  "rules": [{"if": {"bmi": "high", "sex": "m"}, "then": "ill", "weight": 0.9}],
  "else": {"then": "well"}
})";

std::string failure(const std::string& text) {
  try {
    from_json(text, "model.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(std::string(error.what()).rfind("model.json: ", 0), 0u) << error.what();
    return error.what();
  }
  return "no error";
}

// The hand-written model with one place edited.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = by_hand;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
void expect_refused(const std::string& from, const std::string& to, const std::string& message) {
  EXPECT_EQ(failure(edited(from, to)), "model.json: " + message);
}

TEST(ModelJson, IsEasyToRead) { EXPECT_EQ(to_json(trained()), trained_text); }

TEST(ModelJson, ReadsBackExactly) {
  expect_same(from_json(trained_text), trained());
  EXPECT_EQ(to_json(from_json(trained_text)), trained_text);
}

TEST(ModelJson, RoundTripsRandomRuleBases) {
  Random random(21);
  for (int round = 0; round < 300; ++round) {
    const RuleBase base = sample::random_rule_base(random);
    const std::string text = to_json(base);
    const RuleBase loaded = from_json(text);
    expect_same(loaded, base);
    EXPECT_EQ(to_json(loaded), text);
  }
}

// Rule 2 speaks against the class of interest, ill.
RuleBase scorecard() {
  RuleBase base = sample::patients();
  base.semantics = Semantics::additive;
  base.biases = {0.25, -1.5};
  base.class_rows = {35, 19};
  base.nats_per_point = 0.5;
  base.policy.positive = 1;
  base.policy.threshold = 0.125;
  base.policy.target = {"sensitivity", 0.95, 0.953};
  base.policy.refer = 0.6;
  const int points[] = {3, -1, 2};
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    base.rules[r].points = points[r];
    base.rules[r].weight = 0.5 * std::abs(points[r]);
  }
  apply_policy(base);
  return base;
}

TEST(ModelJson, RoundTripsScorecardsAndDecisions) {
  const std::string text = to_json(scorecard());
  expect_same(from_json(text), scorecard());
  EXPECT_NE(text.find("\"nats_per_point\": 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("\"points\": -1"), std::string::npos) << text;
  EXPECT_NE(text.find("\"true_for\": {\"well\": 2, \"ill\": 18}"), std::string::npos) << text;
}

TEST(ModelJson, RefusesScorecardsThatContradictThemselves) {
  const std::string text = to_json(scorecard());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return failure(changed.replace(at, from.size(), to));
  };
  EXPECT_NE(refusal("\"points\": -1", "\"points\": 1").find("above 0 if the rule speaks for"),
            std::string::npos);
  EXPECT_NE(refusal("\"points\": 3", "\"points\": 4").find("nats_per_point"), std::string::npos);
  EXPECT_NE(refusal("\"points\": 3", "\"points\": 2.5").find("whole number"), std::string::npos);
  EXPECT_NE(refusal("\"positive\": \"ill\",", "").find("a threshold needs a class"),
            std::string::npos);
  EXPECT_NE(refusal("\"threshold\": 0.125", "\"threshold\": 1").find("above 0 and below 1"),
            std::string::npos);
}

TEST(ModelJson, RefusesCostsThatAreNotThereOrNotAboveZero) {
  const auto with = [](const std::string& costs) {
    return failure(
        edited("\"rules\": [", "\"decisions\": {\"costs\": " + costs + "}, \"rules\": ["));
  };
  EXPECT_EQ(with(R"({"ill": {"well": 20}, "well": {"ill": 1}})"), "no error");
  EXPECT_NE(with(R"({"ill": {"well": 20}})").find("no cost for predicting 'ill'"),
            std::string::npos);
  EXPECT_NE(with(R"({"ill": {"well": -1}, "well": {"ill": 1}})").find("decisions.costs.ill.well"),
            std::string::npos);
  EXPECT_NE(with(R"({"ill": {"well": 0}, "well": {"ill": 1}})").find("above 0"), std::string::npos);
  EXPECT_NE(with(R"({"ill": {"ill": 2}, "well": {"ill": 1}})").find("costs nothing"),
            std::string::npos);
}

TEST(ModelJson, AdditiveModelsOfTheFirstFormatAreRefused) {
  const std::string old =
      failure(edited("\"features\"", "\"inference\": {\"semantics\": \"additive\"}, \"features\""));
  EXPECT_NE(old.find("made by FRR 0.2 or earlier"), std::string::npos) << old;
  EXPECT_NE(old.find("Train it again"), std::string::npos) << old;
}

TEST(ModelJson, RoundTripsAwkwardNumbersAndNames) {
  RuleBase base = sample::patients();
  base.partition.features[0].name = "a \"quoted\"\n\tname.with[marks]";
  base.partition.features[1].labels[0].name = "größer ∧ älter";
  base.partition.features[2].labels[0].name = "";
  base.classes = {"", "\\"};
  base.partition.features[0].low = -1.7976931348623157e308;
  base.partition.features[0].high = 5e-324;
  base.partition.features[0].spread = 0.1 + 0.2;
  base.partition.features[0].labels[0].shape = {-sample::infinity, -sample::infinity, 1e-300,
                                                1.0 / 3};
  base.partition.features[0].labels[1].shape = {1e-300, 1e22, sample::infinity, sample::infinity};
  base.rules[0].weight = std::nextafter(1.0, 0.0);
  base.rules[1].weight = 5e-324;
  base.tnorm = {TNormKind::aczel_alsina, 1.1};
  expect_same(from_json(to_json(base)), base);
}

TEST(ModelJson, NegativeZeroIsWrittenAsZero) {
  RuleBase base = sample::patients();
  base.partition.features[0].low = -0.0;
  const std::string text = to_json(base);
  EXPECT_NE(text.find("\"range\": [0, 199]"), std::string::npos);
  EXPECT_EQ(to_json(from_json(text)), text);
}

TEST(ModelJson, RulesNeverTakeMoreThanALine) {
  RuleBase base = sample::patients();
  base.partition.features[0].name = std::string(200, 'x');
  const std::string text = to_json(base);
  EXPECT_NE(
      text.find("    {\"if\": {\"" + std::string(200, 'x') + "\": \"low\"}, \"then\": \"well\""),
      std::string::npos);
  expect_same(from_json(text), base);
}

TEST(ModelJson, HandWrittenModelNeedsNoCountsAndNoTraining) {
  const RuleBase base = from_json(by_hand);
  EXPECT_EQ(base.rules[0].statistics.class_rows, (std::vector<double>{0, 0}));
  EXPECT_EQ(base.rules[0].conditions, (std::vector<Condition>{{0, 1}, {1, 1}}));
  EXPECT_EQ(base.partition.features[1].labels[2].kind, LabelKind::missing);
  EXPECT_EQ(base.partition.features[1].labels[2].name, "unknown");
  EXPECT_EQ(base.semantics, Semantics::sufficient);
  EXPECT_EQ(base.tnorm, TNorm{});
  EXPECT_EQ(base.root, 1);
  EXPECT_EQ(to_json(from_json(to_json(base))), to_json(base));
}

TEST(ModelJson, SavesAndLoadsFiles) {
  const std::string path = testing::TempDir() + "frr_model_json_test.json";
  save(trained(), path);
  expect_same(load(path), trained());
  std::filesystem::remove(path);
  EXPECT_THROW(load(path), Error);
}

TEST(ModelJson, SyntaxErrorsNameLineAndColumn) {
  const std::string message = failure("{\n  \"format\": \"frr-model\",\n  \"version\" 1\n}");
  EXPECT_NE(message.find("line 3, column 13"), std::string::npos) << message;
  EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
}

TEST(ModelJson, EveryTruncationIsRefused) {
  const std::string text = trained_text;
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_NE(failure(text.substr(0, length)), "no error") << length;
  EXPECT_NE(failure(text.substr(0, 500)).find("cut short"), std::string::npos);
  EXPECT_EQ(failure("  \n"), "model.json: the file is empty");
}

TEST(ModelJson, EveryDeletedByteIsRefusedOrReadableAgain) {
  const std::string text = trained_text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged.erase(i, 1);
    try {
      const std::string again = to_json(from_json(damaged));
      EXPECT_EQ(to_json(from_json(again)), again);
    } catch (const Error&) {
    }
  }
}

TEST(ModelJson, OtherFilesAndVersionsAreRefused) {
  EXPECT_NE(failure("[]").find("expected an object"), std::string::npos);
  EXPECT_NE(failure("glucose,state\n80,well\n").find("Are the model and the data in the right"),
            std::string::npos);
  EXPECT_NE(failure("{}").find("not an FRR model"), std::string::npos);
  expect_refused("frr-model", "onnx",
                 "this is not an FRR model: it does not say \"format\": \"frr-model\"");
  const std::string newer = failure(edited("\"version\": 1", "\"version\": 3, \"new\": 0"));
  EXPECT_NE(newer.find("made by a newer FRR"), std::string::npos) << newer;
  expect_refused("\"version\": 1", "\"version\": 0", "version: there is no model format 0");
  expect_refused("\"version\": 1", "\"version\": 1.5",
                 "version: expected a whole number, found 1.5");
}

TEST(ModelJson, UnknownMissingAndRepeatedKeysAreRefused) {
  expect_refused(
      "\"weight\": 0.9", "\"wieght\": 0.9",
      "rules[0]: unknown key 'wieght' (known: if, then, weight, points, decides, covers)");
  expect_refused(", \"weight\": 0.9", "", "rules[0]: 'weight' is missing");
  expect_refused("\"target\": \"state\",", "", "'target' is missing");
  expect_refused("\"sex\": \"m\"", "\"bmi\": \"normal\"",
                 "the key 'bmi' occurs twice in one object: remove one of them");
}

TEST(ModelJson, NamesThatDoNotExistAreRefusedWithThoseThatDo) {
  expect_refused("\"bmi\": \"high\"", "\"bmi\": \"hgih\"",
                 "rules[0].if: feature 'bmi' has no label 'hgih' (it has: normal, high)");
  expect_refused("\"bmi\": \"high\"", "\"bnmi\": \"high\"",
                 "rules[0].if: there is no feature 'bnmi'; did you mean 'bmi'?");
  expect_refused("\"then\": \"ill\"", "\"then\": \"sick\"",
                 "rules[0].then: there is no class 'sick' (classes: well, ill)");
  expect_refused("{\"then\": \"well\"}", "{\"then\": \"fit\"}",
                 "else.then: there is no class 'fit' (classes: well, ill)");
  expect_refused("\"weight\": 0.9", "\"weight\": 0.9, \"decides\": {\"x\": 1}",
                 "rules[0].decides: there is no class 'x' (classes: well, ill)");
}

TEST(ModelJson, WrongTypesAreNamed) {
  expect_refused("\"state\"", "7", "target: expected a text in quotes, found the number 7");
  expect_refused("[\"well\", \"ill\"]", "\"well\"",
                 "classes: expected a list [...], found the text \"well\"");
  expect_refused("0.9", "\"0.9\"", "rules[0].weight: expected a number, found the text \"0.9\"");
  expect_refused("\"high\", \"sex\"", "null, \"sex\"",
                 "rules[0].if.bmi: expected a text in quotes, found null");
  expect_refused("\"numeric\"", "\"number\"",
                 "features.bmi.type: 'number' is not a type: write numeric or categorical");
}

TEST(ModelJson, NonsenseValuesAreRefused) {
  for (const char* weight : {"0", "-0.5", "1.01"})
    EXPECT_NE(failure(edited("0.9", weight)).find("rules[0].weight: a weight must be above 0"),
              std::string::npos);
  EXPECT_NE(failure(edited("0.9", "1e999")), "no error");
  expect_refused("{\"bmi\": \"high\", \"sex\": \"m\"}", "{}",
                 "rules[0].if: a rule needs at least one condition; use \"else\" for all other "
                 "rows");
  expect_refused("[\"well\", \"ill\"]", "[\"well\"]",
                 "classes: a model needs at least two classes");
  expect_refused("[\"well\", \"ill\"]", "[\"well\", \"well\"]",
                 "classes[1]: the class 'well' is listed twice");
  expect_refused("\"weight\": 0.9", "\"weight\": 0.9, \"covers\": -1",
                 "rules[0].covers: expected a number from 0 to 9007199254740992, found -1");
  expect_refused("[\"f\", \"m\"]", "[\"m\", \"m\"]",
                 "features.sex: two labels are called 'm': rename one");
  expect_refused("\"unknown\"", "\"f\"", "features.sex: two labels are called 'f': rename one");
  expect_refused("\"sex\": {", "\"state\": {", "features.state: the target cannot be a feature");
}

TEST(ModelJson, NonsenseInferenceIsRefused) {
  const auto with = [](const std::string& inference) {
    return failure(edited("\"rules\":", "\"inference\": {" + inference + "}, \"rules\":"));
  };
  EXPECT_EQ(with("\"semantics\": \"max\""),
            "model.json: inference.semantics: 'max' is not a way to decide: write sufficient or "
            "additive");
  EXPECT_NE(with("\"tnorm\": \"mean\"").find("inference.tnorm: 'mean' is not a t-norm"),
            std::string::npos);
  EXPECT_EQ(with("\"root\": 0.5"),
            "model.json: inference.root: expected a number from 1 to 100, found 0.5");
}

TEST(ModelJson, NonsenseTrapezoidsAreRefused) {
  const std::string high = "[24, 26, null, null]";
  const std::string place = "features.bmi.labels.high: ";
  expect_refused(high, "[26, 24, null, null]",
                 place + "the four numbers must ascend, but 26 is followed by 24");
  expect_refused(high, "[null, 26, null, null]",
                 place + "an open left end needs null for both of the first two numbers");
  expect_refused(high, "[24, 26, 30, null]",
                 place + "an open right end needs null for both of the last two numbers");
  expect_refused(high, "[-1e308, 1e308, null, null]", place + "the rise is too wide");
  expect_refused("[null, null, 24, 26]", "[null, null, -1e308, 1e308]",
                 "features.bmi.labels.normal: the fall is too wide");
  EXPECT_NE(failure(edited(high, "[24, 26, null]")).find("expected four numbers"),
            std::string::npos);
  EXPECT_NE(failure(edited(high, "[24, true, null, null]")).find("[1]: expected a number"),
            std::string::npos);
  EXPECT_NE(failure(edited("[null, null, 24, 26]", "[25, 26, 27, 28]"))
                .find("features.bmi.labels: labels must ascend, but number 1 of 'normal' (25) is "
                      "above that of 'high' (24)"),
            std::string::npos);
}

TEST(ModelJson, NonsenseRangesAreRefused) {
  const std::string type = "\"type\": \"numeric\"";
  expect_refused(type, type + ", \"range\": [2, 1]",
                 "features.bmi.range: the lowest value is above the highest");
  expect_refused(type, type + ", \"range\": [2]",
                 "features.bmi.range: expected two numbers [lowest, highest]");
  EXPECT_NE(failure(edited(type, type + ", \"spread\": -1")).find("features.bmi.spread"),
            std::string::npos);
}

TEST(ModelJson, PlacesWithSpacesAreQuoted) {
  std::string text = edited("\"bmi\": {", "\"body mass\": {");
  text.replace(text.find("[24, 26, null, null]"), 20, "7");
  EXPECT_EQ(failure(text),
            "model.json: features[\"body mass\"].labels.high: expected a list [...], found the "
            "number 7");
}

TEST(ModelJson, DeepNestingAndBadBytesAreRefused) {
  EXPECT_NE(failure(std::string(1'000'000, '[')).find("inside each other"), std::string::npos);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(failure(objects).find("inside each other"), std::string::npos);
  EXPECT_NE(failure(edited("state", "st\xE4te")), "no error");
  EXPECT_NE(failure(edited("state", std::string("st\0te", 5))), "no error");
  EXPECT_NE(failure("\xFF\xFE{"), "no error");
}

TEST(ModelJson, NamesThatAreNotUtf8AreRefusedWhenWritten) {
  RuleBase base = sample::patients();
  base.classes[0] = "gr\xFC";
  EXPECT_THROW(to_json(base), Error);
}

TEST(ModelJson, ManyFeaturesAreReadInLinearTime) {
  RuleBase base = sample::patients();
  for (int f = 0; f < 50'000; ++f)
    base.partition.features.push_back(
        {.name = "column " + std::to_string(f), .type = ColumnType::categorical});
  EXPECT_EQ(from_json(to_json(base)).partition.features.size(), 50'003u);
}

}  // namespace
}  // namespace frr::internal
