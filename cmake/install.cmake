# cmake --install: program, library, headers, and what find_package(frr) and pkg-config read.
include(CMakePackageConfigHelpers)

set(FRR_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/frr)

# Installs `target`, the library of that kind (static or shared), as frr::frr: always, or, with
# EXCLUDE_FROM_ALL, only for `cmake --install DIR --component frr_KIND`.
function(frr_install_library target kind)
  set(options COMPONENT frr_${kind} ${ARGN})
  install(TARGETS ${target} EXPORT frr-${kind}-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${options}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${options}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${options})
  install(EXPORT frr-${kind}-targets NAMESPACE frr:: DESTINATION ${FRR_PACKAGE_DIR} ${options})
  install(FILES ${PROJECT_BINARY_DIR}/frr-config.cmake
                ${PROJECT_BINARY_DIR}/frr-config-version.cmake
          DESTINATION ${FRR_PACKAGE_DIR} ${options})
  install(FILES ${PROJECT_BINARY_DIR}/frr.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          ${options})
endfunction()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/frr-config.cmake.in
                              ${PROJECT_BINARY_DIR}/frr-config.cmake
                              INSTALL_DESTINATION ${FRR_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/frr-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
# frr.pc states the prefix relative to itself: the installed files can be moved.
file(RELATIVE_PATH FRR_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/frr.pc.in ${PROJECT_BINARY_DIR}/frr.pc @ONLY)

if(BUILD_SHARED_LIBS)
  frr_install_library(frr static EXCLUDE_FROM_ALL)
  frr_install_library(frr_shared shared)
else()
  frr_install_library(frr static)
  if(TARGET frr_shared)
    frr_install_library(frr_shared shared EXCLUDE_FROM_ALL)
  endif()
endif()

if(TARGET frr_program)
  install(TARGETS frr_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
