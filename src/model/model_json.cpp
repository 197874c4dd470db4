#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/number.hpp"
#include "base/text.hpp"
#include "frr/frr.hpp"
#include "io/json_reader.hpp"
#include "io/json_writer.hpp"
#include "labels/json_labels.hpp"

// docs/reference/model.md describes the file. The writer and the reader of each part are adjacent.

namespace frr {
using namespace internal;
namespace {

using Json = nlohmann::ordered_json;
using Names = std::unordered_map<std::string, int>;

constexpr std::string_view format_name = "frr-model";
constexpr int format_version = 2;
constexpr std::size_t max_bytes = std::size_t{1} << 28;
// Counts of rows are held in doubles, exact up to here.
constexpr std::size_t max_count = std::size_t{1} << 53;
constexpr double max_root = 100;   // the range of the option `root`
constexpr double max_score = 1e6;  // of additive rules and biases, in nats
constexpr double max_cost = 1e9;

// ---- Features -----------------------------------------------------------------------------------

Json write_feature(const Feature& feature) {
  Json result = Json::object();
  Json labels = Json::object();
  Json categories = Json::array();
  Json missing;
  for (const Label& label : feature.labels) {
    if (label.kind == LabelKind::missing) missing = label.name;
    if (label.kind == LabelKind::range) add_member(labels, label.name, write_shape(label.shape));
    if (label.kind == LabelKind::category) categories.push_back(label.name);
  }
  if (feature.type == ColumnType::numeric) {
    add_member(result, "type", "numeric");
    add_member(result, "range", Json::array({feature.low, feature.high}));
    add_member(result, "spread", feature.spread);
    add_member(result, "labels", std::move(labels));
  } else {
    add_member(result, "type", "categorical");
    add_member(result, "categories", std::move(categories));
  }
  if (!missing.is_null()) add_member(result, "missing", std::move(missing));
  return result;
}

void read_numeric(const JsonPlace& place, Feature& feature) {
  place.check_keys({"type", "range", "spread", "labels", "missing"});
  feature.type = ColumnType::numeric;
  if (const auto range = place.find("range")) {
    const std::vector<JsonPlace> ends = range->items();
    if (ends.size() != 2) range->fail("expected two numbers [lowest, highest]");
    feature.low = ends[0].number();
    feature.high = ends[1].number();
    if (feature.low > feature.high) range->fail("the lowest value is above the highest");
  }
  if (const auto spread = place.find("spread"))
    feature.spread = spread->number_within(0, std::numeric_limits<double>::max());
  feature.labels = read_labels(place.at("labels"));
}

void read_categorical(const JsonPlace& place, Feature& feature) {
  place.check_keys({"type", "categories", "missing"});
  feature.type = ColumnType::categorical;
  for (const JsonPlace& item : place.at("categories").items())
    feature.labels.push_back({item.text(), LabelKind::category, {}});
}

Feature read_feature(const std::string& name, const JsonPlace& place) {
  Feature feature;
  feature.name = name;
  const JsonPlace type = place.at("type");
  if (type.text() == "numeric")
    read_numeric(place, feature);
  else if (type.text() == "categorical")
    read_categorical(place, feature);
  else
    type.fail("'" + type.text() + "' is not a type: write numeric or categorical");
  if (const auto missing = place.find("missing")) {
    if (missing->text().empty()) missing->fail("the label for missing values needs a name");
    feature.labels.push_back({missing->text(), LabelKind::missing, {}});
  }
  return feature;
}

// Index of each label of a feature by its name; fails where two share one.
Names label_names(const Feature& feature, const JsonPlace& place) {
  Names names;
  for (std::size_t v = 0; v < feature.labels.size(); ++v)
    if (!names.emplace(feature.labels[v].name, static_cast<int>(v)).second)
      place.fail("two labels are called '" + feature.labels[v].name + "': rename one");
  return names;
}

// ---- Codes of missing values ----------------------------------------------------------------

std::vector<std::string> read_codes(const JsonPlace& place) {
  std::vector<std::string> codes;
  for (const JsonPlace& item : place.items()) {
    if (item.text().empty()) item.fail("an empty text is always missing: leave it out");
    codes.push_back(item.text());
  }
  return codes;
}

// Earlier versions recorded the codes only in the settings.
std::vector<std::string> recorded_codes(const TrainingSummary& summary) {
  for (const auto& [name, value] : summary.settings) {
    if (name == "missing") return split_list(value);
  }
  return {};
}

// ---- Rules --------------------------------------------------------------------------------------

// Numbers by class, without those that are 0.
Json write_by_class(const RuleBase& base, std::span<const double> numbers) {
  Json result = Json::object();
  for (std::size_t c = 0; c < numbers.size(); ++c)
    if (numbers[c] != 0) add_member(result, base.classes[c], numbers[c]);
  return result;
}

// The key of the rows that describe a rule.
const char* rows_key(const RuleBase& base) {
  return base.semantics == Semantics::sufficient ? "decides" : "true_for";
}

void write_statistics(const RuleBase& base, const Statistics& statistics, Json& object) {
  add_member(object, rows_key(base), write_by_class(base, statistics.class_rows));
  add_member(object, "covers", statistics.coverage);
}

Json write_rule(const RuleBase& base, const Rule& rule) {
  Json conditions = Json::object();
  for (const Condition& c : rule.conditions) {
    const Feature& feature = base.partition.features[static_cast<std::size_t>(c.feature)];
    add_member(conditions, feature.name, feature.labels[static_cast<std::size_t>(c.label)].name);
  }
  Json result = Json::object();
  add_member(result, "if", std::move(conditions));
  add_member(result, "then", base.classes[static_cast<std::size_t>(rule.then)]);
  add_member(result, "weight", rule.weight);
  if (base.nats_per_point) add_member(result, "points", rule.points);
  write_statistics(base, rule.statistics, result);
  return result;
}

// Reads everything that refers to features, labels and classes by name.
class RuleReader {
 public:
  RuleReader(RuleBase& base, const JsonPlace& features) : base_(base) {
    for (std::size_t c = 0; c < base.classes.size(); ++c)
      classes_.emplace(base.classes[c], static_cast<int>(c));
    for (const auto& [name, place] : features.members()) {
      const Feature& feature = base.partition.features[labels_.size()];
      features_.emplace(name, static_cast<int>(labels_.size()));
      labels_.push_back(label_names(feature, place));
    }
  }

  [[nodiscard]] int class_index(const JsonPlace& place, const std::string& name) const {
    const auto found = classes_.find(name);
    if (found == classes_.end())
      place.fail("there is no class '" + name + "' (classes: " + list_text(base_.classes) + ")");
    return found->second;
  }

  [[nodiscard]] Rule rule(const JsonPlace& place) const {
    place.check_keys({"if", "then", "weight", "points", rows_key(base_), "covers"});
    Rule rule;
    const JsonPlace conditions = place.at("if");
    for (const auto& [feature, label] : conditions.members())
      rule.conditions.push_back(condition(conditions, feature, label.text()));
    if (rule.conditions.empty())
      conditions.fail("a rule needs at least one condition; use \"else\" for all other rows");
    const JsonPlace then = place.at("then");
    rule.then = class_index(then, then.text());
    const JsonPlace weight = place.at("weight");
    rule.weight = weight.number();
    const double most = base_.semantics == Semantics::sufficient ? 1 : max_score;
    if (!(rule.weight > 0 && rule.weight <= most))
      weight.fail("a weight must be above 0 and at most " + plain_number(most) + ", found " +
                  plain_number(rule.weight));
    read_points(place, rule);
    rule.statistics = statistics(place);
    return rule;
  }

  // The rows by class and "covers", zero where they are absent.
  [[nodiscard]] Statistics statistics(const JsonPlace& place) const {
    Statistics result;
    result.class_rows.assign(base_.classes.size(), 0.0);
    if (const auto rows = place.find(rows_key(base_))) result.class_rows = counts(*rows);
    if (const auto covers = place.find("covers")) result.coverage = count(*covers);
    return result;
  }

  // Counts by class, zero where they are absent.
  [[nodiscard]] std::vector<double> counts(const JsonPlace& place) const {
    std::vector<double> result(base_.classes.size(), 0.0);
    for (const auto& [name, rows] : place.members())
      result[static_cast<std::size_t>(class_index(place, name))] = count(rows);
    return result;
  }

  [[nodiscard]] std::vector<double> biases(const JsonPlace& place) const {
    std::vector<double> result(base_.classes.size(), 0.0);
    for (const auto& [name, bias] : place.members())
      result[static_cast<std::size_t>(class_index(place, name))] =
          bias.number_within(-max_score, max_score);
    return result;
  }

  [[nodiscard]] DecisionPolicy policy(const JsonPlace& place) const {
    place.check_keys({"positive", "costs", "threshold", "target", "refer"});
    DecisionPolicy policy;
    if (const auto positive = place.find("positive"))
      policy.positive = class_index(*positive, positive->text());
    if (const auto costs = place.find("costs")) policy.costs = read_costs(*costs);
    if (const auto refer = place.find("refer")) policy.refer = refer->number_within(0, 1);
    if (const auto threshold = place.find("threshold")) {
      policy.threshold = threshold->number();
      if (!(*policy.threshold > 0 && *policy.threshold < 1))
        threshold->fail("a threshold must be above 0 and below 1");
      if (policy.positive < 0)
        threshold->fail("a threshold needs a class: name it with \"positive\"");
    }
    if (const auto target = place.find("target")) {
      target->check_keys({"measure", "wanted", "reached"});
      policy.target = {target->at("measure").text(), target->at("wanted").number_within(0, 1),
                       target->at("reached").number_within(0, 1)};
    }
    return policy;
  }

 private:
  static double count(const JsonPlace& place) {
    return place.number_within(0, static_cast<double>(max_count));
  }

  void read_points(const JsonPlace& place, Rule& rule) const {
    if (!base_.nats_per_point) {
      if (const auto points = place.find("points")) points->fail("points need \"nats_per_point\"");
      return;
    }
    const JsonPlace points = place.at("points");
    rule.points = static_cast<int>(points.number_within(-max_score, max_score));
    const bool positive = rule.then == base_.policy.positive;
    if (rule.points != points.number() || rule.points == 0 || (rule.points > 0) != positive)
      points.fail(
          "points must be a whole number: above 0 if the rule speaks for the positive "
          "class, else below 0");
    if (rule.weight != std::abs(rule.points) * *base_.nats_per_point)
      points.fail(
          "the weight of a rule with points must be its points, without their sign, times "
          "\"nats_per_point\"");
  }

  [[nodiscard]] std::vector<double> read_costs(const JsonPlace& place) const {
    const std::size_t classes = base_.classes.size();
    std::vector<double> costs(classes * classes, 0.0);
    std::vector<bool> given(classes * classes, false);
    for (const auto& [truth, row] : place.members()) {
      for (const auto& [decided, cost] : row.members()) {
        const auto c = static_cast<std::size_t>(class_index(place, truth));
        const auto d = static_cast<std::size_t>(class_index(row, decided));
        if (c == d) cost.fail("a correct prediction costs nothing: leave it out");
        costs[c * classes + d] = cost.number_within(0, max_cost);
        if (!(costs[c * classes + d] > 0)) cost.fail("a cost must be above 0");
        given[c * classes + d] = true;
      }
    }
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t d = 0; d < classes; ++d)
        if (c != d && !given[c * classes + d])
          place.fail("there is no cost for predicting '" + base_.classes[d] + "' where '" +
                     base_.classes[c] + "' is true");
    return costs;
  }

  [[nodiscard]] Condition condition(const JsonPlace& place, const std::string& feature,
                                    const std::string& label) const {
    const auto found = features_.find(feature);
    if (found == features_.end()) {
      std::vector<std::string> known;
      for (const Feature& f : base_.partition.features) known.push_back(f.name);
      place.fail("there is no feature '" + feature + "'" + did_you_mean(feature, known));
    }
    const auto index = static_cast<std::size_t>(found->second);
    const auto named = labels_[index].find(label);
    if (named == labels_[index].end()) {
      std::vector<std::string> known;
      for (const Label& l : base_.partition.features[index].labels) known.push_back(l.name);
      place.fail("feature '" + feature + "' has no label '" + label +
                 "' (it has: " + list_text(known) + ")");
    }
    return {found->second, named->second};
  }

  const RuleBase& base_;
  Names classes_, features_;
  std::vector<Names> labels_;  // one per feature
};

Json write_policy(const RuleBase& base) {
  const DecisionPolicy& policy = base.policy;
  Json result = Json::object();
  if (policy.positive >= 0)
    add_member(result, "positive", base.classes[static_cast<std::size_t>(policy.positive)]);
  if (!policy.costs.empty()) {
    Json costs = Json::object();
    for (std::size_t c = 0; c < base.classes.size(); ++c)
      add_member(
          costs, base.classes[c],
          write_by_class(
              base, std::span(policy.costs).subspan(c * base.classes.size(), base.classes.size())));
    add_member(result, "costs", std::move(costs));
  }
  if (policy.threshold) add_member(result, "threshold", *policy.threshold);
  if (policy.target) {
    add_member(result, "target",
               Json::object({{"measure", policy.target->measure},
                             {"wanted", policy.target->wanted},
                             {"reached", policy.target->reached}}));
  }
  if (policy.refer > 0) add_member(result, "refer", policy.refer);
  return result;
}

// ---- Inference and training ---------------------------------------------------------------------

void read_inference(const JsonPlace& place, RuleBase& base) {
  place.check_keys({"semantics", "tnorm", "root"});
  if (const auto semantics = place.find("semantics")) {
    if (semantics->text() == to_string(Semantics::additive))
      base.semantics = Semantics::additive;
    else if (semantics->text() != to_string(Semantics::sufficient))
      semantics->fail("'" + semantics->text() +
                      "' is not a way to decide: write sufficient or additive");
  }
  if (const auto tnorm = place.find("tnorm")) {
    try {
      base.tnorm = parse_tnorm(tnorm->text());
    } catch (const Error& error) {
      tnorm->fail(error.what());
    }
  }
  if (const auto root = place.find("root")) base.root = root->number_within(1, max_root);
}

Json write_training(const TrainingSummary& summary) {
  Json settings = Json::object();
  for (const auto& [name, value] : summary.settings) add_member(settings, name, value);
  Json result = Json::object();
  add_member(result, "version", summary.version);
  add_member(result, "data", summary.source);
  add_member(result, "rows", summary.rows);
  add_member(result, "epochs", summary.epochs);
  add_member(result, "train_accuracy", summary.train_accuracy);
  add_member(result, "agreement", summary.agreement);
  add_member(result, "stopped_early", summary.stopped_early);
  add_member(result, "settings", std::move(settings));
  add_member(result, "notes", summary.notes);
  return result;
}

TrainingSummary read_training(const JsonPlace& place) {
  place.check_keys({"version", "data", "rows", "epochs", "train_accuracy", "agreement",
                    "stopped_early", "settings", "notes"});
  TrainingSummary result;
  if (const auto p = place.find("version")) result.version = p->text();
  if (const auto p = place.find("data")) result.source = p->text();
  if (const auto p = place.find("rows")) result.rows = p->whole(max_count);
  if (const auto p = place.find("epochs"))
    result.epochs = static_cast<int>(p->whole(std::numeric_limits<int>::max()));
  if (const auto p = place.find("train_accuracy")) result.train_accuracy = p->number_within(0, 100);
  if (const auto p = place.find("agreement")) result.agreement = p->number_within(0, 100);
  if (const auto p = place.find("stopped_early")) result.stopped_early = p->boolean();
  if (const auto p = place.find("settings"))
    for (const auto& [name, value] : p->members()) result.settings.emplace_back(name, value.text());
  if (const auto p = place.find("notes"))
    for (const JsonPlace& note : p->items()) result.notes.push_back(note.text());
  return result;
}

// ---- The whole ----------------------------------------------------------------------------------

void check_header(const JsonPlace& model) {
  const auto format = model.find("format");
  if (!format || format->text() != format_name)
    model.fail("this is not an FRR model: it does not say \"format\": \"" +
               std::string(format_name) + "\"");
  const JsonPlace version = model.at("version");
  const std::size_t number = version.whole(max_count);
  if (number > format_version)
    version.fail("made by a newer FRR: the model has format " + std::to_string(number) +
                 ", this program reads format " + std::to_string(format_version) +
                 ". Update FRR, or train the model again");
  if (number == 0) version.fail("there is no model format 0");
}

// In format 1, additive rules had no biases, and the class with the largest sum was predicted.
void check_semantics(const JsonPlace& model, const RuleBase& base) {
  const bool changed = base.semantics == Semantics::additive && model.at("version").number() < 2;
  if (changed)
    model.at("version").fail(
        "made by FRR 0.2 or earlier: additive rules now give probabilities, which this model does "
        "not have. Train it again");
}

std::vector<std::string> read_classes(const JsonPlace& place) {
  std::vector<std::string> classes;
  Names seen;
  for (const JsonPlace& item : place.items()) {
    if (!seen.emplace(item.text(), 0).second)
      item.fail("the class '" + item.text() + "' is listed twice");
    classes.push_back(item.text());
  }
  if (classes.size() < 2) place.fail("a model needs at least two classes");
  return classes;
}

RuleBase read_model(const JsonPlace& model) {
  check_header(model);
  model.check_keys({"format", "version", "target", "classes", "inference", "decisions", "missing",
                    "class_rows", "biases", "nats_per_point", "features", "rules", "else",
                    "training"});
  RuleBase base;
  base.target = model.at("target").text();
  base.classes = read_classes(model.at("classes"));
  if (const auto inference = model.find("inference")) read_inference(*inference, base);
  check_semantics(model, base);
  if (const auto scale = model.find("nats_per_point")) {
    base.nats_per_point = scale->number_within(0, max_score);
    if (base.semantics != Semantics::additive || base.classes.size() != 2)
      scale->fail("points need additive rules and two classes");
  }
  const JsonPlace features = model.at("features");
  for (const auto& [name, place] : features.members()) {
    if (name.empty()) features.fail("a feature needs a name");
    if (name == base.target) place.fail("the target cannot be a feature");
    base.partition.features.push_back(read_feature(name, place));
  }
  const RuleReader reader(base, features);
  if (const auto policy = model.find("decisions")) base.policy = reader.policy(*policy);
  if (const auto rows = model.find("class_rows")) base.class_rows = reader.counts(*rows);
  if (base.semantics == Semantics::additive) base.biases = reader.biases(model.at("biases"));
  if (base.nats_per_point && base.policy.positive < 0)
    model.at("nats_per_point").fail("points need a positive class: name it in \"decisions\"");
  for (const JsonPlace& place : model.at("rules").items()) base.rules.push_back(reader.rule(place));
  const JsonPlace otherwise = model.at("else");
  otherwise.check_keys({"then", rows_key(base), "covers"});
  const JsonPlace then = otherwise.at("then");
  base.otherwise = reader.class_index(then, then.text());
  base.otherwise_statistics = reader.statistics(otherwise);
  if (const auto training = model.find("training")) base.summary = read_training(*training);
  if (const auto missing = model.find("missing")) {
    base.missing = read_codes(*missing);
  } else {
    base.missing = recorded_codes(base.summary);
  }
  return base;
}

}  // namespace

std::string to_json(const RuleBase& base) {
  Json features = Json::object();
  for (const Feature& feature : base.partition.features)
    add_member(features, feature.name, write_feature(feature));
  Json rules = Json::array();
  for (const Rule& rule : base.rules) rules.push_back(write_rule(base, rule));
  Json otherwise = Json::object();
  add_member(otherwise, "then", base.classes[static_cast<std::size_t>(base.otherwise)]);
  write_statistics(base, base.otherwise_statistics, otherwise);

  Json model = Json::object();
  add_member(model, "format", format_name);
  add_member(model, "version", format_version);
  add_member(model, "target", base.target);
  add_member(model, "classes", base.classes);
  add_member(model, "inference",
             Json::object({{"semantics", to_string(base.semantics)},
                           {"tnorm", to_string(base.tnorm)},
                           {"root", base.root}}));
  const Json policy = write_policy(base);
  if (!policy.empty()) add_member(model, "decisions", policy);
  if (!base.missing.empty()) add_member(model, "missing", base.missing);
  if (!base.class_rows.empty())
    add_member(model, "class_rows", write_by_class(base, base.class_rows));
  if (base.semantics == Semantics::additive)
    add_member(model, "biases", write_by_class(base, base.biases));
  if (base.nats_per_point) add_member(model, "nats_per_point", *base.nats_per_point);
  add_member(model, "features", std::move(features));
  add_member(model, "rules", std::move(rules));
  add_member(model, "else", std::move(otherwise));
  add_member(model, "training", write_training(base.summary));
  return write_json(model, {"features", "training"}, {"rules", "labels", "notes"});
}

RuleBase from_json(std::string_view text, const std::string& source) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && text[first] != '{' && text[first] != '[')
    fail_data(
        source +
        ": this is not a model file of frr train, which begins with '{'. Are the model and the "
        "data in the right order?");
  const Json value = parse_json(text, source);
  return read_model(JsonPlace(value, source));
}

void save(const RuleBase& base, const std::string& path) { write_file(path, to_json(base)); }

RuleBase load(const std::string& path) { return from_json(read_file(path, max_bytes), path); }

}  // namespace frr
