#include "rows/csv_source.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "csv/csv_reader.hpp"
#include "frr/error.hpp"
#include "io/checksum.hpp"

namespace frr::internal {

CsvSource::CsvSource(std::string path, CsvOptions options, ColumnRoles roles,
                     const MemoryPlan& plan, int threads, Check check)
    : LocalSource(std::move(roles)),
      path_(std::move(path)),
      options_(std::move(options)),
      plan_(plan),
      threads_(threads),
      check_(std::move(check)) {
  if (options_.source == CsvOptions().source) options_.source = path_;
}

Survey CsvSource::survey() {
  Survey survey = LocalSource::survey();
  if (readings_ == 1 && !mixed_.empty()) return LocalSource::survey();
  return survey;
}

void CsvSource::visit_shards(const std::vector<std::string>& columns, const Visitor& visit) {
  ++readings_;
  CsvOptions options = options_;
  if (!columns.empty()) options.only = columns;
  const InputFile file(path_);
  const FileStamp stamp = file.stamp();
  if (readings_ == 1) stamp_ = stamp;
  if (stamp != stamp_) fail_changed();
  Checksum checksum;
  const auto source = [&](char* into, std::size_t count) {
    const std::size_t got = file.read(into, count);
    checksum.add({into, got});
    return got;
  };
  try {
    CsvPieces reader(source, std::move(options), plan_.shard_rows, CsvInput::default_chunk, mixed_);
    visit_pieces(reader, visit);
  } catch (const Error& error) {
    // What is wrong with the file may be the change alone.
    if (error.kind() == ErrorKind::data && file.stamp() != stamp_) fail_changed();
    throw;
  }
  if (readings_ == 1) checksum_ = checksum.value();
  if (file.stamp() != stamp_ || checksum.value() != checksum_) fail_changed();
}

void CsvSource::fail_changed() const {
  fail_data(path_ +
            " changed while it was being read. It is read several times, and the rows must stay "
            "the same: train again on a file that nobody changes, such as a copy.");
}

void CsvSource::visit_pieces(CsvPieces& reader, const Visitor& visit) {
  const auto most = static_cast<std::size_t>(plan_.readers);
  std::vector<Table> present, coming;
  std::size_t shard = 0;
  const auto read_on = [&] {
    coming.clear();
    for (Table piece; coming.size() < most && reader.next(piece);) {
      if (readings_ == 1 && check_) check_(piece);
      rows_read_ += piece.rows;
      coming.push_back(std::move(piece));
    }
  };
  read_on();
  while (!coming.empty()) {
    present.swap(coming);
    parallel_for(threads_, present.size() + 1, [&](std::size_t task) {
      if (task == 0) return read_on();
      visit(TableView(present[task - 1]), shard + task - 1);
    });
    shard += present.size();
  }
  if (readings_ == 1) {
    warnings_ = reader.warnings();
    mixed_ = reader.mixed();
  }
}

}  // namespace frr::internal
