#include "pmml_sums.hpp"

namespace frr::internal {
namespace {

std::vector<Expression> fields(const std::vector<std::string>& names) {
  std::vector<Expression> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(field(name));
  return result;
}

}  // namespace

PmmlSums::PmmlSums(const Plan& plan, const std::vector<std::string>& strengths, Distinct& fields)
    : plan_(plan), strengths_(strengths) {
  const auto numbered = [&](const std::string& name, std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
      names.push_back(fields.give(name + std::to_string(i + 1)));
    return names;
  };
  const std::size_t classes = plan.classes.size();
  scores_ = numbered("score", classes);
  powers_ = numbered("exp", classes);
  shares_ = numbered("p", classes);
  compared_ = numbered(plan.by_offsets() ? "compared" : "cost", classes);
  own_ = numbered("own", strengths.size());
  choice_ = fields.give("choice");
}

void PmmlSums::add(Tag& all) const {
  for (std::size_t c = 0; c < scores_.size(); ++c) {
    std::vector<Expression> terms = {number(plan_.biases[c])};
    for (std::size_t r = 0; r < strengths_.size(); ++r)
      if (plan_.strengths[r].then == c) terms.push_back(field(strengths_[r]));
    all.add(derived(scores_[c], "the score of " + plan_.classes[c], chain("+", terms)));
  }
  add_probabilities(all);
  const std::string_view meaning =
      plan_.by_offsets() ? "the score by which classes are compared" : "the expected cost";
  for (std::size_t c = 0; c < compared_.size(); ++c)
    all.add(derived(compared_[c], meaning, compared(c)));
  all.add(derived(choice_, "the class, counted from 0", chosen(), true));
  for (std::size_t r = 0; r < own_.size(); ++r) {
    const Expression is_own = call("equal", {field(choice_), whole(plan_.strengths[r].then)});
    all.add(derived(own_[r], "the strength of a rule of the class",
                    choice(is_own, field(strengths_[r]), number(0))));
  }
}

void PmmlSums::add_probabilities(Tag& all) const {
  const Expression most = aggregate("max", fields(scores_));
  for (std::size_t c = 0; c < scores_.size(); ++c) {
    all.add(derived(powers_[c], "exp of the score less the largest score",
                    call("exp", {call("-", {field(scores_[c]), most})})));
  }
  const Expression total = chain("+", fields(powers_));
  for (std::size_t c = 0; c < scores_.size(); ++c) {
    all.add(derived(shares_[c], "the probability of " + plan_.classes[c],
                    call("/", {field(powers_[c]), total})));
  }
}

Expression PmmlSums::probability() const {
  Expression result = field(shares_.back());
  for (std::size_t c = shares_.size() - 1; c-- > 0;) {
    result = choice(call("equal", {field(choice_), whole(c)}), field(shares_[c]), result);
  }
  return result;
}

Expression PmmlSums::compared(std::size_t c) const {
  const Plan::Choice& how = plan_.choice;
  if (plan_.by_offsets()) {
    return how.offsets[c] == 0 ? field(scores_[c])
                               : call("+", {field(scores_[c]), number(how.offsets[c])});
  }
  std::vector<Expression> terms;
  for (std::size_t k = 0; k < plan_.classes.size(); ++k) {
    const double cost = how.costs[k * plan_.classes.size() + c];
    if (cost != 0) terms.push_back(call("*", {field(shares_[k]), number(cost)}));
  }
  return chain("+", terms);
}

// The first class in the order with the largest score or the smallest cost.
Expression PmmlSums::chosen() const {
  const Plan::Choice& how = plan_.choice;
  std::vector<Expression> among;
  for (const std::size_t c : how.order) among.push_back(field(compared_[c]));
  const Expression best = aggregate(plan_.by_offsets() ? "max" : "min", among);
  Expression result = whole(how.order.back());
  for (std::size_t i = how.order.size() - 1; i-- > 0;) {
    result = choice(call(plan_.by_offsets() ? "greaterOrEqual" : "lessOrEqual", {among[i], best}),
                    whole(how.order[i]), result);
  }
  if (!how.preferred) return result;
  return choice(call("greaterOrEqual", {field(shares_[*how.preferred]), number(how.threshold)}),
                whole(*how.preferred), result);
}

}  // namespace frr::internal
