# ClsortDocs.cmake - the target "docs": the API reference, which fails on symbols without a comment

find_package(Doxygen REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_file(CLSORT_DOCS_STYLE doxygen-awesome.css PATHS /usr/share/doxygen-awesome-css)
if(NOT CLSORT_DOCS_STYLE)
  message(FATAL_ERROR "doxygen-awesome.css not found: install doxygen-awesome-css or set CLSORT_DOCS_STYLE")
endif()

set(CLSORT_DOCS "${CMAKE_CURRENT_BINARY_DIR}/reference") # installed by ClsortInstall.cmake
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
add_custom_command(OUTPUT reference.stamp
  COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/scripts/reference.sh" "${CLSORT_DOCS}" "${CLSORT_DOCS_STYLE}"
  COMMAND "${CMAKE_COMMAND}" -E touch reference.stamp
  DEPENDS include/clsort.h include/clsort_host.h include/clsort_counts.h include/clsort_segments.h
    include/clsort_select.h include/clsort_unique.h include/clsort_columns.h include/clsort_values.h
    include/clsort_group.h include/clsort_mpi.h
    docs/Doxyfile docs/reference_filter.py scripts/reference.sh ${pages}
  COMMENT "Building the API reference in ${CLSORT_DOCS}/html")
add_custom_target(docs ALL DEPENDS reference.stamp)
