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
  // From the table in memory to a decision for every row, in memory too.
  std::vector<Decision> decisions(table.rows);
  serve(ready.dump(), [&] {
    return seconds_of([&] {
      const Binding binding(base, table);
      decide_all(base, binding, decisions, threads);
    });
  });
}

}  // namespace frr::bench
