# Stops with a clear message on unsupported platforms and compilers. README.md ("Install") lists the
# supported ones. The test `unsupported_platforms` (tests/platform) runs this file for various platforms.

set(FRR_SUPPORTED "FRR supports Linux and macOS on 64-bit little-endian processors, compiled with \
GCC 12 or newer, Clang 14 or newer, or Apple Clang 17 or newer.")

function(frr_require_platform)
  if(NOT CMAKE_SYSTEM_NAME MATCHES "^(Linux|Darwin)$")
    message(FATAL_ERROR "FRR does not support the operating system ${CMAKE_SYSTEM_NAME}. "
                        "${FRR_SUPPORTED} On Windows, use the Windows Subsystem for Linux (WSL).")
  endif()
  if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
    message(FATAL_ERROR "FRR does not support ${bits}-bit processors. ${FRR_SUPPORTED}")
  endif()
  if(NOT CMAKE_CXX_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
    message(FATAL_ERROR "FRR does not support big-endian processors. ${FRR_SUPPORTED}")
  endif()
endfunction()

function(frr_require_compiler)
  set(oldest_GNU 12)
  set(oldest_Clang 14)
  set(oldest_AppleClang 17)
  set(oldest "${oldest_${CMAKE_CXX_COMPILER_ID}}")
  if(NOT oldest)
    message(FATAL_ERROR "FRR does not support the compiler ${CMAKE_CXX_COMPILER_ID}. "
                        "${FRR_SUPPORTED} Select one with -DCMAKE_CXX_COMPILER=g++.")
  endif()
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is too old for FRR. "
                        "${FRR_SUPPORTED}")
  endif()
endfunction()

# FRR parses numbers with std::from_chars. For floating-point numbers, it requires libc++ of LLVM 20 or
# macOS 26, or newer.
function(frr_require_library)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "${CMAKE_CXX20_STANDARD_COMPILE_OPTION}")
  check_cxx_source_compiles("#include <charconv>
    int main() { double x; return std::from_chars(nullptr, nullptr, x).ptr != nullptr; }"
    FRR_HAS_FROM_CHARS)
  if(NOT FRR_HAS_FROM_CHARS)
    message(FATAL_ERROR "This compiler's standard library lacks std::from_chars for double. Use "
                        "libstdc++ 12 or newer (part of GCC) or libc++ 20 or newer. Before macOS 26, "
                        "install GCC from Homebrew and select it with -DCMAKE_CXX_COMPILER.")
  endif()
endfunction()

frr_require_platform()
frr_require_compiler()
if(NOT CMAKE_SCRIPT_MODE_FILE)
  frr_require_library()
endif()
