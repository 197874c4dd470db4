#include "shards/csv_shards.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "frr/error.hpp"
#include "io/csv_reader.hpp"
#include "shards/checksum.hpp"

namespace frr::internal {
namespace {

// Measured: a training on 131072 rows takes 67 bytes a cell with 20 columns and 55 with 100. A
// piece is there as text, in blocks and as a column, and some of it again where it answers.
constexpr std::size_t bytes_of_learning = 72, bytes_of_piece = 32;
constexpr std::size_t bytes_of_program = std::size_t{16} << 20;
constexpr std::size_t least_rows = 1000, most_piece_rows = 65536;
// Those of a sample are long, and each adding copies them.
constexpr std::size_t most_answers = 64;

// One is read while the others answer.
std::size_t pieces_at_once(int threads) {
  return static_cast<std::size_t>(std::max(1, thread_count(threads) - 1));
}

}  // namespace

MemoryPlan plan_memory(std::size_t bytes, std::size_t columns, int search_rows, int threads) {
  const std::size_t row = std::max<std::size_t>(1, columns);
  // An eighth for pieces, the rest for learning.
  const std::size_t pieces = bytes / 8;
  const std::size_t fixed = pieces + bytes_of_program;
  const std::size_t rows = bytes > fixed ? (bytes - fixed) / (row * bytes_of_learning) : 0;
  if (rows < least_rows) {
    const std::size_t needed =
        (least_rows * row * bytes_of_learning + bytes_of_program) / 7 * 8 + (std::size_t{1} << 20);
    fail_usage("this is too little memory to learn from " + std::to_string(columns) +
               " columns; give " + std::to_string(needed / 1000000 + 1) + "MB or more");
  }
  MemoryPlan plan;
  plan.search_rows = static_cast<int>(std::min(rows, static_cast<std::size_t>(search_rows)));
  const std::size_t piece = pieces / (2 * pieces_at_once(threads) * row * bytes_of_piece);
  plan.piece_rows = std::clamp<std::size_t>(piece, 64, most_piece_rows);
  return plan;
}

CsvShards::CsvShards(std::string path, CsvOptions options, std::size_t piece_rows, int threads,
                     Check check)
    : path_(std::move(path)),
      options_(std::move(options)),
      piece_rows_(piece_rows),
      threads_(threads),
      check_(std::move(check)) {
  if (options_.source == CsvOptions().source) options_.source = path_;
}

// The first question finds out which columns mix numbers and other texts, and is then asked again:
// of such a column, a piece of numbers alone is categories, too.
std::string CsvShards::ask(const std::string& request) {
  std::string answer = read_and_answer(request);
  if (readings_ == 1 && !mixed_.empty()) return read_and_answer(request);
  return answer;
}

std::string CsvShards::read_and_answer(const std::string& request) {
  ++readings_;
  CsvOptions options = options_;
  if (std::vector<std::string> asked = columns_asked(request); !asked.empty()) {
    options.only = std::move(asked);
  }
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
  std::string answers;
  try {
    CsvPieces reader(source, std::move(options), piece_rows_, CsvInput::default_chunk, mixed_);
    answers = answer_all(reader, request);
  } catch (const Error& error) {
    // What is wrong with the file may be the change alone.
    if (error.kind() == ErrorKind::data && file.stamp() != stamp_) fail_changed();
    throw;
  }
  if (readings_ == 1) checksum_ = checksum.value();
  if (file.stamp() != stamp_ || checksum.value() != checksum_) fail_changed();
  return answers;
}

void CsvShards::fail_changed() const {
  fail_data(path_ +
            " changed while it was being read. It is read several times, and the rows must stay "
            "the same: train again on a file that nobody changes, such as a copy.");
}

std::string CsvShards::answer_all(CsvPieces& reader, const std::string& request) {
  const std::size_t most = pieces_at_once(threads_);
  std::vector<Table> present, coming;
  std::vector<std::string> answers;
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
    const std::size_t before = answers.size();
    answers.resize(before + present.size());
    parallel_for(threads_, present.size() + 1, [&](std::size_t task) {
      if (task == 0) return read_on();
      answers[before + task - 1] = answer(request, TableView(present[task - 1]), shard + task - 1);
    });
    shard += present.size();
    if (answers.size() >= most_answers) answers = {add_answers(answers)};
  }
  if (readings_ == 1) {
    warnings_ = reader.warnings();
    mixed_ = reader.mixed();
  }
  return add_answers(answers);
}

}  // namespace frr::internal
