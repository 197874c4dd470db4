# How our own code is compiled. Nothing here depends on the machine that builds: release binaries
# run on any machine of their architecture, and faster kernels are chosen at run time.

find_program(FRR_CCACHE ccache)
if(FRR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FRR_CCACHE})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
endif()

# Sanitizers reach every target, tests included, and turn off function multiversioning, whose
# resolvers run before the sanitizers' own start-up.
if(FRR_SANITIZE)
  add_compile_options(-fsanitize=${FRR_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FRR_SANITIZE})
  add_compile_definitions(FRR_NO_MULTIVERSION)
endif()

option(FRR_WARNINGS_AS_ERRORS "Treat warnings in our own code as errors" ${PROJECT_IS_TOP_LEVEL})

function(frr_compile_options target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  target_compile_options(
    ${target}
    PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
            # Neither changes a result: nothing here reads errno or the floating-point flags.
            -fno-math-errno -fno-trapping-math)
  # GCC 12 warns without cause about `"text" + std::string` (its bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  # With sanitizers, GCC warns without cause about std::regex (its bug 105562).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND FRR_SANITIZE)
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(FRR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
