#include "frr/error.hpp"

#include "base/visible_text.hpp"

namespace frr {
using namespace internal;

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(visible_text(message)), kind_(kind) {}

}  // namespace frr
