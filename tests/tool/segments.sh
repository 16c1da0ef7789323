#!/usr/bin/env bash
# segments.sh - --rows and --segments sort each part of a file, or select from it, as clsort does from a file of this
# part alone: orders, indexes, .npy, refusals
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

# selected SIZE OPTION K BEGIN:END... -- OPTIONS...: writes the file expected: what clsort selects by OPTION=K from each
# part of the file data alone, on the host. --top and --bottom take all keys of a shorter part.
selected() {
    local size=$1 option=$2 k=$3 part begin end number
    local parts=()
    shift 3
    while [[ $1 != -- ]]; do
        parts+=("$1")
        shift
    done
    shift
    : >expected
    for part in "${parts[@]}"; do
        begin=${part%:*} end=${part#*:}
        number=$k
        [[ $option == --nth ]] || ((k <= end - begin)) || number=$((end - begin))
        slice data "$size" "$begin" "$end" | clsort --device=host --force "$option=$number" "$@" >>expected
    done
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

# Selections from the same segments, of which some have fewer than K keys. N is below the length of each.
for type in "${all_types[@]}"; do
    size=$((${type:1} / 8))
    clsort-gen -t "$type" -n 1000 -d special -s 6 -o data >/dev/null
    offsets 8 "${bounds[@]}"
    for option in --top --bottom; do
        for k in 0 1 37 1000; do
            selected $size $option $k "${parts[@]}" -- -t "$type"
            expect 0 clsort -t "$type" --force --segments=offsets $option=$k data
            same out expected
        done
        selected $size $option 7 0:250 250:500 500:750 750:1000 -- -t "$type"
        expect 0 clsort -t "$type" --force --rows=250 $option=7 data
        same out expected
    done
    offsets 4 3 40 100 500
    selected $size --nth 36 3:40 40:100 100:500 -- -t "$type" -r
    expect 0 clsort -t "$type" -r --force --segments=u32:offsets --nth=36 data
    same out expected
    selected $size --nth 249 0:250 250:500 500:750 750:1000 -- -t "$type"
    expect 0 clsort -t "$type" --force --rows=250 --nth=249 data
    same out expected
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

# A selection from a segment that the calling thread does not select from.
clsort-gen -t u32 -n 300000 -d few -o long >/dev/null
offsets 8 5 20 299000 299000 300000
for option in --top=40 --bottom=1000 --nth=14; do
    [[ $option != --nth* ]] || offsets 8 5 20 299000 300000
    for indexes in "" --argsort; do
        # shellcheck disable=SC2086
        expect 0 clsort -t u32 --segments=offsets $option $indexes --stats -o result long
        [[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || grep -q "self-test passed" err ||
            fail "$option: not on the device: $(cat err)"
        # shellcheck disable=SC2086
        expect 0 clsort -t u32 --segments=offsets $option $indexes --device=host -o expected long
        same result expected
    done
done
expect 0 clsort -t u32 --segments=offsets --bottom=9 --explain long
contains out "segments 3"
contains out "output   the 9 smallest keys of each segment"
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || contains out "selection of u32 asc"
expect 0 clsort -t u32 --segments=offsets --nth=2 --argsort --explain long
contains out "output   indexes of 8 bytes of key 2 in ascending order of each segment"
mapfile -t bounds < <(seq 7 333 39000)
offsets 8 "${bounds[@]}"

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
expect 0 clsort -t u32 --segments=offsets --top=3 data
[[ ! -s out ]] || fail "no segments have selected keys"
expect 0 clsort -t u32 --segments=offsets --nth=3 data
[[ ! -s out ]] || fail "no segments have an n-th key"
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
        clsort -t u32 --device=host --segments=offsets --top=99999 -o expected_top data
        for kib in 40000 200000 400000; do
            sorts_or_refuses $kib expected clsort -t u32 --segments=offsets data
            sorts_or_refuses $kib expected_top clsort -t u32 --segments=offsets --top=99999 data
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
for option in --argsort --top=1; do
    expect_error "--segments cannot be combined with --algorithm" \
        clsort -t u32 --segments=offsets $option --algorithm=radix data
done
offsets 8 0 10 12 90
expect_error "--nth=2: segment 1 has 2 keys, which are counted from 0" clsort -t u32 --segments=offsets --nth=2 data
expect_error "--nth=2: segment 1 has 2 keys" clsort -t u32 --segments=offsets --nth=2 --explain data
expect_error "--nth=20: each row has 20 keys, which are counted from 0" clsort -t u32 --rows=20 --nth=20 data
expect_error "--top=21: each row has 20 keys" clsort -t u32 --rows=20 --top=21 data
expect_error "the keys that are not selected would be lost" clsort -t u32 --segments=offsets --top=1 -o data data
expect_error "--bottom cannot be combined with --check" clsort -t u32 --segments=offsets --bottom=1 --check data

# -- .npy files --

if find_python numpy; then
    PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/npy_segments.py" 40 1 || fail "NumPy disagrees"
fi

finish
