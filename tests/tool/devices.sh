#!/usr/bin/env bash
# devices.sh - clsort --devices: the output is that of one device, and what one device does is refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -t u64 --dist few -n 200000 -o data >sum
clsort -t u64 data >sorted
clsort -t u64 --argsort data >indexes
clsort --record 16 -k 4:u32:r data >records

# -- sorts --
for list in all 0 0,0 0,0,0; do
    expect 0 clsort -t u64 --devices=$list data
    same out sorted
done
expect 0 clsort -t u64 --devices=0,0 --argsort data
same out indexes
expect 0 clsort --record 16 -k 4:u32:r --devices=0,0 data
same out records
cp data copy
expect 0 clsort -t u64 --devices 0,0 --unique -o copy copy
clsort -t u64 --unique data >unique
same copy unique
head -c 80 data >small
expect 0 clsort -t u64 --devices=0,0 small
clsort -t u64 small >small_sorted
same out small_sorted
: >empty
expect 0 clsort -t u64 --devices=0,0 empty
same out empty

# -- reports --
expect 0 clsort -t u64 --devices=0,0 --stats -o copy data
contains err " and 1 more"
contains err "by each of several devices for its share"
expect 0 clsort -t u64 --devices=0 --stats -o copy data
lacks err "more"

# -- failures --
# The first sort stores the results of the self-tests, so that the launches of the others are those of sorts.
if [[ -n ${CLSORT_FAIL_LAUNCHES:-} ]] && LD_PRELOAD=$CLSORT_FAIL_LAUNCHES clsort --version >/dev/null 2>&1; then
    reports=0
    for n in 99999 1 2; do
        CLSORT_CACHE_DIR=$PWD/cache CLSORT_FAIL_LAUNCH=$n LD_PRELOAD=$CLSORT_FAIL_LAUNCHES \
            expect 0 clsort -t u64 --devices=0,0 data
        same out sorted
        lines=$(grep -c "of the list has failed (.*); others have done its work" err)
        ((lines <= 1)) || fail "launch $n: $lines reports of one failure"
        ((reports += lines))
    done
    [[ $reports == 2 ]] || fail "2 failures, but $reports reports"
fi

# -- refusals --
expect_error "its argument LIST is empty" clsort -t u64 --devices= data
for list in "," "0," ",0" "0,,1" x 0x 1.5 -1 4294967296 12345678901 "all,0" "$(seq -s , 0 64)"; do
    expect_error "--devices=" clsort -t u64 "--devices=$list" data
done
expect_error 'there is no device "99"' clsort -t u64 --devices=0,99 data
for other in --device=0 --check --explain --top=1 --bottom=1 --nth=1 --rows=4 --segments=data --axis=0 --merge; do
    expect_error "--devices cannot be combined with" clsort -t u64 --devices=all "$other" data
done
expect_error "--devices cannot be combined with several inputs" clsort -t u64 --devices=all data data
expect_error "--devices cannot be combined with" clsort --devices=all --warm=u32
expect_error "--devices cannot be combined with" clsort --devices=all --list-devices
expect_error "--devices: a file that is sorted in runs" clsort -t u64 --devices=all -S 1M data

finish
