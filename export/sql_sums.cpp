#include "sql_sums.hpp"

#include "source.hpp"

namespace frr::internal {
namespace {

class SqlSums {
 public:
  SqlSums(const Plan& plan, const Dialect& sql) : plan_(plan), sql_(sql) {}

  [[nodiscard]] std::vector<SqlLayer> layers() const {
    std::vector<SqlLayer> all = {{"c", "  s.*,\n" + scores()},
                                 {"v", "  c.*,\n" + largest()},
                                 {"e", "  v.*,\n" + exponentials()},
                                 {"p", "  e.*,\n" + probabilities()}};
    if (!plan_.by_offsets()) all.push_back({"k", "  p.*,\n" + expected_costs()});
    const std::string last = all.back().name;
    all.push_back({"z", "  " + last + ".*,\n" + choice(last)});
    return all;
  }

  [[nodiscard]] std::vector<SqlResult> results() const {
    std::vector<SqlResult> all = {
        {"choice", "z.choice"}, {"rule", strongest_rule()}, {"probability", of_choice("z.p")}};
    if (plan_.scorecard) all.push_back({"points", points()});
    if (plan_.refer > 0) all.push_back({"referred", referred()});
    return all;
  }

 private:
  static std::string column(const std::string& layer, std::size_t index) {
    return layer + std::to_string(index + 1);
  }

  // "  EXPRESSION AS c1", one per class.
  template <typename Expression>
  [[nodiscard]] std::string per_class(const std::string& name, const Expression& expression) const {
    return listed(plan_.classes.size(), ",\n",
                  [&](std::size_t c) { return "  " + expression(c) + " AS " + column(name, c); });
  }

  [[nodiscard]] std::vector<std::string> of_classes(const std::string& layer) const {
    std::vector<std::string> all;
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) all.push_back(column(layer, c));
    return all;
  }

  [[nodiscard]] std::vector<std::string> strengths_of(std::size_t c,
                                                      const std::string& layer) const {
    std::vector<std::string> all;
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r)
      if (plan_.strengths[r].then == c) all.push_back(column(layer, r));
    return all;
  }

  // The score of each class, and its largest strength.
  [[nodiscard]] std::string scores() const {
    return per_class("c",
                     [&](std::size_t c) {
                       std::string sum = sql_.number(plan_.biases[c]);
                       for (const std::string& strength : strengths_of(c, "s.s"))
                         sum += " + " + strength;
                       return sum;
                     }) +
           ",\n" + per_class("t", [&](std::size_t c) {
             std::vector<std::string> strengths = strengths_of(c, "s.s");
             return strengths.empty() ? sql_.number(0)
                                      : sql_.call(sql_.greatest, std::move(strengths));
           });
  }

  [[nodiscard]] std::string shifted(const std::string& layer, std::size_t c) const {
    const double offset = plan_.choice.offsets[c];
    return column(layer, c) + (offset == 0 ? "" : " + " + sql_.number(offset));
  }

  [[nodiscard]] std::string largest() const {
    std::string text = "  " + sql_.call(sql_.greatest, of_classes("c.c")) + " AS most";
    if (!plan_.by_offsets()) return text;
    std::vector<std::string> all;
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) all.push_back(shifted("c.c", c));
    return text + ",\n  " + sql_.call(sql_.greatest, std::move(all)) + " AS best";
  }

  // A database may report underflow as an error: exp(-600) is below 1e-260.
  [[nodiscard]] std::string exponentials() const {
    return per_class("e", [&](std::size_t c) {
      const std::string lead = column("v.c", c) + " - v.most";
      std::string power = "EXP(" + lead + ")";
      if (!sql_.traps) return power;
      return "CASE WHEN " + lead + " < " + sql_.number(-600) + " THEN " + sql_.number(0) +
             " ELSE " + power + " END";
    });
  }

  [[nodiscard]] std::string probabilities() const {
    const std::vector<std::string> all = of_classes("e.e");
    const std::string total =
        "(" + listed(all.size(), " + ", [&](std::size_t c) { return all[c]; }) + ")";
    return per_class("p", [&](std::size_t c) { return all[c] + " / " + total; });
  }

  [[nodiscard]] std::string expected_costs() const {
    const std::size_t classes = plan_.classes.size();
    return per_class("k", [&](std::size_t d) {
      std::string sum;
      for (std::size_t c = 0; c < classes; ++c) {
        const double cost = plan_.choice.costs[c * classes + d];
        if (cost == 0) continue;
        sum += (sum.empty() ? "" : " + ") + column("p.p", c) + " * " + sql_.number(cost);
      }
      return sum;
    });
  }

  [[nodiscard]] std::string choice(const std::string& layer) const {
    const Plan::Choice& how = plan_.choice;
    std::string text = "  CASE\n";
    const auto add = [&](const std::string& condition, std::size_t c) {
      text += "    WHEN " + condition + " THEN " + std::to_string(c) + "\n";
    };
    if (how.preferred) {
      add(column(layer + ".p", *how.preferred) + " >= " + sql_.number(how.threshold),
          *how.preferred);
    }
    std::vector<std::string> costs;
    for (const std::size_t c : how.order) costs.push_back(column(layer + ".k", c));
    const std::string least = sql_.call(sql_.least, costs);
    for (std::size_t i = 0; i < how.order.size(); ++i) {
      const std::size_t c = how.order[i];
      add(plan_.by_offsets() ? shifted(layer + ".c", c) + " = " + layer + ".best"
                             : costs[i] + " = " + least,
          c);
    }
    return text + "  END AS choice";
  }

  [[nodiscard]] std::string of_choice(const std::string& values) const {
    std::string text = "CASE z.choice\n";
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) {
      text += "    WHEN " + std::to_string(c) + " THEN " + column(values, c) + "\n";
    }
    return text + "  END";
  }

  // The first rule of the class with its largest strength.
  [[nodiscard]] std::string strongest_rule() const {
    std::string text = "CASE\n";
    for (std::size_t r = 0; r < plan_.strengths.size(); ++r) {
      const std::size_t c = plan_.strengths[r].then;
      text += "    WHEN z.choice = " + std::to_string(c) + " AND " + column("z.s", r) + " > " +
              sql_.number(0) + " AND " + column("z.s", r) + " = " + column("z.t", c) + " THEN " +
              std::to_string(r + 1) + "\n";
    }
    return text + "    ELSE 0\n  END";
  }

  [[nodiscard]] std::string points() const {
    return listed(plan_.strengths.size(), "\n    + ", [&](std::size_t r) {
      return "CASE WHEN " + column("z.s", r) + " > " + sql_.number(0) + " THEN " +
             std::to_string(plan_.strengths[r].points) + " ELSE 0 END";
    });
  }

  [[nodiscard]] std::string referred() const {
    return "CASE WHEN " + sql_.call(sql_.greatest, of_classes("z.t")) + " <= " + sql_.number(0) +
           " OR " + sql_.call(sql_.greatest, of_classes("z.p")) + " < " + sql_.number(plan_.refer) +
           " THEN 1 ELSE 0 END";
  }

  const Plan& plan_;
  const Dialect& sql_;
};

}  // namespace

std::vector<SqlLayer> sum_layers(const Plan& plan, const Dialect& sql) {
  return SqlSums(plan, sql).layers();
}

std::vector<SqlResult> sum_results(const Plan& plan, const Dialect& sql) {
  return SqlSums(plan, sql).results();
}

}  // namespace frr::internal
