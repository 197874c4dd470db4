// Answers of shards with the right checksum and wrong content: they give a model or a clear error.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "frr/shards.hpp"
#include "shards/shard_messages.hpp"
#include "support/random_cases.hpp"
#include "support/random_table.hpp"

namespace frr::internal {
namespace {

class Forger {
 public:
  explicit Forger(std::uint64_t seed) : random_(seed) {}

  // Makes one to three changes.
  void alter(ShardAnswer& answer) {
    for (auto left = 1 + random_.below(3); left > 0; --left) alter_once(answer);
  }

 private:
  std::size_t one_of(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }

  double number() {
    using Limits = std::numeric_limits<double>;
    const double numbers[] = {
        Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), -1, 0, 1e308, -1e308,
        Limits::denorm_min(), random_.normal()};
    return numbers[one_of(std::size(numbers))];
  }
  std::uint64_t count(std::uint64_t old) {
    const std::uint64_t counts[] = {0,
                                    1,
                                    old + 1,
                                    old - 1,
                                    old / 2,
                                    2 * old,
                                    std::uint64_t{1} << 40U,
                                    std::uint64_t{1} << 63U,
                                    std::numeric_limits<std::uint64_t>::max()};
    return counts[one_of(std::size(counts))];
  }
  std::int64_t sum(std::int64_t old) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t sums[] = {
        0, 1, -1, most, -most - 1, most / 2, -(most / 2), std::int64_t{1} << 40U, old / 2};
    return sums[one_of(std::size(sums))];
  }
  RowPlace place(const RowPlace& old) { return {count(old.shard), count(old.row)}; }

  template <typename T>
  void resize(std::vector<T>& list) {
    const std::size_t sizes[] = {0, list.size() / 2, list.size() + 1, 2 * list.size()};
    list.resize(sizes[one_of(std::size(sizes))]);
  }

  void alter_class(ShardAnswer& answer) {
    if (answer.survey.classes.empty()) return;
    auto entry = answer.survey.classes.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(one_of(answer.survey.classes.size())));
    switch (one_of(5)) {
      case 0:
        entry->second.rows = count(entry->second.rows);
        break;
      case 1:
        resize(entry->second.places);
        break;
      case 2:
        for (RowPlace& x : entry->second.places) x = place(x);
        break;
      case 3:
        answer.survey.classes["forged"] = entry->second;
        break;
      default:
        answer.survey.classes.erase(entry);
        break;
    }
  }

  void alter_column(ShardAnswer& answer) {
    if (answer.survey.columns.empty()) return;
    SurveyedColumn& column = answer.survey.columns[one_of(answer.survey.columns.size())];
    switch (one_of(6)) {
      case 0:
        column.low = {number(), place({})};
        break;
      case 1:
        column.high = {number(), column.high ? column.high->place : RowPlace{}};
        break;
      case 2:
        column.missing = place({});
        break;
      case 3:
        column.numeric = !column.numeric;
        break;
      case 4:
        column.categorical = !column.categorical;
        break;
      default:
        column.name = answer.survey.columns[one_of(answer.survey.columns.size())].name;
        break;
    }
  }

  void alter_part(ShardAnswer& answer) {
    if (answer.parts.empty()) return;
    SampledRows& part = answer.parts[one_of(answer.parts.size())];
    Column& column = part.columns[one_of(part.columns.size())];
    switch (one_of(7)) {
      case 0:
        resize(part.numbers);
        break;
      case 1:
        for (std::uint64_t& x : part.numbers)
          if (one_of(9) == 0) x = count(x);
        break;
      case 2:
        for (double& x : column.values)
          if (one_of(9) == 0) x = number();
        break;
      case 3:
        column.values.assign(column.values.size(), number());
        break;
      case 4:
        for (std::int32_t& x : column.codes) x = static_cast<std::int32_t>(one_of(5)) - 2;
        break;
      case 5:
        column.name = part.columns.front().name;
        break;
      default:
        resize(column.categories);
        break;
    }
  }

  void alter_sums(ShardAnswer& answer) {
    if (answer.sums.empty()) return resize(answer.sums);
    switch (one_of(5)) {
      case 0:
        resize(answer.sums);
        break;
      case 1:
        answer.sums.assign(answer.sums.size(), sum(0));
        break;
      case 2:
        for (std::int64_t& x : answer.sums)
          if (one_of(9) == 0) x = sum(x);
        break;
      case 3:
        for (std::int64_t& x : answer.sums)
          x = static_cast<std::int64_t>(-static_cast<std::uint64_t>(x));
        break;
      default:
        answer.sums[one_of(answer.sums.size())] = sum(0);
        break;
    }
  }

  void alter_once(ShardAnswer& answer) {
    using Kind = ShardRequest::Kind;
    if (one_of(8) == 0) {
      switch (one_of(4)) {
        case 0:
          answer.kind = static_cast<Kind>(one_of(5));
          break;
        case 1:
          answer.request = count(answer.request);
          break;
        case 2:
          answer.attendance.rows = count(answer.attendance.rows);
          break;
        default:
          answer.attendance.shards = count(answer.attendance.shards);
          break;
      }
      return;
    }
    if (answer.kind == Kind::sample) return alter_part(answer);
    if (answer.kind != Kind::survey) return alter_sums(answer);
    switch (one_of(6)) {
      case 0:
        for (auto& [shard, rows] : answer.survey.rows) rows = count(rows);
        break;
      case 1:
        answer.survey.unlabelled = count(answer.survey.unlabelled);
        break;
      case 2:
        answer.survey.most_weight = number();
        break;
      case 3:
        resize(answer.survey.columns);
        break;
      case 4:
        alter_class(answer);
        break;
      default:
        alter_column(answer);
        break;
    }
  }

  Random random_;
};

// Forges one of its answers, number `forged`.
class ForgingShards : public Shards {
 public:
  ForgingShards(const Table& table, int forged, std::uint64_t seed)
      : table_(table), forged_(forged), forger_(seed) {}

  std::string ask(const std::string& request) override {
    std::string bytes = answer(request, TableView(table_), 0);
    if (asked++ != forged_) return bytes;
    ShardAnswer forged = ShardAnswer::from(bytes);
    forger_.alter(forged);
    return forged.bytes();
  }

  int asked = 0;

 private:
  const Table& table_;
  int forged_;
  Forger forger_;
};

ShardedTraining quick_training() {
  ShardedTraining training;
  training.request.target = "class";
  Settings& settings = training.request.settings;
  settings.search_rows = 1000;
  settings.gradient_rows = 1000;
  settings.epochs = 1;
  settings.rules = 2;
  settings.conditions = 2;
  settings.restarts = 1;
  settings.threads = 1;
  training.source = "forged.csv";
  return training;
}

void expect_model_or_error(const ShardedTraining& training, int trials) {
  Random random(22);
  const Table table = random_table::make(
      random, {.rows = 1100, .numeric = 2, .categorical = 1, .classes = 2, .missing = 0.02});
  ForgingShards honest(table, -1, 0);
  train(honest, training);
  ASSERT_GE(honest.asked, 4);  // survey, sample, worth or loss, count
  std::map<std::string, int> outcomes;
  for (int trial = 0; trial < random_cases(trials); ++trial) {
    // Half of them in answers to the first requests, which contain the most.
    const int forged = trial % 2 == 0 ? trial / 2 % 2 : trial / 2 % honest.asked;
    ForgingShards shards(table, forged, static_cast<std::uint64_t>(trial));
    try {
      const RuleBase base = train(shards, training);
      EXPECT_EQ(to_json(from_json(to_json(base), "<model>")), to_json(base)) << trial;
      ++outcomes["model"];
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << trial << ": " << error.what();
      EXPECT_GT(std::string(error.what()).size(), 20U) << trial;
      ++outcomes["error"];
    }
  }
  EXPECT_GT(outcomes["model"], random_cases(trials / 44));  // some alterations cannot be detected
  EXPECT_GT(outcomes["error"], random_cases(trials / 5));
}

TEST(ForgedAnswers, GiveAModelOrAClearError) { expect_model_or_error(quick_training(), 4400); }

TEST(ForgedAnswers, GiveAdditiveRulesOrAClearError) {
  ShardedTraining training = quick_training();
  training.request.settings.semantics = Semantics::additive;
  expect_model_or_error(training, 2200);
}

}  // namespace
}  // namespace frr::internal
