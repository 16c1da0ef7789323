# bench.cmake - a test of the program clsort-bench-mpi
add_library(clsort-test-mpi-wrong MODULE wrong.c)
target_link_libraries(clsort-test-mpi-wrong PRIVATE clsort::clsort-mpi clsort-test-next)
clsort_target(clsort-test-mpi-wrong)
add_dependencies(clsort-test-mpi clsort-bench-mpi clsort-test-mpi-wrong)
clsort_test(mpi.bench DEVICES pocl LABELS mpi COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/bench.sh" ENVIRONMENT
  "CLSORT_TOOLS=$<TARGET_FILE_DIR:clsort-bench-mpi>" ${mpi_environment}
  "CLSORT_TEST_WRONG_LIBRARY=$<TARGET_FILE:clsort-test-mpi-wrong>")
set_tests_properties(mpi.bench PROPERTIES RUN_SERIAL TRUE)
