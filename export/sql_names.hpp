// Names of the data and of the user in SQL, and what a database cannot hold.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "sql_dialect.hpp"

namespace frr::internal {

// Databases compare the names of columns so, leaving all but ASCII as it is.
std::string folded(std::string name);

// The value of an option that names a table or view, quoted: a.b is the table b of the schema a; a
// part in double quotes may hold points. Throws Error{usage} for what is no such name.
std::string qualified(const std::string& option, const std::string& name, const Dialect& dialect);

// The columns of a table that hold the inputs. Of a name that is too long for the database it keeps
// the beginning, as it did when the table was created. Throws Error{data} where two columns come to
// have the same name, or one that the database has for itself.
std::vector<std::string> sql_columns(const std::vector<Plan::Input>& inputs,
                                     const Dialect& dialect);

// Throws Error{usage} for the name of a column of ours that --prefix made too long or impossible.
void check_output_name(const std::string& name, const Dialect& dialect);

// Throws Error{data} for texts, and for numbers of rules and labels, that a database cannot hold.
void check_texts(const Plan& plan);
void check_size(const Plan& plan, const Dialect& dialect);

}  // namespace frr::internal
