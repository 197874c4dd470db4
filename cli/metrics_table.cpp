#include "metrics_table.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/visible_text.hpp"
#include "report_table.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr std::size_t most_classes = 12;

// Characters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Padded on the right.
std::string left(const std::string& text, std::size_t width) {
  const std::string shown = visible_text(text);
  const std::size_t characters = length(shown);
  return shown + std::string(width > characters ? width - characters : 0, ' ');
}

std::size_t widest(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, length(visible_text(name)));
  return least;
}

std::string with_interval(double value, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return figure(value);
  return figure(value) + " (" + figure(low) + "-" + figure(high) + ")";
}

// A sum of weights: whole numbers as such.
std::string weight_text(double weight, bool weighted) {
  return fixed(weight, weighted && std::floor(weight) != weight ? 1 : 0);
}

// The name of an overall figure, and of which class it is if it is not of all rows.
std::string overall_name(const Figure<Metrics>& figure, const MetricsReport& report) {
  std::string name = figure.name;
  if (figure.value != &Metrics::auc && figure.value != &Metrics::average_precision) return name;
  const bool two = report.classes.size() == 2 && report.positive;
  return name + (two ? " of " + report.classes[*report.positive] : ", mean of the classes");
}

struct Line {
  std::string name;
  double value, low, high;
};

std::vector<Line> overall_lines(const MetricsReport& report) {
  std::vector<Line> lines;
  for (const auto& item : overall_figures) {
    const double value = report.metrics.value.*item.value;
    const bool of_referrals =
        item.value == &Metrics::referred || item.value == &Metrics::error_of_others;
    if (of_referrals && std::isnan(report.metrics.value.referred)) continue;
    lines.push_back({overall_name(item, report), value, report.metrics.low.*item.value,
                     report.metrics.high.*item.value});
  }
  return lines;
}

std::string lines_table(const std::vector<Line>& lines) {
  std::vector<std::string> names;
  names.reserve(lines.size());
  for (const Line& line : lines) names.push_back(line.name);
  const std::size_t first = widest(names, 0);
  std::string text = bold(std::string(first, ' ') + right("value", 10) + "   95 % interval") + "\n";
  for (const Line& line : lines) {
    text += left(line.name, first) + right(figure(line.value), 10);
    if (!std::isnan(line.low) && !std::isnan(line.high)) {
      text += "   " + figure(line.low) + " to " + figure(line.high);
    }
    text += "\n";
  }
  return text;
}

struct GroupColumn {
  const char* title;
  double GroupMetrics::*value;
  bool of_positive;  // shown only if there is a positive class
};
constexpr GroupColumn group_columns[] = {
    {"accuracy", &GroupMetrics::accuracy, false},
    {"positive", &GroupMetrics::prevalence, true},
    {"predicted", &GroupMetrics::predicted_positive, true},
    {"TPR", &GroupMetrics::true_positive_rate, true},
    {"FPR", &GroupMetrics::false_positive_rate, true},
    {"PPV", &GroupMetrics::ppv, true},
    {"AUC", &GroupMetrics::auc, false},
    {"cal.err", &GroupMetrics::calibration_error, false},
};

std::string group_line(const MetricsReport& report, const GroupMetrics& metrics) {
  std::string text;
  for (const GroupColumn& column : group_columns) {
    if (column.of_positive && !report.positive) continue;
    const std::size_t width = std::max<std::size_t>(7, std::string_view(column.title).size() + 1);
    text += right(figure(metrics.*column.value), width);
  }
  return text + "\n";
}

// Classes from `from` to `to`, side by side.
std::string class_block(const MetricsReport& report, std::size_t from, std::size_t to,
                        std::size_t first, std::size_t cell) {
  std::string header(first, ' ');
  for (std::size_t c = from; c < to; ++c) {
    const bool positive = report.classes.size() == 2 && report.positive == c;
    header += "  " + left(report.classes[c] + (positive ? " (positive)" : ""), cell - 2);
  }
  std::string text = "\n" + bold(header.substr(0, header.find_last_not_of(' ') + 1)) + "\n";
  std::string line = left("rows", first);
  for (std::size_t c = from; c < to; ++c)
    line += "  " + left(std::to_string(report.class_rows[c]), cell - 2);
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  for (std::size_t k = 0; k < std::size(class_figures); ++k) {
    line = left(class_figures[k].name, first);
    for (std::size_t c = from; c < to; ++c) {
      const auto value = class_figures[k].value;
      line += "  " + left(with_interval(report.metrics.value.classes[c].*value,
                                        report.metrics.low.classes[c].*value,
                                        report.metrics.high.classes[c].*value),
                          cell - 2);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string figure(double value) {
  if (std::isnan(value)) return "-";
  const std::string text = fixed(value, 3);
  return text == "-0.000" ? "0.000" : text;
}

std::string overall_table(const MetricsReport& report) {
  return lines_table(overall_lines(report));
}

std::string summary_table(const MetricsReport& report) {
  std::vector<Line> lines = overall_lines(report);
  if (report.positive) {
    const std::size_t c = *report.positive;
    for (const auto& item : class_figures) {
      const bool rate = item.value == &ClassMetrics::sensitivity ||
                        item.value == &ClassMetrics::specificity ||
                        item.value == &ClassMetrics::ppv || item.value == &ClassMetrics::npv;
      if (!rate) continue;
      lines.push_back({item.name + std::string(" of ") + report.classes[c],
                       report.metrics.value.classes[c].*item.value,
                       report.metrics.low.classes[c].*item.value,
                       report.metrics.high.classes[c].*item.value});
    }
  }
  return lines_table(lines);
}

std::string class_table(const MetricsReport& report, std::size_t columns) {
  const std::size_t classes = report.classes.size();
  if (classes > most_classes) return "";
  const std::size_t first = 17;
  const std::size_t cell = widest(report.classes, 0) + (classes == 2 ? 11 : 0) + 2;
  const std::size_t width = std::max<std::size_t>(cell, 21);
  const std::size_t room = columns > first ? (columns - first) / width : 0;
  const std::size_t at_once = std::max<std::size_t>(room, 1);
  std::string text;
  for (std::size_t from = 0; from < classes; from += at_once)
    text += class_block(report, from, std::min(classes, from + at_once), first, width);
  return text;
}

std::string confusion_table(const MetricsReport& report) {
  if (report.classes.size() > most_classes) return "";
  const std::size_t width = widest(report.classes, 8) + 2;
  const std::size_t first = std::max<std::size_t>(width, 18);
  std::string header = right("true \\ predicted", first);
  for (const std::string& name : report.classes) header += right(name, width);
  std::string text = "\n" + bold(header) + "\n";
  for (std::size_t c = 0; c < report.confusion.size(); ++c) {
    text += right(report.classes[c], first);
    for (const double weight : report.confusion[c])
      text += right(weight_text(weight, report.weighted), width);
    text += "\n";
  }
  return text;
}

std::string group_table(const MetricsReport& report, const Grouping& grouping) {
  std::vector<std::string> names;
  for (const Group& group : grouping.groups) names.push_back(group.name.value_or("(missing)"));
  const std::size_t first = widest(names, std::max<std::size_t>(5, length(grouping.column)));
  std::string header = left(grouping.column, first) + right("rows", 8);
  for (const GroupColumn& column : group_columns) {
    if (column.of_positive && !report.positive) continue;
    header +=
        right(column.title, std::max<std::size_t>(7, std::string_view(column.title).size() + 1));
  }
  std::string text = "\n" + bold(header) + "\n";
  for (std::size_t g = 0; g < names.size(); ++g) {
    text += left(names[g], first) + right(std::to_string(grouping.groups[g].rows), 8) +
            group_line(report, grouping.groups[g].metrics.value);
  }
  return text + left("gap", first) + std::string(8, ' ') + group_line(report, grouping.gaps);
}

}  // namespace frr::cli
