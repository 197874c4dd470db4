#include <string_view>

#include "frr/frr.hpp"

#ifndef FRR_VERSION  // the build passes the version from CMakeLists.txt
#define FRR_VERSION "0.0.0"
#endif

namespace frr {

std::string_view version() { return FRR_VERSION; }

}  // namespace frr
