# segments.cmake - segmented sorts, selections from segments, and sorts whose count is in device memory, also with other
# limits of the device and under Oclgrind
clsort_test(sort.segments DEVICES pocl device COMMAND clsort-test-segments 1 8)
clsort_test(sort.segments.more DEVICES pocl device COMMAND clsort-test-segments 9 24)
clsort_test(sort.segments.descriptors DEVICES pocl device COMMAND clsort-test-segments 10000 3000 1 10 100)
clsort_test(sort.segments DEVICES rusticl COMMAND clsort-test-segments 1 4 8 13)
clsort_test(sort.segments.many DEVICES pocl device COMMAND clsort-test-segments 1000 8 4 21)
clsort_test(sort.segments.as_gpu DEVICES pocl COMMAND clsort-test-segments 100 6 10 15 ENVIRONMENT ${as_gpu})
# All rounds of merges in one launch.
clsort_test(sort.segments.together DEVICES pocl COMMAND clsort-test-segments 100 4 6 15
  ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1)
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
# Every algorithm that reads the count, with bounds for which it runs all its kernels; also with the steps of a sort in
# one launch, and with several sections, of which those behind the count are empty.
function(counts_by name algorithm seeds)
  clsort_test(sort.counts.${name} DEVICES pocl COMMAND clsort-test-counts ${seeds} 1 ${algorithm} ENVIRONMENT ${ARGN})
endfunction()
counts_by(cpu cpu "400;6;12;18")
counts_by(cpu.index64 cpu "450;3;12;18" CLSORT_MAX_INDEX32=100)
counts_by(hybrid hybrid "500;3;20;16" ${as_gpu})
counts_by(hybrid.early hybrid:path=lsd "560;3;20;14" ${as_gpu} CLSORT_GROUPS_PROGRESS=1
  POCL_MAX_PTHREAD_COUNT=4)
counts_by(hybrid.msd hybrid:path=msd "550;2;16;16" ${as_gpu} ${group}=64)
counts_by(hybrid.together hybrid "600;2;8;15" ${as_gpu} CLSORT_GROUPS_PROGRESS=1)
# Only the last sort has enough keys for a sample in round 0: 1583728 keys of 4 bytes, and 338893 of 8 bytes, far
# below the bound. If the sampled round leaves out a tile, exactly this sort must fail: otherwise it takes no sample.
edited_program(clsort-test-incomplete-round counts.c EDITS
  msd/sampled_round.cl "0, tiles_of(n, TILE), ranges" "0, tiles_of(n, TILE) - 1, ranges")
if(TARGET clsort-test-edited-counts)
  target_sources(clsort-test-edited-counts PRIVATE random_plans.c)
endif()
function(counts_sampled name count)
  set(test sort.counts.hybrid.sampled.${name})
  set(sort 1 hybrid:path=msd ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1 CLSORT_MAX_SAMPLE_BITS=12)
  clsort_test(${test} DEVICES pocl COMMAND clsort-test-counts ${ARGN} ${sort})
  clsort_test(${test}.incomplete DEVICES pocl COMMAND clsort-test-incomplete-round ${ARGN} ${sort})
  if(TEST ${test}.incomplete)
    set_tests_properties(${test}.incomplete PROPERTIES PASS_REGULAR_EXPRESSION "device count ${count}")
  endif()
endfunction()
counts_sampled(32 1583728 2476 1 3 21)
counts_sampled(64 338893 2060 1 7 21)
counts_by(onesweep onesweep "700;5;20;16" ${as_gpu})
counts_by(onesweep.together onesweep "750;3;16;16" ${as_gpu} CLSORT_GROUPS_PROGRESS=1)
counts_by(onesweep.sections onesweep "800;3;16;15" ${as_gpu} CLSORT_MAX_LAUNCH_TILES=3)
counts_by(onesweep.index64 onesweep "850;2;16;14" ${as_gpu} CLSORT_MAX_INDEX32=100)
foreach(algorithm hybrid onesweep)
  clsort_test(sort.counts.${algorithm} DEVICES device COMMAND clsort-test-counts 1 20 20 20 1 ${algorithm})
endforeach()
clsort_test(sort.counts.onesweep DEVICES rusticl COMMAND clsort-test-counts 900 2 8 12 1 onesweep
  ENVIRONMENT ${as_gpu})
clsort_test(sort.races.counts DEVICES oclgrind COMMAND clsort-test-counts 1 5 3 7)
clsort_test(sort.races.counts.cpu DEVICES oclgrind COMMAND clsort-test-counts 1 3 4 8 1 cpu)
clsort_test(sort.races.counts.hybrid DEVICES oclgrind COMMAND clsort-test-counts 1 2 3 9 1 hybrid:path=msd
  ENVIRONMENT ${as_gpu} ${group}=16 CLSORT_SUB_GROUP_SIZE=8)
clsort_test(sort.races.counts.hybrid.choice DEVICES oclgrind COMMAND clsort-test-counts 1 1 3 10 1 hybrid
  ENVIRONMENT ${as_gpu} ${group}=256)
clsort_test(sort.races.counts.onesweep DEVICES oclgrind COMMAND clsort-test-counts 1 2 3 9 1 onesweep
  ENVIRONMENT ${as_gpu} ${group}=16 CLSORT_MAX_LAUNCH_TILES=3)
clsort_test(sort.races.counts.as_gpu DEVICES oclgrind COMMAND clsort-test-counts 1 5 3 9
  ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=16)
