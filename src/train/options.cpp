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
constexpr std::array<std::string_view, 2> class_weight_choices{"none", "balanced"};

constexpr double huge = 1e9;

const std::array table{
    Option{"rules", "Limits", &Settings::rules, 1, 1000, {}, "At most so many rules"},
    Option{"conditions",
           "Limits",
           &Settings::conditions,
           1,
           20,
           {},
           "At most so many conditions in a rule"},
    Option{"labels",
           "Limits",
           &Settings::labels,
           2,
           7,
           {},
           "Labels of a numeric column; 0: 3, or up to 7 where rows are many and columns few",
           true,
           true},

    Option{"augment",
           "Examples",
           &Settings::augment,
           0,
           1e6,
           {},
           "Fill up to so many rows, where there are fewer, with made-up ones whose class a forest "
           "of trees gives; 0: none"},
    Option{"trees", "Examples", &Settings::trees, 1, 10000, {}, "Trees of the forest"},
    Option{
        "leaf",
        "Examples",
        &Settings::leaf,
        0,
        1e6,
        {},
        "Rows in a leaf of its trees, at least; 0: 2 or 20, whichever does better on rows that a "
        "tree has not seen"},

    Option{"partition", "Partition", &Settings::partition, 0, 0, partition_choices,
           "How the labels of numeric columns are placed"},
    Option{"slope",
           "Partition",
           &Settings::slope,
           0,
           0.5,
           {},
           "Share of the rows on each side of a border between labels that its slope reaches"},
    Option{"min-share",
           "Partition",
           &Settings::min_share,
           0,
           0.5,
           {},
           "Supervised: every label holds at least this share of the rows"},
    Option{"bins",
           "Partition",
           &Settings::bins,
           4,
           1000,
           {},
           "Supervised: quantile bins among which the borders are chosen"},
    Option{"max-features",
           "Partition",
           &Settings::max_features,
           1,
           100000,
           {},
           "Columns to learn from, where there are more: those that tell most about the class"},
    Option{"max-categories",
           "Partition",
           &Settings::max_categories,
           2,
           1000,
           {},
           "Most frequent values of a categorical column that get a label"},

    Option{"tnorm",
           "Model",
           &Settings::tnorm,
           0,
           0,
           {},
           "How the degrees of a rule's conditions are combined: product, minimum, "
           "aczel-alsina:LAMBDA, lukasiewicz or hamacher"},
    Option{"semantics", "Model", &Settings::semantics, 0, 0, semantics_choices,
           "One rule decides (sufficient), or the rules' scores are added (additive)"},
    Option{"root",
           "Model",
           &Settings::root,
           1,
           100,
           {},
           "The truth of a rule is the root of this degree of its conjunction"},

    Option{"gradient",
           "Gradient",
           &Settings::gradient,
           0,
           0,
           {},
           "Find the first rules by gradient descent; without it the search starts from none"},
    Option{"epochs",
           "Gradient",
           &Settings::epochs,
           0,
           1e6,
           {},
           "Passes over the data; 0 chooses by the number of rows"},
    Option{"gradient-rows",
           "Gradient",
           &Settings::gradient_rows,
           1000,
           2e9,
           {},
           "Rows that gradient descent sees of a larger table, drawn at random"},
    Option{"batch", "Gradient", &Settings::batch, 1, 1e6, {}, "Rows of a gradient step"},
    Option{"learning-rate",
           "Gradient",
           &Settings::learning_rate,
           1e-6,
           10,
           {},
           "Learning rate of Adam"},
    Option{"cosine",
           "Gradient",
           &Settings::cosine,
           0,
           0,
           {},
           "Let the learning rate fall to 0 along a cosine"},
    Option{"temperature",
           "Gradient",
           &Settings::temperature,
           1e-3,
           10,
           {},
           "Softmax temperature of the choices of labels, features and classes"},
    Option{"beta-start",
           "Gradient",
           &Settings::beta_start,
           0,
           1,
           {},
           "Restricted addition at the start: 1 mixes all choices, 0 takes the best alone"},
    Option{"beta-end", "Gradient", &Settings::beta_end, 0, 1, {}, "Restricted addition at the end"},
    Option{"gamma-start",
           "Gradient",
           &Settings::gamma_start,
           0,
           10,
           {},
           "Weight of the residual connection at the start"},
    Option{"gamma-end",
           "Gradient",
           &Settings::gamma_end,
           0,
           10,
           {},
           "Weight of the residual connection at the end"},
    Option{"max-start",
           "Gradient",
           &Settings::max_start,
           0,
           1e4,
           {},
           "Sharpness of the smooth maximum over rules at the start; 0: hard maximum"},
    Option{"max-end",
           "Gradient",
           &Settings::max_end,
           0,
           1e4,
           {},
           "Sharpness of the smooth maximum over rules at the end"},
    Option{"kappa",
           "Gradient",
           &Settings::kappa,
           1e-3,
           1e4,
           {},
           "Scale of the scores inside the cross-entropy"},
    Option{"cancel-price",
           "Gradient",
           &Settings::cancel_price,
           0,
           1e3,
           {},
           "Weight of the loss term that cancels conditions"},
    Option{"normalise",
           "Gradient",
           &Settings::normalise,
           0,
           0,
           {},
           "Normalise restricted addition so that its weights sum to 1"},
    Option{"class-weight", "Gradient", &Settings::class_weight, 0, 0, class_weight_choices,
           "Weigh rows so that all classes count the same (balanced)"},
    Option{"restarts",
           "Gradient",
           &Settings::restarts,
           1,
           1000,
           {},
           "Trainings from different random starts; the one that fits the training rows best wins"},
    Option{"patience",
           "Gradient",
           &Settings::patience,
           0,
           1e6,
           {},
           "Stop after so many epochs without a smaller loss; 0: never"},

    Option{"polish",
           "Search",
           &Settings::polish,
           0,
           0,
           {},
           "Improve the extracted rules by exact search"},
    Option{"tune",
           "Search",
           &Settings::tune,
           0,
           0,
           {},
           "Move the borders of labels that the rules use"},
    Option{"price",
           "Search",
           &Settings::price,
           0,
           huge,
           {},
           "Rows that a condition must earn to be kept, plus price-rate"},
    Option{"price-rate",
           "Search",
           &Settings::price_rate,
           0,
           1,
           {},
           "Share of all rows that a condition must earn besides"},
    Option{"margin",
           "Search",
           &Settings::margin,
           0,
           20,
           {},
           "How clearly a rule must win a row to get it whole, in steps of a factor 1.25"},
    Option{"grid",
           "Search",
           &Settings::grid,
           2,
           200,
           {},
           "Quantiles among which a border is tuned; 0: 20, or up to 60 where rows are many",
           true,
           true},
    Option{"search-rows",
           "Search",
           &Settings::search_rows,
           1000,
           2e9,
           {},
           "Rows of a larger table, drawn at random, on which labels, conditions and borders are "
           "chosen"},
    Option{"sweeps", "Search", &Settings::sweeps, 1, 1000, {}, "At most so many rounds of polish"},

    Option{"seed",
           "Run",
           &Settings::seed,
           0,
           1.8446744073709552e19,
           {},
           "Start of the random numbers; the same seed gives the same model"},
    Option{"time-limit",
           "Run",
           &Settings::time_limit,
           0,
           huge,
           {},
           "Seconds after which training stops with the best so far; 0: none"},
    Option{"threads",
           "Run",
           &Settings::threads,
           0,
           1024,
           {},
           "Threads to use; 0: all cores. Never changes the result",
           false},
};

template <typename Enum>
std::string_view choice_name(const Option& option, Enum value) {
  return option.choices[static_cast<std::size_t>(value)];
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
  if (!option.choices.empty()) {
    std::string text;
    for (const auto choice : option.choices)
      text += (text.empty() ? "" : " | ") + std::string(choice);
    return text;
  }
  if (std::holds_alternative<bool Settings::*>(option.field)) return "true | false";
  if (std::holds_alternative<TNorm Settings::*>(option.field)) {
    return "product | minimum | aczel-alsina:LAMBDA | lukasiewicz | hamacher";
  }
  if (std::holds_alternative<std::uint64_t Settings::*>(option.field)) return "a whole number >= 0";
  const bool whole = std::holds_alternative<int Settings::*>(option.field);
  return std::string(whole ? "a whole number" : "a number") + " from " + shortest(option.low) +
         " to " + shortest(option.high) + (option.or_zero ? ", or 0" : "");
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
