#!/usr/bin/env bash
# external_less.sh - elements in the order of --less that exceed the memory limit give the same bytes as in memory
#
# CLSORT_EXTERNAL_MEMORY lowers the memory of the buffers, so that small files have many runs and passes.
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

find_python struct || skip "Python is missing"
export CLSORT_CACHE_DIR=$work/cache # each order is compiled once
small=500000                        # bytes of the buffers
# shellcheck disable=SC2317 # called through expect
small() { CLSORT_EXTERNAL_MEMORY=$small "$@"; }
# shellcheck disable=SC2317 # called through expect
piped() { small clsort -S 1K "${order[@]}" "$@" < <(cat data) >result; }

# An element has 12 bytes: a u32 that counts them, i32 and f32, which have few values, so that many elements are equal.
cat >elements.py <<'END'
import random
import struct
import sys

source = random.Random(int(sys.argv[2]))
count = int(sys.argv[1])
form = sys.argv[3]
for i in range(count):
    few, many = source.randrange(-2, 3), source.randrange(1 << 30)
    number = {"few": few, "sorted": i // 7, "reversed": -i, "random": many}[form]
    sys.stdout.buffer.write(struct.pack("=Iif", i, number, source.choice([-1.5, 0.0, 7]) if form == "few" else 1))
END
elements() { "$python" elements.py "$@"; }
order=(--less '(a.i32[1] > b.i32[1]) | ((a.i32[1] == b.i32[1]) & (a.f32[2] < b.f32[2]))' --key-size 12)
records=(--record 12 -k 4:i32:r -k 8:f32:n)

# agrees OPTION...: the file `data` gives the same result externally, from a pipe and into a pipe.
agrees() {
    expect 0 clsort --device=host "${records[@]}" "$@" -o sorted data
    expect 0 small clsort -S 1K "${order[@]}" "$@" -o result data
    same result sorted
    expect 0 piped "$@"
    same result sorted
    no_leftovers
}

# -- forms, sizes around runs, several passes --

for form in few sorted reversed random; do
    elements 30000 1 $form >data
    agrees
    agrees --argsort
done
elements 40000 2 few >data
expect 0 small clsort -S 1K "${order[@]}" --explain data
contains out "elements 40000 of 12 bytes"
run=$(sed -n 's/^external .* runs of \([0-9]*\) elements.*/\1/p' out)
[[ -n $run ]] || fail "--explain: $(cat out)"
for count in 1 2 $((run - 1)) "$run" $((run + 1)) $((2 * run + 1)); do
    elements "$count" 3 few >data
    clsort --device=host "${records[@]}" -o sorted data
    expect 0 small clsort -S 1 "${order[@]}" -o result data
    same result sorted
done
elements 40000 4 few >data
expect 0 env CLSORT_EXTERNAL_MEMORY=200000 clsort -S 1K "${order[@]}" --explain data
grep -Eq ': ([3-9]|[1-9][0-9]) passes$' out || fail "--explain: $(cat out)"
expect 0 env CLSORT_EXTERNAL_MEMORY=200000 clsort -S 1K "${order[@]}" -o result data
clsort --device=host "${records[@]}" -o sorted data
same result sorted
expect 0 clsort --device=host --record 12 -k 0:u32 --sum -o sorted data
mv out sum
for options in "--compress=auto --sum" "--no-verify --sum"; do
    # shellcheck disable=SC2086 # several options
    expect 0 small clsort -S 1K "${order[@]}" $options -o result data
    same out sum
done
expect 0 small clsort -S 1K "${order[@]}" --stats=json --progress=json -o result data
contains err '"type":"elements","elements":40000,'
contains err '"phase":"merging"'

# -- several inputs and merges --

for i in 1 2 3; do
    elements $((i * 5000)) $i few >part$i
    clsort --device=host "${records[@]}" -o ordered$i part$i
done
cat part1 part2 part3 | clsort --device=host "${records[@]}" -o sorted
for limit in 1K 1G; do
    expect 0 small clsort -S $limit "${order[@]}" -o result part1 part2 part3
    same result sorted
    expect 0 small clsort -S $limit "${order[@]}" -m -o result ordered1 ordered2 ordered3
    same result sorted
done
echo before >result
expect_error "precedes the one before it, but --merge expects files in order" \
    small clsort "${order[@]}" -m -o result ordered1 part2
[[ $(cat result) == before ]] || fail "the output has changed"

# -- elements of odd sizes, expressions that do not compile, and relations that are no order --

head -c 99999 data >odd
expect 0 clsort --device=host --record 9 -k 1:u8 -o sorted odd
expect 0 small clsort -S 1K --less 'a.u8[1] < b.u8[1]' --key-size 9 -o result odd
same result sorted
echo before >result
expect_error "undeclared identifier 'c'" small clsort -S 1K --less 'a.u32[0] < c' --key-size 4 -o result data
expect_error "no member named 'u64'" small clsort -S 1K --less 'a.u64[0] < 1' --key-size 4 --argsort -o result data
expect_error "the host cannot evaluate" small clsort -S 1K "${order[@]}" --device=host -o result data
expect_error "--argsort by a named algorithm keeps all keys and indexes in memory" \
    small clsort -S 1K "${order[@]}" --argsort --algorithm=merge -o result data
expect_error "is not a multiple of 12" small clsort -S 1K "${order[@]}" -o result <(head -c 479999 data)
timeout 60 env CLSORT_EXTERNAL_MEMORY=400000 \
    clsort -S 1K --less '(a.u32[0] * 77u ^ b.u32[0]) & 1u' --key-size 12 -o result data 2>err
status=$?
((status == 2)) || fail "status $status for a relation that is no order: $(cat err)"
contains err "the expression of --less is not a strict weak order"
[[ $(cat result) == before ]] || fail "the output has changed"
no_leftovers
finish
