#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "problem.hpp"
#include "table_argument.hpp"

namespace frr::bench {

void prediction(Arguments arguments) {
  if (arguments.size() != 3) fail_usage("frr_bench predict MODEL TABLE THREADS");
  const RuleBase base = load(arguments[0]);
  const Table table = table_argument(arguments[1]);
  const int threads = std::stoi(arguments[2]);
  const nlohmann::ordered_json ready = {
      {"rows", table.rows}, {"rules", base.rules.size()}, {"conditions", base.size()}};
  // From the table in memory to a decision for every row, in memory of its own.
  serve(ready.dump(), [&] {
    return seconds_of([&] {
      const Binding binding(base, table);
      const auto decisions = decide_all(base, binding, threads);
      if (decisions.size() != table.rows) fail_data("rows without a decision");
    });
  });
}

}  // namespace frr::bench
