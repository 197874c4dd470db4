// A CSV file that is read again for every request instead of being kept in memory: training on more
// rows than memory holds. Each piece of the file is a shard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frr/table.hpp"
#include "io/input_file.hpp"
#include "rows/memory_plan.hpp"
#include "rows/row_source.hpp"

namespace frr::internal {

class CsvPieces;

class CsvSource : public LocalSource {
 public:
  // Called with every piece at its first reading.
  using Check = std::function<void(const Table& piece)>;

  // `path` is a file, since standard input can be read only once. If the file has changed, a
  // request throws Error{data}, because answers from different contents do not fit together.
  CsvSource(std::string path, CsvOptions options, ColumnRoles roles, const MemoryPlan& plan,
            int threads, Check check = {});

  // The first survey reads the file twice if it finds columns that mix numbers and other texts: a
  // piece of such a column that has only numbers is categorical, too.
  Survey survey() override;

  // So far: the number of readings begun, and of rows in all readings.
  [[nodiscard]] int readings() const { return readings_; }
  [[nodiscard]] std::size_t rows_read() const { return rows_read_; }
  // Of the first reading.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void visit_shards(const std::vector<std::string>& columns, const Visitor& visit) override;
  void visit_pieces(CsvPieces& reader, const Visitor& visit);
  [[noreturn]] void fail_changed() const;

  std::string path_;
  CsvOptions options_;
  std::vector<std::string> mixed_;  // columns that mix numbers and other texts
  MemoryPlan plan_;
  int threads_;
  Check check_;
  int readings_ = 0;
  FileStamp stamp_;             // at the first reading
  std::uint64_t checksum_ = 0;  // of the first reading
  std::size_t rows_read_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace frr::internal
