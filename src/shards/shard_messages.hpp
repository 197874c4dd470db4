// What is asked of shards and what they answer (frr/shards.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frr/table.hpp"
#include "search/border_scores.hpp"

namespace frr::internal {

struct ShardRequest {
  enum class Kind : std::uint8_t {
    survey,  // how many rows of each class there are, the columns and their ends
    sample,  // the rows to learn from
    worth,   // what the rules, and changes of rules and borders, are worth (worth.hpp)
    count,   // how many rows each rule decides and covers
  };
  Kind kind = Kind::survey;
  std::string target;
  std::string weight;                    // column of weights, or empty
  std::vector<std::string> categorical;  // columns of numbers that are names
  // sample
  std::vector<std::uint64_t> first;  // number of the first row of each shard
  std::uint64_t seed = 0;
  std::uint64_t below = 0;             // rows whose number has a hash below this are in the sample
  std::vector<std::uint64_t> besides;  // numbers of others that are, ascending
  bool everything = false;             // all rows, whether they count or not
  // worth, count
  std::string model;       // as JSON
  double most_weight = 1;  // of all rows
  // worth
  double margin = 0;
  std::vector<BorderTrial> trials;

  [[nodiscard]] std::string bytes() const;
  static ShardRequest from(std::string_view bytes);
};

// Row `row` of a shard.
struct RowPlace {
  std::uint64_t shard = 0, row = 0;
  bool operator<(const RowPlace& other) const {
    return shard != other.shard ? shard < other.shard : row < other.row;
  }
};

// Rows count if their class is known and their weight is not 0.
struct SurveyedClass {
  std::uint64_t rows = 0;        // that count
  std::vector<RowPlace> places;  // of the first two of them
  std::optional<RowPlace> idle;  // the first that does not count, for its weight is 0
};

struct SurveyedColumn {
  std::string name;
  bool numeric = false, categorical = false;  // of which types it is in shards with any value
  // The first row that counts of the smallest value, of the largest one, and without one.
  struct End {
    double value = 0;
    RowPlace place;
  };
  std::optional<End> low, high;
  std::optional<RowPlace> missing;
};

// Rows with their numbers in the whole. Columns of one name may be numeric in one part and
// categorical in another.
struct SampledRows {
  std::vector<std::uint64_t> numbers;
  std::vector<Column> columns;
};

// How many rows have answered, and whose: a sum over shards that tells whether one is missing, was
// added twice or has other rows than before.
struct Attendance {
  std::uint64_t rows = 0, shards = 0;
  void add(std::uint64_t shard, std::uint64_t count);
  bool operator==(const Attendance&) const = default;
};

struct ShardAnswer {
  ShardRequest::Kind kind = ShardRequest::Kind::survey;
  std::uint64_t request = 0;  // check sum of the request that is answered
  Attendance attendance;
  // survey
  std::map<std::uint64_t, std::uint64_t> rows;  // of each shard
  std::uint64_t unlabelled = 0;
  std::map<std::string, SurveyedClass> classes;
  double most_weight = 0;
  std::vector<SurveyedColumn> columns;
  std::set<std::string> target_types;  // as the shards with any class call them
  // sample
  std::vector<SampledRows> parts;
  // worth, count
  std::vector<std::int64_t> sums;

  void add(ShardAnswer other);
  [[nodiscard]] std::string bytes() const;
  static ShardAnswer from(std::string_view bytes);
};

// Throw Error{data} where no rows could have given the answer. `rows`: of all shards.
void check_survey(const ShardAnswer& survey);
void check_sample(const std::vector<SampledRows>& parts, std::uint64_t rows);

// A target of more distinct values is refused; no survey holds many more.
inline constexpr std::size_t most_surveyed_classes = 1001;

}  // namespace frr::internal
