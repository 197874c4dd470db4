// Values as consecutive bytes, for messages between processes of the same version.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "frr/error.hpp"

namespace frr::internal {

class ByteWriter {
 public:
  template <typename T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (std::is_arithmetic_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(std::string_view(value));
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

[[noreturn]] inline void fail_damaged() {
  fail_data("a shard's message is damaged: bytes were lost or changed in transit");
}

// For an answer that no rows could have given.
[[noreturn]] inline void fail_answer(const std::string& what) {
  fail_data("a shard's answer cannot be right: " + what +
            "; each shard must answer the request that it was sent, always with the same rows");
}

// Throws Error{data} if the bytes end too soon.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::string_view rest() const { return bytes_; }

  template <typename T>
  T get() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(next(get<std::uint64_t>())); }
  template <typename T>
  std::vector<T> list() {
    const auto count = get<std::uint64_t>();
    std::vector<T> values;
    if constexpr (std::is_arithmetic_v<T>) {
      if (count > bytes_.size() / sizeof(T)) fail_damaged();
      const std::string_view bytes = next(count * sizeof(T));
      values.resize(count);
      if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
      if (count > bytes_.size()) fail_damaged();
      for (std::uint64_t i = 0; i < count; ++i) values.push_back(text());
    }
    return values;
  }

 private:
  std::string_view next(std::uint64_t count) {
    if (count > bytes_.size()) fail_damaged();
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

// A fast checksum of short messages.
std::uint64_t check_sum(std::string_view bytes);

// `content` after a header: four letters for the kind of message, the version, a checksum.
std::string sealed(std::string_view letters, std::string_view content);
// The content. Throws Error{data} if this is not a message of this kind (`noun` names it), comes
// from another version of FRR, or is damaged.
std::string_view opened(std::string_view letters, std::string_view noun, std::string_view message);

}  // namespace frr::internal
