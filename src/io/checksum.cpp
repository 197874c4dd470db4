#include "io/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace frr::internal {
namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F,
                        prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63,
                        prime5 = 0x27D4EB2F165667C5;

template <typename Number>
std::uint64_t load(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * prime2, 31) * prime1;
}

std::uint64_t finish(std::uint64_t sum, const char* rest, std::size_t left) {
  for (; left >= 8; rest += 8, left -= 8) {
    sum = std::rotl(sum ^ round(0, load<std::uint64_t>(rest)), 27) * prime1 + prime4;
  }
  for (; left >= 4; rest += 4, left -= 4) {
    sum = std::rotl(sum ^ (load<std::uint32_t>(rest) * prime1), 23) * prime2 + prime3;
  }
  for (; left > 0; ++rest, --left) {
    sum = std::rotl(sum ^ (load<std::uint8_t>(rest) * prime5), 11) * prime1;
  }
  sum = (sum ^ (sum >> 33)) * prime2;
  sum = (sum ^ (sum >> 29)) * prime3;
  return sum ^ (sum >> 32);
}

}  // namespace

void Checksum::mix(const char* bytes) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane] = round(lanes_[lane], load<std::uint64_t>(bytes + 8 * lane));
  }
}

void Checksum::add(std::string_view bytes) {
  const std::size_t held = count_ % stripe;
  count_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(stripe - held, bytes.size());
    std::copy_n(bytes.data(), taken, rest_.data() + held);
    bytes.remove_prefix(taken);
    if (held + taken < stripe) return;
    mix(rest_.data());
  }
  for (; bytes.size() >= stripe; bytes.remove_prefix(stripe)) mix(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

std::uint64_t Checksum::value() const {
  std::uint64_t sum = prime5;
  if (count_ >= stripe) {
    sum = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
          std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) sum = (sum ^ round(0, lane)) * prime1 + prime4;
  }
  return finish(sum + count_, rest_.data(), count_ % stripe);
}

}  // namespace frr::internal
