// The first request to all rows: which columns and classes there are, and where extreme and rare
// values are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frr/view.hpp"
#include "rows/column_roles.hpp"

namespace frr::internal {

// Row `row` of a shard.
struct RowPlace {
  std::uint64_t shard = 0, row = 0;
  bool operator<(const RowPlace& other) const {
    return shard != other.shard ? shard < other.shard : row < other.row;
  }
};

struct SurveyedClass {
  std::uint64_t rows = 0;          // usable ones
  std::vector<RowPlace> places;    // of the first two of them
  std::optional<RowPlace> unused;  // the first row of weight 0
};

struct SurveyedColumn {
  std::string name;
  bool numeric = false, categorical = false;  // its types in the shards that have values
  struct End {
    double value = 0;
    RowPlace place;
  };
  std::optional<End> low, high;     // the first usable row of the smallest and the largest value
  std::optional<RowPlace> missing;  // the first usable row without a value
};

struct Survey {
  std::map<std::uint64_t, std::uint64_t> rows;  // of each shard
  std::uint64_t unlabelled = 0;
  std::map<std::string, SurveyedClass> classes;
  double most_weight = 0;
  std::vector<SurveyedColumn> columns;
  std::set<std::string> target_types;  // what the shards with any class call the target's type

  // The survey of both; the result does not depend on the order of adding. Throws Error{data} if
  // the columns differ or a shard is in both.
  void add(Survey other);
  [[nodiscard]] std::uint64_t usable_rows() const;
};

// The survey of one shard. `target_type`: what the caller calls the type of the target, if
// anything.
Survey survey_rows(const TableView& view, const ColumnRoles& roles, std::size_t shard, int threads,
                   std::string_view target_type = {});

// Whether the column is categorical in all shards, because one shard has text in it or because its
// role says so.
bool is_categorical(const SurveyedColumn& column, const ColumnRoles& roles);

// A target with more distinct values is refused, so a survey holds no more.
inline constexpr std::size_t most_surveyed_classes = 1001;

}  // namespace frr::internal
