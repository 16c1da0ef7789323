#!/usr/bin/env bash
# kill.sh - killed at any moment, a sort of a file onto itself leaves the file unsorted or sorted
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 8M -o original >/dev/null
clsort original >sorted # compiles, so that the time below is a usual one
start=${EPOCHREALTIME/./}
expect 0 clsort -o data original
duration=$((${EPOCHREALTIME/./} - start))
same data sorted
unsorted=0

# whole: the file is as before or as after, in every byte; after is put back to before.
whole() {
    if cmp -s data original; then
        unsorted=$((unsorted + 1))
    else
        same data sorted
        cp original data
    fi
    rm -f .clsort-*
}

cp original data
for ((i = 0; i < 10; i++)); do # at moments spread over the whole run
    clsort -o data data &
    sleep "$(awk -v us="$duration" -v i=$i -v r=$RANDOM 'BEGIN { print us * (i + r / 32768) / 1e7 }')"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    whole
done
((unsorted > 0)) || fail "no kill came before the end"

caught=0
for ((i = 0; i < 10; i++)); do # while the result is being written
    clsort -o data data &
    job=$!
    await_temporary -s $job
    kill -9 $job 2>/dev/null
    wait $job 2>/dev/null
    [[ ! -e $(echo .clsort-*) ]] || caught=$((caught + 1))
    whole
done
((caught > 0)) || fail "no kill came during the writing"

# What was left behind by a kill is in nobody's way.
expect 0 clsort -o data data
same data sorted
finish
