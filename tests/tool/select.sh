#!/usr/bin/env bash
# select.sh - --top, --bottom and --nth write the first keys or indexes that a sort writes: orders, .npy, refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

tests=$(realpath "$(dirname "$0")")

# The device selects, even if the kernels are not compiled yet.
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || export CLSORT_DEVICE=0

# selects SKIP SIZE SORTED OPTIONS...: the output for the file data has the bytes of the file SORTED from SKIP to
# SKIP + SIZE.
selects() {
    local skip=$1 size=$2 sorted=$3
    shift 3
    expect 0 clsort "$@" data
    tail -c +$((skip + 1)) "$sorted" | head -c "$size" >expected
    same out expected
}

# selections TYPE COUNT OPTIONS...: selects different numbers of keys and indexes.
selections() {
    local type=$1 count=$2 bytes=$((${1:1} / 8)) k
    shift 2
    expect 0 clsort -t "$type" "$@" -o up data
    expect 0 clsort -t "$type" "$@" -r -o down data
    expect 0 clsort -t "$type" "$@" --argsort -o up.index data
    expect 0 clsort -t "$type" "$@" --argsort -r -o down.index data
    for k in 0 1 $((count / 2)) $((count - 1)) "$count"; do
        ((k >= 0 && k <= count)) || continue
        selects 0 $((k * bytes)) up -t "$type" "$@" --bottom "$k"
        selects 0 $((k * bytes)) down -t "$type" "$@" --top "$k"
        selects 0 $((k * 8)) up.index -t "$type" "$@" --bottom "$k" --argsort
        selects 0 $((k * 8)) down.index -t "$type" "$@" --top "$k" --argsort
        ((k < count)) || continue
        selects $((k * bytes)) "$bytes" up -t "$type" "$@" --nth "$k"
        selects $((k * bytes)) "$bytes" down -t "$type" "$@" --nth "$k" -r
        selects $((k * 8)) 8 down.index -t "$type" "$@" --nth "$k" -r --argsort
    done
}

# -- types and orders, with many equal keys --

for type in "${all_types[@]}"; do
    for count in 0 1 5003; do
        clsort-gen -t "$type" -n $count -d special -s 5 -o data >/dev/null
        selections "$type" $count --device=host
        [[ $type != f* ]] || selections "$type" $count --device=host --numeric
    done
done
# Large arrays are selected from on the device.
clsort-gen -t f32 -n 300007 -d special -s 5 -o data >/dev/null
selections f32 300007 --numeric

# -- inputs, outputs and modes --

clsort-gen -n 300007 -o data >/dev/null
expect 0 clsort -t u32 -r -o sorted data
head -c 40 sorted >ten
expect 0 clsort -t u32 --top 10 <data
same out ten
clsort -t u32 --top 10 < <(cat data) | cat >out || fail "from a pipe to a pipe"
same out ten
expect 0 clsort -t u32 --top 10 --algorithm=radix -q --stats -o result data
same result ten
contains err "elements   300007 u32"
if [[ ${CLSORT_TEST_NO_DEVICE:-} != 1 ]]; then
    contains err "selection of u32 desc"
    contains err "radix u32 desc"
fi
expect 0 clsort -t u32 --top 10 --explain data
contains out "output   the 10 largest keys"
contains out "selection of u32 desc"
expect 0 clsort -t u32 --bottom 10 --argsort --explain data
contains out "output   indexes of 8 bytes of the 10 smallest keys"
expect 0 clsort -t u32 --nth 10 --explain data
contains out "output   key 10 in ascending order"
contains out "n-th of u32 asc"

# -- refusals --

cp data original
for output in data ./data; do
    expect_error "the keys that are not selected would be lost" clsort -t u32 --top 10 -o $output data
    expect_error "the indexes would replace the keys" clsort -t u32 --top 10 --argsort -o $output data
done
same data original
expect_error "--top=300008: the input has 300007 keys" clsort -t u32 --top 300008 data
expect_error "--nth=300007: the input has 300007 keys, which are counted from 0" clsort -t u32 --nth 300007 data
expect_error "--top=300008: the input has 300007 keys" clsort -t u32 --top 300008 --explain data
for k in -1 x 1.5 0x10 99999999999999999999; do
    expect_error "--bottom=$k: not a number, or too large" clsort -t u32 "--bottom=$k" data
done
expect_error "only one of --top, --bottom and --nth can be given" clsort -t u32 --top 1 --bottom 1 data
expect_error "only one of --top, --bottom and --nth can be given" clsort -t u32 --nth 1 --bottom 1 data
expect_error "use --bottom for the smallest" clsort -t u32 --top 1 -r data
expect_error "use --top for the largest" clsort -t u32 --bottom 1 -r data
expect_error "--nth cannot be combined with --check" clsort -t u32 --nth 1 -c data
expect_error "--top cannot be combined with --list-devices or --warm" clsort --top 1 --list-devices
expect_error "--top cannot be combined with --list-devices or --warm" clsort --top 1 --warm u32
expect_error "--algorithm cannot be combined with --nth" clsort -t u32 --nth 1 --algorithm=radix data

# -- .npy files --

if find_python numpy; then
    PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/npy_compare.py" 80 1 --select || fail "NumPy disagrees"
    "$python" -c 'import numpy; numpy.save("data.npy", numpy.arange(12).reshape(3, 4))'
    expect_error "--top=5: each row has 4 keys" clsort --top 5 data.npy
    expect 0 clsort --top 2 --explain data.npy
    contains out "output   the 2 largest keys of each row"
    # An axis of another size is empty: the output has no elements, but a shape.
    "$python" -c 'import numpy; numpy.save("data.npy", numpy.zeros((0, 4)))'
    expect 0 clsort --top 2 -o selected.npy data.npy
    "$python" -c 'import numpy; assert numpy.load("selected.npy").shape == (0, 2)' || fail "wrong shape"
    expect_error "--nth=0" clsort --axis=0 --nth 0 data.npy
fi

finish
