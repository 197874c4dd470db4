// A CSV file that is read anew for every question instead of being kept: learning from more rows
// than memory holds. Its pieces are the shards of frr/shards.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frr/shards.hpp"
#include "frr/table.hpp"
#include "io/input_file.hpp"

namespace frr::internal {

// What fits in `bytes` of memory: rows of a piece of the file, and rows that are learned from (at
// most settings.search_rows). Throws Error{usage} where so little is not worth learning from; the
// message tells what would do.
struct MemoryPlan {
  std::size_t piece_rows = 0;
  int search_rows = 0;
};
MemoryPlan plan_memory(std::size_t bytes, std::size_t columns, int search_rows, int threads);

class CsvPieces;

class CsvShards : public Shards {
 public:
  // Called with every piece at its first reading.
  using Check = std::function<void(const Table& piece)>;

  // `path` is a file, since standard input can be read only once. If it is found changed, ask()
  // throws Error{data}: answers from different contents do not fit together.
  CsvShards(std::string path, CsvOptions options, std::size_t piece_rows, int threads,
            Check check = {});

  std::string ask(const std::string& request) override;

  // So far: readings begun, and rows of all readings.
  [[nodiscard]] int readings() const { return readings_; }
  [[nodiscard]] std::size_t rows_read() const { return rows_read_; }
  // Of the first reading.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string read_and_answer(const std::string& request);
  std::string answer_all(CsvPieces& reader, const std::string& request);
  [[noreturn]] void fail_changed() const;

  std::string path_;
  CsvOptions options_;
  std::vector<std::string> mixed_;  // columns that hold numbers and other texts
  std::size_t piece_rows_;
  int threads_;
  Check check_;
  int readings_ = 0;
  FileStamp stamp_;             // at the first reading
  std::uint64_t checksum_ = 0;  // of the first reading
  std::size_t rows_read_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace frr::internal
