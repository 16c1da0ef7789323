#!/usr/bin/env bash
# npy.sh - .npy files: sorted files of every type are valid, and unsupported or malformed ones are refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# npy VERSION DICTIONARY: prints the header of a .npy file.
npy() {
    local dictionary=$2 size=${#2} length
    if (($1 == 1)); then
        printf -v length '\\x%02x\\x%02x' $((size % 256)) $((size / 256))
    else
        printf -v length '\\x%02x\\x%02x\\x00\\x00' $((size % 256)) $((size / 256))
    fi
    printf '\x93NUMPY%b%b%s' "\\x0$1\\x00" "$length" "$dictionary"
}

python=$(command -v python3) && "$python" -c 'import numpy' 2>/dev/null || python=

for type in "${all_types[@]}"; do
    clsort-gen -n 5000 -t "$type" -d special --npy -o data.npy >sum
    clsort-gen -n 5000 -t "$type" -d special -o data >/dev/null
    expect 0 clsort data.npy
    mv out sorted.npy
    expect 0 clsort -t "$type" data
    mv out sorted
    cmp <(head -c 128 data.npy) <(head -c 128 sorted.npy) || fail "the header of $type has changed"
    tail -c +129 sorted.npy | cmp - sorted || fail "the keys of $type differ from raw ones"
    expect 0 clsort -c --sum sorted.npy
    same out sum
    expect 0 clsort -t "$type" -r -o data.npy data.npy
    expect 0 clsort -c -r data.npy
    clsort -c - < <(cat sorted.npy) || fail "a .npy file of $type from a pipe"
    if [[ -n $python ]]; then
        "$python" - "$type" <<'PYTHON' || fail "NumPy disagrees on $type"
import sys
import numpy
keys = numpy.load("sorted.npy")
kind, size = sys.argv[1][0], int(sys.argv[1][1:]) // 8
assert keys.dtype == numpy.dtype(f"<{kind}{size}") and keys.shape == (5000,)
if kind == "f":
    keys = keys[~numpy.isnan(keys)]
assert (keys[:-1] <= keys[1:]).all()
PYTHON
    fi
done

# Headers with other versions, quotes and spaces.
for dictionary in \
    "1 {'descr': '<u2', 'fortran_order': True, 'shape': (3,), }" \
    "2 {'descr': '<u2', 'fortran_order': False, 'shape': (3,), }" \
    '3 {"shape":(3,),"fortran_order":False,"descr":"<u2"}' \
    "1 { 'shape' : ( 3L , ) , 'descr' : '<u2' , 'fortran_order' : False }   "; do
    npy "${dictionary%% *}" "${dictionary#* }" >header
    { cat header && printf 'c\0b\0a\0'; } >data
    { cat header && printf 'a\0b\0c\0'; } >sorted
    expect 0 clsort data
    same out sorted
done
npy 1 "{'descr': '>u1', 'fortran_order': False, 'shape': (2,)}" >data
printf 'ba' >>data
expect 0 clsort data
[[ $(tail -c 2 out) == ab ]] || fail "the byte order of u1 is not ignored"
clsort-gen -n 0 --npy -o data >/dev/null
expect 0 clsort data
same out data

# refused REASON HEADER: a file with this header and eight more bytes is refused.
refused() {
    { cat "$2" && printf '12345678'; } >refused.npy
    expect_error "refused.npy: $1" clsort refused.npy
    expect_error "refused.npy: $1" clsort -c refused.npy
    expect_error "refused.npy: $1" clsort --explain refused.npy
}
refused_dictionary() {
    npy 1 "$2" >header
    refused "$1" header
}
dimension=".npy array must have exactly one dimension"
refused_dictionary "$dimension" "{'descr': '<u4', 'fortran_order': False, 'shape': (1, 2)}"
refused_dictionary "$dimension" "{'descr': '<u4', 'fortran_order': False, 'shape': ()}"
refused_dictionary ".npy elements are not little-endian" \
    "{'descr': '>u4', 'fortran_order': False, 'shape': (2,)}"
refused_dictionary ".npy elements are records, which are not supported" \
    "{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (2,)}"
for descr in '<c8' '|S8' '|b1' '<f1' '<f3' '<u16' '<U2' '<u' '' 'u4'; do
    refused_dictionary ".npy element type is not one of u1 " \
        "{'descr': '$descr', 'fortran_order': False, 'shape': (2,)}"
done
for dictionary in "" "{" "}" "{'descr'}" "{'descr': '<u4'}" "{'shape': (2,)}" "{'descr': '<u4" \
    "{'descr': '<u4', 'shape': (2,}" "{'descr': '<u4', 'shape': 2}" "{'descr': <u4, 'shape': (2,)}" \
    "{'descr': '<u4', 'shape': (99999999999999999999,)}" "{'descr': '<u4', 'shape': (-2,)}" \
    "{'descr': '<u4', 'fortran_order': 1, 'shape': (2,)}" "{'other': 1}" \
    "{'descr': '<u4' 'shape': (2,)}" "{'descr': '<u4', 'shape': (2 2)}"; do
    refused_dictionary ".npy header is malformed" "$dictionary"
done
refused_dictionary ".npy file is truncated" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (3,)}"
refused_dictionary ".npy file is truncated" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (4611686018427387906,)}"
refused_dictionary ".npy file has extra bytes after its array" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}"
printf '\x93NUMPY\x04\x00' >header
refused ".npy format version is not supported" header
printf '\x93NUMPY\x02\x00\xff\xff\xff\xff' >header
refused ".npy header is malformed" header
printf '\x93NUMPY\x01\x00\x76\x00' >header
refused ".npy header is truncated" header
printf '\x93NUMPY\x01' >data
expect_error "data: .npy header is truncated" clsort data

# --type may repeat the type of the file, but not contradict it.
clsort-gen -n 4 -t i16 --npy -o data >/dev/null
expect 0 clsort -t i16 data
expect_error "data: the .npy file contains i16 keys, but --type is u16" clsort -t u16 data
expect_error "data: the .npy file contains i16 keys, but --type is u32" clsort -t u32 data

finish
