#include "no_rules.hpp"

#include "model/policy.hpp"
#include "text/decision_text.hpp"
#include "train/training_summary.hpp"

namespace frr::cli {
using namespace internal;

void warn_of_no_rules(const RuleBase& base, Terminal& terminal) {
  if (!base.rules.empty()) return;
  const auto predicted = static_cast<std::size_t>(base.otherwise);
  const std::vector<double> shares = base.semantics == Semantics::additive
                                         ? softmax(base.biases)
                                         : probabilities(base, Decision::otherwise);
  std::string probability;
  if (has_counts(base)) probability = ", with a probability of " + percent_text(shares[predicted]);
  terminal.warn("the model has no rules: it predicts '" + base.classes[predicted] +
                "' for every row" + probability + ". To get rules, train it again and try " +
                to_try(options_for_rules(base)));
}

}  // namespace frr::cli
