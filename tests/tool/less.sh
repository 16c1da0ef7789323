#!/usr/bin/env bash
# less.sh - --less and --key-size: orders compared with --type, --record and Python, stability, and refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

find_python struct || skip "Python is missing"
export CLSORT_CACHE_DIR=$work/cache # each order is compiled once

# An element has 16 bytes: a u32 that counts them, i32, f32, u8 and 3 other bytes. The fields after the counter have
# few values, so that many elements are equal.
cat >elements.py <<'END'
import random
import struct
import sys

source = random.Random(1)
elements = [struct.pack("=IifB3s", i, source.randrange(-2, 3), source.choice([-1.5, -0.0, 0.0, 7]),
                        source.randrange(4), source.randbytes(3)) for i in range(int(sys.argv[1]))]
open("elements", "wb").write(b"".join(elements))


def key(element):
    _, number, real, byte, _ = struct.unpack("=IifB3s", element)
    return (real, -byte, number)


order = sorted(range(len(elements)), key=lambda i: key(elements[i]))
open("expected", "wb").write(b"".join(elements[i] for i in order))
END
"$python" elements.py 40000 || fail "elements.py"

# -- orders --
less='(a.f32[2] < b.f32[2]) | ((a.f32[2] == b.f32[2]) & ((a.u8[12] > b.u8[12]) |
    ((a.u8[12] == b.u8[12]) & (a.i32[1] < b.i32[1]))))'
expect 0 clsort --less "$less" --key-size 16 elements
same out expected
expect 0 clsort --record 16 -k 8:f32:n -k 12:u8:r -k 4:i32 elements
same out expected
expect 0 clsort --less "$less" --key-size=16 <(cat elements)
same out expected
expect 0 clsort --record 16 -k 0:u32 --sum -o back expected
mv out sum
cp elements in_place
expect 0 clsort --less "$less" --key-size 16 --sum -o in_place in_place
same in_place expected
same out sum
expect 0 clsort --less "$less" --key-size 16 --stats=json elements
same out expected
contains err '"type":"elements","elements":40000,"bytes":640000,'
contains err '"algorithm":"merge keys of 16 bytes, custom order'
expect 0 clsort --less "$less" --key-size 16 --explain elements
contains out "elements 40000 of 16 bytes"
contains out "plan     merge keys of 16 bytes, custom order"
expect 0 clsort --less "$less" --key-size 16 /dev/null
[[ ! -s out ]] || fail "elements of an empty file"

# Every member of the union: on a little-endian machine, integers of which one is less than the other one have most
# significant parts that are not greater.
members=$(
    cat <<'END'
((a.u64[0] < b.u64[0]) & (a.u32[1] <= b.u32[1]) & (a.u16[3] <= b.u16[3]) & (a.u8[7] <= b.u8[7])) |
((a.u64[0] == b.u64[0]) &
    (((a.i64[1] < b.i64[1]) & (a.i32[3] <= b.i32[3]) & (a.i16[7] <= b.i16[7]) & (a.i8[15] <= b.i8[15])) |
    ((a.i64[1] == b.i64[1]) & ((a.f64[2] < b.f64[2]) |
        ((a.f64[2] == b.f64[2]) & (a.f32[6] < b.f32[6]))))))
END
)
"$python" - >wide <<'END'
import random
import struct
import sys

source = random.Random(2)
for i in range(5000):
    sys.stdout.buffer.write(struct.pack("=QqdfI", source.choice([0, 5, 1 << 63, (1 << 64) - 1, 1 << 40]),
                                        source.choice([-1 << 63, -1, 0, 1, 1 << 62]),
                                        source.choice([-1e300, 0.5, 2]), source.choice([-1e30, 0.5, 2]), i))
END
clsort --record 32 -k 0:u64 -k 8:i64 -k 16:f64 -k 24:f32 wide >wide_sorted
expect 0 clsort --less "$members" --key-size 32 wide
same out wide_sorted

# Indexes, by fields that are not aligned, of elements of an odd size, which may be text
seq -f '%020g' 1 7 9000 >lines
{ cat lines && tac lines; } >text # each twice
clsort --record 21 -k 16:bytes4 --argsort text >indexes
expect 0 clsort --less 'as_uint(vload4(0, &a.u8[16]).wzyx) < as_uint(vload4(0, &b.u8[16]).wzyx)' --key-size 21 \
    --argsort text
same out indexes

# -- errors: the output is unchanged --
echo before >result
clsort-gen -n 1000 -o keys >sum
less_error() {
    local text=$1
    shift
    expect_error "$text" clsort "$@" -o result
    [[ $(cat result) == before ]] || fail "clsort $*: the output has changed"
}
order=(--less 'a.u32[0] < b.u32[0]' --key-size 4)
less_error "clsort: --less: the program does not compile" --less 'a.u32[0] < c' --key-size 4 keys
contains err "error: less:1:"
contains err "undeclared identifier 'c'"
less_error "no member named 'u32'" --less 'a.u32[0] < b.u32[0]' --key-size 6 lines
less_error "clsort: --less: the host cannot evaluate" "${order[@]}" --device host keys
less_error "clsort: --algorithm: radix" "${order[@]}" --algorithm radix keys
head -c 2M /dev/zero >zeros
less_error "clsort: --key-size: " --less 'a.u8[0] < b.u8[0]' --key-size 1048576 zeros
less_error "is not a multiple of 4, the size of elements" "${order[@]}" <(head -c 7 text)
clsort-gen -n 10 --npy -o keys.npy >sum
less_error "clsort: keys.npy: --less sorts raw files" "${order[@]}" keys.npy

# -- options --
less_error "--less requires --key-size" --less 'a.u8[0] < b.u8[0]' keys
less_error "--key-size requires --less" --key-size 4 keys
less_error "--less: the expression is blank" --less ' ' --key-size 4 keys
less_error "--less: its argument EXPR is empty" --less '' --key-size 4 keys
for size in 0 1048577 -1 4x; do
    less_error "--key-size=$size: the size of elements must be a number of bytes from 1 to 2^20" \
        --less 'a.u8[0] < b.u8[0]' --key-size=$size keys
done
for other in --check --unique "--type u32" "--record 4" "-k 0:u32" "--top 2" "--nth 0" "--rows 2" "--segments keys" \
    "--axis 0" --reverse --numeric --list-devices "--warm u8"; do
    name=${other%% *}
    case $name in
    -k) name=--record ;;
    --nth) name=--top ;;
    esac
    # shellcheck disable=SC2086
    expect_error "--less cannot be combined with $name" clsort "${order[@]}" $other
done

no_leftovers
finish
