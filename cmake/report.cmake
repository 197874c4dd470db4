# Assembles the page of `frr report` from its parts in report/ into one file. The content security
# policy of the page permits only its script and its style.

set(report_scripts words dom engine change chart reasons card summary rules
    vocabulary effects whatif rows ranking curves threshold groups main)
set(report_files page.html style.css)
foreach(name IN LISTS report_scripts)
  list(APPEND report_files ${name}.js)
endforeach()
list(TRANSFORM report_files PREPEND ${PROJECT_SOURCE_DIR}/report/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${report_files})

# The value `sha256-...` for a content security policy: the hash in base64, in which two characters
# encode three hexadecimal digits.
function(frr_policy_hash text result)
  set(signs "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hash "${text}")
  set(base64 "")
  foreach(at RANGE 0 60 3)
    string(SUBSTRING ${hash} ${at} 3 digits)
    math(EXPR first "0x${digits} >> 6")
    math(EXPR second "0x${digits} & 63")
    string(SUBSTRING ${signs} ${first} 1 first)
    string(SUBSTRING ${signs} ${second} 1 second)
    string(APPEND base64 ${first}${second})
  endforeach()
  string(SUBSTRING ${hash} 63 1 digit)
  math(EXPR last "0x${digit} << 2")
  string(SUBSTRING ${signs} ${last} 1 last)
  set(${result} "sha256-${base64}${last}=" PARENT_SCOPE)
endfunction()

# Concatenates the modules in one scope. Each follows the modules that it imports.
set(script "\n'use strict';\n(() => {\n")
foreach(name IN LISTS report_scripts)
  file(READ ${PROJECT_SOURCE_DIR}/report/${name}.js module)
  string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" module "${module}")
  string(REGEX REPLACE "(^|\n)export " "\\1" module "${module}")
  string(APPEND script "// ---- ${name}.js\n${module}")
endforeach()
string(APPEND script "})();\n")
file(READ ${PROJECT_SOURCE_DIR}/report/style.css style)
set(style "\n${style}")
frr_policy_hash("${script}" script_hash)
frr_policy_hash("${style}" style_hash)

file(READ ${PROJECT_SOURCE_DIR}/report/page.html FRR_REPORT_PAGE)
foreach(part IN ITEMS style script style_hash script_hash)
  string(REPLACE "{{${part}}}" "${${part}}" FRR_REPORT_PAGE "${FRR_REPORT_PAGE}")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/report_template.cpp.in
               ${PROJECT_BINARY_DIR}/report_template.cpp @ONLY)
target_sources(frr PRIVATE ${PROJECT_BINARY_DIR}/report_template.cpp)
set_source_files_properties(${PROJECT_BINARY_DIR}/report_template.cpp PROPERTIES
                            COMPILE_OPTIONS -Wno-overlength-strings)
