// The library in one page: read a table, learn rules, read them, predict, explain, save, load.
// Built and run by the tests.   api_example DATA.csv MODEL.json
#include <cstdlib>
#include <frr/frr.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: api_example DATA.csv MODEL.json\n";
    return EXIT_FAILURE;
  }

  // The last column is the target; types, delimiter and missing values are found by themselves.
  frr::CsvOptions csv;
  csv.target = "";
  const frr::Table table = frr::read_csv_file(argv[1], csv);

  // At most 6 rules of at most 2 conditions.
  frr::TrainRequest request;
  request.settings.rules = 6;
  request.settings.conditions = 2;
  const frr::RuleBase rules = frr::train(table, request);
  std::cout << frr::to_text(rules);

  std::cout << "training accuracy " << frr::evaluate(rules, table).accuracy << " %\n";

  // The decision for each row, and the probability of each class for each row, row by row.
  const std::vector<frr::Decision> decisions = frr::predict(rules, table);
  const std::vector<double> shares = frr::predict_proba(rules, table);
  const auto predicted = static_cast<std::size_t>(decisions[0].predicted);
  std::cout << "row 1 is " << rules.classes[predicted] << " with probability " << shares[predicted]
            << "\n";

  // Why did the first row get its class?
  const frr::Explanation why = frr::explain(rules, table, 0);
  std::cout << "decided by " << (why.winner ? "a rule" : "ELSE") << "\n";

  // The file holds all of the model: what is loaded predicts the same.
  frr::save(rules, argv[2]);
  const frr::RuleBase loaded = frr::load(argv[2]);
  if (frr::predict_proba(loaded, table) != shares) return EXIT_FAILURE;
  return EXIT_SUCCESS;
} catch (const frr::Error& error) {
  std::cerr << error.what() << "\n";
  return EXIT_FAILURE;
}
