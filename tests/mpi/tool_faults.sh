#!/usr/bin/env bash
# tool_faults.sh - clsort-mpi ends with the same status on all ranks if an allocation, MPI or the device fails on one
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"
export CLSORT_EXTERNAL_IO=threads

# sweep RANKS FAULTS RANK STEP ARGUMENT...: a run for each fault of this kind on this rank.
sweep() {
    local count=$1 faults=$2 rank=$3 step=$4
    shift 4
    expect 0 clsort "$@" -o expected
    expect 0 ranks "$count" "$CLSORT_TEST_FAULTS" "$faults" "$rank" "$step" expected result "$@" -o result
    cat err >&2
    no_leftovers
}

clsort-gen -t u32 -n 30011 -d few -o data >/dev/null
sweep 2 alloc 1 1 -t u32 --unique data
sweep 3 alloc 0 1 -t u32 --argsort --top 50 data
sweep 2 mpi 1 1 -t u32 --unique data
sweep 3 mpi 0 1 -t u32 --argsort --top 50 data
export CLSORT_EXTERNAL_MEMORY=600000
sweep 2 alloc 1 1 -t u32 -S 20M data
sweep 3 mpi 2 1 -t u32 -S 20M --argsort data

# Of the calls of OpenCL, some are taken, since there are hundreds.
export CLSORT_DEVICE=cpu OPENCL_LAYERS=$CLSORT_TEST_LAYER CLSORT_EXTERNAL_MEMORY=30000000
sweep 2 opencl 1 80 -t u32 --algorithm merge data
sweep 2 opencl 1 300 -S 20M --less 'a.u32[0] < b.u32[0]' --key-size 4 data
finish
