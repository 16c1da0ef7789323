# columns.cmake - sorts of records, of columns and of byte strings, also with other limits of the device and under
# Oclgrind
clsort_test(sort.columns DEVICES pocl device COMMAND clsort-test-columns 15 12)
clsort_test(sort.columns.more DEVICES pocl device COMMAND clsort-test-columns 100 80)
clsort_test(sort.columns.large DEVICES pocl device COMMAND clsort-test-columns 1000 8 4 20)
clsort_test(sort.columns DEVICES rusticl COMMAND clsort-test-columns 23 4 8 13)
clsort_test(sort.columns.as_gpu DEVICES pocl COMMAND clsort-test-columns 300 10 10 15 ENVIRONMENT ${as_gpu})
clsort_test(sort.columns.small_groups DEVICES pocl COMMAND clsort-test-columns 400 8 8 12 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=16 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.columns.index64 DEVICES pocl COMMAND clsort-test-columns 500 8 10 13
  ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.columns.index64.as_gpu DEVICES pocl COMMAND clsort-test-columns 600 6 8 13
  ENVIRONMENT ${as_gpu} CLSORT_MAX_INDEX32=100)
clsort_test(sort.columns.iterations DEVICES pocl COMMAND clsort-test-columns 700 6 8 13
  ENVIRONMENT ${as_gpu} CLSORT_MAX_ITERATIONS=8000)
# Not as on a CPU, where Oclgrind takes elements of an array for those of a struct in the sort of long runs.
clsort_test(sort.races.columns.as_gpu DEVICES oclgrind COMMAND clsort-test-columns 1 4 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)

# The other operations on them. The seeds of each test draw all operations.
clsort_test(sort.column_operations DEVICES pocl device COMMAND clsort-test-column_operations 5 16)
clsort_test(sort.column_operations.more DEVICES pocl device COMMAND clsort-test-column_operations 100 100)
clsort_test(sort.column_operations.large DEVICES pocl device COMMAND clsort-test-column_operations 1007 6 3 19)
clsort_test(sort.column_operations DEVICES rusticl COMMAND clsort-test-column_operations 180 6 8 13)
clsort_test(sort.column_operations.as_gpu DEVICES pocl COMMAND clsort-test-column_operations 301 14 10 15
  ENVIRONMENT ${as_gpu})
clsort_test(sort.column_operations.small_groups DEVICES pocl COMMAND clsort-test-column_operations 407 8 8 12
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.column_operations.index64 DEVICES pocl COMMAND clsort-test-column_operations 500 10 10 13
  ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.column_operations.iterations DEVICES pocl COMMAND clsort-test-column_operations 713 8 8 13
  ENVIRONMENT ${as_gpu} CLSORT_MAX_ITERATIONS=8000)
# As on a CPU with so few elements that there are no long runs, for the same reason.
clsort_test(sort.races.column_operations DEVICES oclgrind COMMAND clsort-test-column_operations 33 8 6 4)
clsort_test(sort.races.column_operations.as_gpu DEVICES oclgrind COMMAND clsort-test-column_operations 180 6 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)
