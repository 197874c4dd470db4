#include "shards/byte_stream.hpp"

#include "frr/frr.hpp"

namespace frr::internal {
namespace {

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) * 0x9e3779b97f4a7c15ULL;
  return state ^ (state >> 32);
}

}  // namespace

// Each step is a bijection, so changing one word always changes the sum.
std::uint64_t check_sum(std::string_view bytes) {
  std::uint64_t state = bytes.size();
  while (bytes.size() >= sizeof state) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    state = mixed(state, word);
    bytes.remove_prefix(sizeof word);
  }
  for (const char c : bytes) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

std::string sealed(std::string_view letters, std::string_view content) {
  ByteWriter header;
  header.put(version());
  header.put(check_sum(content));
  return std::string(letters) + header.take() + std::string(content);
}

std::string_view opened(std::string_view letters, std::string_view noun, std::string_view message) {
  if (message.substr(0, letters.size()) != letters) {
    fail_data("these bytes are not " + std::string(noun) +
              "; pass on the bytes that FRR gave, unchanged");
  }
  ByteReader in(message.substr(letters.size()));
  const std::string other = in.text();
  if (other != version()) {
    constexpr std::size_t longest = 20;  // of a version
    constexpr std::string_view letters_of_versions = "0123456789.";
    if (other.size() > longest ||
        other.find_first_not_of(letters_of_versions) != std::string::npos) {
      fail_damaged();
    }
    fail_data(std::string(noun) + " was made by FRR " + other + ", but this is FRR " +
              std::string(version()) + "; install the same version on all machines");
  }
  const auto sum = in.get<std::uint64_t>();
  if (check_sum(in.rest()) != sum) fail_damaged();
  return in.rest();
}

}  // namespace frr::internal
