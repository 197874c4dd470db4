// SQL names for those of the data and the user, and checks of what a database can represent.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "sql_dialect.hpp"

namespace frr::internal {

// Lower case as databases compare column names: only ASCII letters change.
std::string folded(std::string name);

// The value of an option that names a table or view, quoted. a.b is the table b in the schema a; a
// part in double quotes may contain dots. Throws Error{usage} for anything else.
std::string qualified(const std::string& option, const std::string& name, const Dialect& dialect);

// The columns of the table that hold the inputs. A name that is too long for the database is cut,
// as the database did when the table was created. Throws Error{data} if two columns get the same
// name, or one gets a name that the database reserves.
std::vector<std::string> sql_columns(const std::vector<Plan::Input>& inputs,
                                     const Dialect& dialect);

// Throws Error{usage} if --prefix makes the name of an output column too long or invalid.
void check_output_name(const std::string& name, const Dialect& dialect);

// Throws Error{data} for texts and for numbers of rules and labels that a database cannot hold.
void check_texts(const Plan& plan);
void check_size(const Plan& plan, const Dialect& dialect);

}  // namespace frr::internal
