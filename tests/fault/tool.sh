#!/usr/bin/env bash
# tool.sh - the tool while one of its calls fails, once and from then on: tool.sh opencl|alloc TASK
#
# The loader puts the layer under the tool, which takes its orders from CLSORT_FAULT_OPENCL; of the tool for
# `alloc` the linker has wrapped the allocators, and they take theirs from CLSORT_FAULT_ALLOC.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/../tool/lib.sh"

source=$1
case $source in
opencl) order=CLSORT_FAULT_OPENCL ;;
alloc) order=CLSORT_FAULT_ALLOC ;;
esac
export CLSORT_CACHE_DIR=$PWD/cache CLSORT_FAULT_REPORT=$PWD/report

# judge STATUS: what must hold after a run that ended so.
judge() {
    local status=$1
    if ((status == 0)); then
        if [[ -n $sorted ]]; then
            same result "$sorted"
        fi
    elif ((status == 2)); then
        [[ $(head -n 1 err) == 'clsort: '* ]] || fail "does not say first what is wrong: $(cat err)"
        [[ $(grep -c '^clsort: ' err) == 1 ]] || fail "says more than one thing: $(cat err)"
        [[ ! -s out || $prints_early ]] || fail "printed something: $(head -c 200 out)"
        same result before
    else
        fail "ended with $status: $(cat err)"
    fi
    no_leftovers
}

# faulty ORDER: runs the command so; false when nothing has failed, or nobody has said what has.
faulty() {
    local status point reached left before_failures=$failures
    rm -f report
    cp before result
    env "$order=$1" "${command[@]}" >out 2>err </dev/null
    status=$?
    judge "$status"
    if read -r point reached left _ 2>/dev/null <report && [[ $point == "$source" ]]; then
        [[ $left == 0 ]] || fail "$left things were not given back"
    else
        fail "no report: nothing stands before the calls, or the tool has crashed"
        reached=-
    fi
    ((failures == before_failures)) || fail "so it was: $order=$1, $reached fails, ${command[*]}"
    [[ $reached != - ]]
}

head -c 4000 /dev/urandom >before
cp before sorted
expect 0 clsort --algorithm local -o sorted sorted # which compiles, too
expect 0 clsort --check sorted

sorted=        # what the file `result` becomes; empty: it stays as it is
prints_early=  # yes: before the trouble too
case $2 in
sort) sorted=sorted command=(clsort --algorithm local -o result result) ;;
stats) sorted=sorted command=(clsort --algorithm local --stats=json -o result before) ;;
explain) command=(clsort --explain before) ;;
list) prints_early=yes command=(clsort --list-devices) ;; # one device after the other
esac
for more in '' +; do
    at=0
    while faulty "$at$more"; do
        ((at += 1))
    done
    ((at > 0)) || fail "no call was seen"
done
echo "$at $source calls"
finish
