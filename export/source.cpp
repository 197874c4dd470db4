#include "source.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "names.hpp"
#include "text/scorecard_text.hpp"

namespace frr::internal {
namespace {

// A rule is worth a long line: without its end it says nothing.
constexpr std::size_t most_rule = 600;

}  // namespace

std::string rules_comment(const Plan& plan, std::string_view mark) {
  std::string text;
  for (std::size_t r = 0; r < plan.strengths.size(); ++r) {
    const Plan::Strength& strength = plan.strengths[r];
    text +=
        std::string(mark) + std::to_string(r + 1) + "  " + comment_text(strength.text, most_rule);
    if (plan.scorecard) {
      text += " (" + points_text(strength.points) +
              (std::abs(strength.points) == 1 ? " point)" : " points)");
    } else if (plan.additive() || strength.weight != 1) {
      text += " (weight " + shortest(strength.weight) + ")";
    }
    text += '\n';
  }
  text += std::string(mark) + "ELSE " +
          comment_text(plan.classes[plan.outcomes[0].then], most_rule) + '\n';
  for (const std::string& note : plan.notes) {
    text += std::string(mark) + comment_text(note, most_rule) + '\n';
  }
  return text;
}

std::string filled(std::string_view text, std::string_view place, std::string_view with) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(place, at), text.size());
    result += text.substr(at, next - at);
    if (next == text.size()) break;
    result += with;
    at = next + place.size();
  }
  return result;
}

}  // namespace frr::internal
