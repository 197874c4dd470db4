#include "io/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/number.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_depth = 16;

// Builds the value from parser events. The library's builder accepts repeated keys, searches keys
// in linear time and has no depth limit.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return stop("binary data"); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    if (!open_.back().keys.insert(value).second)
      return stop("the key '" + value + "' occurs twice in one object: remove one of them");
    open_.back().key = std::move(value);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    std::string message = error.what();
    for (const std::string_view prefix_end : {"] ", ": "}) {
      const std::size_t found = message.find(prefix_end);
      if (found != std::string::npos) message.erase(0, found + prefix_end.size());
    }
    if (message.find("unexpected end of input") != std::string::npos)
      message += ". The file seems to be cut short";
    problem_ = where(position) + ": " + message;
    return false;
  }

  Json take() { return std::move(root_); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Level {
    Json value;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  [[nodiscard]] std::string where(std::size_t position) const {
    const std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
  }

  bool stop(std::string message) {
    problem_ = std::move(message);
    return false;
  }

  bool open(Json value) {
    if (open_.size() >= max_depth)
      return stop("more than " + std::to_string(max_depth) + " objects or lists inside each other");
    open_.push_back(Level{std::move(value), {}, {}});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Level& level = open_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::move(value));
    } else {
      // key() has checked that the key is new, so avoid the ordered map's linear search.
      level.value.get_ref<Json::object_t&>().push_back({std::move(level.key), std::move(value)});
    }
    return true;
  }

  std::string_view text_;
  Json root_;
  std::vector<Level> open_;
  std::string problem_;
};

std::string found_text(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::object:
      return "an object {...}";
    case Json::value_t::array:
      return "a list [...]";
    case Json::value_t::string:
      return "the text \"" + value.get_ref<const std::string&>() + "\"";
    default:
      return "the number " + plain_number(value.get<double>());
  }
}

bool is_plain(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const std::string& source) {
  const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (blank) fail_data(source + ": the file is empty");
  Builder builder(text);
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    fail_data(source + ": " + builder.problem());
  return builder.take();
}

void JsonPlace::fail(const std::string& message) const {
  fail_data(*source_ + ": " + (path_.empty() ? "" : path_ + ": ") + message);
}

void JsonPlace::fail_type(std::string_view expected) const {
  fail("expected " + std::string(expected) + ", found " + found_text(*value_));
}

const std::string& JsonPlace::text() const {
  if (!value_->is_string()) fail_type("a text in quotes");
  return value_->get_ref<const std::string&>();
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean()) fail_type("true or false");
  return value_->get<bool>();
}

double JsonPlace::number() const {
  if (!value_->is_number()) fail_type("a number");
  const double result = value_->get<double>();
  if (!std::isfinite(result)) fail("this number is too large");
  return result;
}

double JsonPlace::number_within(double low, double high) const {
  const double result = number();
  if (!(result >= low && result <= high))
    fail("expected a number from " + plain_number(low) + " to " + plain_number(high) + ", found " +
         plain_number(result));
  return result;
}

std::size_t JsonPlace::whole(std::size_t limit) const {
  const double result = number_within(0, static_cast<double>(limit));
  if (result != std::floor(result)) fail("expected a whole number, found " + plain_number(result));
  return static_cast<std::size_t>(result);
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) fail_type("a list [...]");
  std::vector<JsonPlace> result;
  result.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    result.emplace_back((*value_)[i], *source_, path_ + "[" + std::to_string(i) + "]");
  return result;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) fail_type("an object {...}");
  std::vector<std::pair<std::string, JsonPlace>> result;
  result.reserve(value_->size());
  for (const auto& [key, value] : value_->get_ref<const Json::object_t&>())
    result.emplace_back(key, child(key, value));
  return result;
}

void JsonPlace::check_keys(std::initializer_list<std::string_view> known) const {
  if (!value_->is_object()) fail_type("an object {...}");
  for (const auto& [key, value] : value_->get_ref<const Json::object_t&>()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    fail("unknown key '" + key + "' (known: " + list_text({known.begin(), known.end()}) + ")");
  }
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
  if (!value_->is_object()) fail_type("an object {...}");
  for (const auto& [name, value] : value_->get_ref<const Json::object_t&>())
    if (name == key) return child(name, value);
  return std::nullopt;
}

JsonPlace JsonPlace::at(std::string_view key) const {
  std::optional<JsonPlace> found = find(key);
  if (!found) fail("'" + std::string(key) + "' is missing");
  return *std::move(found);
}

JsonPlace JsonPlace::child(std::string_view key, const nlohmann::ordered_json& value) const {
  std::string path = path_;
  if (is_plain(key)) {
    if (!path.empty()) path += '.';
    path += key;
  } else {
    path += "[\"" + std::string(key) + "\"]";
  }
  return {value, *source_, std::move(path)};
}

std::string list_text(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 12;
  std::string result;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    result += (i > 0 ? ", " : "") + names[i];
  if (names.size() > shown) result += ", ... and " + std::to_string(names.size() - shown) + " more";
  return result;
}

}  // namespace frr::internal
