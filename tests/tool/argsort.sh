#!/usr/bin/env bash
# argsort.sh - --argsort writes the permutation that sorts: every type and order, rows of .npy files, pieces, refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

tests=$(realpath "$(dirname "$0")")

# The device sorts, even if the kernels are not compiled yet.
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || export CLSORT_DEVICE=0

# indexes FILE: prints the indexes of the file, one per line.
indexes() {
    od -An -v -w8 -t u8 "$1" | tr -d ' '
}

# argsorts TYPE OPTIONS: the output for the file data is its permutation, which stays in the file out.
argsorts() {
    local flags=0
    [[ $2 != *-r* ]] || flags=$((flags + 1))        # CLSORT_DESCENDING
    [[ $2 != *--numeric* ]] || flags=$((flags + 2)) # CLSORT_FLOAT_NUMERIC
    # shellcheck disable=SC2086 # several options in one word
    expect 0 clsort --argsort -t "$1" $2 data
    clsort-test-argsort-check "$1" $flags 100000000 data out || fail "--argsort -t $1 $2: the indexes are wrong"
}

# -- every type and order, with many equal keys --

for type in "${all_types[@]}"; do
    orders=("" -r)
    [[ $type != f* ]] || orders+=(--numeric "--numeric -r")
    for count in 0 1 2 5003; do
        clsort-gen -t "$type" -n $count -d special -s 5 -o data >/dev/null
        for order in "${orders[@]}"; do
            argsorts "$type" "$order --device=host"
        done
    done
    for dist in few sorted reversed equal; do
        clsort-gen -t "$type" -n 4000 -d $dist -o data >/dev/null
        argsorts "$type" --device=host
        argsorts "$type" "-r --device=host"
    done
    # Large arrays are sorted on the device, which compiles for each type and order. Three types suffice.
    [[ $type == @(u16|i32|f64) ]] || continue
    clsort-gen -t "$type" -n 70003 -d special -s 5 -o data >/dev/null
    for order in "${orders[@]}"; do
        argsorts "$type" "$order"
    done
done

# Without the helper: sort(1) is stable with -s.
for type in u8 i16 u64; do
    clsort-gen -t $type -n 3000 -d few -o data >/dev/null
    letter=${type:0:1} size=$((${type:1} / 8))
    od -An -v -w$size -t "${letter/i/d}$size" data | awk '{ print NR - 1, $1 }' >numbered
    expect 0 clsort --argsort -t $type --device=host data
    sort -s -n -k 2,2 numbered | cut -d ' ' -f 1 >expected
    cmp <(indexes out) expected || fail "$type ascending: sort(1) disagrees"
    expect 0 clsort --argsort -t $type -r --device=host data
    sort -s -n -r -k 2,2 numbered | cut -d ' ' -f 1 >expected
    cmp <(indexes out) expected || fail "$type descending: sort(1) disagrees"
done

# -- algorithms; the last one is not stable --

clsort-gen -n 5003 -t u16 -d few -o data >/dev/null
for algorithm in auto radix:bits=4 merge; do
    argsorts u16 "--algorithm=$algorithm"
done
expect 0 clsort --argsort -t u16 --algorithm=bitonic data
indexes out | sort -n | cmp - <(seq 0 5002) || fail "bitonic: the output is no permutation"
expect_error "--algorithm" clsort --argsort -t u16 --algorithm=count data

# -- inputs and outputs --

clsort-gen -n 70001 -d few -o data >/dev/null
argsorts u32 ""
mv out permutation
expect 0 clsort --argsort -t u32 <data
same out permutation
clsort --argsort -t u32 < <(cat data) | cat >out || fail "from a pipe to a pipe"
same out permutation
echo before >result
expect 0 clsort --argsort -t u32 -o result data
same result permutation
[[ ! -s out ]] || fail "-o FILE wrote to standard output"
expect 0 clsort --argsort -t u32 -q --stats -o result data
same result permutation
contains err "argsort of u32"
contains err "elements   70001 u32"
expect 0 clsort --argsort -t u32 --explain data
contains out "argsort of u32"
contains out "output   indexes of 8 bytes"
expect 0 clsort -t u32 --explain data
lacks out argsort
lacks out output

# The output must not replace the keys.
cp data original
ln -s data link
for output in data ./data link /dev/fd/3; do
    expect_error "clsort: data: the input file is also" clsort --argsort -t u32 -o $output data 3<>data
    contains err "the indexes would replace the keys to which they refer; write to another file"
    # shellcheck disable=SC2094 # intended: clsort refuses it
    expect_error "the indexes would replace the keys" clsort --argsort -t u32 -o $output <data 3<>data
done
same data original

# -- combinations that make no sense, and wrong files --

expect_error "--argsort cannot be combined with --check, which checks keys, not indexes" \
    clsort --argsort -t u32 --check data
expect_error "--argsort cannot be combined with --list-devices" clsort --argsort --list-devices
expect_error "--argsort cannot be combined with --warm=u32:4, since its values are the indexes" \
    clsort --argsort --warm u32 --warm u32:4
expect_error "data: --numeric supports floats only (the key type is u32)" clsort --argsort -t u32 --numeric data
expect_error "data: --axis=0 requires a .npy file" clsort --argsort -t u32 --axis=0 data
echo before >result
printf 12345 >short
expect_error "short: size of 5 bytes is not a multiple of 4" clsort --argsort -t u32 -o result short
clsort-gen -n 100 --npy -o data.npy >/dev/null
head -c 300 data.npy >short.npy
expect_error "short.npy: .npy file is truncated" clsort --argsort -o result short.npy
expect_error "absent: No such file" clsort --argsort -t u32 -o result absent
[[ $(<result) == before ]] || fail "an error has changed the output"

# -- .npy files --

# elements DESCR SHAPE FORTRAN BYTES: prints a .npy file of these bytes, which may have escapes of printf.
elements() {
    local header
    printf -v header "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" "$1" "$3" "$2"
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n%b' "$header" "$4"
}

# has_indexes SHAPE FORTRAN INDEXES: the file out is a .npy file of this shape and memory order with these indexes.
has_indexes() {
    local found
    cmp <(head -c 128 out) <(elements "${byte_order}i8" "$1" "$2" '') ||
        fail "the header is $(head -c 128 out | cat -v)"
    found=$(indexes <(tail -c +129 out) | tr '\n' ' ')
    [[ $found == "${3:+$3 }" ]] || fail "the indexes are $found"
}

# argsorts_npy DESCR SHAPE FORTRAN BYTES INDEXES OPTIONS: the output has the same shape and order, and these indexes.
argsorts_npy() {
    local shape=$2 fortran=$3 numbers=$5
    elements "$1" "$shape" "$fortran" "$4" >data.npy
    shift 5
    expect 0 clsort --argsort --device=host "$@" data.npy
    has_indexes "$shape" "$fortran" "$numbers"
}
byte_order='>'
[[ $(printf '\x1\x0' | od -An -t u2 | tr -d ' ') != 1 ]] || byte_order='<'

argsorts_npy '|u1' '(4,)' False dbcb '1 3 2 0'
argsorts_npy '|u1' '(4,)' False dbcb '0 2 1 3' --reverse
argsorts_npy '|b1' '(4,)' False '\x1\x0\x1\x0' '1 3 0 2'
argsorts_npy '>u2' '(3,)' False '\x2\x0\x1\x1\x1\x0' '2 1 0'
argsorts_npy '<u2' '(3,)' False '\x2\x0\x1\x1\x1\x0' '2 0 1'
nat='\x0\x0\x0\x0\x0\x0\x0\x80' one='\x1\x0\x0\x0\x0\x0\x0\x0' minus='\xfd\xff\xff\xff\xff\xff\xff\xff'
argsorts_npy '<M8[ns]' '(4,)' False "$nat$one$minus$nat" '2 1 0 3'
argsorts_npy '<m8' '(4,)' False "$nat$one$minus$nat" '1 2 0 3' --reverse
argsorts_npy '<f4' '(3,)' False '\x0\x0\xc0\x7f\x0\x0\x0\x0\x0\x0\x0\x80' '2 1 0'
argsorts_npy '<f4' '(3,)' False '\x0\x0\xc0\x7f\x0\x0\x0\x0\x0\x0\x0\x80' '1 2 0' --numeric
argsorts_npy '|u1' '(2, 3)' False cabfed '1 2 0 2 1 0'
argsorts_npy '|u1' '(2, 3)' False dafceb '1 0 1 0 1 0' --axis=0
argsorts_npy '|u1' '(2, 3)' True dafceb '0 0 2 2 1 1'
argsorts_npy '|u1' '(2, 3)' True dafceb '1 0 1 0 1 0' --axis=0
argsorts_npy '|u1' '(2, 2, 2)' False hgfedcba '1 1 0 0 1 1 0 0' --axis 1
argsorts_npy '|u1' '(0,)' False '' ''
argsorts_npy '<u4' '(3, 0, 2)' False '' '' --axis=0
elements '|u1' '(2, 2)' False dbca >data.npy
expect 0 clsort --argsort --axis=none data.npy
has_indexes '(4,)' False '3 1 2 0'

# Indexes of a flattened array count in C order, in which an array of one long dimension always is.
elements '|u1' '(1, 4, 1)' True dbca >data.npy
expect 0 clsort --argsort --axis=none data.npy
has_indexes '(4,)' False '3 1 2 0'
elements '|u1' '(2, 2)' True dbca >data.npy
expect_error "data.npy: the array is in Fortran order, but --argsort with --axis=none supports C order only" \
    clsort --argsort --axis=none data.npy
expect 0 clsort --axis=none data.npy

# A header of many dimensions.
dimensions=$(printf '1, %.0s' {1..63})
dictionary="{'descr': '|u1', 'fortran_order': False, 'shape': (${dimensions}2), }"
printf '\x93NUMPY\x01\x00%b\x00%s%s' "\\x$(printf %x ${#dictionary})" "$dictionary" ba >data.npy
expect 0 clsort --argsort data.npy
mv out many.npy
grep -qaF "'shape': (${dimensions}2), }" many.npy || fail "64 dimensions: the header is $(head -n 1 many.npy)"
[[ $(indexes <(tail -c 16 many.npy) | tr '\n' ' ') == '1 0 ' ]] || fail "64 dimensions: the indexes are wrong"
((($(stat -c %s many.npy) - 16) % 64 == 0)) || fail "64 dimensions: the header is not aligned"
expect 0 clsort --check --reverse many.npy

if find_python numpy; then
    PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/npy_compare.py" 40 2 --argsort || fail "NumPy disagrees"
fi

# -- pieces, where memory is limited --

if can_limit; then
    for type in u8 i32 f64; do
        clsort-gen -n 2M -t $type -d special -o data >/dev/null
        # The keys, 4 bytes for each index, and less than the host needs to sort half of the keys at once.
        kib=$(($(stat -c %s data) / 1024 + 8192 + 31000))
        for order in "" "-r"; do
            argsorts $type "$order --device=host"
            mv out sorted
            # shellcheck disable=SC2086 # no option
            pieces $kib sorted clsort --argsort -t $type $order --device host data
        done
    done
    expect 0 eval "cat data | in_limit $kib clsort --argsort -t f64 -r --device host >out2"
    same out2 sorted
    expect_error "data: out of memory: sorting needs" in_limit 40000 clsort --argsort -t f64 --device host data
    # From too little to enough: what clsort expects to need suffices.
    clsort-gen -n 8M -t u8 -o data >/dev/null
    expect 0 clsort --argsort -t u8 --device host -o sorted data
    for kib in {40000..180000..10000}; do
        sorts_or_refuses "$kib" sorted clsort --argsort -t u8 --device host data
    done
    # Rows whose keys are adjacent, and rows that are copied in pairs.
    clsort-gen -n 2M -t i32 -d few -o data >/dev/null
    { elements '<i4' '(2, 1048576)' False '' && cat data; } >data.npy
    expect 0 clsort --argsort --device host -o sorted data.npy
    clsort-test-argsort-check i32 0 1048576 data <(tail -c +129 sorted) || fail "rows: the indexes are wrong"
    pieces $((16384 + 30000)) sorted clsort --argsort --device host data.npy
    { elements '<i4' '(1048576, 2)' False '' && cat data; } >data.npy
    expect 0 clsort --argsort --axis=0 --device host -o sorted data.npy
    pieces $((2 * 16384 + 30000)) sorted clsort --argsort --axis=0 --device host data.npy
fi

no_leftovers
finish
