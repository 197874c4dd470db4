#include "frr/error.hpp"

#include "visible_text.hpp"

namespace frr {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(visible_text(message)), kind_(kind) {}

}  // namespace frr
