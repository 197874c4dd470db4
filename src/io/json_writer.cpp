#include "io/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number.hpp"
#include "base/visible_text.hpp"
#include "frr/error.hpp"

namespace frr::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t width = 110;

std::string quoted(const std::string& text) {
  try {
    return visible_json(Json(text).dump());
  } catch (const Json::type_error&) {
    const std::string shown = Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
    fail_data("the name " + shown +
              " is not UTF-8 text and cannot be written to a file: save the table in UTF-8");
  }
}

std::string number_text(const Json& value) {
  const double number = value.get<double>();
  if (!std::isfinite(number))
    throw Error(ErrorKind::internal, "cannot write a number to JSON: it is not finite");
  return plain_number(number);
}

class Writer {
 public:
  Writer(std::initializer_list<std::string_view> open,
         std::initializer_list<std::string_view> lines)
      : open_(open), lines_(lines) {}

  // Writes one line; false if it would be longer than `room`.
  bool flat(const Json& value, std::string& out, std::size_t room) const {
    if (!value.is_structured()) {
      out += value.is_string()   ? quoted(value.get_ref<const std::string&>())
             : value.is_number() ? number_text(value)
                                 : value.dump();
      return out.size() <= room;
    }
    const bool object = value.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
      if (!first) out += ", ";
      first = false;
      if (object) out += quoted(item.key()) + ": ";
      if (!flat(item.value(), out, room)) return false;
    }
    out += object ? '}' : ']';
    return out.size() <= room;
  }

  // `used`: columns of the line already taken.
  void write(const Json& value, std::string_view key, std::size_t indent, std::size_t used) {
    if (value.is_structured() && !value.empty() && spread(value, key)) {
      write_spread(value, key, indent);
      return;
    }
    std::string line;
    // Leaves room for a comma.
    if (flat(value, line, width - std::min(width, used + 1)) || !value.is_structured() ||
        value.empty()) {
      out_ += line;
      return;
    }
    write_spread(value, key, indent);
  }

  std::string finish() {
    out_ += '\n';
    return std::move(out_);
  }

 private:
  using Keys = std::vector<std::string_view>;

  static bool contains(const Keys& keys, std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  [[nodiscard]] bool spread(const Json& value, std::string_view key) const {
    if (contains(open_, key) || contains(lines_, key)) return true;
    if (!value.is_object()) return false;
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>())
      if (member.is_structured() && !member.empty() && spread(member, name)) return true;
    return false;
  }

  void write_spread(const Json& value, std::string_view key, std::size_t indent) {
    const bool object = value.is_object();
    const bool line_each = contains(lines_, key);
    out_ += object ? "{\n" : "[\n";
    const std::size_t inner = indent + 2;
    bool first = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
      if (!first) out_ += ",\n";
      first = false;
      const std::string prefix =
          std::string(inner, ' ') + (object ? quoted(item.key()) + ": " : std::string());
      out_ += prefix;
      if (line_each)
        flat(item.value(), out_, std::string::npos);
      else
        write(item.value(), object ? std::string_view(item.key()) : "", inner, prefix.size());
    }
    out_ += "\n" + std::string(indent, ' ') + (object ? "}" : "]");
  }

  Keys open_;
  Keys lines_;
  std::string out_;
};

}  // namespace

std::string write_json(const nlohmann::ordered_json& value,
                       std::initializer_list<std::string_view> open,
                       std::initializer_list<std::string_view> lines) {
  Writer writer(open, lines);
  writer.write(value, "", 0, 0);
  return writer.finish();
}

void add_member(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value) {
  object.get_ref<Json::object_t&>().push_back({std::move(key), std::move(value)});
}

}  // namespace frr::internal
