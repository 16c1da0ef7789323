# segments.cmake - segmented sorts, selections from segments, and sorts whose count is in device memory, also with other
# limits of the device and under Oclgrind
clsort_test(sort.segments DEVICES pocl device COMMAND clsort-test-segments 1 8)
clsort_test(sort.segments.more DEVICES pocl device COMMAND clsort-test-segments 9 24)
clsort_test(sort.segments.descriptors DEVICES pocl device COMMAND clsort-test-segments 10000 3000 1 10 100)
clsort_test(sort.segments DEVICES rusticl COMMAND clsort-test-segments 1 4 8 13)
clsort_test(sort.segments.many DEVICES pocl device COMMAND clsort-test-segments 1000 8 4 21)
clsort_test(sort.segments.as_gpu DEVICES pocl COMMAND clsort-test-segments 100 6 10 15 ENVIRONMENT ${as_gpu})
clsort_test(sort.segments.small_groups DEVICES pocl COMMAND clsort-test-segments 200 6 8 12 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=32 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.segments.index64 DEVICES pocl COMMAND clsort-test-segments 300 10 10 13
  ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.segments.index64.as_gpu DEVICES pocl COMMAND clsort-test-segments 400 6 8 13
  ENVIRONMENT ${as_gpu} CLSORT_MAX_INDEX32=100)
clsort_test(sort.segments.iterations DEVICES pocl COMMAND clsort-test-segments 500 6 8 15
  ENVIRONMENT ${as_gpu} CLSORT_MAX_ITERATIONS=8000)
clsort_test(sort.races.segments DEVICES oclgrind COMMAND clsort-test-segments 1 6 3 7)
clsort_test(sort.races.segments.as_gpu DEVICES oclgrind COMMAND clsort-test-segments 1 6 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)

clsort_test(sort.segment_selections DEVICES pocl device COMMAND clsort-test-segment_selections 1 8)
clsort_test(sort.segment_selections.more DEVICES pocl device COMMAND clsort-test-segment_selections 9 40)
clsort_test(sort.segment_selections DEVICES rusticl COMMAND clsort-test-segment_selections 1 4 8 13)
clsort_test(sort.segment_selections.as_gpu DEVICES pocl COMMAND clsort-test-segment_selections 100 8 10 15
  ENVIRONMENT ${as_gpu})
clsort_test(sort.segment_selections.small_groups DEVICES pocl COMMAND clsort-test-segment_selections 200 6 8 12
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=32 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.segment_selections.index64 DEVICES pocl COMMAND clsort-test-segment_selections 300 10 10 13
  ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.segment_selections.index64.as_gpu DEVICES pocl COMMAND clsort-test-segment_selections 400 6 8 13
  ENVIRONMENT ${as_gpu} CLSORT_MAX_INDEX32=100)
clsort_test(sort.segment_selections.iterations DEVICES pocl COMMAND clsort-test-segment_selections 500 8 8 17
  ENVIRONMENT ${as_gpu} CLSORT_MAX_ITERATIONS=8000)
# Other seeds have sorts of pairs in which Oclgrind takes elements of an array for those of a struct.
clsort_test(sort.races.segment_selections DEVICES oclgrind COMMAND clsort-test-segment_selections 6 4 3 9)
clsort_test(sort.races.segment_selections.as_gpu DEVICES oclgrind COMMAND clsort-test-segment_selections 1 6 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)

clsort_test(sort.counts DEVICES pocl COMMAND clsort-test-counts 1 8 16 15)
clsort_test(sort.counts DEVICES device COMMAND clsort-test-counts 1 40)
clsort_test(sort.counts DEVICES rusticl COMMAND clsort-test-counts 1 4 8 13)
clsort_test(sort.counts.as_gpu DEVICES pocl COMMAND clsort-test-counts 100 5 16 15 ENVIRONMENT ${as_gpu})
clsort_test(sort.counts.small_groups DEVICES pocl COMMAND clsort-test-counts 200 5 8 12 ENVIRONMENT ${as_gpu}
  CLSORT_MAX_WORK_GROUP=32 CLSORT_MAX_LOCAL_MEM=16384)
clsort_test(sort.counts.index64 DEVICES pocl COMMAND clsort-test-counts 300 6 10 13
  ENVIRONMENT CLSORT_MAX_INDEX32=100)
clsort_test(sort.races.counts DEVICES oclgrind COMMAND clsort-test-counts 1 5 3 7)
clsort_test(sort.races.counts.as_gpu DEVICES oclgrind COMMAND clsort-test-counts 1 5 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)
