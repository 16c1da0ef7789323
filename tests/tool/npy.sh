#!/usr/bin/env bash
# npy.sh - .npy files of every type stay valid ones, and what cannot be used is refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# npy VERSION DICTIONARY: the header of a .npy file.
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
    gen -n 5000 -t "$type" -d special --npy -o data.npy >sum
    gen -n 5000 -t "$type" -d special -o data >/dev/null
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
    cat sorted.npy | clsort -c - || fail "a .npy file of $type from a pipe"
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

# Other ways of writing the same header.
for header in \
    "1 {'descr': '<u2', 'fortran_order': True, 'shape': (3,), }" \
    "2 {'descr': '<u2', 'fortran_order': False, 'shape': (3,), }" \
    "3 {\"shape\":(3,),\"fortran_order\":False,\"descr\":\"<u2\"}" \
    "1 { 'shape' : ( 3L , ) , 'descr' : '<u2' , 'fortran_order' : False }   "; do
    npy "${header%% *}" "${header#* }" >head
    cat head - <<<"cbbaa" >data # and a newline
    truncate -s -1 data
    printf 'a' >>data
    expect 0 clsort data
    cat head - >expected < <(printf 'aabbca')
    cmp -s out expected || fail "$header: $(tail -c 6 out)"
done
finish
