// The one table of options: every field of Settings with its name, group, range and help.
// The command line, the model file and docs/reference/options.md are all made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frr/settings.hpp"

namespace frr::internal {

using OptionField =
    std::variant<int Settings::*, double Settings::*, bool Settings::*, std::uint64_t Settings::*,
                 PartitionKind Settings::*, TNorm Settings::*, Semantics Settings::*,
                 Objective Settings::*, ClassWeight Settings::*>;

// Which help shows an option: --help, or --help-all alone. In Python, basic options are parameters,
// and advanced ones are keys of the parameter `advanced`.
enum class Tier { basic, advanced };

struct Option {
  std::string_view name;  // with dashes, as on the command line: "learning-rate"
  std::string_view
      group;  // "Limits", "Examples", "Partition", "Model", "Gradient", "Search", "Run"
  Tier tier;
  OptionField field;
  double low = 0, high = 0;                     // closed range; numeric fields only
  std::span<const std::string_view> choices{};  // values of an enumeration, in its order
  std::string_view help;                        // one sentence without the default
  bool shapes_result = true;                    // false: never changes the model (threads)
  bool or_zero = false;                         // also accepts 0: the data decides
};

std::span<const Option> option_table();
const Option& find_option(std::string_view name);  // Error{usage} naming the nearest ones

// As text, in the form that set_option reads: numbers by their shortest spelling, booleans as
// "true" / "false".
std::string get_option(const Settings& settings, const Option& option);
// Parses and checks the range. Error{usage}: "--rules 0: give a whole number from 1 to 1000".
void set_option(Settings& settings, const Option& option, std::string_view text);

// "a whole number from 1 to 1000", "none or balanced": for help, messages and docs.
std::string range_text(const Option& option);

}  // namespace frr::internal
