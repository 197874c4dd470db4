#include "frr/shards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "data/class_names.hpp"
#include "shards/shard_messages.hpp"
#include "support/local_shards.hpp"
#include "support/plain_loss.hpp"

namespace frr::internal {
namespace {

using namespace local_shards;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

ShardedTraining training(int search_rows = 1000) {
  ShardedTraining training;
  training.request.target = "class";
  training.request.settings.search_rows = search_rows;
  training.request.settings.gradient_rows = 1000;
  training.request.settings.epochs = 3;
  training.request.settings.rules = 6;
  training.request.settings.threads = 1;
  training.source = "random.csv";
  return training;
}

std::string model_of(std::vector<Table> parts, const ShardedTraining& with,
                     std::uint64_t seed = 0) {
  LocalShards shards(std::move(parts), seed);
  return to_json(train(shards, with));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
void expect_error(const std::function<void()>& call, const std::vector<std::string>& parts) {
  const std::string message = message_of(call);
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in: " << message;
  }
}

// ---- The same model -----------------------------------------------------------------------------

TEST(Shards, AnyDivisionGivesTheModelOfTheTable) {
  // Fewer rows than are searched, about as many, and more.
  for (const std::size_t rows : {std::size_t{400}, std::size_t{1050}, std::size_t{4000}}) {
    SCOPED_TRACE(std::to_string(rows) + " rows");
    const Table table = random_rows(rows, rows);
    const ShardedTraining with = training();
    const std::string whole = to_json(train(table, with.request));
    for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      EXPECT_EQ(model_of(cut(table, even_cuts(rows, parts)), with, parts), whole) << parts;
    }
    Random random(rows);
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<std::size_t> cuts;
      for (std::size_t i = 0; i < 1 + random.below(12); ++i) cuts.push_back(random.below(rows + 1));
      std::sort(cuts.begin(), cuts.end());
      EXPECT_EQ(model_of(cut(table, cuts), with, 100 + static_cast<std::uint64_t>(trial)), whole);
    }
  }
}

TEST(Shards, AllSettingsGiveTheModelOfTheTable) {
  const Table table = random_rows(1, 2500);
  std::vector<ShardedTraining> cases(10, training());
  cases[0].request.settings.semantics = Semantics::additive;
  cases[1].request.settings.class_weight = ClassWeight::balanced;
  cases[2].request.settings.tnorm = {TNormKind::minimum, 1};
  cases[3].request.settings.polish = false;
  cases[4].request.settings.margin = 0;
  cases[5].request.class_weights = {{"k1", 4.0}};
  cases[6].request.settings.seed = 99;
  cases[7].request.settings.tune = false;
  cases[8].request.settings.class_weight = ClassWeight::balanced;
  cases[8].request.settings.restarts = 2;
  cases[9].request.settings.normalise = false;
  cases[9].request.settings.tnorm = {TNormKind::minimum, 1};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(model_of(cut(table, {300, 1800}), cases[i]), to_json(train(table, cases[i].request)))
        << i;
  }
}

// Random rows of two classes.
Table two_classes(std::uint64_t seed, std::size_t rows) {
  Random random(seed);
  return random_table::make(
      random, {.rows = rows, .numeric = 4, .categorical = 2, .classes = 2, .missing = 0.02});
}

TEST(Shards, AdditiveRulesAndScorecardsAreThoseOfTheTable) {
  const Table table = two_classes(30, 5000);
  for (const int points : {0, 10}) {
    ShardedTraining with = training();
    with.request.settings.semantics = Semantics::additive;
    with.request.settings.points = points;
    const RuleBase whole = train(table, with.request);
    EXPECT_FALSE(whole.rules.empty());
    EXPECT_EQ(whole.nats_per_point.has_value(), points > 0);
    with.request.settings.threads = 3;
    EXPECT_EQ(to_json(train(table, with.request)), to_json(whole));
    for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      EXPECT_EQ(model_of(cut(table, even_cuts(5000, parts)), with, parts), to_json(whole)) << parts;
    }
  }
}

TEST(Shards, AdditiveRulesHaveTheLeastLossOnAllRows) {
  for (std::uint64_t seed = 40; seed < 44; ++seed) {
    const Table table = two_classes(seed, 20000);
    TrainRequest request = training().request;
    request.settings.semantics = Semantics::additive;
    const RuleBase base = train(table, request);
    const std::vector<int> classes = class_indices(table, "class", base.classes);
    const plain_loss::Rows rows{table, classes, std::vector<double>(table.rows, 1)};
    const plain_loss::Loss loss = plain_loss::loss_of(base, rows);
    for (const double gradient : loss.by_class) EXPECT_NEAR(gradient, 0, 1);
    for (const double gradient : loss.by_rule) EXPECT_NEAR(gradient, 0, 1);
  }
}

// A class of less than a tenth of the rows: the objective is risk, whose rules no pass over all
// rows changes.
TEST(Shards, RulesLearnedForRiskAreOnlyCounted) {
  Table table = two_classes(31, 6000);
  Column& target = table.columns.back();
  for (std::size_t i = 2; i < table.rows; ++i) target.codes[i] = table.columns[0].values[i] > 1.6;
  ShardedTraining with = training();
  LocalShards shards(cut(table, {2000}));
  const RuleBase base = train(shards, with);
  EXPECT_EQ(shards.kinds.count("worth"), 0U);
  EXPECT_GT(shards.kinds.count("count"), 0U);
  const auto& recorded = base.summary.settings;
  EXPECT_NE(std::find(recorded.begin(), recorded.end(),
                      std::pair<std::string, std::string>("objective", "auto")),
            recorded.end());
  with.request.settings.objective = Objective::accuracy;
  LocalShards asked(cut(table, {2000}));
  train(asked, with);
  EXPECT_GT(asked.kinds.count("worth"), 0U);
}

TEST(Shards, AWeightColumnActsAsRowWeights) {
  for (const std::size_t rows : {std::size_t{600}, std::size_t{3000}}) {
    for (const bool whole_numbers : {true, false}) {
      Table table = random_rows(3, rows);
      Random random(4);
      std::vector<double> weights;
      for (std::size_t i = 0; i < rows; ++i) {
        weights.push_back(whole_numbers            ? static_cast<double>(random.below(3))
                          : random.uniform() < 0.2 ? 0
                                                   : 3 * random.uniform());
      }
      ShardedTraining with = training();
      TrainRequest request = with.request;
      request.row_weights = weights;
      const std::string whole = to_json(train(table, request));
      table.add_numeric("how much", weights);
      with.weight_column = "how much";
      EXPECT_EQ(model_of(cut(table, even_cuts(rows, 3)), with), whole);
      EXPECT_EQ(whole.find("how much"), std::string::npos);
    }
  }
}

TEST(Shards, ChosenRowsActAsRowsOfWeightOne) {
  Table table = random_rows(5, 4000);
  TrainRequest request = training().request;
  std::vector<double> weights(table.rows, 0);
  for (std::uint32_t row = 0; row < table.rows; row += 1 + row % 2) {
    request.rows.push_back(row);
    weights[row] = 1;
  }
  const RuleBase whole = train(table, request);
  table.add_numeric("weight", weights);
  ShardedTraining with = training();
  with.weight_column = "weight";
  EXPECT_EQ(model_of(cut(table, {1000}), with), to_json(whole));
}

TEST(Shards, WeightsActAlikeOnAdditiveRules) {
  const Table plain = two_classes(32, 4000);
  Random random(33);
  std::vector<double> weights;
  for (std::size_t i = 0; i < plain.rows; ++i) {
    weights.push_back(random.uniform() < 0.2 ? 0 : 3 * random.uniform());
  }
  ShardedTraining with = training();
  with.request.settings.semantics = Semantics::additive;
  const TrainRequest unweighted = with.request;
  TrainRequest request = unweighted;
  request.row_weights = weights;
  Table table = plain;
  table.add_numeric("weight", weights);
  with.weight_column = "weight";
  EXPECT_EQ(model_of(cut(table, {1500}), with), to_json(train(plain, request)));
  // The weight 1 is the same as none.
  table.columns.back().values.assign(table.rows, 1);
  EXPECT_EQ(model_of(cut(table, {1500}), with), to_json(train(plain, unweighted)));
}

TEST(Shards, ManyRowsWithoutAClassAreNotTransferred) {
  // 300 rows of 6000 have one: few enough to learn from all of them.
  Table table = random_rows(6, 6000);
  Column& target = table.columns.back();
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (i % 20 != 0) target.codes[i] = Column::missing_code;
  }
  const ShardedTraining with = training();
  LocalShards shards(cut(table, even_cuts(6000, 4)));
  EXPECT_EQ(to_json(train(shards, with)), to_json(train(table, with.request)));
  EXPECT_LT(shards.most_bytes, 60000U);  // 6000 rows of 7 columns would be 340,000
  EXPECT_EQ(shards.asked, 2);
}

TEST(Shards, AreAskedOnlyAFewTimes) {
  LocalShards shards(cut(random_rows(7, 5000), {2500}));
  train(shards, training());
  EXPECT_LE(shards.asked, 16);
}

TEST(Shards, ColumnsMayBeInAnyOrder) {
  const Table table = random_rows(8, 3000);
  std::vector<Table> parts = cut(table, {1000, 2000});
  const std::string whole = model_of(parts, training());
  std::rotate(parts[1].columns.begin(), parts[1].columns.begin() + 3, parts[1].columns.end());
  EXPECT_EQ(model_of(parts, training(), 1), whole);
  EXPECT_EQ(model_of(parts, training(), 2), whole);
}

// ---- Unusual shards
// -------------------------------------------------------------------------------

TEST(Shards, MayHaveNoRows) {
  for (const std::size_t rows : {std::size_t{500}, std::size_t{3000}}) {
    const Table table = random_rows(9, rows);
    const std::string whole = to_json(train(table, training().request));
    EXPECT_EQ(model_of(cut(table, {0, 200, 200, rows}), training()), whole);
    std::vector<Table> parts = cut(table, {250});
    parts.emplace_back();  // not even columns
    EXPECT_EQ(model_of(parts, training()), whole);
  }
}

TEST(Shards, MayHaveOneClassOnly) {
  Table table = random_rows(10, 3000);
  Column& target = table.columns.back();
  std::fill(target.codes.begin() + 1000, target.codes.begin() + 2000, 1);
  EXPECT_EQ(model_of(cut(table, {1000, 2000}), training()),
            to_json(train(table, training().request)));
}

TEST(Shards, ACategoryInOneShardOnlyGetsALabel) {
  Table table = random_rows(11, 3000);
  Column& column = table.columns[4];
  ASSERT_EQ(column.type, ColumnType::categorical);
  column.categories.push_back("only here");
  for (std::size_t i = 2000; i < 3000; i += 3) {
    column.codes[i] = static_cast<std::int32_t>(column.categories.size() - 1);
  }
  const std::string model = model_of(cut(table, {1000, 2000}), training());
  EXPECT_EQ(model, to_json(train(table, training().request)));
  EXPECT_NE(model.find("only here"), std::string::npos);
}

TEST(Shards, AClassWithASingleRowIsInTheModel) {
  Table table = random_rows(12, 5000);
  Column& target = table.columns.back();
  target.categories.push_back("rare");
  target.codes[4321] = static_cast<std::int32_t>(target.categories.size() - 1);
  LocalShards shards(cut(table, {2000}));
  const RuleBase base = train(shards, training());
  EXPECT_EQ(base.classes, (std::vector<std::string>{"k0", "k1", "k2", "rare"}));
}

TEST(Shards, RejectAColumnThatOneShardLacks) {
  const Table table = random_rows(13, 3000);
  std::vector<Table> parts = cut(table, {1000, 2000});
  parts[1].columns.erase(parts[1].columns.begin() + 2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    expect_error([&] { model_of(parts, training(), seed); }, {"shard 1", "'x2'"});
  }
  parts = cut(table, {1000, 2000});
  parts[2].columns.pop_back();
  expect_error([&] { model_of(parts, training()); }, {"shard 2", "'class'", "the target"});
}

TEST(Shards, MayHoldNumbersInOneAndNamesInAnother) {
  // "1", "2" and "x": categories as a whole, numbers in the first shard.
  for (const std::size_t rows : {std::size_t{600}, std::size_t{3000}}) {
    Table table = random_rows(14, rows);
    Random random(15);
    std::vector<std::optional<std::string>> names;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto number = static_cast<double>(random.below(4));
      numbers.push_back(number);
      names.emplace_back(std::to_string(static_cast<int>(number)));
      if (i >= rows / 2 && i % 3 == 0) names.back() = "x";
    }
    Table plain = table;
    table.add_categorical("mixed", names);
    const std::string whole = to_json(train(table, training().request));
    std::vector<Table> parts = cut(table, {rows / 2});
    Column& column = parts[0].columns.back();
    column = Column{};
    column.name = "mixed";
    column.values.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(rows / 2));
    EXPECT_EQ(model_of(parts, training()), whole);
  }
}

TEST(Shards, AColumnWithoutValuesInAShardMayHaveEitherType) {
  Table table = random_rows(16, 3000);
  for (std::size_t i = 0; i < 1000; ++i) {
    table.columns[0].values[i] = missing;
    table.columns[4].codes[i] = Column::missing_code;
  }
  const std::string whole = to_json(train(table, training().request));
  std::vector<Table> parts = cut(table, {1000});
  Column &number = parts[0].columns[0], &name = parts[0].columns[4];
  number = Column{.name = number.name,
                  .type = ColumnType::categorical,
                  .values = {},
                  .codes = std::vector<std::int32_t>(1000, -1),
                  .categories = {}};
  name = Column{.name = name.name,
                .type = ColumnType::numeric,
                .values = std::vector<double>(1000, missing),
                .codes = {},
                .categories = {}};
  EXPECT_EQ(model_of(parts, training()), whole);
}

TEST(Shards, CategoricalNumbersAreCategoriesInAllShards) {
  for (const std::size_t rows : {std::size_t{600}, std::size_t{3000}}) {
    Table table = random_rows(17, rows);
    Random random(18);
    std::vector<std::optional<std::string>> names;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < rows; ++i) {
      numbers.push_back(static_cast<double>(random.below(5)));
      names.emplace_back(std::to_string(static_cast<int>(numbers.back())));
    }
    Table named = table;
    named.add_categorical("code", names);
    table.add_numeric("code", numbers);
    ShardedTraining with = training();
    with.categorical = {"code"};
    TrainRequest request = with.request;
    request.recorded = {{"categorical", "code"}};
    EXPECT_EQ(model_of(cut(table, {rows / 3}), with), to_json(train(named, request)));
    with.categorical = {"cod"};
    expect_error([&] { model_of(cut(table, {rows / 3}), with); }, {"'cod'"});
  }
}

TEST(Shards, BadRowsAreNamedByShardAndRow) {
  const Table table = random_rows(19, 3000);
  std::vector<Table> parts = cut(table, {1000, 2000});
  parts[2].columns[1].values[7] = HUGE_VAL;
  expect_error([&] { model_of(parts, training()); }, {"shard 2", "'x1'", "row 7", "infinite"});
  parts = cut(table, {1000, 2000});
  ShardedTraining with = training();
  with.weight_column = "x0";
  expect_error([&] { model_of(parts, with); }, {"shard", "weight"});
  with.weight_column = "c0";
  expect_error([&] { model_of(parts, with); }, {"shard", "'c0'", "weight"});
  with.weight_column = "nothing";
  expect_error([&] { model_of(parts, with); }, {"shard", "'nothing'", "the weights"});
}

TEST(Shards, RejectBadTargets) {
  Table table = random_rows(20, 1500);
  ShardedTraining with = training();
  with.request.target = "";
  expect_error([&] { model_of(cut(table, {700}), with); }, {"target"});
  with.request.target = "x0";  // more than 1000 different numbers
  expect_error([&] { model_of(cut(table, {700}), with); }, {"'x0'", "different"});
  with = training();
  std::fill(table.columns.back().codes.begin(), table.columns.back().codes.end(), -1);
  expect_error([&] { model_of(cut(table, {700}), with); }, {"'class'", "no value in any row"});
  std::fill(table.columns.back().codes.begin(), table.columns.back().codes.end(), 0);
  expect_error([&] { model_of(cut(table, {700}), with); }, {"'class'", "two classes"});
  expect_error([&] { model_of({}, with); }, {"no answers"});
}

// ---- Messages -----------------------------------------------------------------------------------

TEST(Shards, AreNumberedWithoutGapsAndAnswerOnce) {
  const Table table = random_rows(21, 500);
  ShardRequest request;
  request.roles.target = "class";
  const std::string bytes = request.bytes();
  const std::string first = answer(bytes, TableView(table), 0);
  const std::vector<std::string> twice = {first, first};
  expect_error([&] { add_answers(twice); }, {"shard 0", "twice"});

  class Gap : public Shards {
   public:
    explicit Gap(const Table& table) : table_(table) {}
    std::string ask(const std::string& bytes) override {
      const std::vector<std::string> answers = {answer(bytes, TableView(table_), 0),
                                                answer(bytes, TableView(table_), 2)};
      return add_answers(answers);
    }

   private:
    const Table& table_;
  } gap(table);
  expect_error([&] { train(gap, training()); }, {"shard 1", "not answered"});
}

TEST(Shards, AnswersToDifferentRequestsAreNotAdded) {
  const Table table = random_rows(22, 500);
  ShardRequest survey, sample;
  survey.roles.target = sample.roles.target = "class";
  sample.kind = ShardRequest::Kind::sample;
  sample.sample.first = {0};
  sample.sample.everything = true;
  const std::vector<std::string> answers = {answer(survey.bytes(), TableView(table), 0),
                                            answer(sample.bytes(), TableView(table), 0)};
  expect_error([&] { add_answers(answers); }, {"different requests"});
  expect_error([&] { answer(answers[0], TableView(table), 0); }, {"not a request"});
  expect_error([&] { add_answers(std::vector<std::string>{survey.bytes()}); }, {"not an answer"});
  expect_error([&] { answer(sample.bytes(), TableView(table), 1); }, {"shard 1", "survey"});
}

// All messages of a training, each with bits flipped and bytes cut off.
TEST(Shards, RejectDamagedMessages) {
  class Recorder : public Shards {
   public:
    explicit Recorder(const Table& table) : table_(table) {}
    std::string ask(const std::string& request) override {
      requests.push_back(request);
      answers.push_back(answer(request, TableView(table_), 0));
      return answers.back();
    }
    std::vector<std::string> requests, answers;

   private:
    const Table& table_;
  };
  const Table table = random_rows(23, 2000);
  Recorder recorder(table);
  train(recorder, training());
  Random random(24);
  const auto damaged = [&](std::string bytes) {
    if (random.uniform() < 0.5) return bytes.substr(0, random.below(bytes.size()));
    for (std::size_t i = 0; i < 1 + random.below(3); ++i) {
      char& one = bytes[random.below(bytes.size())];
      one = static_cast<char>(one ^ static_cast<char>(1 + random.below(255)));
    }
    return bytes;
  };
  for (int trial = 0; trial < 300; ++trial) {
    const std::string request = damaged(recorder.requests[random.below(recorder.requests.size())]);
    EXPECT_THROW(answer(request, TableView(table), 0), Error);
    EXPECT_THROW(columns_asked(request), Error);
    const std::vector<std::string> answers = {
        damaged(recorder.answers[random.below(recorder.answers.size())])};
    EXPECT_THROW(add_answers(answers), Error);
    EXPECT_THROW(survey_of(answers[0]), Error);
  }
}

// Intact messages that do not fit together.
TEST(Shards, RejectRequestsToMoveUnreadBorders) {
  class Keeper : public LocalShards {
   public:
    using LocalShards::LocalShards;
    std::string ask(const std::string& request) override {
      kept.emplace(question_of(request).kind, request);  // the first of its kind
      return LocalShards::ask(request);
    }
    std::map<std::string, std::string> kept;
  };
  const Table table = random_rows(27, 2000);
  Keeper shards({table});
  train(shards, training());
  const auto expect_refused = [&](const ShardRequest& request, const std::string& part) {
    expect_error([&] { answer(request.bytes(), TableView(table), 0); }, {part});
    Table none = part_of(table, 0, 0);
    expect_error([&] { answer(request.bytes(), TableView(none), 0); }, {part});
  };
  const ShardRequest worth = ShardRequest::from(shards.kept.at("worth"));
  ASSERT_FALSE(worth.trials.empty());
  for (const BorderTrial& trial :
       {BorderTrial{.feature = 9999, .border = 0, .start = 0, .end = 1},
        BorderTrial{.feature = worth.trials[0].feature, .border = 99, .start = 0, .end = 1},
        BorderTrial{.feature = worth.trials[0].feature,
        .border = worth.trials[0].border,
        .start = 1,
        .end = 0},
        BorderTrial{.feature = worth.trials[0].feature,
        .border = worth.trials[0].border,
        .start = missing,
        .end = 0}}) {
    ShardRequest bad = worth;
    bad.trials = {trial};
    expect_refused(bad, "border");
  }
}

// At every question: an answer that is added twice, one that is missing, one from other rows, and
// the answer to an earlier request.
TEST(Shards, RejectAnswersThatDoNotFitTheSurvey) {
  enum class Fault { twice, lost, other_rows, stale };
  class Faulty : public Shards {
   public:
    Faulty(std::vector<Table> parts, std::size_t at, Fault fault)
        : parts_(std::move(parts)), at_(at), fault_(fault) {}
    std::string ask(const std::string& request) override {
      const bool now = kinds.size() == at_;
      kinds.push_back(question_of(request).kind);
      std::vector<std::string> answers;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const bool fewer = now && fault_ == Fault::other_rows && i == 1;
        const Table rows = part_of(parts_[i], 0, parts_[i].rows - (fewer ? 1 : 0));
        answers.push_back(answer(request, TableView(rows), i));
      }
      if (now && fault_ == Fault::twice) answers.push_back(answers.front());
      if (now && fault_ == Fault::lost) answers.pop_back();
      const std::string sum = add_answers(answers);
      if (now && fault_ == Fault::stale) return last_;
      last_ = sum;
      return sum;
    }
    std::vector<std::string> kinds;

   private:
    std::vector<Table> parts_;
    std::size_t at_;
    Fault fault_;
    std::string last_;
  };
  const Table table = random_rows(29, 3000);
  const ShardedTraining with = training();
  Faulty sound(cut(table, {1000, 2000}), 1000, Fault::twice);
  train(sound, with);
  for (std::size_t at = 1; at < sound.kinds.size(); ++at) {
    SCOPED_TRACE(sound.kinds[at]);
    for (const Fault fault : {Fault::twice, Fault::lost, Fault::other_rows, Fault::stale}) {
      Faulty shards(cut(table, {1000, 2000}), at, fault);
      expect_error([&] { train(shards, with); },
                   {fault == Fault::stale ? "another request" : "each shard must answer once"});
    }
  }
}

TEST(Shards, AnswersToTwoRequestsOfTheSameKindAreNotAdded) {
  class Keeper : public LocalShards {
   public:
    using LocalShards::LocalShards;
    std::string ask(const std::string& request) override {
      if (question_of(request).kind == "worth") requests.push_back(request);
      return LocalShards::ask(request);
    }
    std::vector<std::string> requests;
  };
  const Table table = random_rows(30, 2000);
  Keeper shards({table});
  train(shards, training());
  ASSERT_GE(shards.requests.size(), 2U);
  const std::vector<std::string> answers = {answer(shards.requests[0], TableView(table), 0),
                                            answer(shards.requests[1], TableView(table), 1)};
  expect_error([&] { add_answers(answers); }, {"different requests"});
}

TEST(Shards, RequestsComeInOrder) {
  class Kinds : public LocalShards {
   public:
    using LocalShards::LocalShards;
    std::string ask(const std::string& request) override {
      kinds.push_back(question_of(request).kind);
      return LocalShards::ask(request);
    }
    std::vector<std::string> kinds;
  } shards({random_rows(28, 3000)});
  train(shards, training());
  const std::vector<std::string> order = {"survey", "sample", "worth"};
  ASSERT_GT(shards.kinds.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(shards.kinds[i], order[i]);
  EXPECT_EQ(shards.kinds.back(), "count");
}

TEST(Shards, TheSurveyListsColumnsClassesAndTypes) {
  const Table table = random_rows(25, 500);
  ShardRequest request;
  request.roles.target = "class";
  const std::vector<Table> parts = cut(table, {200});
  const std::vector<std::string> answers = {
      answer(request.bytes(), TableView(parts[1]), 1, 1, "object"),
      answer(request.bytes(), TableView(parts[0]), 0, 1, "str"),
      answer(request.bytes(), TableView(part_of(table, 0, 0)), 2, 1, "no class, no type")};
  const ShardSurvey survey = survey_of(add_answers(answers));
  EXPECT_EQ(survey.classes, (std::vector<std::string>{"k0", "k1", "k2"}));
  EXPECT_EQ(survey.target_types, (std::vector<std::string>{"object", "str"}));
  ASSERT_EQ(survey.columns.size(), table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    EXPECT_EQ(survey.columns[i].first, table.columns[i].name);
    EXPECT_EQ(survey.columns[i].second, table.columns[i].type == ColumnType::categorical);
  }
}

TEST(Shards, RequestsReadOnlyTheColumnsOfTheRules) {
  class Columns : public LocalShards {
   public:
    using LocalShards::LocalShards;
    std::string ask(const std::string& request) override {
      names.push_back(columns_asked(request));
      return LocalShards::ask(request);
    }
    std::vector<std::vector<std::string>> names;
  } shards(cut(random_rows(26, 3000), {1500}));
  const RuleBase base = train(shards, training());
  ASSERT_GT(shards.names.size(), 3U);
  EXPECT_TRUE(shards.names[0].empty());
  EXPECT_TRUE(shards.names[1].empty());
  for (std::size_t i = 2; i < shards.names.size(); ++i) {
    EXPECT_EQ(shards.names[i].front(), "class");
  }
  for (const Rule& rule : base.rules) {
    for (const Condition& condition : rule.conditions) {
      const std::string& name =
          base.partition.features[static_cast<std::size_t>(condition.feature)].name;
      const auto& last = shards.names.back();
      EXPECT_NE(std::find(last.begin(), last.end(), name), last.end());
    }
  }
}

}  // namespace
}  // namespace frr::internal
