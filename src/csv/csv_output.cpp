#include "csv/csv_output.hpp"

#include "base/number.hpp"

namespace frr::internal {

std::string csv_field(std::string_view text) {
  const bool spaced = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !spaced) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string spreadsheet_field(std::string_view text) {
  const bool formula = text.find_first_of("=+-@\t\r\n") == 0;
  const bool number = parse_number(text).kind == NumberKind::finite ||
                      parse_comma_number(text).kind == NumberKind::finite;
  return csv_field(formula && !number ? "'" + std::string(text) : std::string(text));
}

}  // namespace frr::internal
