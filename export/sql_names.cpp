#include "sql_names.hpp"

#include <algorithm>
#include <unordered_map>

#include "frr/error.hpp"
#include "names.hpp"

namespace frr {

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
    if (dialect.longest_name > 0 && part.size() > dialect.longest_name)
      refuse("PostgreSQL has no names of more than " + std::to_string(dialect.longest_name) +
             " bytes");
    result += (result.empty() ? "" : ".") + sql_identifier(part);
  } while (at++ < name.size());
  return result;
}

void check_names(const Plan& plan, const Dialect& dialect) {
  const auto check_text = [&](const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    fail_data("SQL cannot hold a text with a NUL character: '" + comment_text(text) +
              "'. Rename it in the data and train again");
  };
  std::unordered_map<std::string, std::string> seen;
  for (const Plan::Input& input : plan.inputs) {
    check_text(input.name);
    for (const std::string& category : input.categories) check_text(category);
    if (dialect.longest_name > 0 && input.name.size() > dialect.longest_name) {
      fail_data("PostgreSQL has no columns of names longer than " +
                std::to_string(dialect.longest_name) + " bytes, but a rule asks for '" +
                comment_text(input.name) + "'. Rename the column in the data and train again");
    }
    if (!dialect.folds_case) continue;
    const auto [other, is_new] = seen.emplace(folded(input.name), input.name);
    if (is_new) continue;
    fail_data(std::string(dialect.title) + " takes the columns '" + comment_text(other->second) +
              "' and '" + comment_text(input.name) +
              "' for the same one. Rename one in the data and train again, or export for "
              "postgresql, which tells them apart");
  }
  for (const std::string& own : plan.classes) check_text(own);
}

void check_size(const Plan& plan, const Dialect& dialect) {
  const std::size_t columns = std::max(plan.degrees.size(), plan.strengths.size());
  if (dialect.most_columns == 0 || columns <= dialect.most_columns) return;
  fail_data(std::string(dialect.title) + " holds a model of at most " +
            std::to_string(dialect.most_columns) + " rules and labels, and this one has " +
            std::to_string(columns) + ". Train with a smaller --rules, or export for duckdb");
}

}  // namespace frr
