# cmake/platform.cmake accepts the supported platforms and compilers of README.md, and rejects others
# with a message that names them.
function(platform expected)
  set(definitions SYSTEM_NAME=Linux SIZEOF_VOID_P=8 CXX_BYTE_ORDER=LITTLE_ENDIAN
                  CXX_COMPILER_ID=GNU CXX_COMPILER_VERSION=12.2.0 ${ARGN})
  list(TRANSFORM definitions PREPEND -DCMAKE_)
  execute_process(COMMAND ${CMAKE_COMMAND} ${definitions} -P ${SOURCE_DIR}/cmake/platform.cmake
                  RESULT_VARIABLE status ERROR_VARIABLE message)
  string(REGEX REPLACE "[ \n]+" " " message "${message}")
  if(expected STREQUAL "accepted")
    if(NOT status EQUAL 0)
      message(SEND_ERROR "refused: ${ARGN}: ${message}")
    endif()
  elseif(status EQUAL 0 OR NOT message MATCHES "${expected}" OR NOT message MATCHES "FRR supports")
    message(SEND_ERROR "expected '${expected}' for ${ARGN}, got status ${status}: ${message}")
  endif()
endfunction()

platform(accepted)
platform(accepted SYSTEM_NAME=Darwin CXX_COMPILER_ID=AppleClang CXX_COMPILER_VERSION=17.0.0)
platform(accepted CXX_COMPILER_ID=Clang CXX_COMPILER_VERSION=14.0.6)
platform("operating system Windows" SYSTEM_NAME=Windows)
platform("operating system FreeBSD" SYSTEM_NAME=FreeBSD)
platform("32-bit" SIZEOF_VOID_P=4)
platform("big-endian" CXX_BYTE_ORDER=BIG_ENDIAN)
platform("compiler MSVC" CXX_COMPILER_ID=MSVC CXX_COMPILER_VERSION=19.40)
platform("GNU 11.4.0 is too old" CXX_COMPILER_VERSION=11.4.0)
platform("Clang 13.0.1 is too old" CXX_COMPILER_ID=Clang CXX_COMPILER_VERSION=13.0.1)
platform("AppleClang 16.0.0 is too old" CXX_COMPILER_ID=AppleClang CXX_COMPILER_VERSION=16.0.0)
