// A table read as examples: which column is the class, which columns are features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frr/table.hpp"

namespace frr::internal {

struct Dataset {
  std::string target;
  std::vector<std::string> classes;   // by number if all are numbers, else by bytes
  std::vector<int> labels;            // class of each row of the table; -1: missing
  std::vector<std::size_t> features;  // columns of the table, in its order
  std::vector<std::string> notes;     // sentences for the user
};

// `target` "" is the last column. Not among the features, with a note: columns that are missing in
// all labelled rows, constant columns (one value, none missing), categorical columns with a
// different value in each of 10 or more rows (identifiers). Noted but kept: a numeric column that
// counts the rows. Also noted: rows dropped because they have no class, classes with a single row.
//
// Throws Error{data} if there is no such column, if there is nothing to learn from (no rows, fewer
// than two with a class, one class only, no features), if there are more than 1000 classes, or if
// the target looks like regression: it has more than 20 distinct values, all of them numbers, and
// there are more than 100, or one is not whole, or there are more than half as many as rows with a
// class.
//
// `numbers`: if the table is a sample, the numbers of its rows among all rows; else empty.
Dataset make_dataset(const Table& table, const std::string& target,
                     std::span<const std::uint64_t> numbers = {});

// "3 of 90 rows have no value in the target 'a' and are left out."
std::string unlabelled_note(std::size_t unlabelled, std::size_t rows, const std::string& target);

}  // namespace frr::internal
