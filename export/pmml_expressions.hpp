// Expressions of PMML, as XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "writer.hpp"
#include "xml.hpp"

namespace frr::internal {

using Expression = std::string;

inline Expression number(double value) {
  return Tag("Constant").with("dataType", "double").holds(double_text(value)).text();
}
inline Expression whole(std::size_t value) {
  return Tag("Constant").with("dataType", "integer").holds(std::to_string(value)).text();
}
inline Expression field(std::string_view name) {
  return Tag("FieldRef").with("field", name).text();
}

inline Expression call(std::string_view function, const std::vector<Expression>& arguments) {
  Tag tag("Apply");
  tag.with("function", function);
  for (const Expression& argument : arguments) tag.holds(argument);
  return tag.text();
}
inline Expression choice(const Expression& condition, const Expression& then,
                         const Expression& other) {
  return call("if", {condition, then, other});
}
// A chain of calls of a binary function, from the left.
inline Expression chain(std::string_view function, const std::vector<Expression>& arguments) {
  Expression result = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); ++i)
    result = call(function, {result, arguments[i]});
  return result;
}
// PMML does not define min and max of a single argument.
inline Expression aggregate(std::string_view function, const std::vector<Expression>& arguments) {
  return arguments.size() == 1 ? arguments[0] : call(function, arguments);
}

// A field that an expression computes; `meaning` is for users.
inline Tag derived(std::string_view name, std::string_view meaning, const Expression& expression,
                   bool whole_number = false) {
  Tag tag("DerivedField");
  tag.with("name", name).with("displayName", meaning).with("optype", "continuous");
  return tag.with("dataType", whole_number ? "integer" : "double").holds(expression);
}

}  // namespace frr::internal
