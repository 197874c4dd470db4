// The settings of training, one field per option. The table in src/train/options.cpp gives each
// option's name, range and help to the command line, the model file and the docs.
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
// automatic: risk if the rarest class has less than 10 % of the rows, else accuracy.
enum class Objective { automatic, accuracy, risk };

// The conjunction of a rule's conditions. Only aczel_alsina uses `lambda` (>= 1).
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
  int labels = 0;  // per feature; 0: chosen from the numbers of rows and columns

  // Examples.
  int augment = 4000;  // smaller tables get synthetic rows up to this number
  int trees = 100;     // of the forest that predicts the classes of synthetic rows
  int leaf = 0;        // minimum rows per leaf of its trees; 0: chosen by out-of-bag accuracy

  // Partition.
  PartitionKind partition = PartitionKind::supervised;
  double slope = 0.2;       // width of a border's slope on each side, as a fraction of the rows
  double min_share = 0.05;  // supervised: minimum fraction of the rows per label
  int bins = 40;            // supervised: quantile bins whose edges are the possible cuts
  int max_features = 256;   // columns to learn from: those most informative about the class
  int max_categories = 64;  // labels per categorical column: its most frequent categories

  // Model.
  TNorm tnorm;
  Semantics semantics = Semantics::sufficient;
  double root = 1.0;                           // truth of a rule is T(conditions)^(1/root)
  Objective objective = Objective::automatic;  // of sufficient rules
  int points = 0;  // additive semantics: scorecard of whole points up to this number; 0: none

  // Large tables: the number of rows, drawn at random, that each stage uses. Classes and counts of
  // the rules always come from all rows, as do the weights of rules that are learned for accuracy.
  int gradient_rows = 32768;  // gradient descent
  int search_rows = 131072;   // partition, polish and tuning

  // Gradient descent.
  bool gradient = true;  // false: the search starts without rules
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
  int restarts = 1;  // number of random starts; the candidate with the best objective is kept
  int patience = 0;  // stop after this many epochs without a better loss; 0: never

  // After gradient descent.
  bool polish = true;
  bool tune = true;
  double price = 0.1;          // per condition, in rows; by log-loss, a multiple in nats
  double price_rate = 0.0005;  // additional price per condition, as a fraction of all rows
  double margin = 3.0;         // half width of the objective's ramp, in steps of a factor of 1.25
  int grid = 0;                // quantiles to try for a border; 0: chosen from the number of rows
  int sweeps = 3;              // maximum number of sweeps of polish

  // The run.
  std::uint64_t seed = 0;
  double time_limit = 0.0;  // seconds; 0: none. Training then returns the best rules so far
  int threads = 0;          // 0: one per core. Never changes the result
};

FRR_API Settings preset(std::string_view name);   // "default" or "paper"; Error{usage}
FRR_API void validate(const Settings& settings);  // Error{usage} naming option, value and range

}  // namespace frr
