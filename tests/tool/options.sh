#!/usr/bin/env bash
# options.sh - options of clsort that choose a device or an algorithm, or print information
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 100000 -o data >sum
clsort -t u32 data >sorted

# -- devices --
expect 0 clsort --list-devices
mv out devices
contains devices "0: "
for word in platform version driver units memory; do
    contains devices "    $word "
done
name=$(sed -n '1s/^0: [a-z]* //p' devices)
type=$(sed -n '1s/^0: \([a-z]*\) .*/\1/p' devices)
for device in 0 "$type" "$name" "${name:1:6}" "${name^^}"; do
    expect 0 clsort -t u32 --device="$device" data
    same out sorted
    CLSORT_DEVICE=$device expect 0 clsort -t u32 data
    same out sorted
done
count=$(grep -c '^[0-9]' devices)
CLSORT_DEVICE='' expect 0 clsort -t u32 data
same out sorted
expect 0 clsort -t u32 --device=$((count - 1)) data
expect_error "--device: there is no device \"$count\"" clsort -t u32 --device="$count" data
CLSORT_DEVICE=no-such-device expect 0 clsort -t u32 --device=0 data
same out sorted

# -- algorithms --
expect 0 clsort --help
mv out help
algorithms=$(tr '\n' ' ' <help | sed -n 's/.*The algorithms are \([^.]*\)\..*/\1/p') # --help wraps the list
[[ $algorithms == auto* ]] || fail "--help lists no algorithms"
head -c 4000 data >small
for algorithm in $algorithms radix:bits=4,items=8,scatter=direct; do
    type=u32
    [[ $algorithm != count ]] || type=u16 # count supports keys of 8 and 16 bits only
    clsort --type=$type small >small_sorted_$type
    expect 0 clsort --type=$type --algorithm="$algorithm" small
    same out small_sorted_$type
done
for algorithm in auto radix cpu radix:bits=4,items=8,scatter=direct; do
    expect 0 clsort -t u32 --algorithm="$algorithm" data
    same out sorted
    cp data copy
    expect 0 clsort -t u32 --explain --algorithm="$algorithm" copy
    same copy data
    contains out "keys     100000 u32"
    [[ $algorithm == auto ]] || contains out "${algorithm%%:*}"
    contains out "$name"
done
expect 0 clsort --explain -r -t f16 <data
contains out "keys     200000 f16"
expect 0 clsort -t u32 --explain <(cat data)
contains out "keys     100000 u32"
expect 0 clsort -t u32 --explain /dev/null
contains out "keys     0 u32"

# -- statistics --
expect 0 clsort -t u32 --stats data
same out sorted
for word in "device " "algorithm " "elements   100000 u32" "size       400000 bytes" "setup " \
    "read " "sort " "write " "total " "Mkeys/s" "memory "; do
    contains err "$word"
done
expect 0 clsort -t u32 --stats=text -o out_file data
contains err "Mkeys/s"
expect 0 clsort -t u32 --stats=json data
same out sorted
[[ $(wc -l <err) -eq 1 ]] || fail "the JSON is not one line"
for key in device algorithm type elements bytes setup_s read_s sort_s write_s total_s mkeys_s \
    peak_bytes; do
    contains err "\"$key\":"
done
contains err '"elements":100000,"bytes":400000,'
if command -v python3 >/dev/null; then
    python3 -c '
import json, sys
stats = json.load(sys.stdin)
parts = sum(stats[k] for k in ("setup_s", "read_s", "sort_s", "write_s"))
assert abs(parts - stats["total_s"]) < 1e-6 and 0 < stats["total_s"] < 600
assert abs(stats["mkeys_s"] * stats["sort_s"] - 0.1) < 1e-6
assert 400000 < stats["peak_bytes"] < 2 ** 33' <err || fail "JSON: $(cat err)"
fi

# -- the command line: options after the input, abbreviations, letters in one argument, and the end of options --
expect 0 clsort -t u32 --reverse small
mv out descending
for line in "small -t u32 -r" "-rtu32 small" "-rt u32 small" "--ty=u32 small --rev" "--ty u32 -r -- small"; do
    # shellcheck disable=SC2086
    expect 0 clsort $line
    same out descending
done
cp small ./-r
expect 0 clsort -t u32 -- -r
same out small_sorted_u32

# -- help --
for word in --type --reverse --numeric --output --check --sum --device --list-devices --algorithm \
    --explain --stats "u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64" CLSORT_DEVICE CLSORT_CACHE_DIR \
    CLSORT_CONFIG_DIR "Exit status"; do
    contains help "$word"
done
expect 0 clsort -h
same out help
expect 0 clsort --version
grep -qE '^clsort [0-9]+\.[0-9]+\.[0-9]+$' out || fail "version: $(cat out)"

no_leftovers
finish
