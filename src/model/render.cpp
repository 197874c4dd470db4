#include <algorithm>
#include <cmath>
#include <set>

#include "base/number.hpp"
#include "base/visible_text.hpp"
#include "frr/frr.hpp"
#include "model/number_format.hpp"
#include "model/rule_table.hpp"

namespace frr {
using namespace internal;
namespace {

// ---- Small texts --------------------------------------------------------------------------------

// Columns that UTF-8 text occupies on a terminal, one per code point.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = width_of(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : visible_text(text)) {
    if (std::string_view("\\|`*_<>[]&~$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// A weight or another number in (0, 1]: two significant digits.
std::string share_text(double value) {
  const int decimals = value > 0 ? 1 - static_cast<int>(std::floor(std::log10(value))) : 2;
  return decimals > 12 ? plain_number(value) : fixed_number(value, std::max(decimals, 2));
}

// Whole percent; 0% and 100% only if exact.
std::string percent(double part, double whole) {
  double result = std::round(100 * part / whole);
  if (part > 0) result = std::max(result, 1.0);
  if (part < whole) result = std::min(result, 99.0);
  return plain_number(result) + "%";
}

std::string count_text(double count, std::string_view noun) {
  return fixed_number(count, 1) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// ---- Numbers of one feature ---------------------------------------------------------------------

std::string range_meaning(const Trapezoid& shape, const NumberFormat& number) {
  const auto& [a, b, c, d] = shape;
  const bool open_left = std::isinf(a);
  const bool open_right = std::isinf(d);
  if (open_left && open_right) return "any value";
  if (a == d) return "no value";
  const std::string fall = ", fading out until " + number(d);
  if (open_left) return c == d ? "below " + number(d) : "fully up to " + number(c) + fall;
  const std::string rise = a == b ? "" : "fading in from " + number(a) + ", ";
  if (open_right) return rise + (a == b ? "" : "fully ") + "from " + number(b);
  if (a == b && c == d) return "from " + number(a) + " to below " + number(d);
  if (b == c && c == d) return rise + "up to below " + number(d);  // fully nowhere
  if (b == c) return rise + "fully at " + number(b) + fall;
  return rise + "fully from " + number(b) + " to " +
         (c == d ? "below " + number(d) : number(c) + fall);
}

struct Meaning {
  std::string label, text;
};

std::vector<Meaning> meanings(const Feature& feature) {
  const NumberFormat number(feature);
  std::vector<Meaning> result;
  for (const Label& label : feature.labels) {
    if (label.kind == LabelKind::range)
      result.push_back({label.name, range_meaning(label.shape, number)});
    if (label.kind == LabelKind::missing) result.push_back({label.name, "no value is given"});
  }
  return result;
}

// Features that rules read and whose labels need an explanation, in the order of the model.
std::vector<const Feature*> explained_features(const RuleBase& base) {
  std::set<int> used;
  for (const Rule& rule : base.rules)
    for (const Condition& c : rule.conditions) used.insert(c.feature);
  std::vector<const Feature*> result;
  for (const int f : used) {
    const Feature& feature = base.partition.features[static_cast<std::size_t>(f)];
    if (!meanings(feature).empty()) result.push_back(&feature);
  }
  return result;
}

std::string training_range(const Feature& feature) {
  if (feature.type != ColumnType::numeric || feature.low >= feature.high) return "";
  const NumberFormat number(feature);
  return "training values from " + number(feature.low) + " to " + number(feature.high);
}

// ---- Rules --------------------------------------------------------------------------------------

// A model written by hand may have no counts: then none are shown.
bool has_statistics(const RuleBase& base) {
  return base.otherwise_statistics.rows() > 0 ||
         std::any_of(base.rules.begin(), base.rules.end(),
                     [](const Rule& rule) { return rule.statistics.rows() > 0; });
}

std::string decides_text(const Statistics& statistics, int then) {
  const double rows = statistics.rows();
  std::string result = "decides " + count_text(rows, "row");
  if (rows > 0)
    result +=
        ", " + percent(statistics.class_rows[static_cast<std::size_t>(then)], rows) + " right";
  return result;
}

std::string truth_text(const RuleBase& base) {
  std::string result;
  if (base.tnorm.kind == TNormKind::product)
    result = "the product of the degrees of its conditions";
  else if (base.tnorm.kind == TNormKind::minimum)
    result = "the smallest degree of its conditions";
  else
    result = "the degrees of its conditions combined by the t-norm " + to_string(base.tnorm);
  if (base.root != 1) result += ", to the power 1/" + plain_number(base.root);
  return result;
}

std::string method_text(const RuleBase& base) {
  const std::string how = base.semantics == Semantics::sufficient
                              ? "The rule with the largest weight x truth decides"
                              : "The scores of all rules, weight x truth, are added by class, and "
                                "the class with the largest sum decides";
  if (base.rules.empty()) return "There is no rule: ELSE decides every row.";
  return how + " (truth: " + truth_text(base) + "). Where no rule applies, ELSE does.";
}

}  // namespace

std::string to_text(const RuleBase& base) {
  const bool counted = has_statistics(base);
  struct Line {
    std::string rule, remark;
  };
  std::vector<Line> lines;
  for (const Rule& rule : base.rules)
    lines.push_back({base.rule_text(rule),
                     "(weight " + share_text(rule.weight) +
                         (counted ? ", " + decides_text(rule.statistics, rule.then) : "") + ")"});
  lines.push_back(
      {"ELSE " + base.classes[static_cast<std::size_t>(base.otherwise)],
       counted ? "(" + decides_text(base.otherwise_statistics, base.otherwise) + ")" : ""});

  std::size_t width = 0;
  for (Line& line : lines) {
    line.rule = visible_text(line.rule);
    width = std::max(width, width_of(line.rule));
  }
  std::string result;
  for (const Line& line : lines)
    result += line.remark.empty() ? line.rule + "\n"
                                  : padded(line.rule, width) + "   " + line.remark + "\n";

  result += "\n" + method_text(base) + "\n";
  const std::vector<const Feature*> features = explained_features(base);
  if (!features.empty()) result += "\nWhat the labels mean:\n";
  for (const Feature* feature : features) {
    const std::string range = training_range(*feature);
    result += "  " + visible_text(feature->name) + (range.empty() ? "" : " (" + range + ")") + "\n";
    std::vector<Meaning> labels = meanings(*feature);
    std::size_t longest = 0;
    for (Meaning& m : labels) {
      m.label = visible_text(m.label);
      longest = std::max(longest, width_of(m.label));
    }
    for (const Meaning& m : labels)
      result += "    " + padded(m.label, longest) + "  " + m.text + "\n";
  }
  return result;
}

RuleTable internal::make_rule_table(const RuleBase& base) {
  RuleTable table;
  const bool counted = has_statistics(base);
  const auto add = [&](RuleTable::Row row, const Statistics& statistics, int then) {
    const double rows = statistics.rows();
    row.then = base.classes[static_cast<std::size_t>(then)];
    if (counted) row.decides = fixed_number(rows, 1);
    if (counted && rows > 0)
      row.right = percent(statistics.class_rows[static_cast<std::size_t>(then)], rows);
    table.rows.push_back(std::move(row));
  };
  for (std::size_t r = 0; r < base.rules.size(); ++r) {
    const Rule& rule = base.rules[r];
    RuleTable::Row row;
    row.number = std::to_string(r + 1);
    row.weight = share_text(rule.weight);
    for (const Condition& c : rule.conditions) row.conditions.push_back(base.condition_text(c));
    add(std::move(row), rule.statistics, rule.then);
  }
  RuleTable::Row otherwise;
  otherwise.number = "0";
  add(std::move(otherwise), base.otherwise_statistics, base.otherwise);
  table.method = method_text(base);
  for (const Feature* feature : explained_features(base))
    for (const Meaning& m : meanings(*feature))
      table.meanings.push_back({feature->name, m.label, m.text});
  return table;
}

std::string to_markdown(const RuleBase& base) {
  const RuleTable table = make_rule_table(base);
  const auto cell = [](const std::string& text) { return text.empty() ? " |" : " " + text + " |"; };
  std::string result =
      "| Rule | IF | THEN | Weight | Decides rows | Right |\n"
      "|---:|:---|:---|---:|---:|---:|\n";
  for (const RuleTable::Row& row : table.rows) {
    std::string conditions;
    for (const std::string& c : row.conditions)
      conditions += (conditions.empty() ? "" : " AND ") + c;
    result += "|" + cell(row.number) + cell(row.conditions.empty() ? "ELSE" : escaped(conditions)) +
              cell(escaped(row.then)) + cell(row.weight) + cell(row.decides) + cell(row.right) +
              "\n";
  }
  result += "\n" + escaped(table.method) + "\n";
  if (!table.meanings.empty()) result += "\n| Feature | Label | Meaning |\n|:---|:---|:---|\n";
  for (const RuleTable::Meaning& m : table.meanings)
    result += "|" + cell(escaped(m.feature)) + cell(escaped(m.label)) + cell(m.text) + "\n";
  return result;
}

}  // namespace frr
