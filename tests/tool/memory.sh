#!/usr/bin/env bash
# memory.sh - where memory is limited, a sort gives the same result or a clear error, and never aborts
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

can_limit || skip "sanitizers reserve too much address space"

# -- all limits, with the driver: from too few for the file to enough --

clsort-gen -n 20M -o data >/dev/null # 80 MiB
clsort -t u32 --device cpu -o sorted data # compiles the kernels
for kib in 10000 100000 {250000..650000..100000} 1000000; do
    sorts_or_refuses "$kib" sorted clsort -t u32 --device cpu data
done
for kib in 90000 300000 600000; do
    sorts_or_refuses "$kib" sorted clsort -t u32 data
done

# The device sorts in pieces between the limits at which it refuses and at which the whole file fits. How many arenas
# the threads of the driver reserve depends on chance, unless they share one.
export MALLOC_ARENA_MAX=1
for ((kib = 400000; kib < 4000000; kib += 20000)); do
    expected=$(in_limit $kib clsort -t u32 --device cpu --stats=json -o result data 2>&1)
    [[ $expected == *'"pieces":'* ]] && break
done
kib=$((kib + 20000)) # what the driver needs varies
[[ $expected == *'"pieces":1,'* ]] && fail "the device never sorts in pieces"
pieces "$kib" sorted clsort -t u32 --device cpu data
pieces "$kib" sorted eval 'cat data | clsort -t u32 --device cpu'
expect 0 in_limit $kib clsort -t u32 --device cpu --explain data
grep -Eq '^pieces +[0-9]+ of [0-9]+ keys, merged on the host$' out || fail "--explain shows no pieces: $(cat out)"

# Argsorts need memory for the indexes, too.
clsort --argsort -t u32 --device cpu -o sorted data
for limit in {400000..1200000..200000}; do
    sorts_or_refuses "$limit" sorted clsort --argsort -t u32 --device cpu data
done
clsort -t u32 --device cpu -o sorted data

unset MALLOC_ARENA_MAX

# Nothing is compiled yet.
for kib in 350000 600000 800000; do
    rm -rf cache
    mkdir cache
    POCL_CACHE_DIR=$PWD/cache sorts_or_refuses "$kib" sorted clsort -t u32 data
done
# The driver has not loaded its compiler: its cache has the kernels, and clsort's cache the verdicts.
mkdir -m 700 programs
POCL_CACHE_DIR=$PWD/cache CLSORT_CACHE_DIR=programs expect 0 clsort -t i32 --device cpu data
POCL_CACHE_DIR=$PWD/cache CLSORT_CACHE_DIR=programs sorts_or_refuses 700000 sorted clsort -t u32 data

# -- every order, on the host, which needs 8 or 16 bytes for each key of a piece --

for type in u8 i32 u64 f16 f64; do
    clsort-gen -n 2M -t $type -d special -o data >/dev/null
    kib=$(($(stat -c %s data) / 1024 + 31000))
    for order in "" -r --numeric "--numeric -r"; do
        [[ $order != *numeric* || $type == f* ]] || continue
        # shellcheck disable=SC2086 # options
        clsort -t $type $order --device host -o sorted data
        # shellcheck disable=SC2086
        pieces "$kib" sorted clsort -t $type $order --device host data
    done
done
# Input and output are the same file.
cp data result
clsort -t f64 -o sorted data
expect 0 in_limit $kib clsort -t f64 --device host -o result result
same result sorted
expect 0 eval "cat data | in_limit $kib clsort -t f64 --device host >out2"
same out2 sorted
(
    ulimit -d $kib
    exec clsort -t f64 --device host --stats -o result data
) 2>err || fail "ulimit -d $kib: $(cat err)"
same result sorted

# -- .npy files: rows, columns, the other byte order and times --

# npy DESCR SHAPE: prints the keys of `data` as a .npy file.
npy() {
    local header
    printf -v header "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" "$1" "$2"
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header"
    cat data
}
clsort-gen -n 4M -t u32 -d special -o data >/dev/null
kib=$((16384 + 30000))
for array in '<f4 (2,2097152)' '>i4 (4194304,)' '<u4 (1048576,4)' '<M8[s] (2,1048576)'; do
    # shellcheck disable=SC2086 # two arguments
    npy $array >data.npy
    for options in "" -r --axis=0 "--axis=none -r"; do
        # shellcheck disable=SC2086 # options
        expect 0 clsort --device host $options -o sorted data.npy
        # shellcheck disable=SC2086
        sorts_or_refuses "$kib" sorted clsort --device host $options data.npy
    done
done
npy '<f4' '(2,2097152)' >data.npy
expect 0 clsort --device host -o sorted data.npy
pieces "$kib" sorted clsort --device host data.npy
npy '<i4' '(2097152,2)' >data.npy
expect 0 clsort --device host --axis=0 -o sorted data.npy
pieces "$((kib + 15000))" sorted clsort --device host --axis=0 data.npy
npy '>M8[s]' '(2097152,)' >data.npy
expect 0 clsort --device host -o sorted data.npy
pieces "$kib" sorted clsort --device host data.npy

# -- errors say how much memory is missing --

expect_error "data: out of memory: reading needs" in_limit 15000 clsort -t u32 --device host data
expect_error "standard input: out of memory: reading needs" eval 'cat data | in_limit 15000 clsort -t u32 --device host'
expect_error "data: out of memory: sorting needs" in_limit 35000 clsort -t u32 --device host data
expect_error "data: out of memory: reading needs" in_limit 15000 clsort -t u32 --check data
contains err "limited by ulimit -v or -d"
finish
