#!/usr/bin/env bash
# tool_compile.sh - one rank of a node compiles and tests the programs; the others take the results from the cache
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"

export CLSORT_DEVICE=cpu CLSORT_CACHE_DIR=$PWD/cache
export OPENCL_LAYERS=$CLSORT_TEST_LAYER CLSORT_FAULT_OPENCL=1000000 # counts the calls, and none fails

# counts ARGUMENT...: clsort-mpi on two ranks. Sets calls to the calls of OpenCL of each.
counts() {
    rm -f report.*
    expect 0 ranks 1 env CLSORT_FAULT_REPORT="$PWD/report.0" clsort-mpi "$@" : \
        -n 1 env CLSORT_FAULT_REPORT="$PWD/report.1" clsort-mpi "$@"
    mapfile -t calls < <(sed -n 's/^opencl .* \([0-9]*\) calls$/\1/p' report.0 report.1)
    [[ ${#calls[@]} == 2 ]] || fail "$*: the calls are not counted"
}

# compiles_once ARGUMENT...: the second rank calls OpenCL as often as it does when all is in the cache. The output is
# that of clsort.
compiles_once() {
    counts "$@" -o sorted
    local cold=("${calls[@]}")
    counts "$@" -o sorted
    ((cold[0] > calls[0])) || fail "$*: the first rank makes ${cold[0]} calls, and ${calls[0]} with a cache"
    expect 0 clsort "$@" -o expected
    same sorted expected
    ((cold[1] == calls[1])) || fail "$*: the second rank makes ${cold[1]} calls, but ${calls[1]} with a cache"
}

clsort-gen -t u64 -n 9001 -o data >/dev/null
expect 0 clsort -t u64 -o sorted data # what all ranks test when they open the device is in the cache
compiles_once --less 'a.u64[0] < b.u64[0]' --key-size 8 data
rm -r cache/*
expect 0 clsort -t u64 -o sorted data
CLSORT_EXTERNAL_MEMORY=30000000 compiles_once -S 20M --argsort --less 'a.u64[0] > b.u64[0]' --key-size 8 data
finish
