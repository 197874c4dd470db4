// Everything that can be set about training. One field per option; src/options holds the table
// with each option's name, range and help, which the command line, the model and the docs read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frr/api.hpp"

namespace frr {

enum class PartitionKind { quantile, uniform, supervised };
enum class TNormKind { product, minimum, aczel_alsina, lukasiewicz, hamacher };
enum class Semantics { sufficient, additive };
enum class ClassWeight { none, balanced };

// The conjunction of a rule's conditions. `lambda` (>= 1) belongs to aczel_alsina alone.
struct TNorm {
  TNormKind kind = TNormKind::product;
  double lambda = 1.0;
  bool operator==(const TNorm&) const = default;
};
// "product", ..., "aczel-alsina:2.5"; Error{usage}
FRR_API TNorm parse_tnorm(std::string_view text);
FRR_API std::string to_string(const TNorm& tnorm);
FRR_API std::string_view to_string(Semantics semantics);

// The defaults are those of the preset `default`.
struct Settings {
  std::string preset = "default";

  // Hard limits of the rule base.
  int rules = 15;
  int conditions = 3;
  int labels = 0;  // 0: chosen from the numbers of rows and columns

  // Examples.
  int augment = 4000;  // fewer rows are filled up to so many, with classes given by a forest
  int trees = 100;     // of the forest
  int leaf = 0;        // rows in a leaf of its trees at least; 0: chosen by rows they have not seen

  // Partition.
  PartitionKind partition = PartitionKind::supervised;
  double slope = 0.2;       // share of the rows on each side of a border that its slope reaches
  double min_share = 0.05;  // supervised: every label holds at least this share of the rows
  int bins = 40;            // supervised: quantile bins among which cut points are chosen
  int max_features = 256;   // columns to learn from: those that tell most about the class
  int max_categories = 64;  // categories of one column that get a label; rarer ones get none

  // Model.
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1.0;  // truth of a rule is T(conditions)^(1/root)

  // Large tables: how many rows, drawn at random, each stage looks at. Classes, weights and counts
  // of the rules are always those of all rows.
  int gradient_rows = 32768;  // gradient descent
  int search_rows = 131072;   // partition, polish and tuning

  // Gradient descent.
  bool gradient = true;  // false: the search starts from no rules
  int epochs = 0;        // 0: chosen from the number of rows
  int batch = 64;
  double learning_rate = 0.05;
  bool cosine = true;        // cosine decay of the learning rate to 0
  double temperature = 0.1;  // softmax temperature (the paper's alpha)
  double beta_start = 1.0;   // restricted addition, linear schedule
  double beta_end = 0.0;
  double gamma_start = 0.1;  // residual connection, linear schedule
  double gamma_end = 0.0;
  double max_start = 4.0;  // temperature of the smooth maximum, geometric schedule; 0: hard max
  double max_end = 40.0;
  double kappa = 8.0;         // scale of the scores in the cross-entropy
  double cancel_price = 0.0;  // weight of the cancellation term of the loss
  bool normalise = true;      // restricted addition normalised to a convex combination
  ClassWeight class_weight = ClassWeight::none;
  int restarts = 1;  // trainings from different starts; the best training objective wins
  int patience = 0;  // stop after this many epochs without a better loss; 0: never

  // After the gradient.
  bool polish = true;
  bool tune = true;
  double price = 0.1;          // rows a condition must earn, plus ...
  double price_rate = 0.0005;  // ... this share of all rows
  double margin = 3.0;         // half width of the gain's ramp, in steps of a factor 1.25
  int grid = 0;                // quantiles among which a border is tuned; 0: chosen from the rows
  int sweeps = 3;              // at most so many rounds of polish

  // The run.
  std::uint64_t seed = 0;
  double time_limit = 0.0;  // seconds; 0: none. Training stops there with the best so far
  int threads = 0;          // 0: all cores. Never changes the result
};

FRR_API Settings preset(std::string_view name);   // "default" or "paper"; Error{usage}
FRR_API void validate(const Settings& settings);  // Error{usage} naming option, value and range

}  // namespace frr
