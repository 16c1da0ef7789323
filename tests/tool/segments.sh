#!/usr/bin/env bash
# segments.sh - --rows and --segments sort each part of a file as clsort sorts it alone: orders, indexes, .npy, refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

tests=$(realpath "$(dirname "$0")")

# slice FILE SIZE BEGIN END: the elements from BEGIN to END, which have SIZE bytes each.
slice() {
    tail -c +$(($2 * $3 + 1)) "$1" | head -c $(($2 * ($4 - $3)))
}

# reference SIZE BEGIN:END... -- OPTIONS...: writes the file expected, in which each part BEGIN:END of the file data is
# replaced by what clsort makes of it alone, on the host.
reference() {
    local size=$1 at=0 total part begin end
    local parts=()
    shift
    while [[ $1 != -- ]]; do
        parts+=("$1")
        shift
    done
    shift
    total=$(($(stat -c %s data) / size))
    : >expected
    for part in "${parts[@]}"; do
        begin=${part%:*} end=${part#*:}
        slice data "$size" "$at" "$begin" >>expected
        ((begin == end)) || slice data "$size" "$begin" "$end" | clsort --device=host --force "$@" >>expected
        at=$end
    done
    slice data "$size" "$at" "$total" >>expected
}

# offsets WIDTH NUMBER...: writes the file offsets, of unsigned numbers of WIDTH bytes.
offsets() {
    local width=$1 number byte text=
    shift
    for number in "$@"; do
        for ((byte = 0; byte < width; byte++)); do
            printf -v text '%s\\x%02x' "$text" $((number >> 8 * byte & 255))
        done
    done
    printf '%b' "$text" >offsets
}

# -- types, orders, lengths: some segments are empty, and some elements are in none --

bounds=(3 3 4 40 40 100 612 613 900)
parts=(3:3 3:4 4:40 40:40 40:100 100:612 612:613 613:900)
for type in "${all_types[@]}"; do
    clsort-gen -t "$type" -n 1000 -d special -s 5 -o data >/dev/null
    for options in "" "-r" "--numeric" "--numeric -r"; do
        [[ $options != *numeric* || $type == f* ]] || continue
        # shellcheck disable=SC2086
        reference $((${type:1} / 8)) "${parts[@]}" -- -t "$type" $options
        offsets 8 "${bounds[@]}"
        # shellcheck disable=SC2086
        expect 0 clsort -t "$type" $options --force --segments=offsets data
        same out expected
        offsets 4 "${bounds[@]}"
        # shellcheck disable=SC2086
        expect 0 clsort -t "$type" $options --force --device=host --segments=u32:offsets data
        same out expected
        # shellcheck disable=SC2086
        reference $((${type:1} / 8)) 0:250 250:500 500:750 750:1000 -- -t "$type" $options
        # shellcheck disable=SC2086
        expect 0 clsort -t "$type" $options --force --rows=250 data
        same out expected
    done
done

# On the device: many rows that the calling thread would sort one after the other, and segments.
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || export CLSORT_DEVICE=0
clsort-gen -t u32 -n 40000 -o data >/dev/null
expect 0 clsort -t u32 --rows=100 --stats -o rows data
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || contains err "segmented u32 asc in rows"
expect 0 clsort -t u32 --rows=100 --device=host -o expected data
same rows expected
expect 0 clsort -t u32 --rows=100 --argsort -o rows data
expect 0 clsort -t u32 --rows=100 --argsort --device=host -o expected data
same rows expected
expect 0 clsort -t u32 --rows=100 --algorithm=auto -o named data
expect 0 clsort -t u32 --rows=100 --algorithm=auto --device=host -o expected data
same named expected
mapfile -t bounds < <(seq 7 333 39000)
offsets 8 "${bounds[@]}"
expect 0 clsort -t u32 --segments=offsets --stats -o result data
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || contains err "segmented u32 asc in segments by offsets"
expect 0 clsort -t u32 --segments=offsets --device=host -o expected data
same result expected
expect 0 clsort -t u32 --segments=offsets --argsort -o result data
expect 0 clsort -t u32 --segments=offsets --argsort --device=host -o expected data
same result expected

# -- inputs, outputs and modes --

expect 0 clsort -t u32 --segments=- -o result data <offsets
expect 0 clsort -t u32 --segments=offsets data
same out result
clsort -t u32 --segments=offsets < <(cat data) | cat >out || fail "from a pipe to a pipe"
same out result
expect 0 clsort -t u32 --segments=offsets --explain data
contains out "segments 117"
expect 0 clsort -t u32 --rows=100 --explain data
contains out "rows     400 of 100 keys"
expect 0 clsort -t u32 --rows=100 --top=3 --explain data
contains out "output   the 3 largest keys of each row"
expect 0 clsort -t u32 --rows=100 --top=3 -o top data
[[ $(stat -c %s top) == 4800 ]] || fail "--top of rows wrote $(stat -c %s top) bytes"

expect 0 clsort -t u32 --segments=offsets -c result
expect 1 clsort -t u32 --segments=offsets -c data
expect 1 clsort -t u32 -c result
expect 0 clsort -t u32 --segments=offsets -r -o down data
expect 0 clsort -t u32 --segments=offsets -r -c down
expect 1 clsort -t u32 --segments=offsets -c down
contains err "element 8 "
expect 0 clsort -t u32 --rows=100 -o rows data
expect 0 clsort -t u32 --rows=100 -c rows
expect 1 clsort -t u32 --rows=50 -c data
offsets 8 0
expect 0 clsort -t u32 --segments=offsets data
same out data
: >data
expect 0 clsort -t u32 --segments=offsets data
[[ ! -s out ]] || fail "an empty file has elements"
expect 0 clsort -t u32 --rows=7 data

# -- memory --

if can_limit && [[ ${CLSORT_TEST_NO_DEVICE:-} != 1 ]]; then
    (
        unset CLSORT_DEVICE
        clsort-gen -t u32 -n 4M -o data >/dev/null
        offsets 8 0 1000 3000000 4194304
        clsort -t u32 --device=host --segments=offsets -o expected data
        clsort -t u32 --device=host --rows=1024 -o expected_rows data
        for kib in 40000 200000 400000; do
            sorts_or_refuses $kib expected clsort -t u32 --segments=offsets data
            sorts_or_refuses $kib expected_rows clsort -t u32 --rows=1024 data
        done
        ((failures == 0))
    ) || fail "segments in limited memory"
fi

# -- refusals --

clsort-gen -t u32 -n 100 -o data >/dev/null
offsets 8 0 10 9
expect_error "offsets: offset 2 is 9, less than the one before it, 10" clsort -t u32 --segments=offsets data
offsets 8 0 10 101
expect_error "offsets: offset 2 is behind the keys, of which there are 100" clsort -t u32 --segments=offsets data
: >offsets
expect_error "offsets: there are no offsets" clsort -t u32 --segments=offsets data
printf abc >offsets
expect_error "is not a multiple of 8" clsort -t u32 --segments=offsets data
expect_error "missing: No such file" clsort -t u32 --segments=missing data
expect_error "--rows=30: the number of keys, 100, is not a multiple" clsort -t u32 --rows=30 data
for length in 0 -1 x 1.5 99999999999999999999; do
    expect_error "--rows=$length: not a number of keys" clsort -t u32 "--rows=$length" data
done
expect_error "only one of --rows and --segments" clsort -t u32 --rows=10 --segments=offsets data
expect_error "standard input is that of the keys" clsort -t u32 --segments=-
for option in --rows=10 --segments=offsets; do
    expect_error "cannot be combined with --axis" clsort -t u32 $option --axis=0 data
    expect_error "cannot be combined with --axis" clsort -t u32 $option --axis=none data
    expect_error "cannot be combined with --list-devices or --warm" clsort $option --list-devices
    expect_error "cannot be combined with --list-devices or --warm" clsort $option --warm=u32
done
for option in --top=1 --bottom=1 --nth=1; do
    expect_error "--segments cannot be combined with ${option%=*}" clsort -t u32 --segments=offsets $option data
done
expect_error "--segments cannot be combined with --algorithm" clsort -t u32 --segments=offsets --algorithm=radix data

# -- .npy files --

if find_python numpy; then
    PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/npy_segments.py" 40 1 || fail "NumPy disagrees"
fi

finish
