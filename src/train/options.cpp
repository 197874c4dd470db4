#include "train/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "base/text.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

constexpr std::array<std::string_view, 3> partition_choices{"quantile", "uniform", "supervised"};
constexpr std::array<std::string_view, 2> semantics_choices{"sufficient", "additive"};
constexpr std::array<std::string_view, 3> objective_choices{"auto", "accuracy", "risk"};
constexpr std::array<std::string_view, 2> class_weight_choices{"none", "balanced"};

constexpr std::array<std::string_view, 2> bool_choices{"true", "false"};
constexpr std::array<std::string_view, 5> tnorm_choices{"product", "minimum", "aczel-alsina:LAMBDA",
                                                        "lukasiewicz", "hamacher"};

constexpr std::span<const std::string_view> no_choices{};

constexpr double huge = 1e9;

const std::array table{
    Option{"rules", "Limits", Tier::basic, &Settings::rules, 1, 1000, no_choices,
           "Maximum number of rules"},
    Option{"conditions", "Limits", Tier::basic, &Settings::conditions, 1, 20, no_choices,
           "Maximum number of conditions per rule"},
    Option{"labels", "Limits", Tier::basic, &Settings::labels, 2, 7, no_choices,
           "Labels per numeric column; 0 chooses 3, or more for the objective risk, for "
           "scorecards, and for many rows and few columns",
           true, true},

    Option{"augment", "Examples", Tier::basic, &Settings::augment, 0, 1e6, no_choices,
           "Add synthetic rows to smaller tables up to this number of rows; a random forest "
           "predicts their classes; 0 adds none"},
    Option{"trees", "Examples", Tier::advanced, &Settings::trees, 1, 10000, no_choices,
           "Trees in the random forest that predicts the classes of synthetic rows"},
    Option{"leaf", "Examples", Tier::advanced, &Settings::leaf, 0, 1e6, no_choices,
           "Minimum number of rows per leaf of these trees; 0 chooses 2 or 20, whichever predicts "
           "out-of-bag rows better"},

    Option{"partition", "Partition", Tier::basic, &Settings::partition, 0, 0, partition_choices,
           "How the labels of numeric columns are placed"},
    Option{"slope", "Partition", Tier::advanced, &Settings::slope, 0, 0.5, no_choices,
           "Width of the slope on each side of a border between labels, as a fraction of the rows"},
    Option{"min-share", "Partition", Tier::advanced, &Settings::min_share, 0, 0.5, no_choices,
           "Supervised partition: minimum fraction of the rows per label"},
    Option{"bins", "Partition", Tier::advanced, &Settings::bins, 4, 1000, no_choices,
           "Supervised partition: number of quantile bins whose edges may become borders"},
    Option{"max-features", "Partition", Tier::advanced, &Settings::max_features, 1, 100000,
           no_choices,
           "Maximum number of columns to learn from; the most informative ones are kept"},
    Option{"max-categories", "Partition", Tier::advanced, &Settings::max_categories, 2, 1000,
           no_choices,
           "Maximum number of labels per categorical column; the most frequent values get one"},

    Option{"tnorm", "Model", Tier::basic, &Settings::tnorm, 0, 0, no_choices,
           "T-norm that combines the membership degrees of a rule's conditions"},
    Option{"semantics", "Model", Tier::basic, &Settings::semantics, 0, 0, semantics_choices,
           "The strongest rule alone decides (sufficient), or the scores of all rules are added by "
           "class (additive)"},
    Option{"objective", "Model", Tier::basic, &Settings::objective, 0, 0, objective_choices,
           "Learn sufficient rules for the most correct decisions (accuracy) or for the best "
           "probabilities (risk); auto chooses risk if one of two classes has less than 10 % of "
           "the rows. "
           "Additive rules are always learned for the best probabilities"},
    Option{"points", "Model", Tier::basic, &Settings::points, 0, 100, no_choices,
           "With --semantics additive and two classes: make a scorecard, whose rules give whole "
           "points up to this number; 0 makes none"},
    Option{"root", "Model", Tier::advanced, &Settings::root, 1, 100, no_choices,
           "Take the n-th root of each rule's truth value"},

    Option{"gradient", "Gradient", Tier::advanced, &Settings::gradient, 0, 0, no_choices,
           "Find the first rules by gradient descent; if false, the search starts without rules"},
    Option{"epochs", "Gradient", Tier::advanced, &Settings::epochs, 0, 1e6, no_choices,
           "Number of passes over the rows; 0 lets the number of rows decide"},
    Option{"gradient-rows", "Gradient", Tier::advanced, &Settings::gradient_rows, 1000, 2e9,
           no_choices,
           "Maximum number of rows for gradient descent; larger tables are sampled at random"},
    Option{"batch", "Gradient", Tier::advanced, &Settings::batch, 1, 1e6, no_choices,
           "Rows per gradient step"},
    Option{"learning-rate", "Gradient", Tier::advanced, &Settings::learning_rate, 1e-6, 10,
           no_choices, "Learning rate of the Adam optimiser"},
    Option{"cosine", "Gradient", Tier::advanced, &Settings::cosine, 0, 0, no_choices,
           "Decrease the learning rate to 0 along a cosine"},
    Option{"temperature", "Gradient", Tier::advanced, &Settings::temperature, 1e-3, 10, no_choices,
           "Softmax temperature when choosing labels, features and classes"},
    Option{"beta-start", "Gradient", Tier::advanced, &Settings::beta_start, 0, 1, no_choices,
           "Restricted addition at the start: 1 mixes all choices, 0 takes only the best one"},
    Option{"beta-end", "Gradient", Tier::advanced, &Settings::beta_end, 0, 1, no_choices,
           "Restricted addition at the end"},
    Option{"gamma-start", "Gradient", Tier::advanced, &Settings::gamma_start, 0, 10, no_choices,
           "Weight of the residual connection at the start"},
    Option{"gamma-end", "Gradient", Tier::advanced, &Settings::gamma_end, 0, 10, no_choices,
           "Weight of the residual connection at the end"},
    Option{"max-start", "Gradient", Tier::advanced, &Settings::max_start, 0, 1e4, no_choices,
           "Sharpness of the smooth maximum over rules at the start; 0 takes the exact maximum"},
    Option{"max-end", "Gradient", Tier::advanced, &Settings::max_end, 0, 1e4, no_choices,
           "Sharpness of the smooth maximum over rules at the end"},
    Option{"kappa", "Gradient", Tier::advanced, &Settings::kappa, 1e-3, 1e4, no_choices,
           "Scale of the scores in the cross-entropy loss"},
    Option{"cancel-price", "Gradient", Tier::advanced, &Settings::cancel_price, 0, 1e3, no_choices,
           "Weight of the loss term that cancels conditions"},
    Option{"normalise", "Gradient", Tier::advanced, &Settings::normalise, 0, 0, no_choices,
           "Normalise restricted addition so that its weights sum to 1"},
    Option{
        "class-weight", "Gradient", Tier::basic, &Settings::class_weight, 0, 0,
        class_weight_choices,
        "Give all classes the same total weight (balanced), or all rows the same weight (none). In "
        "learning by log-loss, weights change only which class is predicted"},
    Option{"restarts", "Gradient", Tier::basic, &Settings::restarts, 1, 1000, no_choices,
           "Number of random starts; the rules that fit the training rows best are kept"},
    Option{"patience", "Gradient", Tier::advanced, &Settings::patience, 0, 1e6, no_choices,
           "Stop after this many epochs without a lower loss; 0 never stops early"},

    Option{"polish", "Search", Tier::advanced, &Settings::polish, 0, 0, no_choices,
           "Improve the extracted rules by exact search"},
    Option{"tune", "Search", Tier::advanced, &Settings::tune, 0, 0, no_choices,
           "Move the borders of the labels that rules use"},
    Option{
        "price", "Search", Tier::basic, &Settings::price, 0, huge, no_choices,
        "Price per condition: the number of rows that it must gain, in addition to --price-rate. "
        "In "
        "learning by log-loss, the price is in nats: 10 times this number (additive rules), or 2 "
        "times this number times ln(number of labels) (--objective risk)"},
    Option{
        "price-rate", "Search", Tier::advanced, &Settings::price_rate, 0, 1, no_choices,
        "Additional price per condition, as a fraction of all rows; not in learning by log-loss"},
    Option{"margin", "Search", Tier::advanced, &Settings::margin, 0, 20, no_choices,
           "How clearly a rule must win a row to get full credit for it, in steps of a factor of "
           "1.25"},
    Option{"grid", "Search", Tier::advanced, &Settings::grid, 2, 200, no_choices,
           "Number of quantiles to try for each border; 0 chooses 20, or up to 60 for many rows",
           true, true},
    Option{"search-rows", "Search", Tier::basic, &Settings::search_rows, 1000, 2e9, no_choices,
           "Maximum number of rows for choosing labels, conditions and borders; larger tables are "
           "sampled at random"},
    Option{"sweeps", "Search", Tier::advanced, &Settings::sweeps, 1, 1000, no_choices,
           "Maximum number of search passes over the rules"},

    Option{"seed", "Run", Tier::basic, &Settings::seed, 0, 1.8446744073709552e19, no_choices,
           "Seed of the random numbers; the same seed gives the same model"},
    Option{"time-limit", "Run", Tier::basic, &Settings::time_limit, 0, huge, no_choices,
           "Seconds after which training stops with the best rules so far; 0 means no limit"},
    Option{"threads", "Run", Tier::basic, &Settings::threads, 0, 1024, no_choices,
           "Number of threads; 0 uses all cores. Never changes the model", false},
};

template <typename Enum>
std::string_view choice_name(const Option& option, Enum value) {
  return option.choices[static_cast<std::size_t>(value)];
}

// "quantile, uniform or supervised"
std::string alternatives(std::span<const std::string_view> names) {
  std::string text(names.front());
  for (std::size_t k = 1; k < names.size(); ++k) {
    text += (k + 1 == names.size() ? " or " : ", ") + std::string(names[k]);
  }
  return text;
}

// "1000000" where shortest() gives "1e+06".
std::string bound_text(double bound) {
  return bound == std::floor(bound) ? std::to_string(static_cast<long long>(bound))
                                    : shortest(bound);
}

[[noreturn]] void reject(const Option& option, std::string_view text) {
  fail_usage("--" + std::string(option.name) + " " + std::string(text) + ": give " +
             range_text(option));
}

template <typename Number>
Number parse_number(const Option& option, std::string_view text) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc{} && end == text.data() + text.size();
  const auto wide = static_cast<double>(value);
  const bool inside = wide >= option.low && wide <= option.high;
  if (!whole || !(inside || (option.or_zero && wide == 0))) reject(option, text);
  return value;
}

bool parse_bool(const Option& option, std::string_view text) {
  if (text == "true" || text == "1" || text == "on" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "off" || text == "no") return false;
  reject(option, text);
}

std::size_t parse_choice(const Option& option, std::string_view text) {
  const auto found = std::find(option.choices.begin(), option.choices.end(), text);
  if (found == option.choices.end()) reject(option, text);
  return static_cast<std::size_t>(found - option.choices.begin());
}

}  // namespace

std::span<const Option> option_table() { return table; }

const Option& find_option(std::string_view name) {
  for (const Option& option : table) {
    if (option.name == name) return option;
  }
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const Option& option : table) names.emplace_back(option.name);
  fail_usage("there is no option '" + std::string(name) + "'" + did_you_mean(name, names));
}

std::string get_option(const Settings& settings, const Option& option) {
  return std::visit(
      [&](auto field) -> std::string {
        const auto& value = settings.*field;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          return value ? "true" : "false";
        else if constexpr (std::is_same_v<Value, TNorm>)
          return to_string(value);
        else if constexpr (std::is_enum_v<Value>)
          return std::string(choice_name(option, value));
        else
          return shortest(value);
      },
      option.field);
}

void set_option(Settings& settings, const Option& option, std::string_view text) {
  std::visit(
      [&](auto field) {
        auto& value = settings.*field;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          value = parse_bool(option, text);
        else if constexpr (std::is_same_v<Value, TNorm>)
          value = parse_tnorm(text);
        else if constexpr (std::is_enum_v<Value>)
          value = static_cast<Value>(parse_choice(option, text));
        else
          value = parse_number<Value>(option, text);
      },
      option.field);
}

std::string range_text(const Option& option) {
  if (!option.choices.empty()) return alternatives(option.choices);
  if (std::holds_alternative<bool Settings::*>(option.field)) return alternatives(bool_choices);
  if (std::holds_alternative<TNorm Settings::*>(option.field)) return alternatives(tnorm_choices);
  if (std::holds_alternative<std::uint64_t Settings::*>(option.field)) return "a whole number >= 0";
  const bool whole = std::holds_alternative<int Settings::*>(option.field);
  return std::string(whole ? "a whole number" : "a number") + " from " + bound_text(option.low) +
         " to " + bound_text(option.high) + (option.or_zero ? ", or 0" : "");
}

}  // namespace frr::internal

namespace frr {
using namespace internal;

Settings preset(std::string_view name) {
  Settings settings;
  if (name == "default") return settings;
  if (name != "paper") {
    fail_usage("there is no preset '" + std::string(name) + "': give default or paper");
  }
  settings.preset = "paper";
  settings.labels = 3;
  settings.augment = 0;
  settings.partition = PartitionKind::quantile;
  settings.epochs = 300;
  settings.batch = 32;
  settings.max_start = settings.max_end = 0;
  settings.cancel_price = 0.01;
  settings.polish = settings.tune = false;
  return settings;
}

void validate(const Settings& settings) {
  preset(settings.preset);
  Settings copy = settings;
  for (const Option& option : table) set_option(copy, option, get_option(settings, option));
}

}  // namespace frr
