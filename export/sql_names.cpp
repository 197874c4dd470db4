#include "sql_names.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/visible_text.hpp"
#include "frr/error.hpp"
#include "names.hpp"

namespace frr::internal {
namespace {

// The part of a name that the database keeps: whole UTF-8 characters.
std::string clipped(const std::string& name, const Dialect& dialect) {
  if (dialect.longest_name == 0 || name.size() <= dialect.longest_name) return name;
  std::size_t end = dialect.longest_name;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end);
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
  return text;
}

// Every table of PostgreSQL has these hidden columns, and can have no others of these names.
bool is_system_column(const std::string& name, const Dialect& dialect) {
  static constexpr std::string_view all[] = {"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"};
  return dialect.name == "postgresql" &&
         std::find(std::begin(all), std::end(all), name) != std::end(all);
}

}  // namespace

std::string folded(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

std::string qualified(const std::string& option, const std::string& name, const Dialect& dialect) {
  std::string result;
  std::size_t at = 0;
  const auto refuse = [&](const std::string& why) {
    fail_usage("--" + option + " " + comment_text(name) + ": " + why +
               ". Write NAME or SCHEMA.NAME, with double quotes around a part that holds a point");
  };
  do {
    std::string part;
    if (at < name.size() && name[at] == '"') {
      for (++at; at < name.size() && (name[at] != '"' || name.substr(at, 2) == "\"\""); ++at) {
        if (name[at] == '"') ++at;
        part += name[at];
      }
      if (at++ >= name.size()) refuse("a double quote has no partner");
      if (at < name.size() && name[at] != '.') refuse("a point is missing after a double quote");
    } else {
      const std::size_t end = std::min(name.find('.', at), name.size());
      part = name.substr(at, end - at);
      at = end;
    }
    if (part.empty()) refuse("a part of the name is empty");
    if (has_hidden(without_blanks(part))) {
      refuse("a name must hold no control characters or marks of direction");
    }
    if (dialect.longest_name > 0 && part.size() > dialect.longest_name)
      refuse("PostgreSQL has no names of more than " + std::to_string(dialect.longest_name) +
             " bytes");
    result += (result.empty() ? "" : ".") + dialect.identifier(part);
  } while (at++ < name.size());
  return result;
}

std::vector<std::string> sql_columns(const std::vector<Plan::Input>& inputs,
                                     const Dialect& dialect) {
  std::unordered_map<std::string, std::string> seen;
  std::vector<std::string> names;
  for (const Plan::Input& input : inputs) {
    names.push_back(clipped(input.name, dialect));
    if (is_system_column(names.back(), dialect)) {
      fail_data("a rule asks for '" + comment_text(input.name) +
                "', and in PostgreSQL no column of a table can be called so. Rename the column in "
                "the data and train again");
    }
    if (dialect.name == "spark" && input.name.find("${") != std::string::npos) {
      fail_data("a rule asks for '" + comment_text(input.name) +
                "', and Spark replaces ${...} in a statement before it reads it. Rename the column "
                "in the data and train again");
    }
    if (has_hidden(without_blanks(input.name))) {
      fail_data("a rule asks for '" + input.name +
                "', and SQL has no way to write such characters in a name that readers can see. "
                "Rename the column in the data and train again");
    }
    const std::string key = dialect.folds_case ? folded(names.back()) : names.back();
    const auto [other, is_new] = seen.emplace(key, input.name);
    if (is_new) continue;
    fail_data(std::string(dialect.title) + " takes the columns '" + comment_text(other->second) +
              "' and '" + comment_text(input.name) + "' for the same one" +
              (dialect.longest_name > 0
                   ? ", since it has no names of more than " +
                         std::to_string(dialect.longest_name) +
                         " bytes. Rename one in the data and train again"
                   : ". Rename one in the data and train again, or export for postgresql, which "
                     "distinguishes them"));
  }
  return names;
}

void check_output_name(const std::string& name, const Dialect& dialect) {
  const auto refuse = [&](const std::string& why) {
    fail_usage("--prefix makes a column '" + comment_text(name) + "': " + why);
  };
  if (has_hidden(without_blanks(name))) {
    refuse("a name must hold no control characters or marks of direction");
  }
  if (clipped(name, dialect) != name)
    refuse("PostgreSQL has no names of more than " + std::to_string(dialect.longest_name) +
           " bytes");
}

void check_texts(const Plan& plan) {
  const auto check = [](const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    fail_data("SQL cannot hold a text with a NUL character: '" + comment_text(text) +
              "'. Rename it in the data and train again");
  };
  for (const Plan::Input& input : plan.inputs) {
    check(input.name);
    for (const auto* texts : {&input.categories, &input.kept})
      for (const std::string& text : *texts) check(text);
  }
  for (const std::string& code : plan.missing.codes) check(code);
  for (const std::string& name : plan.classes) check(name);
}

void check_size(const Plan& plan, const Dialect& dialect) {
  // With additive semantics, strengths pass through further layers, which add columns per class.
  const std::size_t more = plan.additive() ? 6 * plan.classes.size() + 4 : 0;
  const std::size_t columns = std::max(plan.degrees.size(), plan.strengths.size() + more);
  if (dialect.most_columns == 0 || columns <= dialect.most_columns) return;
  fail_data(std::string(dialect.title) + " holds a model of at most " +
            std::to_string(dialect.most_columns) + " rules and labels, and this one needs " +
            std::to_string(columns) + ". Train with a smaller --rules, or export for duckdb");
}

}  // namespace frr::internal
