#include "roc_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/visible_text.hpp"
#include "metrics_table.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr std::size_t columns = 51, rows = 16;

class Grid {
 public:
  Grid() : lines_(rows, std::string(columns, ' ')) {}

  void mark(double false_positive_rate, double true_positive_rate, char sign) {
    const auto column = static_cast<std::size_t>(std::lround(false_positive_rate * (columns - 1)));
    const auto row = static_cast<std::size_t>(std::lround((1 - true_positive_rate) * (rows - 1)));
    lines_[row][column] = sign;
  }
  // Line `row` from the top, without blanks at its end.
  [[nodiscard]] std::string line(std::size_t row) const {
    return lines_[row].substr(0, lines_[row].find_last_not_of(' ') + 1);
  }

 private:
  std::vector<std::string> lines_;
};

void draw_line(const RocPoint& from, const RocPoint& to, Grid& grid) {
  constexpr int steps = 4 * static_cast<int>(columns + rows);
  for (int step = 0; step <= steps; ++step) {
    const double share = static_cast<double>(step) / steps;
    const auto between = [&](double x, double y) { return x + share * (y - x); };
    grid.mark(between(from.false_positive_rate, to.false_positive_rate),
              between(from.true_positive_rate, to.true_positive_rate), '.');
  }
}

}  // namespace

std::string roc_plot(const MetricsReport& report) {
  if (report.roc.empty()) return "";
  Grid grid;
  for (std::size_t i = 1; i < report.roc.size(); ++i)
    draw_line(report.roc[i - 1], report.roc[i], grid);
  for (const RocPoint& point : report.roc)
    grid.mark(point.false_positive_rate, point.true_positive_rate, 'o');
  const std::size_t positive = *report.positive;
  std::string text = "\n" +
                     bold("ROC curve of " + visible_text(report.classes[positive]) + " (AUC " +
                          figure(report.metrics.value.classes[positive].auc) + ")") +
                     "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const bool labelled = row % 3 == 0;  // 1.0, 0.8, ... 0.0
    const double rate = 1 - static_cast<double>(row) / (rows - 1);
    text += (labelled ? fixed(rate, 1) + " |" : "    |") + grid.line(row) + "\n";
  }
  text += "    +";
  std::string scale(5, ' ');
  for (std::size_t column = 0; column < columns; ++column) {
    const bool labelled = column % 10 == 0;
    text += labelled ? '+' : '-';
    if (!labelled) continue;
    scale.resize(column + 4, ' ');
    scale += fixed(static_cast<double>(column) / (columns - 1), 1);
  }
  return text + "\n" + scale + "\n" +
         "    true positive rate (up) over false positive rate; o: a threshold\n";
}

}  // namespace frr::cli
