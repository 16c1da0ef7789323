#!/usr/bin/env bash
# bench.sh - clsort-bench-mpi verifies what it measures, counts bytes, and reports errors
#
# CTest sets CLSORT_TEST_WRONG_LIBRARY to the library of wrong.c.
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"

program=clsort-bench-mpi
dists=uniform,equal,hot-key,sorted,reversed

# measure RANKS ARGUMENT...: one run of few keys. The results are in the file out, the table in the file err.
measure() {
    local count=$1
    shift
    expect 0 ranks "$count" $program -r 1 -j - "$@"
    lacks err WRONG
    lacks out '"verified":false'
}

# has COUNT TEXT: fails unless COUNT results contain TEXT.
has() {
    [[ $(grep -cF -- "$2" out) == "$1" ]] || fail "not $1 results have '$2': $(cat out)"
}

peers=1
[[ $($program --help) == *"MP-sort: not built in"* ]] || peers=2

for count in 1 2 3; do
    measure $count -n 3000
    has $((5 * (peers + 1))) "\"ranks\":$count,\"type\":\"u64\",\"n\":3000,"
    has 5 '"who":"clsort_mpi_host"'
    has 5 '"who":"sort-alltoallv-copy"'
    for dist in ${dists//,/ }; do
        contains err "$dist "
    done
done
for type in u8 i16 f32 f64; do
    measure 2 -t "$type" -n 1 -d "$dists" -p sort-alltoallv-copy
    has 10 "\"type\":\"$type\",\"n\":1,"
done
measure 2 -n 300K -p none # messages that are not sent at once
has 5 '"who":'

# Bytes that leave a rank: those of all keys, of half of them, of those at the border, and none.
measure 2 -n 1000 -p all -d reversed
has "$((peers + 1))" '"max_sent_bytes":8000,'
measure 2 -n 1000 -p sort-alltoallv-copy -d sorted,equal
has 4 '"max_sent_bytes":0,'
measure 2 -n 100000 -p sort-alltoallv-copy -d uniform
[[ $(sed -n 's/.*"max_sent_bytes":\([0-9]*\),.*/\1/p' out | sort -u) =~ ^(39|40)[0-9]{4}$ ]] ||
    fail "not half of the keys are exchanged: $(cat out)"

# A file
expect 0 ranks 2 $program -r 1 -n 100 -j results
[[ $(grep -c '"who"' results) == $((5 * (peers + 1))) ]] || fail "results: $(cat results)"
[[ $(head -n 1 results) == '{"machine":{'*'"mpi":"'* ]] || fail "the first line is $(head -n 1 results)"
contains out "uniform "

# Wrong results, which the library makes
for wrong in local order content; do
    expect 1 ranks 2 env "LD_PRELOAD=$CLSORT_TEST_WRONG_LIBRARY" CLSORT_TEST_WRONG=$wrong \
        $program -r 1 -n 1000 -d uniform -p none -j -
    has 1 '"verified":false'
    contains err "  WRONG"
done
expect 2 ranks 2 env "LD_PRELOAD=$CLSORT_TEST_WRONG_LIBRARY" CLSORT_TEST_WRONG=fail \
    $program -r 1 -n 1000 -d uniform -p none
contains err "clsort-bench-mpi: rank 1 on "

# refuses TEXT ARGUMENT...: fails with status 2 and a message that one rank prints.
refuses() {
    local text=$1
    shift
    expect 2 ranks 2 $program "$@"
    says_once "$program: $text"
}

refuses "unrecognized option '--bogus'" --bogus
refuses "--count: '0' is not a number from 1 to 2147483647" -n 0
refuses "--count: '2^31' is not a number" -n 2^31
refuses "--count: '8x' is not a number" -n 8x
refuses "--runs: '0' is not a number from 1 to 1000" -r 0
refuses "--type: 'u7' is unknown" -t u7
refuses "--dist: 'none' is unknown" -d uniform,none
refuses "--dist: '' is unknown" -d uniform,
refuses "--dist: more than 32 distributions" -d "$(printf 'few,%.0s' {1..32})few"
refuses "--peers: 'qsort' is unknown" -p qsort
refuses "missing/results: No such file or directory" -n 10 -r 1 -j missing/results
((peers == 2)) || refuses "--peers: MP-sort is not built in; configure with -DCLSORT_MPSORT=FOLDER" -p MP-sort
if ((peers == 2)); then
    measure 2 -n 100 -t f32
    contains err "MP-sort does not take part: it sorts u32 and u64 only"
fi
expect 0 ranks 2 $program --help
contains out "Usage: $program"
[[ $(grep -c Usage out) == 1 ]] || fail "--help is printed by several ranks"
finish
