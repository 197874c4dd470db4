// The strength of a rule in SQL: its t-norm over the columns d1, d2, ... of the layer d.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "sql_dialect.hpp"

namespace frr::internal {

// Gives the same double as FRR. If the database reports overflow and underflow as errors and one
// could occur, the expression prevents it.
class SqlStrength {
 public:
  SqlStrength(const Plan& plan, const Dialect& dialect);
  [[nodiscard]] std::string text(const Plan::Strength& strength) const;

 private:
  // A factor or term, and its smallest value above 0.
  struct Part {
    std::string text;
    double least;
  };
  template <typename Term>
  static std::string sum(const std::vector<Part>& parts, const Term& term);
  [[nodiscard]] std::string product(const std::vector<Part>& factors) const;
  [[nodiscard]] std::string guarded(const std::string& a, const std::string& b) const;
  [[nodiscard]] std::string lukasiewicz(const std::vector<Part>& parts) const;
  [[nodiscard]] std::string hamacher(const std::vector<Part>& parts, double least) const;
  static std::vector<std::string> texts(const std::vector<Part>& parts);

  const Plan& plan_;
  const Dialect& sql_;
  std::vector<double> leasts_;  // per degree: the smallest value above 0
};

}  // namespace frr::internal
