# tool.cmake - tests of the program clsort-mpi
add_dependencies(clsort-test-mpi clsort-mpi-tool clsort-tool clsort-gen)

function(mpi_tool_test name script)
  clsort_test(mpi.tool.${name} DEVICES pocl LABELS mpi COMMAND bash "${script}" ENVIRONMENT
    "CLSORT_TOOLS=$<TARGET_FILE_DIR:clsort-mpi-tool>" ${mpi_environment} ${ARGN})
  set_tests_properties(mpi.tool.${name} PROPERTIES RUN_SERIAL TRUE)
endfunction()

foreach(test IN ITEMS sort runs errors)
  mpi_tool_test(${test} "${CMAKE_CURRENT_SOURCE_DIR}/tool_${test}.sh")
endforeach()
# Counts the calls of OpenCL of each rank.
if(TARGET clsort-fault-layer)
  add_dependencies(clsort-test-mpi clsort-fault-layer)
  mpi_tool_test(compile "${CMAKE_CURRENT_SOURCE_DIR}/tool_compile.sh"
    "CLSORT_TEST_LAYER=$<TARGET_FILE:clsort-fault-layer>")
endif()
mpi_tool_test(options_agree "${PROJECT_SOURCE_DIR}/tests/tool/options_agree.sh")
