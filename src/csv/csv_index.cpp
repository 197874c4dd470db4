#include "csv/csv_index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace frr::internal {
namespace {

constexpr std::size_t piece_bytes = 64;

// Bit i of each mask refers to byte i of a piece.
struct Marks {
  std::uint64_t delimiters = 0, line_feeds = 0, returns = 0;
  std::uint64_t special = 0;  // quotes and NUL
};

#ifdef __SSE2__
Marks find_marks(const char* piece, char delimiter) {
  const auto is = [](const __m128i& bytes, char c) {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
  };
  const auto bits = [](const __m128i& equal, int shift) {
    return static_cast<std::uint64_t>(_mm_movemask_epi8(equal)) << shift;
  };
  Marks marks;
  for (int part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(piece) + part);
    const int shift = 16 * part;
    marks.delimiters |= bits(is(bytes, delimiter), shift);
    marks.line_feeds |= bits(is(bytes, '\n'), shift);
    marks.returns |= bits(is(bytes, '\r'), shift);
    marks.special |= bits(_mm_or_si128(is(bytes, '"'), is(bytes, '\0')), shift);
  }
  return marks;
}
#else
Marks find_marks(const char* piece, char delimiter) {
  Marks marks;
  for (std::size_t i = 0; i < piece_bytes; ++i) {
    const char c = piece[i];
    marks.delimiters |= std::uint64_t{c == delimiter} << i;
    marks.line_feeds |= std::uint64_t{c == '\n'} << i;
    marks.returns |= std::uint64_t{c == '\r'} << i;
    marks.special |= std::uint64_t{c == '"' || c == '\0'} << i;
  }
  return marks;
}
#endif

// Writes the positions of all set bits and returns their number. Writes eight at a time, because a
// processor predicts "at most eight" better than the exact number.
std::size_t write_positions(std::uint64_t bits, std::uint32_t offset, std::uint32_t* to) {
  const auto count = static_cast<std::size_t>(std::popcount(bits));
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t i = 0; i < 8; ++i) {
      to[done + i] = offset + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }
  return count;
}

}  // namespace

bool CsvIndex::scan(std::string_view text, char delimiter) {
  text = text.substr(0, window);
  text_ = text.data();
  marks_ = rows_ = counted_ = row_ = first_ = fields_ = begin_ = 0;
  ends_.resize(window + piece_bytes);
  counts_.resize(window + piece_bytes);
  std::size_t at = 0;
  bool plain = true;
  for (; plain && at + piece_bytes < text.size(); at += piece_bytes) {
    plain = add_piece(text_ + at, at, text[at + piece_bytes], delimiter);
  }
  if (plain) {
    char last[piece_bytes] = {};
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), last);
    add_piece(last, at, '\0', delimiter);
  }
  return rows_ > 0;
}

// False if the piece contains a part of a row that is not plain. `after`: the byte after the piece.
bool CsvIndex::add_piece(const char* piece, std::size_t offset, char after, char delimiter) {
  Marks found = find_marks(piece, delimiter);
  if (found.returns != 0) {
    const std::uint64_t before_feed = found.line_feeds >> 1 | std::uint64_t{after == '\n'} << 63;
    found.special |= found.returns & ~before_feed;
  }
  if (found.special != 0) {
    const std::uint64_t before = (found.special & (~found.special + 1)) - 1;
    found.delimiters &= before;
    found.line_feeds &= before;
  }
  const std::uint64_t marks = found.delimiters | found.line_feeds;
  for (std::uint64_t feeds = found.line_feeds; feeds != 0; feeds &= feeds - 1) {
    const std::uint64_t up_to = feeds ^ (feeds - 1);
    const std::size_t end = marks_ + static_cast<std::size_t>(std::popcount(marks & up_to));
    counts_[rows_++] = static_cast<std::uint32_t>(end - counted_);
    counted_ = end;
  }
  marks_ += write_positions(marks, static_cast<std::uint32_t>(offset), ends_.data() + marks_);
  return found.special == 0;
}

}  // namespace frr::internal
