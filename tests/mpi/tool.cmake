# tool.cmake - tests of the program clsort-mpi
add_dependencies(clsort-test-mpi clsort-mpi-tool clsort-tool clsort-gen)

function(mpi_tool_test name script)
  clsort_test(mpi.tool.${name} DEVICES pocl LABELS mpi COMMAND bash "${script}" ENVIRONMENT
    "CLSORT_TOOLS=$<TARGET_FILE_DIR:clsort-mpi-tool>" ${mpi_environment})
  set_tests_properties(mpi.tool.${name} PROPERTIES RUN_SERIAL TRUE)
endfunction()

foreach(test IN ITEMS sort runs errors)
  mpi_tool_test(${test} "${CMAKE_CURRENT_SOURCE_DIR}/tool_${test}.sh")
endforeach()
mpi_tool_test(options_agree "${PROJECT_SOURCE_DIR}/tests/tool/options_agree.sh")
