// The one error type of the library.
//
// Every function of FRR reports a failure by throwing frr::Error. what() is one or more sentences
// that a user can act on: it names the file, line and column, where known, and the remedy. It is
// safe to show: control characters, directional marks and bytes that are not UTF-8, which names and
// cells may contain, are written as \x1b, \u202e and the like.
#pragma once

#include <stdexcept>
#include <string>

#include "frr/api.hpp"

namespace frr {

enum class ErrorKind {
  data,         // a table, fold file, label file or model that cannot be used as it is
  usage,        // a setting or argument outside its range
  internal,     // a bug in the library; please report it
  interrupted,  // the caller's progress callback asked to stop
};

class FRR_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

[[noreturn]] inline void fail_data(const std::string& message) {
  throw Error(ErrorKind::data, message);
}
[[noreturn]] inline void fail_usage(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

}  // namespace frr
