#include "script.hpp"

#include "names.hpp"
#include "source.hpp"
#include "writer.hpp"

namespace frr::internal {
namespace {

std::string called(std::string_view function, const std::string& arguments) {
  return std::string(function) + "(" + arguments + ")";
}

}  // namespace

std::string degree_name(std::size_t index) { return "d" + std::to_string(index + 1); }

std::string degree_text(const Script& script, const Plan& plan, const Plan::Degree& degree,
                        const std::string& x) {
  const bool numeric = plan.inputs[degree.input].type == ColumnType::numeric;
  const auto to_itself = [&](std::string_view is) { return x + std::string(is) + x; };
  if (degree.kind == LabelKind::category) {
    return script.truth(x + std::string(script.same) + script.quoted(degree.category));
  }
  if (degree.kind == LabelKind::missing) {
    return script.truth(numeric ? to_itself(script.different) : x + std::string(script.no_text));
  }
  const Plan::Edge &rise = degree.rise, &fall = degree.fall;
  const auto slope = [&](const std::string& height, const Plan::Edge& edge) {
    return called(script.clamp, "(" + height + ") / " + double_text(edge.width));
  };
  const std::string a = double_text(rise.corner), d = double_text(fall.corner);
  const std::string up =
      rise.width == 0 ? script.truth(x + " >= " + a) : slope(x + " - " + a, rise);
  const std::string down =
      fall.width == 0 ? script.truth(x + " < " + d) : slope(d + " - " + x, fall);
  if (rise.there && fall.there) return called(script.smaller, up + ", " + down);
  return rise.there ? up : fall.there ? down : script.truth(to_itself(script.same));
}

std::string strength_text(const Script& script, const Plan& plan, const Plan::Strength& strength) {
  const auto name = [&](std::size_t k) { return degree_name(strength.degrees[k]); };
  const bool product = plan.tnorm.kind == TNormKind::product;
  const bool minimum = plan.tnorm.kind == TNormKind::minimum;
  std::string truth = listed(strength.degrees.size(), product ? " * " : ", ", name);
  if (strength.degrees.size() > 1) {
    truth = called(product ? "" : minimum ? script.smaller : script.conjunction, truth);
  }
  if (plan.root != 1) {
    truth = called(script.power,
                   truth + ", " + std::string(script.one) + " / " + double_text(plan.root));
  }
  return double_text(strength.weight) + " * " + truth;
}

}  // namespace frr::internal
