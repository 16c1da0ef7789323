#!/usr/bin/env bash
# check.sh - clsort --check finds the first key that is out of order, and --sum prints a checksum of the contents
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# bytes HEX...: prints the bytes of hexadecimal words.
bytes() {
    local word i
    for word; do
        for ((i = 0; i < ${#word}; i += 2)); do
            printf '%b' "\\x${word:i:2}"
        done
    done
}

# disorder TYPE MESSAGE OPTIONS HEX...: --check prints this message for the file of these bytes.
disorder() {
    local type=$1 message=$2 options=$3
    shift 3
    bytes "$@" >data
    # shellcheck disable=SC2086 # several options in one word
    expect 1 clsort -c -t "$type" $options data
    [[ $(cat err) == "clsort: data: $message" ]] || fail "$type: $(cat err)"
    [[ ! -s out ]] || fail "--check printed $(cat out)"
}

# order TYPE OPTIONS HEX...: --check accepts the file of these bytes.
order() {
    local type=$1 options=$2
    shift 2
    bytes "$@" >data
    # shellcheck disable=SC2086
    expect 0 clsort --check -t "$type" $options data
    [[ ! -s out && ! -s err ]] || fail "--check of ordered $type: $(cat out err)"
}

disorder u8 "element 1 (255, 0xff) is greater than element 2 (2, 0x02)" \
    "" 01 ff 02 01
disorder u16 "element 0 (256, 0x0100) is greater than element 1 (1, 0x0001)" \
    "" 0001 0100
disorder u32 "element 2 (5, 0x00000005) is greater than element 3 (4, 0x00000004)" \
    "" 01000000 02000000 05000000 04000000
disorder u64 "element 0 (18446744073709551615, 0xffffffffffffffff) is greater than element 1 (0, 0x0000000000000000)" \
    "" ffffffffffffffff 0000000000000000
disorder i8 "element 0 (127, 0x7f) is greater than element 1 (-128, 0x80)" \
    "" 7f 80
disorder i16 "element 0 (0, 0x0000) is greater than element 1 (-1, 0xffff)" \
    "" 0000 ffff
disorder i32 "element 0 (1, 0x00000001) is greater than element 1 (-2147483648, 0x80000000)" \
    "" 01000000 00000080
disorder i64 "element 1 (-1, 0xffffffffffffffff) is greater than element 2 (-2, 0xfffffffffffffffe)" \
    "" 0000000000000080 ffffffffffffffff feffffffffffffff
disorder f16 "element 0 (0.33325, 0x3555) is greater than element 1 (-1.5, 0xbe00)" \
    "" 5535 00be
disorder f16 "element 0 (inf, 0x7c00) is greater than element 1 (5.9605e-08, 0x0001)" \
    "" 007c 0100
disorder f32 "element 0 (0, 0x00000000) is greater than element 1 (-0, 0x80000000)" \
    "" 00000000 00000080
disorder f64 "element 0 (nan, 0x7ff8000000000000) is greater than element 1 (-inf, 0xfff0000000000000)" \
    "" 000000000000f87f 000000000000f0ff

disorder u8 "element 0 (1, 0x01) is less than element 1 (2, 0x02); the order is descending" \
    -r 01 02
disorder f32 "element 0 (nan, 0x7fc00000) is a NaN, which --numeric puts after element 1 (inf, 0x7f800000)" \
    "-r --numeric" 0000c07f 0000807f
disorder f32 "element 0 (inf, 0x7f800000) is greater than element 1 (1, 0x3f800000)" --numeric 0000807f 0000803f
disorder f32 "element 0 (nan, 0x7fc00001) is greater than element 1 (nan, 0x7fc00000)" "" 0100c07f 0000c07f
order u8 "" 01 01 02 ff
order u8 -r ff 02 01 01
order i8 "" 80 ff 00 7f
order f16 "" 00fe 00fc 00bc 0080 0000 003c 007c 007e
order f16 "--numeric" 00fc 0000 0080 0000 007c 007e 00fe
order f16 "-r --numeric" 007c 0080 0000 00fc 00fe 007e
order u64 ""
order u64 "" 0000000000000001

# The checksum depends on the contents and not on their order. It is printed also if the file is out of order.
bytes 01000000 02000000 02000000 >data
expect 0 clsort -t u32 -c --sum data
mv out sum
contains sum "count 3 sum "
bytes 02000000 01000000 02000000 >data
expect 1 clsort -t u32 -c --sum data
same out sum
bytes 01000000 01000000 02000000 >data
expect 0 clsort -t u32 -c --sum data
cmp -s out sum && fail "the checksum does not depend on how often a key occurs"
clsort-gen -t i64 -n 12345 -s 3 -d sorted -o data >sum
expect 0 clsort -c --sum -t i64 <data
same out sum

# --check finds a single key that is out of order in a large file.
clsort-gen -n 100000 -s 4 -o data >/dev/null
clsort -t u32 data >sorted
tail -c 4 sorted | dd of=sorted bs=4 seek=50000 conv=notrunc status=none
expect 1 clsort -t u32 -c sorted
contains err "clsort: sorted: element 50000 ("

finish
