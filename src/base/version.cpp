#include <string_view>

#include "frr/frr.hpp"

namespace frr {

std::string_view version() { return FRR_VERSION; }

}  // namespace frr
