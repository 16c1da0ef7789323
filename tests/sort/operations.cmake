# operations.cmake - the tests of operations that are not in the matrix: gathers and selections

# Gathers; also with large work-groups, with short loops, and with 64-bit indexes.
clsort_test(sort.gather DEVICES pocl device COMMAND clsort-test-gather)
clsort_test(sort.gather DEVICES rusticl COMMAND clsort-test-gather 5000)
clsort_test(sort.gather DEVICES oclgrind COMMAND clsort-test-gather 65)
clsort_test(sort.gather.as_gpu DEVICES pocl COMMAND clsort-test-gather 5000 ENVIRONMENT CLSORT_MAX_ITERATIONS=8000
  CLSORT_DEVICE_TYPE=gpu)
clsort_test(sort.gather.index64 DEVICES pocl COMMAND clsort-test-gather 5000 ENVIRONMENT CLSORT_MAX_INDEX32=100)

# Selections, also with other limits of the device.
clsort_test(sort.select DEVICES pocl device COMMAND clsort-test-select)
clsort_test(sort.select DEVICES rusticl COMMAND clsort-test-select 5000 u32)
clsort_test(sort.select.f64 DEVICES rusticl COMMAND clsort-test-select 5000 f64)
clsort_test(sort.select DEVICES oclgrind COMMAND clsort-test-select 33 u32)
clsort_test(sort.select.as_gpu DEVICES oclgrind COMMAND clsort-test-select 1000 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=16)
clsort_test(sort.select.as_gpu DEVICES pocl COMMAND clsort-test-select 70001 ENVIRONMENT ${as_gpu})
clsort_test(sort.select.small_groups DEVICES pocl COMMAND clsort-test-select 5000 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=32 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.select.index64 DEVICES pocl COMMAND clsort-test-select 5000 ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.select.random DEVICES pocl device COMMAND clsort-test-select random 1 40)
clsort_test(sort.select.random.descriptors DEVICES pocl device
  COMMAND clsort-test-select random 10000 3000 2 12 100)
clsort_test(sort.select.random.as_gpu DEVICES pocl COMMAND clsort-test-select random 102 6 6 19 3
  ENVIRONMENT ${as_gpu})

# CLSORT_UNIQUE and CLSORT_CHECK, also with other limits of the device.
clsort_test(sort.unique DEVICES pocl device COMMAND clsort-test-unique)
clsort_test(sort.unique DEVICES rusticl COMMAND clsort-test-unique 5000)
clsort_test(sort.unique DEVICES oclgrind COMMAND clsort-test-unique 70 u32)
clsort_test(sort.unique.f64 DEVICES oclgrind COMMAND clsort-test-unique 70 f64)
clsort_test(sort.unique.as_gpu DEVICES oclgrind COMMAND clsort-test-unique 600 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=16)
clsort_test(sort.unique.as_gpu DEVICES pocl COMMAND clsort-test-unique 70001 ENVIRONMENT ${as_gpu})
clsort_test(sort.unique.one_item DEVICES pocl COMMAND clsort-test-unique 4097 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=1)
clsort_test(sort.unique.small_groups DEVICES pocl COMMAND clsort-test-unique 5000 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=32 CLSORT_MAX_LOCAL_MEM=1024)
clsort_test(sort.unique.short_loops DEVICES pocl COMMAND clsort-test-unique 5000 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_ITERATIONS=1000)
clsort_test(sort.unique.index64 DEVICES pocl COMMAND clsort-test-unique 5000 ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.unique.index64.as_gpu DEVICES pocl COMMAND clsort-test-unique 5000 u32 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_INDEX32=100)
clsort_test(sort.unique.random DEVICES pocl device COMMAND clsort-test-unique random 1 40)
clsort_test(sort.unique.random.descriptors DEVICES pocl device
  COMMAND clsort-test-unique random 10000 3000 2 12 100)
clsort_test(sort.unique.random.as_gpu DEVICES pocl COMMAND clsort-test-unique random 101 10 ENVIRONMENT ${as_gpu})

# Several arrays of values
clsort_test(sort.value_arrays DEVICES pocl device COMMAND clsort-test-value_arrays 1 14)
clsort_test(sort.value_arrays DEVICES rusticl COMMAND clsort-test-value_arrays 1 3 8 12)
clsort_test(sort.value_arrays DEVICES oclgrind COMMAND clsort-test-value_arrays 1 2 3 8 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=16)
clsort_test(sort.value_arrays.as_gpu DEVICES pocl COMMAND clsort-test-value_arrays 102 2 12 14 ENVIRONMENT ${as_gpu})
