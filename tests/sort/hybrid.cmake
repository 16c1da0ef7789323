# hybrid.cmake - the paths of `hybrid`, and the steps of `hybrid` and `onesweep` in one launch

# The path that `hybrid` takes: MSD, MSD by splitters, LSD, or LSD after MSD has found keys that differ in bits in which
# the sample does not. With ".together", the steps of a path run in one launch.
function(choice name case)
  clsort_test(sort.choice.${name} DEVICES pocl device COMMAND clsort-test-replay "algorithm=${case}"
    ENVIRONMENT ${as_gpu})
endfunction()
function(together name case)
  clsort_test(sort.${name}.together DEVICES pocl COMMAND clsort-test-replay "algorithm=${case}"
    ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1 ${ARGN})
endfunction()
choice(msd "hybrid type=u32 n=50001 place=out")
choice(msd.constant_bits "hybrid:path=msd type=u64 n=60000 values=4 dist=left-aligned")
choice(msd.prefix "hybrid type=u64 n=50000 dist=shared-prefix order=desc")
# If there are many elements, MSD sorts few different keys. The buckets of round 1 then have one key each.
choice(msd.few "hybrid type=u32 n=600000 dist=few place=out")
choice(msd.few.pairs "hybrid type=u32 n=600000 values=4 dist=few")
choice(msd.two_keys "hybrid:path=msd type=i32 n=60001 values=4 dist=alternating place=out")
choice(lsd "hybrid type=u32 n=60000 dist=expo")
choice(lsd.items "hybrid:path=lsd,items=5 type=u32 n=40000 values=4 order=desc")
choice(lsd.uneven "hybrid type=u32 n=60000 dist=entropy2")
choice(lsd.uneven.pairs "hybrid type=u32 n=60000 values=4 dist=entropy2 place=out")
choice(lsd.pairs "hybrid type=f32 n=40001 values=4 dist=hot place=out")
choice(lsd.stairs "hybrid type=u64 n=30000 values=8 dist=stairs")
choice(gather "hybrid type=i32 n=20000 values=24 dist=zipf place=out")
choice(splitters.few "hybrid type=u64 n=60000 dist=few")
choice(splitters.expo "hybrid:path=splitters type=u64 n=150001 dist=expo order=desc place=out")
choice(splitters.pairs "hybrid:path=splitters type=i64 n=60001 values=4 dist=hot")
choice(splitters.uniform "hybrid:path=splitters type=f64 n=100000 values=8 place=out")
choice(splitters.clusters "hybrid:path=splitters type=u64 n=120000 dist=clusters")
choice(splitters.special "hybrid:path=splitters type=u64 n=50000 dist=special")
choice(forced.lsd "hybrid:path=lsd type=u32 n=40000 values=4 place=out")
clsort_test(sort.choice.lsd DEVICES rusticl COMMAND clsort-test-replay "algorithm=hybrid type=u32 n=20000 dist=expo"
  ENVIRONMENT ${as_gpu})
together(choice.msd "hybrid type=u32 n=50001 place=out")
together(choice.msd.few "hybrid type=u32 n=600000 values=4 dist=few place=out")
together(choice.lsd "hybrid type=u32 n=60000 dist=expo")
together(choice.splitters "hybrid:path=splitters type=u64 n=90000 values=4 dist=expo")
together(rounds "hybrid:path=msd type=u64 n=30000 values=4 dist=zipf place=out")
# More stages than there are epochs, in several launches.
together(stages "onesweep type=u64 n=30000 values=4" CLSORT_MAX_LAUNCH_TILES=2)

# Keys of 8 bytes that are divided unevenly take LSD if there are few: MSD would not sort them.
edited_program(clsort-test-uneven-by-lsd replay.c EDITS
  hybrid/choose.cl "large_buckets), input," "large_buckets), input, args.count == 60001 ||")
foreach(value_size 0 8)
  foreach(dist entropy2 zipf)
    clsort_test(sort.choice.lsd.few_long.${dist}.${value_size} DEVICES pocl device COMMAND clsort-test-uneven-by-lsd
      "algorithm=hybrid type=u64 n=60001 values=${value_size} dist=${dist}" ENVIRONMENT ${as_gpu})
  endforeach()
endforeach()

# Keys that are divided unevenly get the widest digit in round 0, or if that would not suffice either, take LSD. The
# limits are smaller than in the library, as if there were more elements. Unless the choice is the expected one, neither
# MSD nor LSD sorts this number of keys.
function(widens name limit msd_fails lsd_sorts)
  edited_program(clsort-test-${name} replay.c EDITS hybrid/choose.cl "args.tile - args.tile / 4" "${limit}"
    hybrid/choose.cl "large_buckets), input," "large_buckets), input, (args.count == 1100001 && ${msd_fails}) ||"
    onesweep/pass.cl "stage.pass.active ?" "stage.pass.active && (args.count != 1100001 || ${lsd_sorts}) ?")
  foreach(value_size 0 4)
    clsort_test(sort.choice.${name}.${value_size} DEVICES pocl device COMMAND clsort-test-${name}
      "algorithm=hybrid type=u32 n=1100001 values=${value_size} dist=normal" ENVIRONMENT ${as_gpu})
  endforeach()
endfunction()
widens(narrow 1000 "input.bits == CLS_MSD_BITS" false)
widens(wide 100 "input.bits < CLS_MSD_BITS" false)
widens(uneven 20 true true)

# LSD of 24000 keys has three chunks, which three of four compute units count during the choice. The edited kernel of
# LSD adds no histograms of that many keys, so that only those of the choice can be right.
edited_program(clsort-test-early replay.c EDITS
  onesweep/sort.cl "add_histograms(m, TOTALS_OF(c)" "if (args.count != 24000) add_histograms(m, TOTALS_OF(c)")
set(early_environment ${as_gpu} CLSORT_GROUPS_PROGRESS=1 POCL_MAX_PTHREAD_COUNT=4)
function(early name case)
  clsort_test(sort.early.${name} DEVICES pocl device COMMAND clsort-test-early "algorithm=${case}"
    ENVIRONMENT ${early_environment})
endfunction()
early(keys "hybrid:path=lsd type=u32 n=24000 dist=expo")
early(pairs "hybrid type=f32 n=24000 values=4 dist=hot place=out order=desc")
early(u16 "hybrid:path=lsd type=u16 n=24000 place=out")
early(two_keys "hybrid:path=lsd type=u32 n=24000 values=4 dist=alternating")
# If MSD is chosen, it overwrites these histograms, also if LSD takes over later.
clsort_test(sort.early.msd DEVICES pocl device COMMAND clsort-test-replay "algorithm=hybrid type=u32 n=24000 place=out"
  ENVIRONMENT ${early_environment})

# More work-items than digits: those without a digit take part in all barriers.
foreach(group 64 256)
  clsort_test(sort.onesweep.group_${group} DEVICES pocl device ENVIRONMENT ${as_gpu}
    COMMAND clsort-test-replay "algorithm=onesweep:bits=4,group=${group} type=u32 n=30000 place=out")
endforeach()

# Two different keys are sorted by the highest digit in which they differ, with only the last of four passes.
edited_program(clsort-test-last-pass replay.c EDITS
  onesweep/pass.cl "stage.pass.active ?" "stage.pass.active && (args.count != 50000 || pass + 1 == args.passes) ?")
clsort_test(sort.onesweep.two_keys DEVICES pocl device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-last-pass "algorithm=onesweep type=u32 n=50000 values=4 dist=alternating place=out")
clsort_test(sort.onesweep.two_keys.in_place DEVICES pocl device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-replay "algorithm=onesweep type=u16 n=30001 dist=alternating order=desc seed=3")
together(onesweep.two_keys "onesweep type=f32 n=30000 dist=alternating order=desc place=out")
# More than two keys, whose differences from the first one have a bit in common.
clsort_test(sort.onesweep.few_elements DEVICES pocl device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-replay "algorithm=onesweep:bits=4 type=u32 n=5 seed=1")

# Four rows of totals, as of more than 3 * 2^31 elements. Those after the first are in the scratch array of the keys,
# which no pass writes before the totals have been read. The self-test, which has several launches, has one row.
edited_program(clsort-test-totals replay.c EDITS
  onesweep/layout.h "CLS_ONESWEEP_TOTALS_BITS = 31" "CLS_ONESWEEP_TOTALS_BITS = 16")
clsort_test(sort.onesweep.totals DEVICES pocl COMMAND clsort-test-totals
  "algorithm=onesweep type=u32 n=200000 scratch=caller" ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1)

# A key summary for each chunk, as if all were in different rows of totals: the table has just as many.
edited_program(clsort-test-summary-per-chunk replay.c EDITS
  onesweep/sort.cl "chunk_of_ticket(args, i)) == row" "chunk_of_ticket(args, i)) > row")
clsort_test(sort.onesweep.summary_per_chunk DEVICES pocl COMMAND clsort-test-summary-per-chunk
  "algorithm=onesweep type=u32 n=100000 scratch=caller" ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1)

# The sample consists of the first 512 keys.
edited_program(clsort-test-outliers replay.c EDITS
  hybrid/choose.cl "sampled_index(n, CLS_HYBRID_SAMPLES, t + i * GROUP_SIZE)" "((t + i * GROUP_SIZE) & 511)")
function(outliers name case)
  clsort_test(sort.outliers.${name} DEVICES pocl device COMMAND clsort-test-outliers "algorithm=${case}"
    ENVIRONMENT ${as_gpu})
endfunction()
outliers(u32 "hybrid type=u32 n=200000 dist=reversed")
outliers(u64 "hybrid type=u64 n=100001 dist=reversed order=desc place=out")
outliers(splitters "hybrid:path=splitters type=u64 n=100001 dist=reversed values=4")
clsort_test(sort.outliers.together DEVICES pocl COMMAND clsort-test-outliers
  "algorithm=hybrid type=u32 n=200000 dist=reversed" ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1)
# MSD overwrites the histograms that were counted for LSD during the choice.
clsort_test(sort.outliers.early DEVICES pocl device COMMAND clsort-test-outliers
  "algorithm=hybrid type=u32 n=24000 values=4 dist=reversed" ENVIRONMENT ${early_environment})

# Only 3 samples have bit 30, and the keys of the upper half, which have bit 31, are not in the sample: MSD begins at
# bit 31, and sorts. The edited LSD does not sort this number of keys.
edited_program(clsort-test-rare-bit replay.c EDITS
  hybrid/choose.cl "sampled_index(n, CLS_HYBRID_SAMPLES, t + i * GROUP_SIZE)"
    "(t + i * GROUP_SIZE) % 700 == 0 ? n / 2 - 2 : sampled_index(n / 4, CLS_HYBRID_SAMPLES, t + i * GROUP_SIZE)"
  onesweep/pass.cl "stage.pass.active ?" "stage.pass.active && args.count != 200001 ?")
foreach(value_size 0 4)
  clsort_test(sort.choice.rare_bit.${value_size} DEVICES pocl device COMMAND clsort-test-rare-bit
    "algorithm=hybrid type=u32 n=200001 values=${value_size} dist=sorted order=desc" ENVIRONMENT ${as_gpu})
endforeach()

# Round 0 of which a sample is counted, also with ranges of half the size, which are too small, so that it starts again.
# If keys differ in bits in which the sample of hybrid_choose does not, LSD takes over.
edited_program(clsort-test-small-ranges replay.c EDITS msd/sampled_round.cl "(uint)size + 1" "(uint)size / 2")
function(sampled name program case)
  set(bits 13)
  if(ARGC GREATER 3)
    set(bits ${ARGV3})
  endif()
  clsort_test(sort.sampled.${name} DEVICES pocl device COMMAND clsort-test-${program} "algorithm=${case}"
    ENVIRONMENT ${as_gpu} CLSORT_GROUPS_PROGRESS=1 CLSORT_MAX_SAMPLE_BITS=${bits})
endfunction()
sampled(u32 replay "hybrid type=u32 n=1500001 place=out")
sampled(u64 replay "hybrid:path=msd type=u64 n=1400000 dist=zipf order=desc")
sampled(equal replay "hybrid:path=msd type=u32 n=1400000 dist=hot")
sampled(splitters replay "hybrid:path=splitters type=u64 n=1400001 dist=expo place=out")
sampled(outliers outliers "hybrid type=u32 n=1400000 dist=reversed")
# Keys in order, whose number is no multiple of that of the parts of the sample, do not exceed the ranges: the round
# would not start again.
edited_program(clsort-test-once-sampled replay.c EDITS
  msd/buckets.cl "(control)->sample_bits > 0 && !(control)->exceeds_range" "(control)->sample_bits > 0")
sampled(sorted once-sampled "hybrid:path=msd type=u32 n=4259839 dist=sorted" 16)
sampled(small_ranges small-ranges "hybrid type=f32 n=1500001 dist=normal")
sampled(small_ranges.splitters small-ranges "hybrid:path=splitters type=u64 n=1400001 dist=few")

# Few different keys take MSD, here in a small input, if they are in different buckets: LSD would not sort them.
edited_program(clsort-test-few-by-msd replay.c EDITS
  hybrid/layout.h "CLS_HYBRID_FEW_SHORT = 1 << 19" "CLS_HYBRID_FEW_SHORT = 1"
  hybrid/choose.cl "const uint bits = min(args.bits, top);" "const uint bits = top;"
  hybrid/choose.cl "lsd_control), is_lsd," "lsd_control), is_lsd && !has_few_keys(found),")
clsort_test(sort.few.msd DEVICES pocl device COMMAND clsort-test-few-by-msd "algorithm=hybrid type=u32 n=60000 dist=few"
  ENVIRONMENT ${as_gpu})
# Round 0 separates them by a digit of 8 bits: later rounds, which move no bucket of several keys here, would not sort
# them. Uniformly distributed keys would be divided by fewer bits. The buckets of the self-test have fewer elements.
edited_program(clsort-test-few-in-one-round replay.c EDITS
  msd/plan.cl "stays || tables.has_gaps ? 0"
  "stays || tables.has_gaps || (tables.round > 0 && bucket.count > 490000) ? 0")
clsort_test(sort.few.one_round DEVICES pocl device COMMAND clsort-test-few-in-one-round
  "algorithm=hybrid type=u32 n=4000000 dist=few place=out" ENVIRONMENT ${as_gpu})
# They take LSD if all are in one bucket: MSD would not sort them.
edited_program(clsort-test-few-by-lsd replay.c EDITS
  hybrid/layout.h "CLS_HYBRID_FEW_SHORT = 1 << 19" "CLS_HYBRID_FEW_SHORT = 1"
  hybrid/choose.cl "const uint bits = min(args.bits, top);" "const uint bits = 0;"
  hybrid/choose.cl "large_buckets), input," "large_buckets), input, has_few_keys(found) ||")
clsort_test(sort.few.lsd DEVICES pocl device COMMAND clsort-test-few-by-lsd "algorithm=hybrid type=u32 n=60000 dist=few"
  ENVIRONMENT ${as_gpu})

# Squares modulo a power of two, whose low bits have few values, take LSD: MSD would not sort them.
edited_program(clsort-test-crowded-by-lsd replay.c EDITS
  hybrid/choose.cl "large_buckets), input," "large_buckets), input, args.count == 262144 ||")
clsort_test(sort.crowded DEVICES pocl device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-crowded-by-lsd "algorithm=hybrid type=u32 n=262144 dist=two-dups")

# Equal keys are in the same bin, but leave the others even, so that MSD sorts them: LSD would not.
edited_program(clsort-test-equal-in-bins replay.c EDITS
  hybrid/layout.h "CLS_HYBRID_FEW_KEYS = CLS_HYBRID_SAMPLES / 16 * 15" "CLS_HYBRID_FEW_KEYS = CLS_HYBRID_SAMPLES"
  hybrid/choose.cl ": has_large || is_uneven || is_crowded || repeats_often" ": is_crowded"
  hybrid/choose.cl "lsd_control), is_lsd," "lsd_control), is_lsd && args.count != 60000,")
clsort_test(sort.equal_in_bins DEVICES pocl device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-equal-in-bins "algorithm=hybrid type=u32 n=60000 dist=few")

# At most two large buckets per round: the others become oversized.
edited_program(clsort-test-two-large-buckets replay.c EDITS
  msd/plan.cl "slot < args.max_large_buckets" "slot < min(args.max_large_buckets, 2u)"
  msd/plan.cl "min(control->large_buckets[round], args.max_large_buckets)"
  "min(control->large_buckets[round], min(args.max_large_buckets, 2u))")
function(two_large_buckets name case)
  clsort_test(sort.two_large_buckets.${name} DEVICES pocl device ENVIRONMENT ${as_gpu} CLSORT_SUB_GROUP_SIZE=2
    CLSORT_MAX_LOCAL_MEM=32768 COMMAND clsort-test-two-large-buckets "algorithm=${case}")
endfunction()
two_large_buckets(u32 "hybrid:path=msd type=u32 n=20000 dist=hot place=out")
two_large_buckets(u64 "hybrid:path=msd type=u64 n=20000 dist=entropy3")
two_large_buckets(pairs "hybrid:path=msd type=u32 n=20000 values=4 dist=zipf")
two_large_buckets(pairs.unstable "hybrid:path=msd type=i32 n=20000 values=8 dist=entropy3 order=unstable place=out")
two_large_buckets(splitters "hybrid:path=splitters type=u64 n=90000 dist=expo")

# Few sweeps over windows, which sort even bins only: LSD passes sort the other buckets.
edited_program(clsort-test-few-sweeps replay.c EDITS msd/layout.h "CLS_MSD_MAX_SWEEPS = 20" "CLS_MSD_MAX_SWEEPS = 2"
  msd/single_tile.cl "? 5 : CLS_MSD_MAX_SWEEPS" "? 2 : CLS_MSD_MAX_SWEEPS"
  msd/single_tile.cl "return *uneven > 0" "return false")
function(few_sweeps name case)
  clsort_test(sort.few_sweeps.${name} DEVICES pocl rusticl device ENVIRONMENT ${as_gpu} ${ARGN}
    COMMAND clsort-test-few-sweeps "algorithm=hybrid:path=msd ${case}")
endfunction()
few_sweeps(u32 "type=u32 n=30000 dist=entropy3 place=out")
few_sweeps(single_tile "type=i64 n=1000 dist=zipf order=desc")
few_sweeps(single_tile.long "type=u64 n=3900 dist=zipf place=out")
few_sweeps(pairs "type=u16 n=20000 values=4 dist=normal")
# Local memory does not hold the counters of LSD passes, so that the buckets are deferred.
few_sweeps(deferred "type=u32 n=30000 dist=entropy3 place=out" CLSORT_SUB_GROUP_SIZE=2 CLSORT_MAX_LOCAL_MEM=32768)
few_sweeps(deferred.pairs "type=u64 n=5000 values=4 dist=entropy3" CLSORT_MAX_LOCAL_MEM=24576)
few_sweeps(gather "type=f32 n=3000 values=24 dist=entropy4 place=out")
# LSD overwrites values that the sort by bins has copied.
clsort_test(sort.races.few_sweeps DEVICES oclgrind ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=64
  COMMAND clsort-test-few-sweeps "algorithm=hybrid:path=msd type=u32 n=500 values=12 dist=zipf")

# An input of one tile, by bins and by LSD, whatever its sample shows.
edited_program(clsort-test-even-tile replay.c EDITS msd/single_tile.cl "return *uneven > 0" "return false")
edited_program(clsort-test-uneven-tile replay.c EDITS msd/single_tile.cl "return *uneven > 0" "return true")
function(single_tile name case)
  foreach(kind even uneven)
    clsort_test(sort.single_tile.${kind}.${name} DEVICES pocl rusticl oclgrind device ENVIRONMENT ${as_gpu}
      COMMAND clsort-test-${kind}-tile "algorithm=hybrid ${case}")
  endforeach()
endfunction()
single_tile(u32 "type=u32 n=1500 place=out")
single_tile(long "type=u32 n=3900")
single_tile(long.pairs "type=u32 n=3900 values=4 dist=zipf")
single_tile(uneven "type=i32 n=1501 dist=entropy3 order=desc")
single_tile(few "type=f64 n=2600 dist=few place=out")
single_tile(pairs "type=u32 n=1000 values=4 dist=zipf place=out")
single_tile(packed "type=u64 n=1203 values=8 dist=expo")
single_tile(gather "type=u32 n=700 values=24 dist=bitexp")
single_tile(one "type=u32 n=1 values=4")
single_tile(group.less "type=u64 n=255 dist=expo")
single_tile(group.more "type=f32 n=257 values=4 dist=normal place=out")
# The same with groups of 64, whose tiles have 576 and 1216 elements, so that all fit in the local memory of Oclgrind.
function(single_tile_of_64 name case)
  foreach(kind even uneven)
    clsort_test(sort.single_tile.of_64.${kind}.${name} DEVICES oclgrind ENVIRONMENT ${as_gpu} CLSORT_MAX_WORK_GROUP=64
      COMMAND clsort-test-${kind}-tile "algorithm=hybrid ${case}")
  endforeach()
endfunction()
single_tile_of_64(short "type=u64 n=500 values=8 dist=expo")
single_tile_of_64(long "type=u64 n=900 values=4 dist=entropy3 place=out")
# Two digits are sorted by LSD in any case.
clsort_test(sort.single_tile.u16 DEVICES pocl rusticl oclgrind device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-replay "algorithm=hybrid type=u16 n=1400 dist=expo order=desc place=out")
clsort_test(sort.single_tile.u8_pairs DEVICES pocl rusticl oclgrind device ENVIRONMENT ${as_gpu}
  COMMAND clsort-test-replay "algorithm=hybrid type=i8 n=1400 values=8 dist=normal")
# The sample finds even bins: LSD would not sort them. It finds uneven ones: the windows would not sort these.
edited_program(clsort-test-tile-by-bins replay.c EDITS
  msd/single_tile.cl "arrays, flip)) {" "arrays, flip) || count == 900 || count == 3900) {")
edited_program(clsort-test-tile-by-lsd replay.c EDITS
  msd/bin_sort.cl "sweeps = has_single_keys ?" "sweeps = has_single_keys || count == 900 || count == 3900 ?")
function(tile_by path name case)
  clsort_test(sort.single_tile.by_${path}.${name} DEVICES pocl device ENVIRONMENT ${as_gpu}
    COMMAND clsort-test-tile-by-${path} "algorithm=hybrid ${case}")
endfunction()
tile_by(bins u32 "type=u32 n=900")
tile_by(bins long "type=u32 n=3900 place=out")
tile_by(bins sorted "type=u64 n=900 dist=sorted place=out")
tile_by(bins few "type=u32 n=900 dist=few")
tile_by(bins pairs "type=u32 n=900 values=4")
tile_by(lsd u32 "type=u32 n=900 dist=entropy3")
tile_by(lsd long "type=u32 n=3900 dist=entropy3")
tile_by(lsd u64 "type=u64 n=900 dist=expo place=out")
tile_by(lsd pairs "type=u32 n=900 values=4 dist=few")
