# cmake --install: the library, the headers, the program, and the package for find_package(frr).
include(CMakePackageConfigHelpers)

set(FRR_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/frr)
install(TARGETS frr EXPORT frr-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT frr-targets NAMESPACE frr:: DESTINATION ${FRR_PACKAGE_DIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/frr-config.cmake.in
                              ${PROJECT_BINARY_DIR}/frr-config.cmake
                              INSTALL_DESTINATION ${FRR_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/frr-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/frr-config.cmake ${PROJECT_BINARY_DIR}/frr-config-version.cmake
        DESTINATION ${FRR_PACKAGE_DIR})

if(TARGET frr_program)
  install(TARGETS frr_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
