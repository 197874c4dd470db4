#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "model/decider.hpp"
#include "problem.hpp"
#include "table_argument.hpp"

namespace frr::bench {
namespace {

// The numbers of a table row by row, as in most arrays of other programs.
template <typename Number>
class Matrix {
 public:
  explicit Matrix(const Table& table) : view_(table) {
    std::vector<const Column*> numeric;
    for (const Column& column : table.columns) {
      if (column.type == ColumnType::numeric) numeric.push_back(&column);
    }
    for (std::size_t row = 0; row < table.rows; ++row) {
      for (const Column* column : numeric) {
        numbers_.push_back(static_cast<Number>(column->values[row]));
      }
    }
    const Number* next = numbers_.data();
    const auto stride = static_cast<std::ptrdiff_t>(numeric.size() * sizeof(Number));
    for (ColumnView& column : view_.columns) {
      if (column.type != ColumnType::numeric) continue;
      column.numbers = {.data = next++, .stride = stride, .single = std::is_same_v<Number, float>};
    }
  }
  [[nodiscard]] const TableView& view() const { return view_; }

 private:
  TableView view_;
  std::vector<Number> numbers_;
};

// Decides all rows from numbers in memory, and allocates the result.
void serve_predictions(const RuleBase& base, const TableView& table, int threads) {
  const nlohmann::ordered_json ready = {
      {"rows", table.rows}, {"rules", base.rules.size()}, {"conditions", base.size()}};
  serve(ready.dump(), [&] {
    return seconds_of([&] {
      const ColumnMap map(base, table);
      const auto decisions = decide_all(base, map, threads);
      if (decisions.size() != table.rows) fail_data("rows without a decision");
    });
  });
}

}  // namespace

void prediction(Arguments arguments) {
  if (arguments.size() < 3 || arguments.size() > 4) {
    fail_usage("frr_bench predict MODEL TABLE THREADS [columns|float64|float32]");
  }
  const RuleBase base = load(arguments[0]);
  Table table = table_argument(arguments[1]);
  const int threads = std::stoi(arguments[2]);
  const std::string form = arguments.size() == 4 ? arguments[3] : "columns";
  if (form == "float64") {
    const Matrix<double> matrix(table);
    serve_predictions(base, matrix.view(), threads);
  } else if (form == "float32") {
    const Matrix<float> matrix(table);
    serve_predictions(base, matrix.view(), threads);
  } else {
    serve_predictions(base, TableView(table), threads);
  }
}

}  // namespace frr::bench
