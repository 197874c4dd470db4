// Values as bytes, one after the other, for messages between processes of one version.
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
  fail_data("a message of a shard is damaged: bytes were lost or changed on the way");
}

// What no shard that reads its rows could have answered.
[[noreturn]] inline void fail_answer(const std::string& what) {
  fail_data("an answer of a shard cannot be true: " + what +
            "; let every shard answer the request that it was sent, with its rows unchanged");
}

// Throws Error{data} where the bytes end too soon.
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
      const std::string_view own = next(count * sizeof(T));
      values.resize(count);
      if (count > 0) std::memcpy(values.data(), own.data(), own.size());
    } else {
      if (count > bytes_.size()) fail_damaged();
      for (std::uint64_t i = 0; i < count; ++i) values.push_back(text());
    }
    return values;
  }

 private:
  std::string_view next(std::uint64_t count) {
    if (count > bytes_.size()) fail_damaged();
    const std::string_view own = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return own;
  }

  std::string_view bytes_;
};

// Tells bytes from others.
std::uint64_t check_sum(std::string_view bytes);

// `content` behind a header: four letters that tell what it is, the version, a check sum.
std::string sealed(std::string_view letters, std::string_view content);
// The content. Throws Error{data}: not a message of this kind (`noun` names it), of another version
// of FRR, or damaged.
std::string_view opened(std::string_view letters, std::string_view noun, std::string_view message);

}  // namespace frr::internal
