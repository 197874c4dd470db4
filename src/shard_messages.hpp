// What is asked of shards and what they answer (frr/shards.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frr/table.hpp"

namespace frr {

struct ShardRequest {
  enum class Kind : std::uint8_t {
    survey,  // how many rows of each class there are, and the largest weight
    sample,  // the rows to learn from
    worth,   // what the rules are worth and what changes of them would be (settle.hpp)
    count,   // how many rows each rule decides and covers
  };
  Kind kind = Kind::survey;
  std::string target;
  std::string weight;  // column of weights, or empty
  // sample
  std::vector<std::uint64_t> first;  // number of the first row of each shard
  std::uint64_t seed = 0;
  std::uint64_t below = 0;  // rows whose number has a hash below this are in the sample
  // worth, count
  std::string model;        // as JSON
  double most_weight = 1;   // of all rows
  double margin = 0;

  [[nodiscard]] std::string bytes() const;
  static ShardRequest from(std::string_view bytes);
};

// Rows with their numbers in the whole. Columns of one name may be numeric in one part and
// categorical in another.
struct SampledRows {
  std::vector<std::uint64_t> numbers;
  std::vector<Column> columns;
};

struct ShardAnswer {
  // survey
  std::map<std::uint64_t, std::uint64_t> rows;  // of each shard
  std::map<std::string, std::uint64_t> classes;  // rows of each class; missing ones are left out
  double most_weight = 0;
  // sample
  std::vector<SampledRows> parts;
  // worth, count
  std::vector<std::int64_t> sums;

  void add(ShardAnswer other);
  [[nodiscard]] std::string bytes() const;
  static ShardAnswer from(std::string_view bytes);
};

// A target of more distinct values is refused; no survey holds many more.
inline constexpr std::size_t most_surveyed_classes = 1001;

}  // namespace frr
