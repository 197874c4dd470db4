// Random tables cut into shards, and shards that answer in this process.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frr/shards.hpp"
#include "rows/sample.hpp"
#include "support/random_table.hpp"

namespace frr::internal::local_shards {

inline Table random_rows(std::uint64_t seed, std::size_t rows) {
  Random random(seed);
  return random_table::make(random, {.rows = rows,
                                     .numeric = 4,
                                     .categorical = 2,
                                     .classes = 3,
                                     .missing = 0.02,
                                     .missing_target = 0.05});
}

inline Table part_of(const Table& table, std::size_t from, std::size_t to) {
  std::vector<std::uint32_t> rows(to - from);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(from));
  Table part;
  part.rows = rows.size();
  for (const Column& column : table.columns)
    part.columns.push_back(pick_rows(ColumnView(column), rows));
  return part;
}

inline std::vector<Table> cut(const Table& table, std::vector<std::size_t> cuts) {
  cuts.push_back(table.rows);
  std::vector<Table> parts;
  std::size_t from = 0;
  for (const std::size_t to : cuts) {
    parts.push_back(part_of(table, from, to));
    from = to;
  }
  return parts;
}

inline std::vector<std::size_t> even_cuts(std::size_t rows, std::size_t parts) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i < parts; ++i) cuts.push_back(i * rows / parts);
  return cuts;
}

// Answers in random order, added in random groups; asks some shards twice.
class LocalShards : public Shards {
 public:
  explicit LocalShards(std::vector<Table> parts, std::uint64_t seed = 0)
      : parts_(std::move(parts)), random_(seed) {}

  std::string ask(const std::string& request) override {
    ++asked;
    kinds.insert(question_of(request).kind);
    std::vector<std::size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), 0U);
    random_.shuffle<std::size_t>(order);
    std::vector<std::string> answers;
    for (const std::size_t i : order) {
      const TableView view = asked_view(parts_[i], request);
      answers.push_back(answer(request, view, i, 1 + static_cast<int>(random_.below(2))));
      if (random_.uniform() < 0.2) {
        EXPECT_EQ(answer(request, view, i), answers.back());
      }
      if (answers.size() > 1 && random_.uniform() < 0.4) answers = {add_answers(answers)};
      most_bytes = std::max({most_bytes, answers.back().size(), request.size()});
    }
    return add_answers(answers);
  }

  int asked = 0;
  std::multiset<std::string> kinds;
  std::size_t most_bytes = 0;

 private:
  // Only the columns that the request reads.
  static TableView asked_view(const Table& table, const std::string& request) {
    TableView view(table);
    const std::vector<std::string> names = columns_asked(request);
    if (names.empty()) return view;
    std::erase_if(view.columns, [&](const ColumnView& column) {
      return std::find(names.begin(), names.end(), column.name) == names.end();
    });
    return view;
  }

  std::vector<Table> parts_;
  Random random_;
};

}  // namespace frr::internal::local_shards
