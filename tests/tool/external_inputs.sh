#!/usr/bin/env bash
# external_inputs.sh - several inputs, merges of files in order, lists of names, and pipes larger than the memory limit
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
small=400000 # bytes of the buffers
small() { CLSORT_EXTERNAL_MEMORY=$small "$@"; }

# refused STATUS TEXT ARGUMENT...: the sort fails with this message, and leaves the old output.
refused() {
    local text=$1
    shift
    echo old >result
    expect 2 clsort "$@" -o result
    grep -qF -- "$text" err || fail "clsort $*: expected \"$text\": $(cat err)"
    [[ $(cat result) == old ]] || fail "clsort $*: the output has changed"
    no_leftovers
}

# -- several inputs are sorted as one --

sizes=(40000 0 1 7000 513 0 12000)
: >all
for i in "${!sizes[@]}"; do
    clsort-gen -t i32 -n "${sizes[i]}" -s "$i" -d few -o "part$i" >/dev/null
    cat "part$i" >>all
done
parts=(part?)
for options in "" "-r" "-u"; do
    # shellcheck disable=SC2086
    {
        expect 0 clsort -t i32 $options -o sorted all
        expect 0 clsort -t i32 $options -o result "${parts[@]}"
        same result sorted
        expect 0 small clsort -t i32 $options -o result "${parts[@]}"
        same result sorted
        small clsort -t i32 $options "${parts[@]}" | cmp - sorted || fail "into a pipe"
    }
done
expect 0 clsort -t i32 -o sorted all
expect 0 small clsort -t i32 -o result part0 part1 part2 - part4 part5 part6 <part3
same result sorted
expect 0 clsort --sum -t i32 -o result "${parts[@]}"
cp out sum
expect 0 clsort --sum -t i32 -o result all
same out sum
cp part0 result
expect 0 small clsort -t i32 -o result result "${parts[@]:1}"
same result sorted

# -- records are sorted stably: those of earlier inputs come first --

clsort-gen -n 9000 --record 100 -d few -o records >/dev/null
split -b 123400 records records-
expect 0 clsort --record 100 -k 0:u8 -o sorted records
expect 0 small clsort --record 100 -k 0:u8 -o result records-*
same result sorted
for file in records-*; do
    expect 0 clsort --record 100 -k 0:u8 -o "$file" "$file"
done
expect 0 small clsort -m --record 100 -k 0:u8 -o result records-*
same result sorted

# -- merges of 1 to 200 files, with and without several passes --

for count in 1 2 3 17 200; do
    rm -f merge-*
    clsort-gen -t u64 -n 60000 -s "$count" -d special -o all >/dev/null
    split -a 3 -b $((8 * (60000 / count + 1))) all merge-
    for file in merge-*; do
        expect 0 clsort -t u64 -o "$file" "$file"
    done
    : >merge-zzzz
    expect 0 clsort -t u64 -o sorted all
    expect 0 clsort -m -t u64 -o result merge-*
    same result sorted
    expect 0 small clsort -m -t u64 -o result merge-*
    same result sorted
    expect 0 small clsort -m -t u64 --batch-size=2 -o result merge-*
    same result sorted
    expect 0 clsort -t u64 --sum -o result merge-*
    mv out sum
    expect 0 small clsort -m -t u64 --no-verify --sum -o result merge-*
    same out sum
    same result sorted
    printf '%s\0' merge-* >names
    expect 0 clsort -m -t u64 --files0-from=names -o result
    same result sorted
    expect 0 clsort -t u64 --files0-from=- -o result <names
    same result sorted
done
: >sorted
expect 0 clsort -m -t u64 -o result merge-zzzz
same result sorted
no_leftovers

# -- .npy files --

clsort-gen --npy -n 30000 -s 1 -o a.npy >/dev/null
clsort-gen --npy -n 20000 -s 2 -o b.npy >/dev/null
clsort-gen --npy -n 20000 -t f32 -o f.npy >/dev/null
/usr/bin/python3 - a.npy b.npy want.npy <<'END' || exit 1
import sys

def array(name):
    data = open(name, "rb").read()
    return memoryview(data)[10 + int.from_bytes(data[8:10], "little"):].cast("I").tolist()

with open(sys.argv[3], "wb") as file:
    for key in sorted(array(sys.argv[1]) + array(sys.argv[2])):
        file.write(key.to_bytes(4, "little"))
END
for mode in "" -m; do
    if [[ $mode == -m ]]; then
        expect 0 clsort -o a.npy a.npy
        expect 0 clsort -o b.npy b.npy
    fi
    # shellcheck disable=SC2086
    expect 0 small clsort $mode -o result.npy a.npy b.npy
    grep -qa "'shape': (50000,)" result.npy || fail "the header does not count the keys of both files"
    tail -c 200000 result.npy | cmp - want.npy || fail "the keys of two .npy files"
done

# -- pipes of unknown size --

for count in 0 1 255 256 257 30000 100000; do
    clsort-gen -t u64 -n $count -o all >/dev/null
    expect 0 clsort -t u64 --sum -o sorted all
    cp out sum
    for options in "-S 1K" "-S 100K" "-S 4M"; do
        # shellcheck disable=SC2086,SC2002
        {
            expect 0 small clsort $options -t u64 --sum -o result < <(cat all)
            same result sorted
            same out sum
            cat all | small clsort $options -t u64 | cmp - sorted || fail "$count keys, $options, into a pipe"
            expect 0 small clsort $options -c -t u64 < <(cat sorted)
            ((count < 2)) || expect 1 small clsort $options -c -t u64 < <(cat all)
        }
    done
done
clsort-gen -t u16 -n 300000 -o all >/dev/null
expect 0 clsort -t u16 -o sorted all
small=8000000
expect 0 small clsort -S 1K -t u16 -o result < <(cat all) # counted
same result sorted
small=400000
clsort-gen --npy -t u64 -n 50000 -o all.npy >/dev/null
expect 0 clsort -o sorted.npy all.npy
expect 0 small clsort -S 1K -o result.npy < <(cat all.npy)
same result.npy sorted.npy
no_leftovers

# -- merges of files that are shorter than a block take hardly more temporary space than the data have --

# merges_in_space OPTION...: gives `sorted`, and both the plan and the sort take at most 1.05 times its size, and 16 KiB
# for each of at most 150 runs of a pass, together with what a file system keeps for the files.
merges_in_space() {
    local limit space
    limit=$(($(stat -c %s sorted) * 105 / 100 + 150 * 16384))
    expect 0 clsort -m -t u64 -S 64M "$@" --explain short-*
    space=$(awk '/^disk/ { print $2 }' out)
    ((space > 0 && space <= limit)) || fail "$*: a plan with $space bytes of temporary files"
    expect 0 clsort -m -t u64 -S 64M "$@" --stats -o result short-*
    space=$(awk '/^temporary/ { print $2 }' err)
    ((space > 0 && space <= limit)) || fail "$*: $space bytes of temporary files"
    same result sorted
}

clsort-gen -t u64 -n 1M -d sorted -o sorted >/dev/null # 8 MiB
split -a 3 -b $(((8 << 20) / 300 / 8 * 8)) sorted short-
mkdir first second
merges_in_space
merges_in_space --batch-size=2
merges_in_space -T first -T second
merges_in_space --compress=auto
rm short-*
no_leftovers

# -- refusals --

clsort-gen -t u64 -n 1000 -o a >/dev/null
expect 0 clsort -t u64 -o b a
refused "a: element " -m -t u64 b a
clsort-gen -t u64 -n 100000 -d sorted -o c >/dev/null
cat c b >d
expect 2 small clsort -m -t u64 -o result b d
grep -q "d: element 100000 precedes" err || fail "the element out of order: $(cat err)"
refused "no-such-file: No such file" -t u64 a no-such-file b
refused "which can only be the sole input" -m -t u64 a - < <(cat b)
refused "several inputs cannot be combined with --top" -t u64 --top 3 a b
refused "--merge cannot be combined with --argsort" -m -t u64 --argsort a
refused "standard input can be given only once" -t u64 - -
refused "--files0-from cannot be combined with INPUT" -t u64 --files0-from=names a
refused "not a number from 2 on" -t u64 --batch-size=1 a
refused "the file lists no names" -t u64 --files0-from=/dev/null
refused "name 1 is empty" -t u64 --files0-from=/dev/zero
printf 'a\0\0b\0' >names
refused "name 2 is empty" -t u64 --files0-from=names
refused "b.npy: a .npy file, but a is raw" -t u32 a b.npy
refused "f.npy: the type of the array is <f4, but that of a.npy is <u4" a.npy f.npy
head -c 1001 a >odd
refused "odd: size of 1001 bytes is not a multiple of 8" -t u64 a odd
expect 2 small clsort -S 1K -t u64 -o result < <(cat d odd)
grep -q "size of 809001 bytes is not a multiple of 8" err || fail "an odd size: $(cat err)"
expect 2 small clsort -S 1K -o result < <(head -c 300000 all.npy)
grep -q "37484 keys, but 50000 according to its header" err || fail "a truncated stream: $(cat err)"
no_leftovers

finish
