// Names of the data and of the user in SQL, and what a database cannot hold.
#pragma once

#include <string>

#include "plan.hpp"
#include "sql_dialect.hpp"

namespace frr {

// Databases compare the names of columns so, leaving all but ASCII as it is.
std::string folded(std::string name);

// The value of an option that names a table or view, quoted: a.b is the table b of the schema a; a
// part in double quotes may hold points. Throws Error{usage} for what is no such name.
std::string qualified(const std::string& option, const std::string& name, const Dialect& dialect);

// Throws Error{data} for names, and for numbers of rules and labels, that a database cannot hold.
void check_names(const Plan& plan, const Dialect& dialect);
void check_size(const Plan& plan, const Dialect& dialect);

}  // namespace frr
