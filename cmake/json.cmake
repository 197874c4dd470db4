# Finds nlohmann_json in the system or in the Python package nlohmann-json.
find_package(nlohmann_json 3.11 QUIET)
if(NOT nlohmann_json_FOUND)
  find_package(Python 3.11 QUIET COMPONENTS Interpreter)
  if(Python_FOUND)
    execute_process(
      COMMAND ${Python_EXECUTABLE} -c "import nlohmann_json as p; print(p.__path__[0] + '/include')"
      OUTPUT_VARIABLE include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(FRR_JSON_INCLUDE nlohmann/json.hpp HINTS ${include})
  if(NOT FRR_JSON_INCLUDE)
    message(FATAL_ERROR "nlohmann/json.hpp is missing: install nlohmann-json3-dev (Debian) or "
                        "nlohmann-json (PyPI)")
  endif()
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${FRR_JSON_INCLUDE})
endif()
