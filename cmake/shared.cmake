# The shared library, made from the objects of the static one. It hides all internals, which the
# program, the tests and the Python package use: they link the static library in any case. A build
# with tests makes both, because the tests install both.
if(BUILD_SHARED_LIBS OR (FRR_BUILD_TESTS AND NOT FRR_SANITIZE))
  add_library(frr_shared SHARED)
  target_sources(frr_shared PUBLIC ${FRR_HEADER_SET})
  target_compile_features(frr_shared PUBLIC cxx_std_20)
  target_link_libraries(frr_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,frr>
                                   PUBLIC Threads::Threads)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(frr_shared PRIVATE -Wl,--version-script=${exports})
    set_target_properties(frr_shared PROPERTIES LINK_DEPENDS ${exports})
  endif()
  # Before version 1, any minor version may change the binary interface.
  set_target_properties(frr_shared PROPERTIES
                        OUTPUT_NAME frr EXPORT_NAME frr LINKER_LANGUAGE CXX
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
if(BUILD_SHARED_LIBS)
  add_library(frr::frr ALIAS frr_shared)
else()
  add_library(frr::frr ALIAS frr)
endif()
