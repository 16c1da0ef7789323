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

# disorder TYPE WHERE OPTIONS HEX...: --check reports this index and these values for the file of these bytes.
disorder() {
    local type=$1 where=$2 options=$3
    shift 3
    bytes "$@" >data
    # shellcheck disable=SC2086 # several options in one word
    expect 1 clsort -c -t "$type" $options data
    [[ $(cat err) == "clsort: data: out of order at index $where" ]] || fail "$type: $(cat err)"
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

disorder u8 "2: 2 after 255" "" 01 ff 02 01
disorder u16 "1: 1 after 256" "" 0001 0100
disorder u32 "3: 4 after 5" "" 01000000 02000000 05000000 04000000
disorder u64 "1: 0 after 18446744073709551615" "" ffffffffffffffff 0000000000000000
disorder i8 "1: -128 after 127" "" 7f 80
disorder i16 "1: -1 after 0" "" 0000 ffff
disorder i32 "1: -2147483648 after 1" "" 01000000 00000080
disorder i64 "2: -2 after -1" "" 0000000000000080 ffffffffffffffff feffffffffffffff
disorder f16 "1: -1.5 after 0.33325" "" 5535 00be
disorder f16 "1: 5.9605e-08 after inf" "" 007c 0100
disorder f32 "1: -0 after 0" "" 00000000 00000080
disorder f64 "1: -inf after nan" "" 000000000000f87f 000000000000f0ff

disorder u8 "1: 2 after 1" -r 01 02
disorder f32 "1: inf after nan" "-r --numeric" 0000c07f 0000807f
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
expect 0 clsort -c --sum data
mv out sum
contains sum "count 3 sum "
bytes 02000000 01000000 02000000 >data
expect 1 clsort -c --sum data
same out sum
bytes 01000000 01000000 02000000 >data
expect 0 clsort -c --sum data
cmp -s out sum && fail "the checksum does not depend on how often a key occurs"
clsort-gen -t i64 -n 12345 -s 3 -d sorted -o data >sum
expect 0 clsort -c --sum -t i64 <data
same out sum

# --check finds a single key that is out of order in a large file.
clsort-gen -n 100000 -s 4 -o data >/dev/null
clsort data >sorted
tail -c 4 sorted | dd of=sorted bs=4 seek=50000 conv=notrunc status=none
expect 1 clsort -c sorted
contains err "out of order at index 50001: "

finish
