#!/usr/bin/env bash
# tool.sh - fault sweep of the tool clsort: tool.sh warm | opencl|alloc TASK
#
# Runs the tool once for each OpenCL call or allocation, which fails, until no fault is reached; then again with all
# later calls failing as well. CLSORT_FAULT_OPENCL arms the OpenCL layer, which the loader inserts below the tool;
# CLSORT_FAULT_ALLOC arms the allocators, which are wrapped in the tool for `alloc` (point.h).
#
# The task `list` compiles and tests all programs, which takes minutes. Its sweeps therefore share the program cache in
# $CLSORT_CACHE_DIR, which `warm` fills without faults. The sweeps of the library (sweep.c) cover faults with a cold
# cache.
#
# shellcheck disable=SC2034 # for lib.sh
[[ ${2:-} != resume ]] || in_memory=1 # since it waits for the disk often
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/../tool/lib.sh"

if [[ $1 == warm ]]; then
    expect 0 clsort --list-devices
    contains out 'self-test passed'
    finish
fi

source=$1
case $source in
opencl) variable=CLSORT_FAULT_OPENCL ;;
alloc) variable=CLSORT_FAULT_ALLOC ;;
esac
# CTest sets CLSORT_CACHE_DIR to an empty text, unless the task shares a cache.
export CLSORT_CACHE_DIR=${CLSORT_CACHE_DIR:-$PWD/cache} CLSORT_FAULT_REPORT=$PWD/report

# judge STATUS: checks output, messages and files of a run that exited with this status. Only 0 and 2 are allowed.
judge() {
    local status=$1
    if ((status == 0)); then
        if [[ -n $sorted ]]; then
            same result "$sorted"
        fi
    elif ((status == 2)); then
        [[ $(head -n 1 err) == 'clsort: '* ]] || fail "standard error does not begin with a message: $(cat err)"
        [[ $(grep -c '^clsort: ' err) == 1 ]] || fail "standard error has more than one message: $(cat err)"
        [[ ! -s out || $prints_early ]] || fail "standard output is not empty: $(head -c 200 out)"
        same result before
    else
        fail "exit status $status, expected 0 or 2: $(cat err)"
    fi
    no_leftovers
}

# faulty FAULT: runs the command with a fault, "7" or "7+". Returns false if the fault was not reached, or if there is
# no report.
faulty() {
    local status point reached leaks before_failures=$failures
    rm -f report
    cp before result
    env "$variable=$1" "${command[@]}" >out 2>err </dev/null
    status=$?
    judge "$status"
    if read -r point reached leaks _ 2>/dev/null <report && [[ $point == "$source" ]]; then
        [[ $leaks == 0 ]] || fail "$leaks handles or allocations leak"
    else
        fail "no report: the calls are not intercepted, or the tool crashed"
        reached=-
    fi
    ((failures == before_failures)) || fail "to repeat: $variable=$1 ${command[*]} ($reached fails)"
    [[ $reached != - ]]
}

head -c 4000 /dev/urandom >before
cp before sorted
expect 0 clsort -t u32 --algorithm local -o sorted sorted
expect 0 clsort -t u32 --check sorted
expect 0 clsort --argsort -t u32 --algorithm local -o permutation before
head -c 200 sorted >smallest
printf '\0\0\0\0\xe8\x03\0\0' >offsets # one segment of all keys, as u32

sorted=        # the file that `result` must equal after success; empty: `result` must not change
prints_early=  # yes: the command may print before it fails
case $2 in
sort) sorted=sorted command=(clsort -t u32 --algorithm local -o result result) ;;
external | compress) # with the buffers that a file of this size needs to have several runs
    export CLSORT_EXTERNAL_MEMORY=150000 CLSORT_EXTERNAL_IO=threads
    for ((i = 0; i < 40; i++)); do cat before; done >many
    mv many before
    expect 0 clsort -t u32 -o sorted before
    sorted=sorted command=(clsort -S 1K -t u32 --algorithm local -o result before)
    if [[ $2 == compress ]]; then # with memory for compression, and without OpenCL, which takes most of the time
        export CLSORT_EXTERNAL_MEMORY=300000
        command=(clsort -S 1K -t u32 --device host --compress=auto -o result before)
    fi
    ;;
resume) # continues an attempt that has failed after two runs
    export CLSORT_EXTERNAL_MEMORY=400000 CLSORT_EXTERNAL_IO=threads
    for ((i = 0; i < 80; i++)); do cat before; done >many
    mv many before
    expect 0 clsort -t u32 -o sorted before
    for ((i = 0; i < 1000; i++)); do
        rm -rf kept
        CLSORT_FAULT_ALLOC=$i clsort -S 1K -t u32 --device host --resume kept -o result before 2>err
        [[ $(grep -cs '^run ' kept/clsort-manifest) == 2 ]] && break
    done
    ((i < 1000)) || fail "no attempt fails after two runs"
    sorted=sorted command=(bash -c
        'rm -rf state && cp -r kept state && exec clsort -S 1K -t u32 --device host --resume state -o result before')
    ;;
indexes) # of a file in runs, without OpenCL
    export CLSORT_EXTERNAL_MEMORY=250000 CLSORT_EXTERNAL_IO=threads
    for ((i = 0; i < 20; i++)); do cat before; done >many
    mv many before
    expect 0 clsort --argsort -t u32 -o permutation before
    sorted=permutation command=(clsort -S 1K --argsort -t u32 --device host -o result input)
    cp before input
    ;;
argsort) sorted=permutation command=(clsort --argsort -t u32 --algorithm local -o result before) ;;
select) sorted=smallest command=(clsort --bottom 50 -t u32 --algorithm local -o result before) ;;
select_segments) sorted=smallest command=(clsort --bottom 50 -t u32 --segments=u32:offsets -o result before) ;;
segments) sorted=sorted command=(clsort -t u32 --segments=u32:offsets -o result before) ;;
stats) sorted=sorted command=(clsort -t u32 --algorithm local --stats=json -o result before) ;;
explain) command=(clsort -t u32 --explain before) ;;
list) prints_early=yes command=(clsort --list-devices) ;;
esac
for more in '' +; do
    at=0
    while faulty "$at$more"; do
        ((at += 1))
    done
    ((at > 0)) || fail "the command makes no $source call"
done
echo "$at $source calls"
finish
