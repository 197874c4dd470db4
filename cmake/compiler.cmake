# Compiler options. They do not depend on the build machine: release binaries run on any machine of
# their architecture and choose faster kernels at run time.

find_program(FRR_CCACHE ccache)
if(FRR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FRR_CCACHE})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
endif()

# Sanitizers apply to all targets, including tests. They require function multiversioning to be off,
# because its resolvers run before the sanitizers are initialised.
if(FRR_SANITIZE)
  add_compile_options(-fsanitize=${FRR_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FRR_SANITIZE})
  add_compile_definitions(FRR_NO_MULTIVERSION)
endif()

option(FRR_WARNINGS_AS_ERRORS "Treat warnings in FRR as errors" ${PROJECT_IS_TOP_LEVEL})

function(frr_compile_options target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  target_compile_options(
    ${target}
    PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
            # These change no results, because FRR never reads errno or the floating-point flags.
            -fno-math-errno -fno-trapping-math)
  # GCC 12 gives false warnings about `"text" + std::string` (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  # With sanitizers, GCC gives false warnings about std::regex (GCC bug 105562).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND FRR_SANITIZE)
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(FRR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
