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
# Tests that intercept calls of OpenCL, or allocations of the tool
if(TARGET clsort-fault-layer)
  add_dependencies(clsort-test-mpi clsort-fault-layer)
  mpi_tool_test(compile "${CMAKE_CURRENT_SOURCE_DIR}/tool_compile.sh"
    "CLSORT_TEST_LAYER=$<TARGET_FILE:clsort-fault-layer>")

  get_target_property(sources clsort-mpi-tool SOURCES)
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/tools/")
  add_executable(clsort-test-mpi-tool_faults tool_faults.c failing_calls.c ${sources})
  target_include_directories(clsort-test-mpi-tool_faults PRIVATE "${PROJECT_SOURCE_DIR}/tools/clsort-mpi")
  target_link_libraries(clsort-test-mpi-tool_faults PRIVATE clsort-tool-sort clsort::clsort-mpi clsort-fault-layer
    clsort-fault-alloc)
  clsort_target(clsort-test-mpi-tool_faults)
  add_dependencies(clsort-test-mpi clsort-test-mpi-tool_faults)
  mpi_tool_test(faults "${CMAKE_CURRENT_SOURCE_DIR}/tool_faults.sh"
    "CLSORT_TEST_LAYER=$<TARGET_FILE:clsort-fault-layer>"
    "CLSORT_TEST_FAULTS=$<TARGET_FILE:clsort-test-mpi-tool_faults>")

  # All allocators and calls of OpenCL that the tool uses can be made to fail.
  get_target_property(wraps clsort-fault-alloc INTERFACE_LINK_OPTIONS)
  list(TRANSFORM wraps REPLACE ".*=" "")
  list(JOIN wraps " " wraps)
  set(calls bash "${PROJECT_SOURCE_DIR}/tests/fault/calls.sh")
  clsort_test(mpi.tool.calls.alloc LABELS mpi COMMAND ${calls} alloc "${wraps}"
    $<TARGET_OBJECTS:clsort-mpi-tool>)
  clsort_test(mpi.tool.calls.opencl LABELS mpi COMMAND ${calls} opencl "$<TARGET_FILE:clsort-fault-layer>"
    $<TARGET_OBJECTS:clsort-mpi-tool>)
endif()
mpi_tool_test(options_agree "${PROJECT_SOURCE_DIR}/tests/tool/options_agree.sh")
