#include "frr/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/float_mode.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/visible_text.hpp"
#include "evaluate/evaluate.hpp"
#include "evaluate/same_training.hpp"
#include "frr/frr.hpp"
#include "model/decider.hpp"
#include "model/inference.hpp"
#include "model/policy.hpp"
#include "report/report_figures.hpp"
#include "report/report_template.hpp"
#include "text/number_format.hpp"
#include "train/training_summary.hpp"

namespace frr {
using namespace internal;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t rows_of_each_kind = 50;  // on the page, if there are as many
constexpr std::size_t rows_at_least = 100;     // however long they are
constexpr std::uint64_t seed = 0;

// Whole numbers without a decimal point: shorter, and the same in JavaScript.
Json number(double value) {
  constexpr double largest = 9007199254740992.0;  // 2^53
  if (std::isnan(value)) return nullptr;
  if (std::fabs(value) <= largest && value == std::floor(value))
    return static_cast<std::int64_t>(value);
  return value;
}

Json numbers(std::span<const double> values) {
  Json result = Json::array();
  for (const double value : values) result.push_back(number(value));
  return result;
}

std::string dumped(const Json& value) {
  try {
    return value.dump();
  } catch (const Json::type_error&) {
    fail_data("a name in the data is not UTF-8 text: save the table in UTF-8");
  }
}

// The decisions on all rows, and counts of them.
struct Outcome {
  std::vector<Decision> decisions;
  std::vector<int> truth;  // class of each row; -1: unknown
  bool has_target = false;
  std::size_t known = 0;                          // rows whose class is one of the model's
  std::vector<std::vector<std::size_t>> by_rule;  // [ELSE, rules...][class, then unknown]
  std::vector<std::vector<std::size_t>> covered;  // the same for all rows that it covers
  std::vector<bool> referred;                     // to a person
};

Outcome decide_table(const RuleBase& base, const Table& table, const ColumnMap& map, int threads) {
  Outcome outcome;
  outcome.decisions = decide_all(base, map, threads);
  outcome.has_target = table.find(base.target) != nullptr;
  outcome.truth = outcome.has_target ? class_indices(table, base.target, base.classes)
                                     : std::vector<int>(table.rows, -1);
  const std::size_t classes = base.classes.size();
  outcome.by_rule.assign(base.rules.size() + 1, std::vector<std::size_t>(classes + 1, 0));
  outcome.covered = outcome.by_rule;
  outcome.referred = referred(base, table, threads);
  const std::vector<bool> used = base.used_features();
  std::vector<FeatureValue> values(used.size());
  for (std::size_t row = 0; row < table.rows; ++row) {
    const int actual = outcome.truth[row];
    outcome.known += actual >= 0 ? 1 : 0;
    const std::size_t group = actual < 0 ? classes : static_cast<std::size_t>(actual);
    const int rule = outcome.decisions[row].rule + 1;
    ++outcome.by_rule[static_cast<std::size_t>(rule)][group];
    if (rule == 0) ++outcome.covered[0][group];
    for (std::size_t f = 0; f < used.size(); ++f)
      if (used[f]) values[f] = map.value(row, static_cast<int>(f));
    for (std::size_t r = 0; r < base.rules.size(); ++r) {
      if (truth(base, base.rules[r], values) > 0) ++outcome.covered[r + 1][group];
    }
  }
  return outcome;
}

// Whether the counts of the model are of whole rows. If rows had weights, the table cannot be
// compared with them.
bool counts_whole_rows(const RuleBase& base) {
  const auto whole = [](const Statistics& statistics) {
    return std::ranges::all_of(statistics.class_rows,
                               [](double count) { return count == std::floor(count); });
  };
  return has_counts(base) && whole(base.otherwise_statistics) &&
         std::ranges::all_of(base.rules, [&](const Rule& rule) { return whole(rule.statistics); });
}

// ---- The data of the page -----------------------------------------------------------------------

class Writer {
 public:
  Writer(const RuleBase& base, const Table& table, const ReportRequest& request)
      : base_(base),
        table_(table),
        request_(request),
        map_(base, table),
        outcome_(decide_table(base, table, map_, request.threads)) {
    const std::vector<bool> used = base.used_features();
    place_.assign(used.size(), -1);
    for (std::size_t f = 0; f < place_.size(); ++f) {
      if (!used[f]) continue;
      place_[f] = static_cast<int>(used_.size());
      used_.push_back(static_cast<int>(f));
    }
  }

  // Everything except the rows.
  [[nodiscard]] Json facts() const {
    Json result = {{"program", version()},
                   {"made", request_.made},
                   {"model", request_.model},
                   {"modelDate", request_.model_date},
                   {"target", base_.target},
                   {"classes", base_.classes},
                   {"semantics", to_string(base_.semantics)},
                   {"tnorm", tnorm()},
                   {"root", base_.root},
                   {"allFeatures", base_.partition.features.size()},
                   {"baseRates", base_rates(base_)},
                   {"hasCounts", has_counts(base_)},
                   {"policy", policy()}};
    if (base_.semantics == Semantics::additive) result["biases"] = base_.biases;
    if (base_.nats_per_point) result["natsPerPoint"] = *base_.nats_per_point;
    result["features"] = Json::array();
    for (const int f : used_) result["features"].push_back(feature(f));
    result["rules"] = Json::array();
    for (std::size_t r = 0; r < base_.rules.size(); ++r) result["rules"].push_back(rule(r));
    result["else"] = {{"then", base_.otherwise}};
    add_counts(base_.otherwise_statistics, 0, result["else"]);
    result["training"] = training();
    result["data"] = data();
    result["validation"] = validation();
    return result;
  }

  // The rows that fit into `bytes`.
  [[nodiscard]] std::vector<std::uint32_t> choose(std::size_t bytes) const {
    std::vector<int> kinds(table_.rows);
    for (std::size_t row = 0; row < table_.rows; ++row) kinds[row] = kind(row);
    constexpr std::size_t tried = 500;
    const std::vector<std::uint32_t> some = draw_rows(kinds, tried, 0, seed);
    if (some.empty()) return {};
    const double each =
        static_cast<double>(dumped(rows(some)).size()) / static_cast<double>(some.size());
    const auto most = static_cast<std::size_t>(static_cast<double>(bytes) / each);
    return draw_rows(kinds, std::max(rows_at_least, most), rows_of_each_kind, seed);
  }

  [[nodiscard]] Json rows(std::span<const std::uint32_t> chosen) const {
    Json columns = Json::array();
    for (const int f : used_) columns.push_back(column(f, chosen));
    Json shown = Json::array();
    for (const std::string& name : request_.show) shown.push_back(shown_column(name, chosen));
    Json truth = Json::array();
    Json numbers_of_rows = Json::array();
    for (const std::uint32_t row : chosen) {
      if (outcome_.has_target) truth.push_back(outcome_.truth[row]);
      numbers_of_rows.push_back(row + 1);
    }
    Json result = {{"columns", std::move(columns)}, {"shown", std::move(shown)}};
    result["truth"] = outcome_.has_target ? std::move(truth) : Json(nullptr);
    // If all rows are shown, the page numbers them.
    result["numbers"] = chosen.size() == table_.rows ? Json(nullptr) : std::move(numbers_of_rows);
    // How many rows of the table each kind has, so that the page can weight its sample.
    if (chosen.size() < table_.rows) result["kinds"] = kind_counts();
    return result;
  }

 private:
  // The sample has rows of each kind: by the rule that decides, right (or unknown) and wrong.
  [[nodiscard]] int kind(std::size_t row) const {
    const Decision& decision = outcome_.decisions[row];
    const bool wrong = outcome_.truth[row] >= 0 && outcome_.truth[row] != decision.predicted;
    return 2 * (decision.rule + 1) + (wrong ? 1 : 0);
  }

  [[nodiscard]] std::vector<std::size_t> kind_counts() const {
    std::vector<std::size_t> counts(2 * (base_.rules.size() + 1), 0);
    for (std::size_t row = 0; row < table_.rows; ++row)
      ++counts[static_cast<std::size_t>(kind(row))];
    return counts;
  }

  [[nodiscard]] Json policy() const {
    const DecisionPolicy& policy = base_.policy;
    Json result = {{"positive", policy.positive}, {"refer", policy.refer}};
    result["costs"] = policy.costs.empty() ? Json(nullptr) : Json(policy.costs);
    result["threshold"] = policy.threshold ? Json(*policy.threshold) : Json(nullptr);
    if (policy.target) {
      result["target"] = {{"measure", policy.target->measure},
                          {"wanted", policy.target->wanted},
                          {"reached", policy.target->reached}};
    }
    if (base_.semantics == Semantics::sufficient) return result;
    if (const auto offsets = score_offsets(policy, base_.classes.size())) {
      result["offsets"] = offsets->offsets;
      result["first"] = offsets->first;
    }
    return result;
  }

  // The rows that are referred to a person, and of the others those whose class is known and those
  // that are decided correctly.
  [[nodiscard]] Json referral() const {
    std::size_t rows = 0, known = 0, right = 0;
    for (std::size_t row = 0; row < table_.rows; ++row) {
      if (outcome_.referred[row]) {
        ++rows;
      } else if (outcome_.truth[row] >= 0) {
        ++known;
        right += outcome_.truth[row] == outcome_.decisions[row].predicted ? 1 : 0;
      }
    }
    return {{"rows", rows}, {"restKnown", known}, {"restRight", right}};
  }

  [[nodiscard]] Json tnorm() const {
    const std::string name = to_string(base_.tnorm);
    return {{"name", name.substr(0, name.find(':'))}, {"lambda", base_.tnorm.lambda}};
  }

  static Json label_json(const Label& label, const NumberFormat& format) {
    static constexpr const char* kinds[] = {"range", "category", "missing"};
    Json result = {{"name", label.name}, {"kind", kinds[static_cast<int>(label.kind)]}};
    if (label.kind != LabelKind::range) return result;
    result["shape"] = Json::array();
    result["shown"] = Json::array();  // with no more digits than readers need
    for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d}) {
      result["shape"].push_back(std::isfinite(x) ? number(x) : Json(nullptr));
      result["shown"].push_back(std::isfinite(x) ? Json(format(x)) : Json(nullptr));
    }
    return result;
  }

  [[nodiscard]] Json feature(int index) const {
    const Feature& feature = base_.partition.features[static_cast<std::size_t>(index)];
    const ColumnView& column = map_.column(index);
    Json result = {{"name", feature.name},
                   {"type", feature.type == ColumnType::numeric ? "numeric" : "categorical"}};
    result["labels"] = Json::array();
    const NumberFormat format(feature);
    for (const Label& label : feature.labels) result["labels"].push_back(label_json(label, format));
    std::size_t missing = 0;
    for (std::size_t row = 0; row < table_.rows; ++row) missing += column.is_missing(row) ? 1 : 0;
    result["missing"] = missing;
    feature.type == ColumnType::numeric ? add_numbers(feature, column, result)
                                        : add_categories(index, result);
    return result;
  }

  void add_numbers(const Feature& feature, const ColumnView& column, Json& result) const {
    std::vector<double> borders;
    for (const Label& label : feature.labels)
      for (const double x : {label.shape.a, label.shape.b, label.shape.c, label.shape.d})
        if (label.kind == LabelKind::range && std::isfinite(x)) borders.push_back(x);
    const NumberSummary summary =
        summarise_numbers(column, table_.rows, borders, groups(), base_.classes.size() + 1);
    const bool empty = summary.counts.empty();
    result["spread"] = feature.spread;
    result["trained"] = Json::array({number(feature.low), number(feature.high)});
    result["low"] = number(empty ? feature.low : std::min(feature.low, summary.low));
    result["high"] = number(empty ? feature.high : std::max(feature.high, summary.high));
    result["typical"] = number(empty ? (feature.low + feature.high) / 2 : summary.median);
    result["decimals"] = summary.decimals;
    result["histogram"] = {{"from", number(summary.from)},
                           {"to", number(summary.to)},
                           {"below", summary.below},
                           {"above", summary.above},
                           {"counts", summary.counts}};
  }

  // Counts by class and label; the last are values without a label.
  void add_categories(int index, Json& result) const {
    const auto& labels = base_.partition.features[static_cast<std::size_t>(index)].labels;
    const std::vector<int> of_row = groups();
    std::vector<std::vector<std::size_t>> counts(base_.classes.size() + 1,
                                                 std::vector<std::size_t>(labels.size() + 1, 0));
    std::vector<std::size_t> all(labels.size() + 1, 0);
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const FeatureValue value = map_.value(row, index);
      if (value.missing) continue;
      const std::size_t at =
          value.category < 0 ? labels.size() : static_cast<std::size_t>(value.category);
      ++counts[static_cast<std::size_t>(of_row[row])][at];
      ++all[at];
    }
    const auto most = std::max_element(all.begin(), all.end() - 1);
    result["typical"] = all.size() < 2 || *most == 0 ? Json(nullptr) : Json(most - all.begin());
    result["counts"] = counts;
  }

  // The groups that colour the histograms: the class of each row, or the predicted class if the
  // data has none. The last group is of unknown classes.
  [[nodiscard]] std::vector<int> groups() const {
    std::vector<int> result(table_.rows);
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const int truth = outcome_.truth[row];
      if (!outcome_.has_target) {
        result[row] = outcome_.decisions[row].predicted;
      } else {
        result[row] = truth < 0 ? static_cast<int>(base_.classes.size()) : truth;
      }
    }
    return result;
  }

  void add_counts(const Statistics& statistics, std::size_t index, Json& result) const {
    result["trainingRows"] = numbers(statistics.class_rows);
    result["covers"] = number(statistics.coverage);
    result["here"] = outcome_.by_rule[index];
    result["coversHere"] = outcome_.covered[index];
  }

  [[nodiscard]] Json rule(std::size_t index) const {
    const Rule& rule = base_.rules[index];
    Json conditions = Json::array();
    for (const Condition& c : rule.conditions)
      conditions.push_back({place_[static_cast<std::size_t>(c.feature)], c.label});
    Json result = {{"if", std::move(conditions)}, {"then", rule.then}, {"weight", rule.weight}};
    if (base_.nats_per_point) result["points"] = rule.points;
    add_counts(rule.statistics, index + 1, result);
    return result;
  }

  [[nodiscard]] Json training() const {
    const TrainingSummary& summary = base_.summary;
    Json settings = Json::array();
    for (const auto& [name, value] : summary.settings) settings.push_back({name, value});
    return {{"version", summary.version},
            {"data", summary.source},
            {"rows", summary.rows},
            {"accuracy", summary.train_accuracy},
            {"stoppedEarly", summary.stopped_early},
            {"settings", std::move(settings)},
            {"notes", summary.notes},
            {"optionsForRules", options_for_rules(base_)}};
  }

  [[nodiscard]] Json data() const {
    Json result = {{"name", request_.data.empty() ? table_.source : request_.data},
                   {"rows", table_.rows},
                   {"hasTarget", outcome_.has_target},
                   {"known", outcome_.known},
                   {"same", false},
                   {"heldOut", false}};
    if (base_.policy.refer > 0) result["referred"] = referral();
    if (!outcome_.has_target) return result;
    const bool same = was_trained_on(base_, table_, outcome_.truth, {}, request_.threads);
    result["same"] = same;
    result["heldOut"] = !same && outcome_.known > 0 && counts_whole_rows(base_);
    result["unknown"] = unknown_classes();
    const Evaluation evaluation = internal::evaluate(base_, map_, outcome_.truth);
    result["accuracy"] = evaluation.accuracy;
    result["balanced"] = evaluation.balanced_accuracy;
    result["confusion"] = evaluation.confusion;
    return result;
  }

  // Classes of the data that the model does not know, with their number of rows, most frequent
  // first.
  [[nodiscard]] Json unknown_classes() const {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const auto& [name, rows] : unknown_targets(base_, table_)) found.emplace_back(rows, name);
    std::sort(found.rbegin(), found.rend());
    constexpr std::size_t most = 5;
    Json result = Json::array();
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i)
      result.push_back({found[i].second, found[i].first});
    return result;
  }

  [[nodiscard]] Json validation() const {
    const std::vector<double>& folds = request_.fold_accuracies;
    if (folds.empty()) return {{"whyNot", request_.why_not}};
    double sum = 0, squares = 0;
    for (const double accuracy : folds) sum += accuracy;
    const auto count = static_cast<double>(folds.size());
    for (const double accuracy : folds) squares += std::pow(accuracy - sum / count, 2);
    return {{"folds", folds.size()},
            {"accuracy", sum / count},
            {"deviation", count > 1 ? std::sqrt(squares / (count - 1)) : 0}};
  }

  // Numbers, or indices of labels. null is missing, a text is a value without a label.
  [[nodiscard]] Json column(int index, std::span<const std::uint32_t> chosen) const {
    Json result = Json::array();
    const bool numeric =
        base_.partition.features[static_cast<std::size_t>(index)].type == ColumnType::numeric;
    for (const std::uint32_t row : chosen) {
      const FeatureValue value = map_.value(row, index);
      if (value.missing) {
        result.push_back(nullptr);
      } else if (numeric) {
        result.push_back(number(value.number));
      } else {
        result.push_back(value.category < 0 ? Json(map_.text(row, index)) : Json(value.category));
      }
    }
    return result;
  }

  [[nodiscard]] Json shown_column(const std::string& name,
                                  std::span<const std::uint32_t> chosen) const {
    const Column& column = require_column(table_, name, "to be shown with the rows");
    Json values = Json::array();
    for (const std::uint32_t row : chosen) {
      if (column.is_missing(row)) {
        values.push_back(nullptr);
      } else if (column.type == ColumnType::numeric) {
        values.push_back(number(column.values[row]));
      } else {
        values.push_back(column.categories[static_cast<std::size_t>(column.codes[row])]);
      }
    }
    return {{"name", name}, {"values", std::move(values)}};
  }

  const RuleBase& base_;
  const Table& table_;
  const ReportRequest& request_;
  ColumnMap map_;
  Outcome outcome_;
  std::vector<int> place_;  // per feature: among those the rules use, or -1
  std::vector<int> used_;   // features that the rules use
};

// ---- The page -----------------------------------------------------------------------------------

// JSON that cannot begin or end an HTML tag.
std::string for_script(std::string json) {
  std::string result;
  result.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

// The template with each placeholder "{{name}}" replaced by its text.
std::string fill(std::string_view page,
                 const std::unordered_map<std::string_view, std::string>& texts) {
  std::string result;
  for (;;) {
    const std::size_t open = page.find("{{");
    if (open == std::string_view::npos) break;
    const std::size_t close = page.find("}}", open);
    result += page.substr(0, open);
    result += texts.at(page.substr(open + 2, close - open - 2));
    page.remove_prefix(close + 2);
  }
  return result += page;
}

}  // namespace

std::string report_page(const RuleBase& base, const Table& table, const ReportRequest& request) {
  const FloatMode mode(Denormals::keep);
  const Writer writer(base, table, request);
  Json facts = writer.facts();
  const std::string_view page = report_template();
  const std::string rules = escape_markup(to_text(base));
  const std::size_t fixed = page.size() + rules.size() + dumped(facts).size();
  const std::vector<std::uint32_t> chosen =
      writer.choose(request.max_bytes > fixed ? request.max_bytes - fixed : 0);
  facts["rows"] = writer.rows(chosen);
  return fill(page, {{"title", escape_markup(visible_text(base.target))},
                     {"rules", rules},
                     {"data", for_script(visible_json(dumped(facts)))}});
}

std::map<std::string, std::size_t> unknown_targets(const RuleBase& base, const Table& table) {
  std::map<std::string, std::size_t> result;
  const Column* column = table.find(base.target);
  if (column == nullptr) return result;
  const std::vector<int> classes = class_indices(table, base.target, base.classes);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (classes[row] >= 0 || column->is_missing(row)) continue;
    ++result[column->type == ColumnType::numeric
                 ? plain_number(column->values[row])
                 : column->categories[static_cast<std::size_t>(column->codes[row])]];
  }
  return result;
}

bool is_training_data(const RuleBase& base, const Table& table) {
  if (table.find(base.target) == nullptr) return false;
  return was_trained_on(base, table, class_indices(table, base.target, base.classes), {}, 0);
}

}  // namespace frr
