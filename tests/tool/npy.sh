#!/usr/bin/env bash
# npy.sh - .npy files: sorted files of every type are valid, and unsupported or malformed ones are refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

tests=$(realpath "$(dirname "$0")")

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

# elements DESCR SHAPE FORTRAN BYTES: prints a .npy file of these bytes, which may have escapes of printf.
elements() {
    npy 1 "{'descr': '$1', 'fortran_order': $3, 'shape': $2, }"
    printf '%b' "$4"
}

# sorts DESCR SHAPE FORTRAN BYTES SORTED OPTIONS: the sorted file of these bytes has the same header and these bytes.
# --check accepts it, and refuses the unsorted file, if the bytes differ.
sorts() {
    local descr=$1 shape=$2 fortran=$3 from=$4 to=$5
    shift 5
    elements "$descr" "$shape" "$fortran" "$from" >data
    elements "$descr" "$shape" "$fortran" "$to" >sorted
    expect 0 clsort "$@" data
    same out sorted
    expect 0 clsort --check "$@" sorted
    [[ $from == "$to" ]] || expect 1 clsort --check "$@" data
}

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

# Byte orders.
sorts '>u1' '(2,)' False ba ab
sorts '=u1' '(2,)' False ba ab
sorts '<u2' '(2,)' False '\x0\x2\x1\x1' '\x1\x1\x0\x2'
sorts '>u2' '(2,)' False '\x2\x0\x1\x1' '\x1\x1\x2\x0'
sorts '>i2' '(2,)' False '\x0\x1\xff\x0' '\xff\x0\x0\x1'
sorts '>f4' '(2,)' False '\x40\x0\x0\x0\x3f\x80\x0\x0' '\x3f\x80\x0\x0\x40\x0\x0\x0'
sorts '>u8' '(2,)' False '\x1\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x2' \
    '\x0\x0\x0\x0\x0\x0\x0\x2\x1\x0\x0\x0\x0\x0\x0\x0'
clsort-gen -n 1000 -t u32 --npy -o native.npy >/dev/null
sed '1s/<u4/=u4/' native.npy >data
expect 0 clsort -o data data
expect 0 clsort -o native.npy native.npy
cmp <(tail -c +129 data) <(tail -c +129 native.npy) || fail "= is not the byte order of the machine"

# bool, and times, whose NaT (the smallest i64) is last in either direction.
sorts '|b1' '(4,)' False '\x1\x0\x1\x0' '\x0\x0\x1\x1'
nat='\x0\x0\x0\x0\x0\x0\x0\x80' one='\x1\x0\x0\x0\x0\x0\x0\x0' minus='\xfd\xff\xff\xff\xff\xff\xff\xff'
max='\xff\xff\xff\xff\xff\xff\xff\x7f'
for descr in '<M8' '<M8[ns]' '<m8[25s]' '<m8'; do
    sorts "$descr" '(5,)' False "$nat$one$max$minus$nat" "$minus$one$max$nat$nat"
    sorts "$descr" '(5,)' False "$one$nat$minus$max$nat" "$max$one$minus$nat$nat" --reverse
done
sorts '>M8[us]' '(2,)' False '\x80\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x0\x2' \
    '\x0\x0\x0\x0\x0\x0\x0\x2\x80\x0\x0\x0\x0\x0\x0\x0'
elements '<M8[s]' '(2,)' False "$nat$minus" >data
expect 1 clsort -c data
contains err "data: element 0 (NaT, 0x8000000000000000) comes last, but is before element 1 (-3, 0xfffffffffffffffd)"
elements '>u2' '(2,)' False '\x2\x0\x1\x1' >data
expect 1 clsort -c data
contains err "data: element 0 (512, 0x0200) is greater than element 1 (257, 0x0101)"

# Several dimensions.
sorts '|u1' '(2, 3)' False cabfed abcdef
sorts '|u1' '(2, 3)' False cabfed abcdef --axis=1
sorts '|u1' '(2, 3)' False dafceb cabdef --axis=0
sorts '|u1' '(2, 3)' False dafceb cabdef --axis=-2
sorts '|u1' '(2, 3)' True dafceb daebfc
sorts '|u1' '(2, 3)' True dafceb adcfbe --axis=0
sorts '|u1' '(2, 2, 2)' False hgfedcba fehgbadc --axis 1
sorts '|u1' '(2, 2, 2)' False abcdefgh efghabcd --axis 0 --reverse
sorts '|u1' '(1, 1, 4)' False dbca abcd
sorts '<u4' '(3, 0)' False '' ''
sorts '<u4' '(3, 0, 18446744073709551615, 18446744073709551615)' False '' '' --axis=0
elements '|u1' '(2, 3)' False cabfed >data
elements '|u1' '(2, 3)' False abcdfe >unsorted
for option in '' --axis=-1; do
    # shellcheck disable=SC2086 # no option
    expect 1 clsort -c $option unsorted
    contains err "unsorted: element (1, 1) (102, 0x66) is greater than element (1, 2) (101, 0x65)"
done
expect 1 clsort -c data
expect 0 clsort -c --axis=0 data
elements '|u1' '(2, 2, 2)' True abcdefgh >data
expect 0 clsort -c --axis=1 data
elements '|u1' '(2, 2, 2)' True abcdehgf >data
expect 1 clsort -c --axis=1 data
contains err "data: element (1, 0, 1) (104, 0x68) is greater than element (1, 1, 1) (102, 0x66)"

# --axis=none flattens: the header is new, the dtype is not.
elements '>u2' '(2, 2)' True '\x3\x0\x1\x1\x2\x5\x0\x4' >data
expect 0 clsort --axis=none data
[[ $(head -c 128 out | tail -c +11) == "{'descr': '>u2', 'fortran_order': False, 'shape': (4,), } "* ]] ||
    fail "the header of a flattened array is $(head -c 128 out)"
cmp <(tail -c +129 out) <(printf '\x0\x4\x1\x1\x2\x5\x3\x0') || fail "the elements of a flattened array"
elements '|u1' '()' False a >data
expect 0 clsort --axis=none data
[[ $(tail -c +11 out) == *"'shape': (1,)"*a ]] || fail "--axis=none of an array without dimensions: $(cat -v out)"
printf ba >data
expect 0 clsort -t u8 --axis=none data
[[ $(<out) == ab ]] || fail "--axis=none of a raw file"

# Axes that do not exist.
axis() {
    elements '|u1' "$2" False abcd >data
    for mode in --check --explain -olost; do
        expect_error "data: axis $1 is out of bounds: the number of dimensions is $3" clsort "$mode" --axis="$1" data
    done
}
axis 2 '(2, 2)' 2
axis -3 '(2, 2)' 2
axis -1 '()' 0
axis 1 '(4,)' 1
for axis in x 1x 99999999999 None; do
    expect_error "--axis=$axis: not an axis" clsort --axis="$axis" data
done
elements '|u1' '(2, 2)' False abcd >data
expect 0 clsort --explain data
contains out "rows     2 of 2 keys"

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
# refused_dtype WHY DESCR NAME: a file of this type, which is Python text, is refused under this name.
refused_dtype() {
    refused_dictionary ".npy dtype $3 is not supported: $1; supported are bool, integers of 1, 2, 4 and 8 bytes" \
        "{'descr': $2, 'fortran_order': False, 'shape': (2,)}"
}
records="[('a', '<u4')], 'fortran_order': False, 'shape': (2,)}"
refused_dtype "the elements are records" "[('a', '<u4')]" "${records:0:44}..."
refused_dtype "the elements are complex numbers" "'<c8'" '<c8'
refused_dtype "the elements are byte strings" "'|S8'" '|S8'
refused_dtype "the elements are Unicode strings" "'<U2'" '<U2'
refused_dtype "the elements are raw bytes" "'|V8'" '|V8'
refused_dtype "the elements are Python objects" "'|O'" '|O'
refused_dtype "the elements are floats of 16 bytes" "'<f16'" '<f16'
refused_dtype "the elements are integers of 3 bytes" "'<u3'" '<u3'
refused_dtype "the elements are integers of 16 bytes" "'<i16'" '<i16'
refused_dtype "| states no byte order" "'|u4'" '|u4'
refused_dtype "it does not begin with a byte order, one of < > = |" "'u4'" u4
for descr in '' '<' '<u' '<i4x' '<f-4' '<b2' '<M4' '<M8[' '<M8[]' '<M8[n;]' '<M8x' $'<\x1b[1m'; do
    refused_dtype "it is not known" "'$descr'" "${descr//$'\x1b'/?}"
done

malformed() {
    refused_dictionary ".npy header is malformed: $1" "$2"
}
rest="'fortran_order': False, 'shape': (2,)}"
malformed "it is not a dictionary" "  "
malformed "it is not a dictionary" "[ ]"
malformed "it has no quoted key" "{ "
malformed "it has no quoted key" "{'descr'}"
malformed "it has no quoted key" "{descr: '<u4', $rest"
malformed "'descr' is not a string" "{'descr': <u4, $rest"
malformed "'descr' is not a string" "{'descr': '<u4"
malformed "a value is not followed by a comma" "{'descr': '<u4' $rest"
malformed "'fortran_order' is neither True nor False" "{'descr': '<u4', 'fortran_order': 1, 'shape': (2,)}"
for shape in '(2,' 2 '(2)' '(-2,)' '(2 2)' '(,)' '(2,,)' '(99999999999999999999,)'; do
    malformed "'shape' is not a tuple" "{'descr': '<u4', 'fortran_order': False, 'shape': $shape}"
done
refused_dictionary ".npy header lacks the key 'fortran_order'" "{'descr': '<u4', 'shape': (2,)}"
refused_dictionary ".npy header lacks the key 'shape'" "{'descr': '<u4', 'fortran_order': False}"
refused_dictionary ".npy header lacks the key 'descr'" "{$rest"
refused_dictionary ".npy header has an unknown key: 'other'" "{'other': 1, 'descr': '<u4', $rest"
refused_dictionary ".npy header has the key 'descr' twice" "{'descr': '<u4', 'descr': '<u4', $rest"
for extra in x '}' "{'descr': '<u4', $rest" $'\x01' 0; do
    refused_dictionary ".npy header has extra text after its dictionary" "{'descr': '<u4', $rest $extra"
done
dimensions=$(printf '1,%.0s' {1..64})
sorts '|u1' "($dimensions)" False a a
refused_dictionary ".npy array has more than 64 dimensions" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (1, $dimensions)}"
for shape in '(4611686018427387906,)' '(4294967296, 4294967296)' '(4294967296, 4294967297, 3)' \
    '(2305843009213693952,)'; do
    refused_dictionary ".npy header is wrong: an array of this shape has 2^63 bytes or more" \
        "{'descr': '<u4', 'fortran_order': False, 'shape': $shape}"
done
refused_dictionary ".npy file is truncated" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (3,)}"
refused_dictionary ".npy file is truncated" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2)}"
refused_dictionary ".npy file has extra bytes after its array" \
    "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}"
printf '\x93NUMPY\x04\x00' >header
refused ".npy format version 4.0 is not supported; supported are 1.0, 2.0 and 3.0" header
printf '\x93NUMPY\x01\x01' >header
refused ".npy format version 1.1 is not supported; supported are 1.0, 2.0 and 3.0" header
printf '\x93NUMPY\x02\x00\xff\xff\xff\xff' >header
refused ".npy header is malformed" header
printf '\x93NUMPY\x01\x00\x76\x00' >header
refused ".npy header is truncated" header
printf '\x93NUMPY\x01' >data
expect_error "data: .npy header is truncated" clsort data

# Files without a header.
: >empty.npy
expect_error "clsort: empty.npy: the file is empty; give --type" clsort empty.npy
expect_error "clsort: standard input: the file is empty; give --type" eval 'clsort <empty.npy'
expect 0 clsort -t u32 empty.npy
printf '12345678' >raw.npy
expect_error 'clsort: raw.npy: this is no .npy file, since it does not begin with \x93NUMPY; give --type' \
    clsort raw.npy
expect 0 clsort -t u32 raw.npy

# --type may repeat the type of the file, but not contradict it.
clsort-gen -n 4 -t i16 --npy -o data >/dev/null
expect 0 clsort -t i16 data
expect_error "data: the .npy file contains i16 keys, but --type is u16" clsort -t u16 data
expect_error "data: the .npy file contains i16 keys, but --type is u32" clsort -t u32 data

# Random cases compared with NumPy.
if find_python numpy; then
    PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/npy_compare.py" 40 1 || fail "NumPy disagrees"
fi

finish
