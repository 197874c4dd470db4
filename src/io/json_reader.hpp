// Reads JSON that people edit: every error names the source and the location, unknown and repeated
// keys are errors, and the only exception is frr::Error.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace frr::internal {

// Parses `text`. Throws Error{data} for a syntax error (with line and column), a key that occurs
// twice in one object, a number too large for a double, and nesting of more than 16 levels.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& source);

// A value and its path, such as rules[3].if or features["mean radius"].labels. Refers to the parsed
// value and to `source`, which must outlive it.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::ordered_json& value, const std::string& source, std::string path = "")
      : value_(&value), source_(&source), path_(std::move(path)) {}

  // Error{data}: "<source>: <path>: <message>".
  [[noreturn]] void fail(const std::string& message) const;

  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  // Each throws Error{data} naming what was expected and what was found instead.
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;                                           // finite
  [[nodiscard]] double number_within(double low, double high) const;             // closed range
  [[nodiscard]] std::size_t whole(std::size_t limit) const;                      // 0 .. limit
  [[nodiscard]] std::vector<JsonPlace> items() const;                            // of an array
  [[nodiscard]] std::vector<std::pair<std::string, JsonPlace>> members() const;  // of an object

  // Members of an object by key.
  void check_keys(std::initializer_list<std::string_view> known) const;  // no others may occur
  [[nodiscard]] std::optional<JsonPlace> find(std::string_view key) const;
  [[nodiscard]] JsonPlace at(std::string_view key) const;

 private:
  [[nodiscard]] JsonPlace child(std::string_view key, const nlohmann::ordered_json& value) const;
  [[noreturn]] void fail_type(std::string_view expected) const;

  const nlohmann::ordered_json* value_;
  const std::string* source_;
  std::string path_;
};

// "low, medium, high"; long lists are cut: "a, b, ... and 90 more".
std::string list_text(const std::vector<std::string>& names);

}  // namespace frr::internal
